import type { Figure } from '../../metrics/figure.ts'
import { figureRow } from '../../metrics/metrics.ts'
import { correlation } from '../../metrics/samples.ts'
import { formatDuration, isoToMillis, millisPerDay, nameInstant } from '../../numeric/time-text.ts'
import { formatPlainValue } from '../../pages/ticks.ts'
import { type JoinedTests, joinTests } from './join-tests.ts'
import type { CaseRow, SweepFold, SweepPlan, SweepWindow, WalkForward } from './plan.ts'
import {
  type CellSummary,
  computeMedian,
  findBestCell,
  groupByCell,
  listValues,
  towardsBetter,
} from './summary.ts'

/**
 * One fold of a walk forward: the cell that training chose, and how it did in the test. Figures are medians over the
 * seeds.
 */
export interface FoldResult {
  readonly train: SweepWindow
  readonly test: SweepWindow
  /** The cell with the best median in training; null where no run has the figure. */
  readonly chosen: CellSummary | null
  readonly inSample: number | null
  readonly outOfSample: number | null
  /**
   * The rank of the chosen cell among all cells that have the figure in the test, 1 being the best; a tie takes the
   * mean rank.
   */
  readonly rank: number | null
  readonly ranked: number
  readonly hindsight: CellSummary | null
  readonly hindsightValue: number | null
  readonly rows: readonly CaseRow[]
}

/** The figures of a cell, averaged over all folds. */
export interface CellOverFolds {
  readonly cell: CellSummary
  readonly inSample: number | null
  readonly outOfSample: number | null
  readonly timesChosen: number
}

export interface OutOfSample {
  readonly objective: string
  /** Whether the figure grows with time, and is therefore compared per day. */
  readonly isPerDay: boolean
  readonly folds: readonly FoldResult[]
  readonly cells: readonly CellOverFolds[]
  /** The number of folds with a figure in both training and test; means are over these. */
  readonly complete: number
  readonly failed: number
  readonly inSample: number | null
  readonly outOfSample: number | null
  /** How much worse the figure is out of sample, as a share of what it was in sample; negative where it is better. */
  readonly degradation: number | null
  /**
   * The number of folds whose chosen cell was in the better half of the test, one exactly in the middle counting half.
   * `judged` is the number of folds in which that can be said; a choice by chance is right in half of them.
   */
  readonly betterHalf: number
  readonly judged: number
  /** The correlation between the cells' figures in training and in the test, averaged over the folds. */
  readonly correlation: number | null
  /** The return of the chosen cells' tests one after the other, as a fraction: the median over the seeds. */
  readonly chainedReturn: number | null
  /** The return of buying and holding over the same tests, as a fraction; null where nobody traded in one of them. */
  readonly chainedMarket: number | null
  /** What the market made in each test, as a fraction, seed by seed of `joined`; null where a test has none. */
  readonly marketReturns: readonly (readonly number[])[] | null
  /** The tests joined into one equity; or why they cannot be. */
  readonly joined: JoinedTests | { readonly reason: string }
  /** Whether every training begins where the first one does, and so grows. */
  readonly isAnchored: boolean
  /** The time between each training and its test, in milliseconds. */
  readonly embargoMillis: number
}

