import { request } from 'node:http'
import { Session } from 'node:inspector/promises'
import process from 'node:process'
import { startVenue } from '../../src/testing/entry.ts'
import { signedHeaders } from '../server/signed-request.ts'

/*
 * Serves a world from the sources, places one order that fills, and prints the files of the sources in which a function
 * was entered meanwhile, from the socket to the answer. It is a process of its own because a test runner's module loader
 * puts functions into every module.
 */
const venue = await startVenue({ scenario: 'calm', seed: '7' })
const keys = venue.keys['trader']
if (keys === undefined) throw new Error('the scenario has a trader')
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
await place()
// What is loaded on demand is there now. The server's own ticks fall into one of these at most.
const runs: ReadonlySet<string>[] = []
for (let run = 0; run < 3; run += 1) {
  await session.post('Profiler.takePreciseCoverage')
  const answer = await place()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  if (!answer.includes('"orderId"')) throw new Error(answer)
  runs.push(enteredFiles(result))
}
const [first = new Set<string>(), ...others] = runs
const files = [...first].filter((file) => others.every((run) => run.has(file))).toSorted()
const trades = JSON.parse(await send('GET', '/api/sdk/portfolio/trades', '')).trades.length
process.stdout.write(`${JSON.stringify({ trades, files })}\n`)
await venue.close()

function place(): Promise<string> {
  const order = { side: 'buy', asset: 'BTC', quantity: 0.01, orderType: 'market' }
  return send('POST', '/api/sdk/orders', JSON.stringify(order))
}

function send(method: string, target: string, body: string): Promise<string> {
  const headers = signedHeaders({ method, target, body, ...keys }, Date.now())
  return new Promise((resolve, reject) => {
    const outgoing = request(venue.url + target, { method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += String(chunk)
      })
      response.on('end', () => resolve(text))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
}

function enteredFiles(scripts: readonly Script[]): ReadonlySet<string> {
  const entered = scripts.filter(({ functions }) =>
    functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
  )
  return new Set(entered.flatMap(({ url }) => /\/(src\/.*?\.ts)(?:\?.*)?$/.exec(url)?.[1] ?? []))
}
