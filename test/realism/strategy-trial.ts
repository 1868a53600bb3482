import { createMarket } from '../../src/market/create-market.ts'
import { readFlow } from '../../src/market/flow/flow-spec.ts'
import { usualFigures } from '../../src/market/usual-figures.ts'
import { type Numbers, valueAt } from '../../src/metrics/realism/moments.ts'
import { createStream } from '../../src/numeric/random.ts'
import { quantile } from '../support/statistics.ts'
import { startMillis } from './measure.ts'
import { defaultAsset } from './specs.ts'
import { type Asset, type Bars, type Strategy, strategies } from './strategies.ts'

/* What the strategies earn on the default market, and what chance would have given so many. */

const symbols: readonly Asset[] = ['BTC', 'ETH', 'SOL']

/** What one strategy has earned on bars of one length, in one entry per seed: logarithmic, of the value held. */
export interface Result {
  readonly name: string
  readonly barMinutes: number
  readonly isPriceOnly: boolean
  readonly gross: Float64Array
  readonly costs: Float64Array
}

/** What one strategy earns on one seed, and what its trades cost. */
export interface Earned {
  readonly gross: number
  readonly cost: number
}

/** Runs every strategy on bars of every length over all seeds. */
export function runStrategies(
  seeds: readonly string[],
  days: number,
  barMinutes: readonly number[],
): readonly Result[] {
  return collectResults(
    seeds.map((seed) => runSeed(seed, days, barMinutes)),
    barMinutes,
  )
}

/** Runs every strategy over one seed: on bars of the first length, then of the next. */
export function runSeed(seed: string, days: number, barMinutes: readonly number[]): readonly Earned[] {
  const minutes = readMinutes(seed, days * 1440)
  return barMinutes.flatMap((span) => {
    const bars = aggregate(minutes, span)
    return strategies.map((strategy) => earn(strategy, bars))
  })
}

/** Puts together what `runSeed` has returned for each seed. */
export function collectResults(
  rows: readonly (readonly Earned[])[],
  barMinutes: readonly number[],
): readonly Result[] {
  const columnOf = (place: number, pick: (earned: Earned) => number): Float64Array =>
    Float64Array.from(rows, (row) => {
      const earned = row[place]
      if (earned === undefined) throw new Error('There is a result for each strategy')
      return pick(earned)
    })
  return barMinutes.flatMap((minutes, span) =>
    strategies.map(({ name, isPriceOnly }, at) => {
      const place = span * strategies.length + at
      const gross = columnOf(place, (earned) => earned.gross)
      const costs = columnOf(place, (earned) => earned.cost)
      return { name, barMinutes: minutes, isPriceOnly, gross, costs }
    }),
  )
}

/** Returns the bars of a minute of the default market. The last trade is at the price of its second. */
function readMinutes(seed: string, count: number): Bars {
  const path = createMarket({ seed, startMillis, gridMillis: 60_000, assets: symbols.map(defaultAsset) })
  const flow = readFlow(null, { symbol: 'BTC', touchBps: null }, [])
  const traded = createMarket({
    seed,
    startMillis,
    gridMillis: 1_000,
    assets: [{ ...defaultAsset('BTC'), flow }],
  })
  const [btc, eth, sol] = symbols.map((_, row) =>
    Float64Array.from({ length: count + 1 }, (__, minute) => Math.log(path.fundamentalAt(row, minute))),
  )
  if (btc === undefined || eth === undefined || sol === undefined) throw new Error('There are three assets')
  const bars: Bars = {
    logs: { BTC: btc, ETH: eth, SOL: sol },
    signedCounts: new Float64Array(count + 1),
    signedUsd: new Float64Array(count + 1),
    lastOverMid: new Float64Array(count + 1),
  }
  let last = valueAt(btc, 0)
  for (let minute = 0; minute < count; minute += 1) {
    const arrivals = traded.arrivalsInMinute(0, minute)
    for (const { side, valueUsd } of arrivals) {
      const sign = side === 'buy' ? 1 : -1
      bars.signedCounts[minute + 1] = valueAt(bars.signedCounts, minute + 1) + sign
      bars.signedUsd[minute + 1] = valueAt(bars.signedUsd, minute + 1) + sign * valueUsd
    }
    const latest = arrivals.at(-1)
    if (latest !== undefined) {
      const second = minute * 60 + Math.floor(latest.offsetMillis / 1000)
      last = Math.log(traded.fundamentalAt(0, second))
    }
    bars.lastOverMid[minute + 1] = last - valueAt(btc, minute + 1)
  }
  return bars
}

