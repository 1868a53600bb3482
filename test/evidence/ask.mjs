import { createHmac } from 'node:crypto'

/*
 * Asks the venue of the environment for what the first argument names, below /api/sdk: signed, with the given key, or
 * with that of a new world, when the second argument is `other`.
 */

const { OTC_BASE_URL: url, OTC_API_KEY: key, OTC_API_SECRET: secret, OTC_ADMIN_URL: adminUrl } = process.env
const [name, world] = process.argv.slice(2)
const caller = world === 'other' ? await makeWorld() : { key, secret }
const path = `/api/sdk/${name}`
const timestamp = String(Date.now())
const signature = createHmac('sha256', caller.secret).update(`${timestamp}GET${path}`).digest('hex')
await fetch(url + path, {
  headers: { 'X-API-Key': caller.key, 'X-API-Timestamp': timestamp, 'X-API-Signature': signature },
})

async function makeWorld() {
  const made = await fetch(`${adminUrl}/worlds`, {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/json' },
  })
  const { accounts } = await made.json()
  const [{ apiKey, apiSecret }] = accounts[0].keys
  return { key: apiKey, secret: apiSecret }
}