/** Computes the result of a walk forward by one figure. The same rows give the same result, whoever ran them. */
export function computeOutOfSample(
  plan: SweepPlan,
  walkForward: WalkForward,
  rows: readonly CaseRow[],
  objective: string,
): OutOfSample {
  const isPerDay = figureRow(objective)?.grows === true
  const byWindow = groupByWindow(plan, walkForward, rows)
  const halves = walkForward.folds.map((fold) => splitFold(fold, walkForward, byWindow, objective, isPerDay))
  const folds = halves.map((half) => judgeFold(half, objective))
  const pairs = folds.flatMap(({ inSample, outOfSample: out }) =>
    inSample === null || out === null ? [] : [{ inSample, out }],
  )
  const inSample = computeMean(pairs.map((pair) => pair.inSample))
  const out = computeMean(pairs.map((pair) => pair.out))
  const judged = folds.filter(({ rank, ranked }) => rank !== null && ranked > 1)
  // The market consists of what a cell traded: the chosen cell or, where that did not trade, another one.
  const markets = halves.map(({ testCells }, place) =>
    mapTotalsBySeed(
      [...(folds[place]?.rows ?? []), ...testCells.flatMap((cell) => cell.rows)],
      'benchmark.marketReturn',
    ),
  )
  const joined = joinTests(folds)
  return {
    objective,
    isPerDay,
    folds,
    cells: averageCells(halves, folds),
    complete: pairs.length,
    failed: rows.filter(({ failure }) => failure !== null).length,
    inSample,
    outOfSample: out,
    degradation:
      inSample === null || out === null || inSample === 0
        ? null
        : ((inSample - out) * towardsBetter(objective)) / Math.abs(inSample),
    betterHalf: judged.reduce((count, { rank, ranked }) => count + scoreRank(rank ?? 0, (ranked + 1) / 2), 0),
    judged: judged.length,
    correlation: computeMean(halves.flatMap((half) => correlateHalves(half) ?? [])),
    chainedReturn: chainReturns(folds.map((fold) => mapTotalsBySeed(fold.rows, 'returns.total'))),
    chainedMarket: chainReturns(markets),
    marketReturns: listMarketReturns(markets, 'seeds' in joined ? joined.seeds : []),
    joined,
    ...describeMove(folds),
  }
}

function listMarketReturns(
  markets: readonly ReadonlyMap<string, number>[],
  seeds: readonly string[],
): OutOfSample['marketReturns'] {
  if (seeds.length === 0 || !markets.every((market) => seeds.every((seed) => market.has(seed)))) return null
  return markets.map((market) => seeds.map((seed) => market.get(seed) ?? 0))
}

/** Reads from the windows of the folds how the walk forward moves. */
function describeMove(folds: readonly FoldResult[]): Pick<OutOfSample, 'isAnchored' | 'embargoMillis'> {
  const [first] = folds
  const gapMillis =
    first === undefined ? 0 : (isoToMillis(first.test.from) ?? 0) - (isoToMillis(first.train.to) ?? 0)
  const isAnchored = folds.length > 1 && folds.every(({ train }) => train.from === first?.train.from)
  return { isAnchored, embargoMillis: Math.max(0, gapMillis) }
}

/** The figures of every cell in training and in the test of one fold, in the order of the grid. */
interface Halves {
  readonly train: SweepWindow
  readonly test: SweepWindow
  readonly trainCells: readonly CellSummary[]
  readonly testCells: readonly CellSummary[]
  readonly inSample: readonly (number | null)[]
  readonly outOfSample: readonly (number | null)[]
}

function groupByWindow(plan: SweepPlan, { windows }: WalkForward, rows: readonly CaseRow[]) {
  const groups = new Map<string, CaseRow[]>(windows.map((window) => [windowKey(window), []]))
  for (const row of rows) if (row.window !== undefined) groups.get(windowKey(row.window))?.push(row)
  return windows.map((window) => groupByCell(plan, groups.get(windowKey(window)) ?? []))
}

const windowKey = ({ from, to }: SweepWindow): string => `${from} ${to}`

function splitFold(
  fold: SweepFold,
  { windows }: WalkForward,
  byWindow: readonly (readonly CellSummary[])[],
  objective: string,
  isPerDay: boolean,
): Halves {
  const half = (place: number) => {
    const window = windows[place] ?? { from: '', to: '' }
    const cells = byWindow[place] ?? []
    const scale = isPerDay ? countDays(window) : 1
    const figures = cells.map(({ rows }) => {
      const median = computeMedian(listValues(rows, objective))
      return median === null ? null : median / scale
    })
    return { window, cells, figures }
  }
  const train = half(fold.train)
  const test = half(fold.test)
  return {
    train: train.window,
    test: test.window,
    trainCells: train.cells,
    testCells: test.cells,
    inSample: train.figures,
    outOfSample: test.figures,
  }
}

function countDays({ from, to }: SweepWindow): number {
  return ((isoToMillis(to) ?? 0) - (isoToMillis(from) ?? 0)) / millisPerDay
}

