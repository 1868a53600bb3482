import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadShipped } from '../../src/world/shipped/shipped-scenarios.ts'
import { Workshop } from '../clients/workshop.ts'
import type { Bar } from './bars.ts'
import { commandOf, type Name, names, packages, writeFiles } from './http/contenders.ts'
import { inProcessNames, orderCosts, worldCosts } from './http/in-process.ts'
import { type Call, credentialsOf, signedHeaders, traders } from './http/keys.ts'
import { type Figures, load } from './http/load.ts'
import { orderBody } from './http/our-venue.ts'
import { type Served, serve } from './http/serving.ts'
import { bareNode, defaultScenario, measureStarts, type Starts, startRatio } from './http/starts.ts'
import { barLines, table } from './report.ts'
import { median } from './stopwatch.ts'

/*
 * The benchmark over HTTP: our server and what its users would pick instead, each a program of its own, take turns under the
 * same signed load from this process, over loopback. Only ratios within one run mean anything. Exit code 1: a bar is missed.
 * Run by `npm run bench http`, after `npm run build`; `-- --quick` takes a minute, `-- --starts` only starts us and
 * json-server, in Markdown, which is worth while under several versions of Node. Also known: installed once, into
 * `.otcsim/bench-programs`; one that is not there, or does not start, is left out.
 */

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    starts: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    millis: { type: 'string' },
  },
})
const rounds = Number(flags.rounds ?? (flags.quick ? 1 : flags.starts ? 15 : 5))
const millis = Number(flags.millis ?? (flags.quick ? 300 : 700))

const path = '/api/sdk/orders'
const loads = [
  { name: 'POST, 16 connections', method: 'POST', connections: 16 },
  { name: 'GET, 16 connections', method: 'GET', connections: 16 },
  { name: 'POST, 1 connection', method: 'POST', connections: 1 },
  { name: 'GET, 1 connection', method: 'GET', connections: 1 },
] as const
type Load = (typeof loads)[number]

interface Contender {
  readonly name: Name
  readonly served: Served
  /** One of each trader's. */
  readonly orderIds: readonly string[]
}

interface Sample extends Figures {
  readonly cpuMicros: number
}

const workshop = new Workshop(fileURLToPath(new URL('../bench-programs', import.meta.url)))
await workshop.prepare({ npm: packages })
await writeFiles(workshop)
const samples = new Map<string, Sample[]>()
if (flags.starts) await benchStarts()
else await benchAll()

async function benchStarts(): Promise<void> {
  const starts = await measureStarts(rounds, ['json-server'], start)
  const rows = [bareNode, defaultScenario, 'json-server'].map((name) => {
    const each = starts.get(name) ?? []
    const cells = [name, median(each).toFixed(0), startRatio(starts, name, bareNode).toFixed(2)]
    return `| ${cells.join(' | ')} |`
  })
  const title = `start to the first answer, Node ${process.versions.node}`
  console.log([`| ${title} | median ms | of \`${bareNode}\` |`, '| --- | ---: | ---: |', ...rows].join('\n'))
}

async function benchAll(): Promise<void> {
  const present = await playAll()
  const starts = await measureStarts(rounds, present, start)
  const costs = await orderCosts(rounds)
  const calm = loadShipped('calm', {})
  if (calm?.ok !== true) throw new Error('the default scenario does not load')
  const world = worldCosts(calm.value)
  const bars = [
    ...barsOfLoad('POST, 16 connections', 'requestsPerSecond', [
      ['plain Koa', 1.3],
      ['plain Koa, @koa/bodyparser', 1.3],
      ['WireMock', 0.5],
      ['Prism', 5],
      ['Mockoon', 15],
      ['json-server', 15],
    ]),
    ...barsOfLoad('POST, 16 connections', 'p99Millis', [['plain Koa', 1]]),
    ...barsOfLoad('POST, 1 connection', 'p99Millis', [['plain Koa', 1]]),
    atLeast('world.fetch against MSW', 5, costs.MSW / costs['world.fetch']),
    atLeast('world.fetch against undici MockAgent', 2, costs['undici MockAgent'] / costs['world.fetch']),
    atLeast('world.request against MSW', 10, costs.MSW / costs['world.request']),
    ...barsOfStart(starts, [
      ['json-server', 1],
      ['Mockoon', 0.5],
      ['WireMock', 0.5],
      ['Prism', 0.5],
      [bareNode, 4],
    ]),
    atMost('a world is made, ms', 2, world.millis),
    atMost('a world holds, KB', 300, world.bytes / 1000),
  ]
  console.log(
    [
      ...table([
        ['load', 'server', 'requests/s', 'median ms', 'p99 ms', 'CPU us/request'],
        ...loads.flatMap((each) => present.map((name) => row(each, name))),
      ]),
      '',
      ...table([
        ['start to the first answer', 'ms'],
        ...[...starts].map(([name, each]) => [name, median(each).toFixed(0)]),
      ]),
      '',
      ...table([
        ['an order in process', 'CPU us'],
        ...inProcessNames.map((name) => [name, costs[name].toFixed(1)]),
      ]),
      ...barLines(bars),
    ].join('\n'),
  )
  process.exitCode = bars.every(({ holds }) => holds) ? 0 : 1
}

