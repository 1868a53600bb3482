import { element } from '../numeric/columns.ts'
import { millisPerDay, millisPerYear, millisToIso } from '../numeric/time-text.ts'
import { activity, attribution, computeActivity, computeAttribution } from './activity-metrics.ts'
import { benchmark, computeBenchmark } from './benchmark.ts'
import { computeCosts, costs } from './cost-metrics.ts'
import { computeDrawdown, drawdown } from './drawdown-metrics.ts'
import { computeEquitySeries, type EquitySeries } from './equity-series.ts'
import {
  computeFigures,
  type Figure,
  type FigurePart,
  figure,
  type GroupFigures,
  isFigure,
  isList,
  isRow,
  type MetricRow,
  rowBuilder,
} from './figure.ts'
import { computeMaker, type MakerInput, maker } from './maker-metrics.ts'
import { type TransferRecord, toTypedGrid } from './records.ts'
import { computeReturns, returns, tail, tailMetrics } from './return-metrics.ts'
import { computeTrips, findTrips, trips } from './trip-metrics.ts'

/*
 * The catalogue of a run's figures, in the order of results. Each figure is a row of its group, which states its unit, its
 * title in reports, which way it is better, and how it is computed.
 */

const sample = rowBuilder<{
  readonly grid: { readonly stepMillis: number }
  readonly ratio: EquitySeries['ratio']
  readonly fromMillis: number
  readonly toMillis: number
  readonly days: number
}>()

/** The figures that describe the sample: how many returns of what span over what time. Ratios mean nothing without them. */
const sampling = {
  fromMillis: sample.figure('instant', ({ fromMillis }) => fromMillis),
  toMillis: sample.figure('instant', ({ toMillis }) => toMillis),
  /** The length of the run in days of 24 hours. */
  days: sample.figure('ratio', ({ days }) => days),
  gridMillis: sample.figure('span', ({ grid }) => grid.stepMillis),
  /** The span of the returns that ratios are made of: a day when there are 30, else a step of the grid. */
  ratioMillis: sample.figure('span', ({ ratio }) => ratio.stepMillis),
  returns: sample.figure('count', ({ ratio }) => ratio.values.length),
}

const catalogue = {
  sampling,
  returns,
  benchmark,
  drawdown,
  tail,
  activity,
  trips,
  costs,
  maker,
  attribution,
}

/** The records of a run, from which its figures are computed. */
export interface MetricsInput extends MakerInput {
  readonly transfers: readonly TransferRecord[]
  /** The Sharpe ratios per period of all variants that were tried, this one included; empty if unknown. */
  readonly trials: readonly number[]
  /** The risk-free interest of a year, as a fraction; 0 by default. */
  readonly riskFreeRate?: number
}

/** The number of returns below which a ratio says little. */
const fewReturns = 30
const strongAutocorrelation = 0.1

/** Computes all figures of a run. They are a pure function of its records. The grid has at least one point. */
export function computeMetrics(given: MetricsInput): Metrics {
  const input = { ...given, grid: toTypedGrid(given.grid) }
  const { fills, grid, orders, riskFreeRate = 0, transfers, trials } = input
  const series = computeEquitySeries(grid)
  const fromMillis = element(grid.atMillis, 0)
  const toMillis = grid.atMillis.at(-1) ?? fromMillis
  const days = (toMillis - fromMillis) / millisPerDay
  const falls = computeDrawdown(series.index, grid.atMillis)
  const riskFree = (riskFreeRate * series.ratio.stepMillis) / millisPerYear
  const earned = computeReturns(series, { days, drawdown: falls, trials, riskFree })
  return {
    sampling: {
      ...computeFigures(sampling, { grid, ratio: series.ratio, fromMillis, toMillis, days }),
      ...(riskFreeRate === 0 ? {} : { riskFreeRate }),
    },
    returns: earned,
    benchmark: computeBenchmark(grid, fills, series, riskFree),
    drawdown: falls,
    tail: tailMetrics(series.grid),
    activity: computeActivity(grid, fills, orders, days),
    trips: computeTrips(findTrips(grid, fills, transfers)),
    costs: computeCosts(grid, fills, orders),
    maker: computeMaker(input),
    attribution: computeAttribution(grid, fills, transfers, series.profit),
    warnings: listWarnings(earned, series),
  }
}

function listWarnings(returns: ReturnMetrics, { ratio, ruinedAtMillis }: EquitySeries): readonly string[] {
  const warnings: string[] = []
  if (ruinedAtMillis !== null) {
    const at = millisToIso(ruinedAtMillis)
    warnings.push(
      `Everything was lost by ${at}: the returns end there, although the positions were not closed.`,
    )
  }
  const count = ratio.values.length
  if (count < fewReturns) {
    const there = count === 1 ? 'is 1 return' : `are ${count} returns`
    warnings.push(`There ${there}: with fewer than ${fewReturns} a ratio says little.`)
  }
  const neighbours = returns.autocorrelation.value
  if (neighbours !== null && Math.abs(neighbours) > strongAutocorrelation) {
    const text = (Math.round(neighbours * 100) / 100).toString()
    const advice =
      returns.smartSharpe.value === null
        ? 'ratios take them for independent'
        : 'believe the smart Sharpe ratio instead'
    warnings.push(`Neighbouring returns are correlated (${text}): ${advice}.`)
  }
  return warnings
}

type CatalogueFigures = GroupFigures<typeof catalogue>

/** The figures of a run. */
export interface Metrics extends CatalogueFigures {
  readonly sampling: Sampling
  /** What a reader should know before believing the figures, one sentence each. */
  readonly warnings: readonly string[]
}

