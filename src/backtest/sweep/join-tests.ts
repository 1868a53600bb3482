import { computeDrawdown } from '../../metrics/drawdown-metrics.ts'
import { computeEquitySeries } from '../../metrics/equity-series.ts'
import { type Figure, figure, missing } from '../../metrics/figure.ts'
import { computeReturns } from '../../metrics/return-metrics.ts'
import { isoToMillis, millisPerDay } from '../../numeric/time-text.ts'
import type { CaseRow, SweepWindow } from './plan.ts'
import { computeMedian } from './summary.ts'

/** One test of a walk forward, with the runs of the cell that training chose. */
export interface JoinedFold {
  readonly test: SweepWindow
  readonly rows: readonly CaseRow[]
}

/** The figures of a joined equity, each the median over the seeds. */
export interface JoinedFigures {
  /** The compound return of all tests, as a fraction. */
  readonly total: Figure
  readonly cagr: Figure
  readonly volatility: Figure
  readonly sharpe: Figure
  /** The mean return in its standard errors. */
  readonly tStatistic: Figure
  /** The deepest fall, as a negative fraction; falls within a test count as deep as the test itself has measured them. */
  readonly maximumDrawdown: Figure
}

/** The equities of the chosen cells' tests, one after the other, as multiples of the first money. */
export interface JoinedTests {
  /** The seeds that have every test; the others are left out. */
  readonly seeds: readonly string[]
  readonly omittedSeeds: number
  readonly atMillis: readonly number[]
  /** By seed, the worth of 1 at each instant. */
  readonly paths: readonly (readonly number[])[]
  /** The span of the returns that the figures are of, and how many of them a seed has. */
  readonly stepMillis: number
  readonly returns: number
  readonly figures: JoinedFigures
}

/**
 * Joins the tests of a walk forward into one equity for each seed: every test goes on from what the one before has left,
 * as if the account's first money had been that. Points are those that the rows keep, at most 101 of a test.
 *
 * Returns why there is none instead: a test without runs, runs without equity, or deposits and withdrawals, which a row's
 * equity has and its return has not.
 */
export function joinTests(folds: readonly JoinedFold[]): JoinedTests | { readonly reason: string } {
  const bySeed = folds.map(({ rows }) => new Map(rows.map((row) => [row.seed, row])))
  const all = new Set(folds.flatMap(({ rows }) => rows.map(({ seed }) => seed)))
  const seeds = [...all].filter((seed) => bySeed.every((rows) => hasEquity(rows.get(seed))))
  if (seeds.length === 0) return { reason: 'no seed has an equity in every test' }
  const rowOf = (fold: number, seed: string): CaseRow | undefined => bySeed[fold]?.get(seed)
  if (folds.some((_, fold) => seeds.some((seed) => hasFlows(rowOf(fold, seed)))))
    return { reason: 'money was deposited or withdrawn within a test' }
  const instants = folds.map(({ test }, fold) =>
    listInstants(
      test,
      seeds.map((seed) => rowOf(fold, seed)),
    ),
  )
  // A test's first point is the last one of the test before.
  const atMillis = instants.flatMap((own, fold) => (fold === 0 ? own : own.slice(1)))
  const paths = seeds.map((seed) =>
    chainPaths(instants.map((own, fold) => sampleUnits(rowOf(fold, seed), own))),
  )
  const stepMillis = (instants[0]?.[1] ?? 0) - (instants[0]?.[0] ?? 0)
  const measured = paths.map((path, place) => {
    const rows = folds.map((_, fold) => rowOf(fold, seeds[place] ?? ''))
    return measurePath(atMillis, path, stepMillis, rows)
  })
  const [first] = measured
  return {
    seeds,
    omittedSeeds: all.size - seeds.length,
    atMillis,
    paths,
    stepMillis: first?.ratioMillis ?? stepMillis,
    returns: first?.returns ?? 0,
    figures: {
      total: takeMedian(measured.map(({ total }) => total)),
      cagr: takeMedian(measured.map(({ cagr }) => cagr)),
      volatility: takeMedian(measured.map(({ volatility }) => volatility)),
      sharpe: takeMedian(measured.map(({ sharpe }) => sharpe)),
      tStatistic: takeMedian(measured.map(({ tStatistic }) => tStatistic)),
      maximumDrawdown: takeMedian(measured.map(({ maximumDrawdown }) => maximumDrawdown)),
    },
  }
}