/** Plays every load with every contender, and answers who was there. */
async function playAll(): Promise<readonly Name[]> {
  const contenders: Contender[] = []
  try {
    for (const name of names) {
      const served = await start(name)
      if (served === null) continue
      const orderIds = [await placeOrder(served.port, 0), await placeOrder(served.port, 1)]
      contenders.push({ name, served, orderIds })
    }
    for (let round = 0; round < rounds; round += 1) {
      // Odd rounds go backwards, so that no server always follows the same one.
      const order = round % 2 === 0 ? contenders : [...contenders].reverse()
      for (const each of loads) for (const contender of order) await play(contender, each, round === 0)
    }
  } finally {
    for (const { served } of contenders) await served[Symbol.asyncDispose]()
  }
  return contenders.map(({ name }) => name)
}

/** Null when it is not on this machine, or does not start. */
async function start(name: Name): Promise<Served | null> {
  try {
    const commandAt = (port: number) => commandOf(name, workshop.folder, port)
    return await serve(commandAt, { method: 'GET', path, body: '' }, credentialsOf('alice'))
  } catch (failure) {
    console.error(`${name} is left out: ${failure instanceof Error ? failure.message : String(failure)}`)
    return null
  }
}

/** An order that GET finds. */
async function placeOrder(port: number, connection: 0 | 1): Promise<string> {
  const body = orderBody(connection)
  const signature = signedHeaders({ method: 'POST', path, body }, credentialsOf(traders[connection]))
  const headers = { 'Content-Type': 'application/json', ...signature }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
  const { orderId, id } = JSON.parse(await response.text())
  return String(id ?? orderId)
}

async function play({ name, served, orderIds }: Contender, each: Load, isFirst: boolean): Promise<void> {
  const { method, connections } = each
  const call = (connection: number): Call =>
    method === 'POST'
      ? { method, path, body: orderBody(connection) }
      : { method, path: `${path}/${orderIds[connection % 2]}`, body: '' }
  // Warms up until the code is compiled and the tables have their usual size.
  const warmMillis = isFirst ? 3 * millis : millis / 3
  let before: number | null = null
  const begins = () => {
    before = served.cpuMillis()
  }
  const status = method === 'POST' ? 201 : 200
  const figures = await load({ port: served.port, connections, call, status, warmMillis, millis, begins })
  const spent = (served.cpuMillis() ?? Number.NaN) - (before ?? Number.NaN)
  const cpuMicros = (spent / (figures.requestsPerSecond * millis)) * 1e6
  note(samples, `${each.name} ${name}`, { ...figures, cpuMicros })
  const slowest = `99 % within ${figures.p99Millis.toFixed(2)} ms`
  console.error(`${each.name}, ${name}: ${figures.requestsPerSecond.toFixed(0)} requests/s, ${slowest}`)
}

function note<Value>(all: Map<string, Value[]>, key: string, value: Value): void {
  all.set(key, [...(all.get(key) ?? []), value])
}

/**
 * Our figure over a peer's: the median of the ratios of each round, because the machine's other load changes from round to
 * round, but affects both within one. NaN for a peer that is left out.
 */
function against(each: Load['name'], peer: Name, figure: keyof Figures): number {
  const theirs = samples.get(`${each} ${peer}`) ?? []
  const ours = samples.get(`${each} otcsim`) ?? []
  return median(theirs.map((sample, round) => (ours[round]?.[figure] ?? Number.NaN) / sample[figure]))
}

type Bounds<Peer> = readonly (readonly [peer: Peer, bound: number])[]

function barsOfLoad(each: Load['name'], figure: keyof Figures, bounds: Bounds<Name>): readonly Bar[] {
  const measured = bounds.filter(([peer]) => samples.has(`${each} ${peer}`))
  return measured.map(([peer, bound]) => {
    const got = against(each, peer, figure)
    return figure === 'requestsPerSecond'
      ? atLeast(`${each}: requests per second against ${peer}`, bound, got)
      : atMost(`${each}: 99th percentile against ${peer}`, bound, got)
  })
}

function barsOfStart(starts: Starts, bounds: Bounds<Name | typeof bareNode>): readonly Bar[] {
  const measured = bounds.filter(([peer]) => starts.has(peer))
  return measured.map(([peer, bound]) =>
    atMost(`start to the first answer against ${peer}`, bound, startRatio(starts, defaultScenario, peer)),
  )
}

function row(each: Load, name: Name): readonly string[] {
  const all = samples.get(`${each.name} ${name}`) ?? []
  const of = (figure: keyof Sample) => median(all.map((sample) => sample[figure]))
  return [
    each.name,
    name,
    of('requestsPerSecond').toFixed(0),
    of('p50Millis').toFixed(2),
    of('p99Millis').toFixed(2),
    of('cpuMicros').toFixed(0),
  ]
}

function atLeast(name: string, bound: number, got: number): Bar {
  return { name, bound: `at least ${bound}`, got: got.toFixed(2), holds: got >= bound }
}

function atMost(name: string, bound: number, got: number): Bar {
  return { name, bound: `at most ${bound}`, got: got.toFixed(2), holds: got <= bound }
}