function judgeFold(halves: Halves, objective: string): FoldResult {
  const { test, testCells, train, trainCells } = halves
  const best = findBestCell(trainCells, objective)
  const place = best === null ? -1 : trainCells.indexOf(best)
  const hindsight = findBestCell(testCells, objective)
  const known = halves.outOfSample.filter((value) => value !== null)
  const own = halves.outOfSample[place] ?? null
  const direction = towardsBetter(objective)
  const ahead = known.filter((value) => own !== null && (value - own) * direction > 0).length
  const tied = known.filter((value) => value === own).length
  return {
    train,
    test,
    chosen: best,
    inSample: halves.inSample[place] ?? null,
    outOfSample: own,
    rank: own === null ? null : ahead + (tied + 1) / 2,
    ranked: known.length,
    hindsight,
    hindsightValue: hindsight === null ? null : (halves.outOfSample[testCells.indexOf(hindsight)] ?? null),
    rows: testCells[place]?.rows ?? [],
  }
}

const scoreRank = (rank: number, middle: number): number => (rank < middle ? 1 : rank === middle ? 0.5 : 0)

function averageCells(halves: readonly Halves[], folds: readonly FoldResult[]): readonly CellOverFolds[] {
  const [first] = halves
  return (first?.trainCells ?? []).map((cell, place) => ({
    cell,
    inSample: computeMean(halves.flatMap(({ inSample }) => inSample[place] ?? [])),
    outOfSample: computeMean(halves.flatMap((half) => half.outOfSample[place] ?? [])),
    timesChosen: folds.filter(({ chosen }) => chosen?.name === cell.name).length,
  }))
}

function correlateHalves({ inSample, outOfSample: out }: Halves): number | null {
  const pairs = inSample.flatMap((value, place) => {
    const other = out[place] ?? null
    return value === null || other === null ? [] : [[value, other] as const]
  })
  return correlation(
    pairs.map(([left]) => left),
    pairs.map(([, right]) => right),
  ).value
}

/** Maps each seed to its figure; of several rows with one, the first counts. */
function mapTotalsBySeed(rows: readonly CaseRow[], metric: string): ReadonlyMap<string, number> {
  const totals = new Map<string, number>()
  for (const { metrics, seed } of rows) {
    const total = metrics[metric]
    if (typeof total === 'number' && !totals.has(seed)) totals.set(seed, total)
  }
  return totals
}

/**
 * Compounds the returns of all tests seed by seed, and returns the median over the seeds. A seed without one of the
 * tests is left out.
 */
function chainReturns(tests: readonly ReadonlyMap<string, number>[]): number | null {
  const seeds = [...(tests[0]?.keys() ?? [])].filter((seed) => tests.every((test) => test.has(seed)))
  return computeMedian(
    seeds.map((seed) => tests.reduce((product, test) => product * (1 + (test.get(seed) ?? 0)), 1) - 1),
  )
}

function computeMean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

type FormatFigure = (metric: string, value: number) => string

/** Describes in sentences what the choice of parameters was worth; `show` formats a figure. */
export function describeOutOfSample(result: OutOfSample, show: FormatFigure): readonly string[] {
  const { complete, degradation, inSample, isPerDay, objective, outOfSample } = result
  if (inSample === null || outOfSample === null)
    return ['No fold has the figure both in training and in its test.', ...describeLosses(result)]
  const by = isPerDay ? ' a day' : ''
  const head = `${objective}${by} of the cells that training chose, on average over ${complete} ${complete === 1 ? 'fold' : 'folds'}: ${show(objective, inSample)} in sample, ${show(objective, outOfSample)} out of sample`
  const change = degradation === null ? '' : `, ${describeChange(degradation)}`
  const direction = towardsBetter(objective)
  const turned =
    inSample * direction > 0 && outOfSample * direction < 0 ? ' What gained in training lost afterwards.' : ''
  return [
    `${head}${change}.${turned}`,
    ...describeLosses(result),
    ...describeChoice(result),
    ...describeChain(result),
  ]
}