const hasEquity = (row: CaseRow | undefined): boolean =>
  (row?.equity.length ?? 0) > 1 && (row?.equity[0] ?? 0) > 0

/** How far the equity's own return may be from the figure, which has more points: rounding alone. */
const tolerance = 1e-9

function hasFlows(row: CaseRow | undefined): boolean {
  const total = row?.metrics['returns.total']
  const { equity = [] } = row ?? {}
  // After everything was lost the equity may move on, and the return does not.
  if (typeof total !== 'number' || total <= -1) return false
  const own = Math.max(0, equity.at(-1) ?? 0) / (equity[0] ?? 1) - 1
  return Math.abs(own - total) > tolerance
}

/** Lists the instants of a row's equity: those of its grid, or steps of equal length where that has more points. */
function listRowInstants({ equity, metrics }: CaseRow): readonly number[] {
  const from = metrics['sampling.fromMillis'] ?? 0
  const to = metrics['sampling.toMillis'] ?? from
  const grid = metrics['sampling.gridMillis'] ?? 0
  const isWhole = grid > 0 && Math.ceil((to - from) / grid) + 1 === equity.length
  const step = isWhole ? grid : (to - from) / (equity.length - 1)
  return equity.map((_, place) => (place === equity.length - 1 ? to : from + place * step))
}

/** Lists the instants of a test at which all seeds are read: those of the run that went farthest, and the test's end. */
function listInstants({ to }: SweepWindow, rows: readonly (CaseRow | undefined)[]): readonly number[] {
  const lists = rows.flatMap((row) => (row === undefined ? [] : [listRowInstants(row)]))
  const longest = lists.reduce((best, list) => ((list.at(-1) ?? 0) > (best.at(-1) ?? 0) ? list : best), [])
  const end = isoToMillis(to) ?? 0
  return (longest.at(-1) ?? 0) < end ? [...longest, end] : longest
}

/** Returns what 1 is worth at each instant: the newest point of a row's equity, or its last after an early end. */
function sampleUnits(row: CaseRow | undefined, instants: readonly number[]): readonly number[] {
  const { equity = [] } = row ?? {}
  const own = row === undefined ? [] : listRowInstants(row)
  const [start = 1] = equity
  let place = 0
  let isLost = false
  return instants.map((at) => {
    while ((own[place + 1] ?? Number.POSITIVE_INFINITY) <= at) place += 1
    const unit = (equity[place] ?? 0) / start
    isLost ||= unit <= 0
    return isLost ? 0 : unit
  })
}

function chainPaths(tests: readonly (readonly number[])[]): readonly number[] {
  let worth = 1
  return tests.flatMap((units, fold) => {
    const begin = worth
    worth *= units.at(-1) ?? 1
    return (fold === 0 ? units : units.slice(1)).map((unit) => begin * unit)
  })
}

function measurePath(
  atMillis: readonly number[],
  path: readonly number[],
  stepMillis: number,
  rows: readonly (CaseRow | undefined)[],
) {
  const series = computeEquitySeries({ stepMillis, atMillis, equity: path, flow: path.map(() => 0) })
  const days = ((atMillis.at(-1) ?? 0) - (atMillis[0] ?? 0)) / millisPerDay
  const drawn = computeDrawdown(series.index, atMillis).maximum
  const within = rows.map((row) => row?.metrics['drawdown.maximum'] ?? 0)
  const maximum = figure(Math.min(drawn.value ?? 0, ...within))
  const found = computeReturns(series, { days, drawdown: { maximum }, trials: [], riskFree: 0 })
  const { cagr, sharpe, total, tStatistic, volatility } = found
  const { ratio } = series
  return {
    ...{ total, cagr, volatility, sharpe, tStatistic, maximumDrawdown: maximum },
    ...{ ratioMillis: ratio.stepMillis, returns: ratio.values.length },
  }
}

function takeMedian(figures: readonly Figure[]): Figure {
  const known = figures.flatMap(({ value }) => (value === null ? [] : [value]))
  const lacking = figures.find(({ value }) => value === null)
  // A median of those that have the figure would leave out the others in silence.
  if (lacking !== undefined && lacking.reason !== null) return missing(lacking.reason)
  const median = computeMedian(known)
  return median === null ? missing('there is no seed') : figure(median)
}