export type Sampling = CatalogueFigures['sampling'] & {
  /**
   * The risk-free interest of a year, of which each step has an equal part. Ratios and alpha are in excess of it. It is left
   * out if it is 0.
   */
  readonly riskFreeRate?: number
}

export type ReturnMetrics = CatalogueFigures['returns']
export type BenchmarkMetrics = CatalogueFigures['benchmark']
export type DrawdownMetrics = CatalogueFigures['drawdown']
export type Drawdown = DrawdownMetrics['deepest'][number]
export type TailMetrics = CatalogueFigures['tail']
export type TailFigures = TailMetrics['grid']
export type ActivityMetrics = CatalogueFigures['activity']
export type TripMetrics = CatalogueFigures['trips']
export type CostMetrics = CatalogueFigures['costs']
export type AssetCosts = CostMetrics['byAsset'][number]
export type Shortfall = CostMetrics['shortfall']
export type MakerMetrics = CatalogueFigures['maker']
export type Markout = MakerMetrics['markouts'][number]
export type InventoryMetrics = MakerMetrics['inventory'][number]
export type Attribution = CatalogueFigures['attribution']

/** Returns the description of a figure by its name in `flattenMetrics`; null if no figure has that name. */
export function figureRow(name: string): MetricRow | null {
  const part = findPart(name)
  return part !== undefined && isRow(part) ? part : null
}

/** Returns whether a run can have a figure of this name: one of the catalogue, or the interest that it was given. */
export const isFigureName = (name: string): boolean =>
  figureRow(name) !== null || name === 'sampling.riskFreeRate'

/**
 * Lists the names that figures may have. Entries of lists are named after what a run has; here they have the name of the
 * same place in `like`, such as `BTC` for `maker.inventory.BTC.mean`, and are left out where that has none.
 */
export function listFigureNames(like: string): readonly string[] {
  const words = like.split('.')
  const visit = (path: readonly string[], part: FigurePart): readonly string[] => {
    if (isRow(part)) return [path.join('.')]
    const entry = words[path.length]
    if (isList(part)) return entry === undefined ? [] : visit([...path, entry], part.fields)
    return Object.entries(part).flatMap(([name, field]) => visit([...path, name], field))
  }
  return visit([], catalogue)
}

/** Lists the figures of a group that have titles, in the order of reports. */
export function titledFigures(group: string): readonly (readonly [name: string, row: MetricRow])[] {
  return Object.entries(findPart(group) ?? {}).filter(
    ([, row]: [string, FigurePart]) => isRow(row) && row.title !== '',
  )
}

function findPart(path: string): FigurePart | undefined {
  let part: FigurePart | undefined = catalogue
  for (const word of path.split('.')) part = partOf(part, word)
  return part
}

/**
 * Returns every figure by a name such as `returns.sharpe` or `maker.markouts.5000.bps`, for tables, sweeps and conditions.
 * An undefined figure is null. Entries of lists are named by the field that tells them apart, or by their position from 1.
 */
export function flattenMetrics(metrics: Metrics): Readonly<Record<string, number | null>> {
  const flat: Record<string, number | null> = {}
  visitFigures('', metrics, catalogue, (name, { value }) => {
    flat[name] = value
  })
  return flat
}

/** Returns why figures are undefined, by their names in `flattenMetrics`; figures with a value are left out. */
export function flattenReasons(metrics: Metrics): Readonly<Record<string, string>> {
  const reasons: Record<string, string> = {}
  visitFigures('', metrics, catalogue, (name, { reason }) => {
    if (reason !== null) reasons[name] = reason
  })
  return reasons
}

/**
 * Finds a figure by its name in `flattenMetrics`, with the reason if it is undefined; null if the metrics have no figure of
 * that name.
 */
export function findFigure(metrics: Metrics, name: string): Figure | null {
  let value: unknown = metrics
  let part: FigurePart | undefined = catalogue
  for (const word of name.split('.')) {
    const list = part
    const isHere = ([key, entry]: [string, unknown]): boolean =>
      (Array.isArray(value) ? entryName(entry, Number(key), list) : key) === word
    value = typeof value === 'object' && value !== null ? Object.entries(value).find(isHere)?.[1] : undefined
    part = partOf(part, word)
  }
  if (isFigure(value)) return value
  return typeof value === 'number' || typeof value === 'boolean' ? figure(Number(value)) : null
}

function visitFigures(
  path: string,
  value: unknown,
  part: FigurePart | undefined,
  visit: (name: string, figure: Figure) => void,
): void {
  if (typeof value === 'number') visit(path, { value, reason: null })
  else if (typeof value === 'boolean') visit(path, { value: value ? 1 : 0, reason: null })
  else if (isFigure(value)) visit(path, value)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) {
      const name = Array.isArray(value) ? entryName(field, Number(key), part) : key
      visitFigures(path === '' ? name : `${path}.${name}`, field, partOf(part, name), visit)
    }
  }
}

function entryName(entry: unknown, place: number, list: FigurePart | undefined): string {
  const by = list !== undefined && isList(list) ? list.by : null
  const found = Object.entries(typeof entry === 'object' && entry !== null ? entry : {})
  return String(found.find(([name]) => name === by)?.[1] ?? place + 1)
}

/** Returns the description of a part of a group, or of the entries of a list. */
function partOf(part: FigurePart | undefined, name: string): FigurePart | undefined {
  if (part === undefined || isRow(part)) return undefined
  return isList(part) ? part.fields : part[name]
}