/** Describes folds and cases without figures, because those may have been the worst. */
function describeLosses({ complete, failed, folds }: OutOfSample): readonly string[] {
  const left = folds.length - complete
  if (left === 0 && failed === 0) return []
  const cases = failed === 0 ? '' : ` The strategy failed in ${failed} ${failed === 1 ? 'case' : 'cases'}.`
  if (left === 0) return [`What failed has no figures, and may have been the worst.${cases}`]
  return [
    `${left} of ${folds.length} folds ${left === 1 ? 'is' : 'are'} left out, having no figure in training or in the test: those may have been the worst.${cases}`,
  ]
}

function describeChange(degradation: number): string {
  const share = (Math.abs(degradation) * 100).toFixed(1)
  return degradation > 0 ? `${share} % worse` : degradation < 0 ? `${share} % better` : 'the same'
}

function describeChoice({ betterHalf, correlation, judged }: OutOfSample): readonly string[] {
  if (judged === 0) return []
  const half = `In ${betterHalf} of ${judged} tests the chosen cell was among the better half of all cells; a choice by chance would be in half of them.`
  if (correlation === null) return [half]
  return [
    `${half} The correlation between the cells' figures in training and in the test is ${formatRatio(correlation)}: 1 would mean that training predicts the test, 0 that it does not.`,
  ]
}

function describeChain(result: OutOfSample): readonly string[] {
  const { chainedMarket, chainedReturn, embargoMillis, folds, isAnchored } = result
  if (chainedReturn === null) return []
  const market = chainedMarket === null ? '' : `, and buying and holding ${formatPercent(chainedMarket)}`
  const [first, last] = [folds[0]?.test.from ?? '', folds.at(-1)?.test.to ?? '']
  const moves = [
    ...(isAnchored ? ['every training begins where the first one does'] : []),
    ...(embargoMillis > 0 ? [`each test begins ${formatDuration(embargoMillis)} after its training`] : []),
  ]
  return [
    `One after the other, the tests make ${formatPercent(chainedReturn)} from ${nameInstant(first)} to ${nameInstant(last)}${market}; each begins with the account's first money and without positions.`,
    ...(moves.length === 0 ? [] : [`${moves.join(', and ').replace(/^e/, 'E')}.`]),
    describeJoined(result.joined),
  ]
}

/** Describes the figures of the joined tests, with the reason where there is none. */
function describeJoined(joined: OutOfSample['joined']): string {
  if ('reason' in joined) return `The tests cannot be joined into one equity: ${joined.reason}.`
  const { figures, omittedSeeds, returns, seeds, stepMillis } = joined
  const { cagr, maximumDrawdown, sharpe, tStatistic, volatility } = figures
  const show = ({ reason, value }: Figure, format: (value: number) => string): string =>
    value === null ? `n/a (${reason})` : format(value)
  const yearly =
    cagr.value === null && cagr.reason === volatility.reason && cagr.reason === sharpe.reason
      ? [`no figures of a year (${cagr.reason})`]
      : [
          `${show(cagr, formatPercent)} a year`,
          `a volatility of ${show(volatility, formatPercent)}`,
          `a Sharpe ratio of ${show(sharpe, formatRatio)}`,
        ]
  const rest = [
    ...yearly,
    `a mean return of ${show(tStatistic, formatRatio)} standard errors`,
    `a deepest fall of ${show(maximumDrawdown, formatPercent)}`,
  ]
  const over = seeds.length === 1 ? '' : `, medians over ${seeds.length} seeds`
  const left = omittedSeeds === 0 ? '' : `; ${omittedSeeds} seeds without every test are left out`
  return `Joined, they have ${rest.join(', ')} (${returns} returns of ${formatDuration(stepMillis)}${over}${left}).`
}

const formatRatio = (value: number): string => formatPlainValue(value, 2)

/** Formats a percentage with two decimals, or four where two would show nothing of it. */
const formatPercent = (fraction: number): string =>
  `${formatPlainValue(fraction * 100, fraction !== 0 && Math.abs(fraction) < 0.000_1 ? 4 : 2)} %`
