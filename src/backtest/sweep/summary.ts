import { quantileOfSorted } from '../../numeric/quantile.ts'
import type { CaseRow } from './case-row.ts'
import { medianOf } from './paired.ts'
import { cellName, cellsOf, type SweepCase, type SweepPlan } from './plan.ts'

/** The distribution of a metric over the seeds of one cell; null where no run has it. */
export interface Spread {
  readonly count: number
  readonly p5: number
  readonly p25: number
  readonly median: number
  readonly p75: number
  readonly p95: number
  readonly mean: number
}

export interface CellSummary {
  readonly name: string
  readonly parameters: SweepCase['parameters']
  readonly rows: readonly CaseRow[]
  /** Cases whose strategy threw. */
  readonly failed: number
}

/** The rows by cell, in the order of the grid. */
export function byCell(plan: SweepPlan, rows: readonly CaseRow[]): readonly CellSummary[] {
  const groups = new Map<string, CaseRow[]>()
  for (const row of rows) {
    const name = cellName(row.parameters)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [row])
    else group.push(row)
  }
  return cellsOf(plan.grid).map((parameters) => {
    const name = cellName(parameters)
    const own = groups.get(name) ?? []
    return { name, parameters, rows: own, failed: own.filter(({ failure }) => failure !== null).length }
  })
}

/** The figures that rows have of a metric, in their order. */
export function valuesOf(rows: readonly CaseRow[], metric: string): readonly number[] {
  return rows.flatMap(({ metrics }) => metrics[metric] ?? [])
}

export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((left, right) => left - right)
  return {
    count: sorted.length,
    p5: quantileOfSorted(sorted, 0.05),
    p25: quantileOfSorted(sorted, 0.25),
    median: quantileOfSorted(sorted, 0.5),
    p75: quantileOfSorted(sorted, 0.75),
    p95: quantileOfSorted(sorted, 0.95),
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
  }
}

/** The cell whose median of a metric is the best; the first of equal ones, null where no run has the metric. */
export function bestCell(cells: readonly CellSummary[], metric: string): CellSummary | null {
  let best: CellSummary | null = null
  let highest = Number.NEGATIVE_INFINITY
  for (const cell of cells) {
    const median = medianOf(valuesOf(cell.rows, metric))
    if (median === null || median * towardsBetter(metric) <= highest) continue
    best = cell
    highest = median * towardsBetter(metric)
  }
  return best
}

/** The rows with the best figures of a metric, or the worst; of equal ones the first of the plan. */
export function extremes(
  rows: readonly CaseRow[],
  metric: string,
  end: 'best' | 'worst',
  count: number,
): readonly CaseRow[] {
  const sign = end === 'best' ? -towardsBetter(metric) : towardsBetter(metric)
  const known = rows.filter(({ metrics }) => typeof metrics[metric] === 'number')
  const figure = (row: CaseRow): number => row.metrics[metric] ?? 0
  return known.toSorted((left, right) => sign * (figure(left) - figure(right))).slice(0, count)
}

/*
 * Which way a figure is better. Choice: costs, losses, uncertainty and durations are better small. Figures with a sign
 * (falls, too: -0.1 is worse than -0.05) and figures that are a matter of taste are ranked from large to small.
 */
const betterSmall = [
  /^costs\./,
  /^tail\./,
  /^returns\.(?:volatility|sharpeError|minimumTrackRecord)$/,
  /^drawdown\.(?:ulcer|longestMillis|isLongestOpen)$/,
  /^trips\.(?:losses|longestLosingRun)$/,
  /^maker\.(?:cancelsPerFill|rateLimited|markouts\.\d+\.adverseBps)$/,
]

/** 1 where the larger figure is the better one, -1 where the smaller is. */
export function towardsBetter(metric: string): 1 | -1 {
  return betterSmall.some((pattern) => pattern.test(metric)) ? -1 : 1
}
