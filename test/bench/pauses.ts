import { readFileSync } from 'node:fs'
import { type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  buy,
  firstClientAccount,
  goodTillCancelled,
  isTerminal,
  limit,
  sell,
} from '../../src/engine/codes.ts'
import type { ClientCommand } from '../../src/engine/command.ts'
import { Venue } from '../../src/engine/venue.ts'
import { millis, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { benchVenueConfig, startMillis } from './contenders/engine-config.ts'
import { EventDigest } from './event-digest.ts'
import { Random } from './random.ts'

/*
 * The longest commands of ten million on one venue: tables that grow and garbage that is collected are part of them; that
 * the machine runs something else meanwhile is not, where Linux tells it. What of a pause was V8's own collections is told.
 * 55 % place, 45 % cancel, one order in ten crosses. Run by `npm run bench pauses`, alone on a machine. Exit code 1: a
 * command took a millisecond after the first hundred thousand, during which code is compiled.
 */

const { values: flags } = parseArgs({
  options: { commands: { type: 'string', default: '10000000' }, seed: { type: 'string', default: '7' } },
})
const commands = Number(flags.commands)
const accounts = 1_000
const assets = 4
const middleTicks = 5_000_000
const commandsPerMilli = 10
const longMillis = 0.3
const shown = 12
const compiledAfter = 100_000
const allowedMillis = 1

interface Pause {
  readonly startedMillis: number
  readonly tookMillis: number
  readonly command: number
  readonly orders: number
}

const random = new Random(flags.seed, 'pauses')
const venue = Venue.open(benchVenueConfig({ accounts, assets }), new EventDigest())
const { fills, orders } = venue.state
// As many as there can ever be, so that a growing list of ours is none of the pauses.
const live = new Int32Array(commands)
let liveCount = 0
const pauses: Pause[] = []
const collections: PerformanceEntry[] = []
new PerformanceObserver((seen) => collections.push(...seen.getEntries())).observe({ entryTypes: ['gc'] })
let totalMillis = 0
let waitedMillis = waitedForProcessor()
for (let at = 0; at < commands; at += 1) {
  const command = random.unit() < 0.55 || liveCount === 0 ? place(at) : cancel(at)
  const before = performance.now()
  const outcome = venue.execute(command)
  const took = performance.now() - before
  totalMillis += took
  if (!outcome.ok) throw new Error(`a command was refused: ${outcome.rejection.code}`)
  if (command.kind === 'place-order' && !isTerminal(orders.status.get(outcome.row))) {
    live[liveCount] = outcome.row
    liveCount += 1
  }
  if (took <= longMillis) continue
  const waited = waitedForProcessor() - waitedMillis
  waitedMillis += waited
  const tookMillis = Math.max(0, took - waited)
  pauses.push({ startedMillis: before, tookMillis, command: at, orders: orders.count })
}
// Node tells of its collections when the loop of events turns.
await setImmediate()
await setImmediate()
pauses.sort((left, right) => right.tookMillis - left.tookMillis)
const rate = commands / totalMillis / 1000
console.log(
  `${commands} commands, ${rate.toFixed(2)} million a second; ${orders.count} orders, ${liveCount} live, ${fills.count} fills; ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
)
const compiled = pauses.filter(({ command }) => command >= compiledAfter)
const [longest = null] = compiled
const isHeld = longest === null || longest.tookMillis < allowedMillis
if (!isHeld) process.exitCode = 1
console.log(
  `${isHeld ? 'held  ' : 'MISSED'} longest command once the code is compiled: ${longest?.tookMillis.toFixed(2) ?? `below ${longMillis}`} ms, under ${allowedMillis}`,
)
const ownMillis = compiled.map((pause) => pause.tookMillis - collectedMillis(pause))
console.log(
  `       the longest without the collector: ${Math.max(longMillis, ...ownMillis).toFixed(2)} ms or less`,
)
for (const pause of pauses.slice(0, shown)) {
  const { tookMillis, command, orders } = pause
  const collected = collectedMillis(pause)
  const part = collected === 0 ? 'no collection' : `${collected.toFixed(2)} ms of it V8's collections`
  console.log(`${tookMillis.toFixed(2)} ms at command ${command}, with ${orders} orders; ${part}`)
}

/** What the collections that began within a pause took; those of other commands are not of it. */
function collectedMillis({ startedMillis, tookMillis }: Pause): number {
  const within = collections.filter(
    ({ startTime }) => startTime >= startedMillis && startTime <= startedMillis + tookMillis,
  )
  // A collection's time has what the thread waited in it, a pause's has not.
  return within.reduce((sum, { duration }) => Math.min(tookMillis, sum + duration), 0)
}

function place(at: number): ClientCommand {
  const side = random.chance(0.5) ? buy : sell
  const away = random.chance(0.1) ? 0 : random.between(1, 500)
  return {
    kind: 'place-order',
    at: instantOf(at),
    account: firstClientAccount + random.below(accounts),
    asset: 1 + random.below(assets),
    side,
    type: limit,
    timeInForce: goodTillCancelled,
    quantitySteps: quantitySteps(10 * random.between(1, 100)),
    priceTicks: priceTicks(side === buy ? middleTicks - away : middleTicks + away),
    clientOrderId: null,
    allowsDuplicateId: false,
    keepsRefused: false,
    metadata: null,
  }
}

/** Cancels any order that rests; there is one, because far more are placed than fill. */
function cancel(at: number): ClientCommand {
  for (;;) {
    const chosen = random.below(liveCount)
    const order = live[chosen] ?? 0
    liveCount -= 1
    live[chosen] = live[liveCount] ?? 0
    if (!isTerminal(orders.status.get(order)))
      return { kind: 'cancel-order', at: instantOf(at), account: orders.account.get(order), order }
  }
}

function instantOf(at: number) {
  return millis(startMillis + Math.floor(at / commandsPerMilli))
}

/** How long the main thread has waited for a processor so far; 0 where the system does not tell. */
function waitedForProcessor(): number {
  if (process.platform !== 'linux') return 0
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
}