/** Returns longer bars: every so many closes, with the takers of all minutes between. */
function aggregate(bars: Bars, span: number): Bars {
  const pick = (values: Float64Array): Float64Array => values.filter((_, at) => at % span === 0)
  const sum = (values: Float64Array): Float64Array => {
    const sums = new Float64Array(Math.floor((values.length - 1) / span) + 1)
    for (let at = 1; at < values.length; at += 1) {
      const bar = Math.ceil(at / span)
      if (bar < sums.length) sums[bar] = valueAt(sums, bar) + valueAt(values, at)
    }
    return sums
  }
  return {
    logs: { BTC: pick(bars.logs.BTC), ETH: pick(bars.logs.ETH), SOL: pick(bars.logs.SOL) },
    signedCounts: sum(bars.signedCounts),
    signedUsd: sum(bars.signedUsd),
    lastOverMid: pick(bars.lastOverMid),
  }
}

/** Returns what a strategy earns before costs, and what its trades cost at the usual half-spread. */
function earn(strategy: Strategy, bars: Bars): Earned {
  const logs = bars.logs[strategy.asset]
  const positions = strategy.decide(bars)
  const halfSpread = usualFigures(strategy.asset).spreadBps / 2e4
  let [gross, turnover, held] = [0, 0, 0]
  for (let at = 0; at + 1 < logs.length; at += 1) {
    const position = valueAt(positions, at)
    turnover += Math.abs(position - held)
    // Relative, not logarithmic: half of the variance is no loss.
    gross += position * (Math.exp(valueAt(logs, at + 1) - valueAt(logs, at)) - 1)
    held = position
  }
  return { gross, cost: turnover * halfSpread }
}

/** Mean over its standard error. */
export function computeT(values: Numbers): number {
  let [sum, square] = [0, 0]
  for (let i = 0; i < values.length; i += 1) {
    sum += valueAt(values, i)
    square += valueAt(values, i) ** 2
  }
  const mean = sum / values.length
  const variance = (square - sum * mean) / (values.length - 1)
  return variance > 0 ? mean / Math.sqrt(variance / values.length) : 0
}

/** The best of all strategies and mirrors, and how good the best would be by chance. */
export interface Verdict {
  readonly best: string
  /** Greatest mean over standard error after costs; 0 when all lose. */
  readonly bestT: number
  /** What the greatest is in 95 of 100 draws in which nothing can be foretold. */
  readonly chanceT: number
  /** Share of those draws with a greatest at least as great. */
  readonly probability: number
  /** Strategies on price alone whose profit before costs is beyond three standard errors either way. */
  readonly beyondThree: readonly string[]
}

/**
 * Judges the results. In each draw the profits before costs of all strategies have their sign changed in half of the
 * seeds, at random and together: a martingale gives either with the same chance, and strategies stay as alike as
 * they are. Costs are subtracted after that.
 */
export function judge(results: readonly Result[], draws: number): Verdict {
  const count = results[0]?.gross.length ?? 0
  const both = results.flatMap((result) => [
    { ...result, label: `${result.name}, ${result.barMinutes} min`, sign: 1 },
    { ...result, label: `against ${result.name}, ${result.barMinutes} min`, sign: -1 },
  ])
  const net = new Float64Array(count)
  const findGreatest = (flips: Numbers): { label: string; t: number } => {
    let greatest = { label: 'none', t: 0 }
    for (const { costs, gross, label, sign } of both) {
      for (let i = 0; i < count; i += 1)
        net[i] = sign * valueAt(flips, i) * valueAt(gross, i) - valueAt(costs, i)
      const t = computeT(net)
      if (t > greatest.t) greatest = { label, t }
    }
    return greatest
  }
  const best = findGreatest(new Float64Array(count).fill(1))
  const stream = createStream('strategies', 'flips', '', 0)
  const chances = Array.from({ length: draws }, () => {
    const flips = Float64Array.from({ length: count }, () => (stream.uniform() < 0.5 ? -1 : 1))
    return findGreatest(flips).t
  })
  return {
    best: best.label,
    bestT: best.t,
    chanceT: quantile(chances, 0.95),
    probability: chances.filter((t) => t >= best.t).length / draws,
    beyondThree: results
      .filter(({ gross, isPriceOnly }) => isPriceOnly && Math.abs(computeT(gross)) > 3)
      .map(({ name, barMinutes, gross }) => `${name}, ${barMinutes} min (${computeT(gross).toFixed(2)})`),
  }
}
