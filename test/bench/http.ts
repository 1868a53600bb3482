import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadShipped } from '../../src/world/shipped/shipped-scenarios.ts'
import { callCosts, worldCosts } from './http/in-process.ts'
import { type Call, credentialsOf, signedHeaders, traders } from './http/keys.ts'
import { load } from './http/load.ts'
import { orderBody } from './http/our-venue.ts'
import { startUp } from './http/start-up.ts'
import { barLines, table } from './report.ts'
import { median } from './stopwatch.ts'

/*
 * The benchmark over HTTP: our server and three others, each in a process of its own, take turns under the same signed
 * load from this process, over loopback. Only ratios within one run mean anything. Exit code 1: a promise is missed.
 * Run by `npm run bench:http`, after `npm run build`; `-- --quick` takes some seconds.
 */

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    millis: { type: 'string' },
  },
})
const rounds = Number(flags.rounds ?? (flags.quick ? 1 : 15))
/**
 * The same for all: a server collects its garbage on its main thread. Helper threads would run on the processors of the
 * load and of the server under test, and waiting for each other there was a fifth of the 99th percentile.
 */
const execArgv = ['--single-threaded-gc']
const millis = Number(flags.millis ?? (flags.quick ? 300 : 600))

const names = ['ours', 'koa', 'fastify', 'bare'] as const
type Name = (typeof names)[number]
const loads = ['GET order', 'GET prices', 'POST order'] as const
type LoadName = (typeof loads)[number]

interface Server {
  readonly name: Name
  readonly child: ChildProcess
  readonly port: number
  /** One of each trader's. */
  readonly orderIds: readonly string[]
}

interface Sample {
  readonly requestsPerSecond: number
  readonly p99Millis: number
  readonly cpuMicros: number
}

const samples = new Map<string, Sample[]>()
const servers = await Promise.all(names.map(startServer))
try {
  for (let round = 0; round < rounds; round += 1) {
    // Odd rounds go backwards, so that no server always follows the same one.
    const order = round % 2 === 0 ? servers : [...servers].reverse()
    for (const loadName of loads) for (const server of order) await play(server, loadName, round === 0)
  }
} finally {
  for (const { child } of servers) child.kill()
}

const { inProcessMicros, fetchMicros } = await callCosts(rounds)
const starts = []
for (let round = 0; round < (flags.quick ? 3 : 9); round += 1) {
  starts.push(await startUp((call) => headersOfDesk(call)))
}
const calm = loadShipped('calm', {})
if (calm?.ok !== true) throw new Error('the default scenario does not load')
const world = worldCosts(calm.value)

const node = median(starts.map(({ nodeMillis }) => nodeMillis))
const command = median(starts.map(({ oursMillis }) => oursMillis))
const rate = (peer: Name): number => against(peer, ({ requestsPerSecond }) => requestsPerSecond)
const bars = [
  atLeast('POST order, requests per second against Koa', 1.15, rate('koa')),
  atLeast('POST order, requests per second against fastify', 1, rate('fastify')),
  atLeast('POST order, requests per second against bare node:http', 0.65, rate('bare')),
  atMost(
    'POST order, p99 against fastify',
    1,
    against('fastify', ({ p99Millis }) => p99Millis),
  ),
  atLeast('an order in process against fetch to our server', 25, fetchMicros / inProcessMicros),
  atMost('from spawn to the first answer against node -e 0', 2, command / node),
  atMost('a world is made, ms', 2, world.millis),
  atMost('a world holds, KB', 300, world.bytes / 1000),
]
console.log(
  [
    ...table([
      ['load', 'server', 'requests/s', 'against ours', 'p99 ms', 'CPU us/request'],
      ...loads.flatMap((loadName) => names.map((name) => row(loadName, name))),
    ]),
    '',
    `an order in process ${inProcessMicros.toFixed(1)} us, by fetch ${fetchMicros.toFixed(0)} us`,
    `node -e 0 ${node.toFixed(0)} ms, otcsim serve to its first answer ${command.toFixed(0)} ms`,
    ...barLines(bars),
  ].join('\n'),
)
process.exitCode = bars.every(({ holds }) => holds) ? 0 : 1

