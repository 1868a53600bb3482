import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  type Contender,
  grademarkContenders,
  orderContenders,
  otcsimContenders,
  stillMarket,
} from './backtest/contenders.ts'
import { randomCandles } from './backtest/data.ts'
import { yearReport } from './backtest/year-report.ts'
import { median } from './stopwatch.ts'

/*
 * Backtests: bars and orders per second, ours and those of a peer from npm, on the same candles, in turns within one
 * process. Only ratios within one run mean anything. Exit code 1: a promised figure is missed. Run by
 * `npm run bench backtest`; `-- --quick` takes some seconds.
 */

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    bars: { type: 'string' },
    rounds: { type: 'string' },
  },
})
const bars = Number(flags.bars ?? (flags.quick ? 20_000 : 100_000))
const rounds = Number(flags.rounds ?? (flags.quick ? 3 : 7))

const candles = randomCandles(bars, '7')
const scenario = stillMarket(candles)
const contenders = [
  ...grademarkContenders(candles),
  ...otcsimContenders(scenario, bars),
  // Sixty commands at each bar.
  ...orderContenders(scenario, bars / 50),
]
const timings = new Map<string, number[]>()
const done = new Map<string, { readonly orders: number; readonly trades: number }>()
for (let round = 0; round < rounds + 2; round += 1) {
  for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
    const millis = await timed(contender)
    // The first two rounds warm up.
    if (round >= 2) timings.set(contender.name, [...(timings.get(contender.name) ?? []), millis])
  }
}

const seconds = (name: string): number => median(timings.get(name) ?? []) / 1000
console.log(`${bars} bars of a minute; medians of ${rounds} rounds, time of the main thread\n`)
const ordersPerSecond = (name: string): number => (done.get(name)?.orders ?? 0) / seconds(name)
for (const { bars, name } of contenders) {
  const { orders = 0, trades = 0 } = done.get(name) ?? {}
  const perSecond = `${Math.round(bars / seconds(name)).toLocaleString('en')} bars/s`
  const orderRate = orders > 0 ? `${Math.round(ordersPerSecond(name)).toLocaleString('en')} orders/s` : ''
  console.log(`${name.padEnd(28)}${perSecond.padStart(18)}${orderRate.padStart(20)}  ${trades} trades`)
}
/** Ratios are taken within each round, because the machine's other load changes from round to round. */
const ratio = (name: string, to: string): number => {
  const others = timings.get(to) ?? []
  return median((timings.get(name) ?? []).map((taken, round) => (others[round] ?? 0) / taken))
}
console.log(
  `\nidle to the peer's idle: ${ratio('otcsim, idle', 'grademark, idle').toFixed(2)} (no bar: it reads bars that are there; ours make each of prices, and its object)\n`,
)
const held = [
  judge('cross: bars a second to the fastest peer', ratio('otcsim, cross', 'grademark, cross'), 1),
  judge('idle: bars a second to the fastest peer at its cross', ratio('otcsim, idle', 'grademark, cross'), 5),
  judge('promises to answers at once, quoting', ratio('otcsim, quoting, promises', 'otcsim, quoting'), 0.25),
  ...[20, 1000].flatMap((resting) => [
    judge(`orders a second at ${resting}`, ordersPerSecond(`otcsim, orders at ${resting}`), 300_000),
    judge(`the same, promises`, ordersPerSecond(`otcsim, orders at ${resting}, promises`), 200_000),
  ]),
]

// Measured at the second time, as the others are: the first one compiles.
await yearReport(mainThreadMillis)
const year = await yearReport(mainThreadMillis)
const allowed = Math.max(2000, year.runMillis)
console.log(
  `\na year of minutes: ${year.fills} fills, ${Math.round(year.runMillis)} ms; its report ${Math.round(year.reportMillis)} ms, ${year.bytes} bytes`,
)
held.push(
  judge('report of a year: 2 MB to its size', 2_000_000 / year.bytes, 1),
  judge('report of a year: the run or 2 s to its time', allowed / year.reportMillis, 1),
)
process.exitCode = held.every(Boolean) ? 0 : 1

function judge(text: string, value: number, least: number): boolean {
  const isHeld = value >= least
  console.log(`${isHeld ? 'held  ' : 'MISSED'} ${text}: ${value.toFixed(2)}, at least ${least}`)
  return isHeld
}

/**
 * Collects garbage, so that no contender pays for what the one before has left. The quoting makers leave most: whoever
 * came after them, we or the peer, measured up to twice its time.
 */
async function timed({ name, play }: Contender): Promise<number> {
  globalThis.gc?.()
  const start = await mainThreadMillis()
  done.set(name, await play())
  return (await mainThreadMillis()) - start
}

/** Linux has the main thread's time as of when it last gave up its processor, so it sleeps for a moment first. */
async function mainThreadMillis(): Promise<number> {
  if (process.platform !== 'linux') {
    const { system, user } = process.cpuUsage()
    return (user + system) / 1e3
  }
  await new Promise((resolve) => setTimeout(resolve, 1))
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6
}
