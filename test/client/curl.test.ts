import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { programPath } from '../support/program-path.ts'
import { serveNow } from './venue.ts'

const run = promisify(execFile)

/** Uses only curl and openssl; `$URL` is the venue's address. */
const placeAnOrder = `
T=$(date +%s)000
B='{"side":"buy","asset":"BTC","quantity":0.5,"price":60000,"clientOrderId":"by-hand"}'
S=$(printf %s "\${T}POST/api/sdk/orders$B" | openssl dgst -sha256 -hmac sims_default_desk | sed 's/.* //')
curl -s "$URL/api/sdk/orders" -H 'Content-Type: application/json' -d "$B" \\
  -H 'X-API-Key: simk_default_desk' -H "X-API-Timestamp: $T" -H "X-API-Signature: $S"
`

describe('an order can be signed and placed by hand', { tags: ['curl', 'openssl'] }, () => {
  it('in sh', { tags: ['sh'] }, () => expectPlaced('sh', ['-euc']))

  // Without --norc, bash would take a socket on stdin for a remote login and read the user's start-up files.
  it('in bash', { tags: ['bash'] }, () => expectPlaced('bash', ['--norc', '-euc']))
})

async function expectPlaced(shell: 'sh' | 'bash', options: readonly string[]): Promise<void> {
  const { url, world } = await serveNow()
  const { stdout, stderr } = await run(programPath(shell), [...options, placeAnOrder], {
    env: { ...process.env, URL: url },
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({ orderId: 'ord_1', clientOrderId: 'by-hand', status: 'open' })
  const read = world.request('desk', 'GET', '/api/sdk/orders/by-client-id?clientOrderId=by-hand')
  expect(read.body).toMatchObject({ status: 'filled', filledQuantity: 0.5 })
}