async function startServer(name: Name): Promise<Server> {
  const child = fork(fileURLToPath(new URL('http/server.mjs', import.meta.url)), [name], { execArgv })
  const [{ port }] = await once(child, 'message')
  return { name, child, port, orderIds: [await firstOrder(port, 0), await firstOrder(port, 1)] }
}

/** An order that GET finds. */
async function firstOrder(port: number, connection: 0 | 1): Promise<string> {
  const body = orderBody(connection)
  const path = '/api/sdk/orders'
  const headers = {
    'Content-Type': 'application/json',
    ...signedHeaders({ method: 'POST', path, body }, credentialsOf(traders[connection])),
  }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
  const { orderId } = JSON.parse(await response.text())
  return String(orderId)
}

async function play(server: Server, loadName: LoadName, isFirst: boolean): Promise<void> {
  const { name, child, port, orderIds } = server
  const status = loadName === 'POST order' ? 201 : 200
  const call = (connection: number) => callOf(loadName, orderIds, connection)
  // Warms up until the code is compiled and the tables have their usual size.
  const warmMillis = isFirst ? 5 * millis : millis / 3
  let before = Promise.resolve(0)
  const begins = () => {
    before = cpuMicros(child)
  }
  const { requestsPerSecond, p99Millis } = await load({ port, call, status, warmMillis, millis, begins })
  const spent = -(await before) + (await cpuMicros(child))
  const key = `${loadName} ${name}`
  const sample = { requestsPerSecond, p99Millis, cpuMicros: spent / ((requestsPerSecond * millis) / 1000) }
  samples.set(key, [...(samples.get(key) ?? []), sample])
  console.error(`${key}: ${requestsPerSecond.toFixed(0)} requests/s, p99 ${p99Millis.toFixed(1)} ms`)
}

function callOf(loadName: LoadName, orderIds: readonly string[], connection: number): Call {
  if (loadName === 'POST order')
    return { method: 'POST', path: '/api/sdk/orders', body: orderBody(connection) }
  const path =
    loadName === 'GET order' ? `/api/sdk/orders/${orderIds[connection % 2]}` : '/api/sdk/market-data/prices'
  return { method: 'GET', path, body: '' }
}

async function cpuMicros(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message')
  child.send('cpu')
  const [{ cpuMicros: micros }] = await answer
  return micros
}

/**
 * Our figure over a peer's in POST order: the median of the ratios of each round, because the machine's other load
 * changes from round to round, but affects both within one.
 */
function against(peer: Name, of: (sample: Sample) => number): number {
  const theirs = samples.get(`POST order ${peer}`) ?? []
  const ours = samples.get('POST order ours') ?? []
  return median(ours.map((sample, round) => of(sample) / of(theirs[round] ?? sample)))
}

function middle(name: Name, loadName: LoadName): Sample {
  const all = samples.get(`${loadName} ${name}`) ?? []
  const of = (pick: (sample: Sample) => number) => median(all.map(pick))
  return {
    requestsPerSecond: of((sample) => sample.requestsPerSecond),
    p99Millis: of((sample) => sample.p99Millis),
    cpuMicros: of((sample) => sample.cpuMicros),
  }
}

function row(loadName: LoadName, name: Name): readonly string[] {
  const { requestsPerSecond, p99Millis, cpuMicros: micros } = middle(name, loadName)
  const against = requestsPerSecond / middle('ours', loadName).requestsPerSecond
  return [
    loadName,
    name,
    requestsPerSecond.toFixed(0),
    `x${against.toFixed(2)}`,
    p99Millis.toFixed(1),
    micros.toFixed(0),
  ]
}

function atLeast(name: string, bound: number, got: number) {
  return { name, bound: `at least ${bound}`, got: got.toFixed(2), holds: got >= bound }
}

function atMost(name: string, bound: number, got: number) {
  return { name, bound: `at most ${bound}`, got: got.toFixed(2), holds: got <= bound }
}

function headersOfDesk(call: Call): Record<string, string> {
  return signedHeaders(call, { apiKey: 'simk_default_desk', apiSecret: 'sims_default_desk' })
}
