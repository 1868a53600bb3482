import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Bar } from './bars.ts'
import { credentialsOf } from './http/keys.ts'
import { type Served, serve } from './http/serving.ts'
import { barLines, table } from './report.ts'
import { median } from './stopwatch.ts'

/*
 * The benchmark of the clock `follow`: a client that quotes each two seconds and reads its fills each second of its own time
 * lives for a span in one world after another, each in the default scenario with the same seed. It sends one request after
 * another over one connection. The first life warms the server up, and does not count. What counts is the processor time of the server, and that all lives end with one digest.
 * Exit code 1: a bar is missed. Run by `npm run bench follow`; `-- --hours 24` lets it live for a day.
 */

const { values: flags } = parseArgs({
  options: { hours: { type: 'string', default: '2' }, lives: { type: 'string', default: '3' } },
})
const seconds = Math.round(Number(flags.hours) * 3600)
const lives = Number(flags.lives)

interface Life {
  readonly requests: number
  readonly cpuMillis: number
  readonly wallMillis: number
  readonly digest: string
}

/** The world of a life, as the admin API has made it. */
interface MadeWorld {
  readonly id: string
  readonly now: string
  readonly accounts: readonly {
    readonly id: string
    readonly keys: readonly { readonly apiKey: string; readonly apiSecret: string }[]
  }[]
}

const program = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
const command = (port: number) => ({
  program: process.execPath,
  words: [program, 'serve', '--port', String(port), '--clock', 'manual'],
})
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

await using served = await serve(
  command,
  { method: 'GET', path: '/api/sdk/orders', body: '' },
  credentialsOf('alice'),
)
const all: Life[] = []
for (let life = 0; life <= lives; life += 1) all.push(await live(served))
const perRequest = all.slice(1).map(({ cpuMillis, requests }) => cpuMillis / requests)
const digests = new Set(all.map(({ digest }) => digest))
const bars: readonly Bar[] = [
  {
    name: 'processor time of the server, ms a request',
    bound: '<= 0.3',
    got: median(perRequest).toFixed(3),
    holds: median(perRequest) <= 0.3,
  },
  {
    name: `digests of ${all.length} lives`,
    bound: '1',
    got: String(digests.size),
    holds: digests.size === 1 && all.length > 1,
  },
]
const rows = all.map(({ requests, cpuMillis, wallMillis, digest }) => [
  String(requests),
  (cpuMillis / requests).toFixed(3),
  (wallMillis / requests).toFixed(3),
  digest,
])
const head = [`requests in ${flags.hours} h`, 'server CPU ms/request', 'ms/request', 'digest']
console.log([...table([head, ...rows]), ...barLines(bars)].join('\n'))
agent.destroy()
process.exitCode = bars.every(({ holds }) => holds) ? 0 : 1

/** Lets the client live in a new world, and returns what that has cost. */
async function live({ port, cpuMillis }: Served): Promise<Life> {
  const world = await makeWorld(port)
  const key = world.accounts.find(({ id }) => id === 'maker')?.keys[0]
  if (key === undefined) throw new Error('the default scenario has a maker')
  const startMillis = Date.parse(world.now)
  let requests = 0
  const ask = async (second: number, method: string, path: string, form?: object) => {
    const body = form === undefined ? '' : JSON.stringify(form)
    const timestamp = String(startMillis + second * 1000)
    const signed = createHmac('sha256', key.apiSecret)
      .update(timestamp + method + path + body)
      .digest('hex')
    const headers = { 'X-API-Key': key.apiKey, 'X-API-Timestamp': timestamp, 'X-API-Signature': signed }
    const answer = await send(port, method, path, headers, body)
    requests += 1
    return answer
  }
  const before = { cpu: cpuMillis() ?? Number.NaN, wall: performance.now() }
  let middle = 0
  for (let second = 0; second <= seconds; second += 1) {
    if (second % 60 === 0) middle = (await ask(second, 'GET', '/api/sdk/market-data/prices/BTC')).mid
    if (second % 2 === 0) {
      const sides = { bidPrice: Math.round(middle * 0.9999), askPrice: Math.round(middle * 1.0001) }
      const sizes = { bidSize: 0.001, askSize: 0.001, validForSeconds: 2 }
      await ask(second, 'POST', '/api/sdk/quotes', { asset: 'BTC', ...sides, ...sizes })
    }
    await ask(second, 'GET', '/api/sdk/portfolio/trades?limit=10')
  }
  const wallMillis = performance.now() - before.wall
  const spentMillis = (cpuMillis() ?? Number.NaN) - before.cpu
  const { digest } = await send(port, 'GET', `/__admin/worlds/${world.id}/digest`, {}, '')
  await send(port, 'DELETE', `/__admin/worlds/${world.id}`, {}, '')
  return { requests, cpuMillis: spentMillis, wallMillis, digest }
}

async function makeWorld(port: number): Promise<MadeWorld> {
  const form = JSON.stringify({ seed: '7', clock: { mode: 'follow' } })
  const made = await send(port, 'POST', '/__admin/worlds', {}, form)
  await send(port, 'PUT', `/__admin/worlds/${made.id}/rate-limits`, {}, '{"enabled":false}')
  return made
}

/** Sends a request and returns the JSON of its answer, whatever its shape. Rejects for a status of 400 or more. */
function send(
  port: number,
  method: string,
  path: string,
  signed: Readonly<Record<string, string>>,
  body: string,
): Promise<ReturnType<typeof JSON.parse>> {
  const headers = body === '' ? signed : { ...signed, 'Content-Type': 'application/json' }
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      answer.once('end', () => {
        const status = answer.statusCode ?? 0
        if (status >= 400) reject(new Error(`${method} ${path}: ${status} ${text}`))
        else resolve(text === '' ? null : JSON.parse(text))
      })
    })
    asked.once('error', reject)
    asked.end(body)
  })
}
