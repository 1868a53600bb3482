import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { recordBytes, smallRecordBytes } from '../../src/numeric/columns.ts'
import { serveApart } from '../crash/served.ts'
import { breakConnections } from './broken-connections.ts'
import { Kept } from './kept-connection.ts'

/*
 * `npm run soak http`: two million requests over 64 connections that stay open, while others break off at every point of
 * theirs, and a day of the world's time passes. No answer may be lost, doubled or out of order, no kept connection closed,
 * no order made twice, and memory may grow by what a venue keeps of each order, but not with the requests.
 * `-- --requests 100000` takes a minute or two.
 */

const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000000' },
    hours: { type: 'string', default: '24' },
    connections: { type: 'string', default: '64' },
  },
})
const requests = Number(flags.requests)
/** The day is over early: what a world keeps of its own past does not grow with requests. */
const daySteps = 30
const stepMillis = Math.round((Number(flags.hours) * 3_600_000) / daySteps)

/** A map of many has 28 bytes for each, of which half are free when it has just grown. */
const bytesPerEntry = 56
/**
 * What is kept of an order: a row of the orders and one of those that rest, its place in the account's list, its id by row
 * and its row by id; and of its line in the journal the numbers and the id, which is one text for all three.
 */
const bytesPerOrder = recordBytes + smallRecordBytes + 4 + 2 * bytesPerEntry + (52 + bytesPerEntry) + 32
/** Its rows again: after 50,000 lines the journal in memory starts over with a copy of what the world has then. */
const bytesPerCopy = recordBytes + smallRecordBytes

const program = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
// What is alive takes a third of that heap; more would only let garbage lie longer, and hide what grows.
const heap = '--max-old-space-size=64'
const words = [heap, program, 'serve', '--json', '--port', '0', '--seed', 'soak', '--clock', 'manual']
const { url, child, ended, errors } = await serveApart({ program: process.execPath, words })
const port = Number(new URL(url).port)
const { pid = 0 } = child
await admin('PUT', '/rate-limits', { enabled: false })

const kept = Array.from({ length: Number(flags.connections) }, (_, at) => new Kept(port, at))
const breaking = new AbortController()
const broken = breakConnections(port, breaking.signal)
const megabytes: number[] = []
const orders: number[] = []
const begun = performance.now()
for (let step = 1; step <= 100; step += 1) {
  const share = Math.ceil((requests * step) / (100 * kept.length))
  const answers = kept.map((connection) => connection.askUntil(share))
  // Time passes while they are under way.
  if (step <= daySteps)
    answers.push(admin('POST', '/clock/advance', { byMs: stepMillis }).then(() => undefined))
  await Promise.all(answers)
  megabytes.push(residentMegabytes())
  orders.push(Math.max(...kept.map(({ orderNumber }) => orderNumber)))
  if (step % 10 === 0) console.error(`${step} %: ${seconds()} s, ${megabytes.at(-1)?.toFixed(0)} MB`)
}
breaking.abort()
const { connections, orders: perhaps } = await broken
const asked = kept.reduce((sum, { answered }) => sum + answered, 0)
const placed = kept.reduce((sum, { orders }) => sum + orders, 0)
const made = await new Kept(port, 0).ordersSoFar()
for (const connection of kept) connection.close()
const { now } = await admin('GET', '/digest')
child.kill()
const code = await ended

// What has a bound has reached it by then: compiled code, the log of requests, the market's series.
const [early, late] = [middle(megabytes.slice(40, 60)), middle(megabytes.slice(80))]
const [fewer, more] = [middle(orders.slice(40, 60)), middle(orders.slice(80))]
const ofOrders = ((more - fewer) * bytesPerOrder + more * bytesPerCopy) / 1e6
const problems = [
  made < placed || made > placed + perhaps ? `${made} orders are there, ${placed} were answered` : '',
  late > early * 1.05 + ofOrders ? `memory grew from ${early.toFixed(0)} to ${late.toFixed(0)} MB` : '',
  errors() === '' ? '' : `the server said: ${errors()}`,
  code === null || code === 0 ? '' : `the server ended with ${code}`,
].filter((problem) => problem !== '')
console.log(
  `${asked} answers in their order over ${kept.length} kept connections in ${seconds()} s, to ${String(now)};` +
    ` ${connections} connections broken off; ${placed} orders, and ${made - placed} of ${perhaps} whose answers nobody read;` +
    ` memory ${early.toFixed(0)} to ${late.toFixed(0)} MB, of which ${ofOrders.toFixed(0)} MB may be those of orders`,
)
for (const problem of problems) console.log(`FAILED: ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

async function admin(
  method: string,
  path: string,
  body?: object,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${url}/__admin/worlds/default${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (!response.ok)
    throw new Error(`${method} ${path} is answered ${response.status} ${await response.text()}`)
  return JSON.parse(await response.text())
}

/** Source: proc(5): the second figure of `statm` is the resident pages, of 4,096 bytes here. NaN on other systems. */
function residentMegabytes(): number {
  if (process.platform !== 'linux') return Number.NaN
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1e6
}

function middle(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN
}

function seconds(): string {
  return ((performance.now() - begun) / 1000).toFixed(0)
}
