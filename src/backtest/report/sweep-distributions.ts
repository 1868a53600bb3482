import type { HorizontalAxis } from '../../pages/chart.ts'
import { fanLayers } from '../../pages/fan.ts'
import { histogram, histogramBars } from '../../pages/histogram.ts'
import type { CaseRow } from '../sweep/case-row.ts'
import { medianOf } from '../sweep/paired.ts'
import type { SweepPlan } from '../sweep/plan.ts'
import { cellName } from '../sweep/plan.ts'
import { type CellSummary, valuesOf } from '../sweep/summary.ts'
import { bps, count, percent, ratioText, span, usd } from './figures.ts'
import { paragraph, type Section } from './html.ts'
import type { Pictures } from './page-pictures.ts'

/** Histograms over the seeds of the best cell: profit, ratio and drawdown. */
export function distributionSection(view: SweepView, pictures: Pictures): Section {
  const title = 'Distributions over seeds'
  const { best, objective } = view
  if (best === null) return { id: 'distributions', title, body: paragraph('There is nothing to show.') }
  const metrics = [...new Set([objective, 'returns.profit', 'returns.sharpe', 'drawdown.maximum'])]
  const charts = metrics.map((metric, place) => histogramOf(best, metric, place, pictures))
  return { id: 'distributions', title, body: cellNote(view) + charts.join('') }
}

function histogramOf(cell: CellSummary, metric: string, place: number, pictures: Pictures): string {
  const values = valuesOf(cell.rows, metric)
  const drawn = histogram(values)
  if (drawn === null) return ''
  const median = medianOf(values) ?? 0
  return pictures.chart({
    id: `distribution-${place}`,
    title: metric,
    description: `${metric} of ${values.length} seeds; the median is ${metricText(metric, median)}.`,
    x: { kind: 'number', label: metric },
    panels: [
      {
        title: 'Seeds',
        height: 130,
        layers: [
          histogramBars(drawn, 'seeds'),
          { kind: 'rule', axis: 'x', at: median, label: 'median', color: 2 },
        ],
      },
    ],
  })
}

/** The equity of all seeds of the best cell, from the start of the run to its end. */
export function fanSection(view: SweepView, pictures: Pictures): Section | null {
  const { best } = view
  const paths = best?.rows.map(({ equity }) => equity).filter(({ length }) => length > 1) ?? []
  const points = paths[0]?.length ?? 0
  if (points < 2) return null
  const axis = axisOf(best?.rows ?? [])
  const xs = Array.from(
    { length: points },
    (_, place) => axis.from + ((axis.to - axis.from) * place) / (points - 1),
  )
  const body = pictures.chart({
    id: 'fan',
    title: 'Equity over seeds',
    description: `The equity of ${paths.length} seeds: at each moment of the run, 90 % of them lie in the pale band, half of them in the dark one.`,
    x: axis,
    panels: [{ title: 'Equity, USD', height: 240, layers: fanLayers(xs, paths) }],
  })
  return { id: 'equity-fan', title: 'Equity over seeds', body: cellNote(view) + body }
}

/**
 * The time where all runs begin and end together, else the share of a run, because one that a strategy stopped is
 * shorter.
 */
function axisOf(rows: readonly CaseRow[]): HorizontalAxis & { readonly from: number; readonly to: number } {
  const [first] = rows
  const from = first?.metrics['sampling.fromMillis']
  const to = first?.metrics['sampling.toMillis']
  const isShared = rows.every(
    ({ metrics }) => metrics['sampling.fromMillis'] === from && metrics['sampling.toMillis'] === to,
  )
  if (isShared && typeof from === 'number' && typeof to === 'number' && to > from)
    return { kind: 'time', from, to }
  return { kind: 'number', label: 'share of the run', suffix: '%', from: 0, to: 100 }
}

export function cellNote({ best, cells }: SweepView): string {
  if (best === null || cells.length < 2) return ''
  return paragraph(`Of the cell with the best median: ${cellName(best.parameters)}.`, 'soft')
}

/** A figure by the name that it has in `flattenMetrics`, with its unit. */
export function metricText(name: string, value: number): string {
  const last = name.slice(name.lastIndexOf('.') + 1)
  if (last.endsWith('Millis')) return span(Math.abs(value))
  if (last.endsWith('Bps') || last === 'bps') return bps(value)
  // Names of figures repeat: the total of a shortfall is money, the largest inventory is in units of the asset.
  if (money.test(name)) return usd(value)
  if (name.startsWith('maker.inventory.') && last !== 'timeAtLimit') return ratioText(value)
  if (fractions.has(last)) return percent(value)
  if (counts.has(last)) return count(value)
  return ratioText(value)
}

const fractions: ReadonlySet<string> = new Set([
  ...['total', 'cagr', 'volatility', 'maximum', 'depth', 'ulcer', 'hitRate', 'exposureTime', 'share'],
  ...['probabilisticSharpe', 'deflatedSharpe', 'timeAtTouch', 'timeAtLimit', 'turnoverPerDay'],
  ...['valueAtRisk95', 'shortfall95', 'cornishFisher95', 'valueAtRisk99', 'shortfall99', 'cornishFisher99'],
  ...['fillRatioByCount', 'fillRatioByQuantity', 'alpha', 'marketReturn', 'marketDrawdown'],
])

const counts: ReadonlySet<string> = new Set([
  ...['orders', 'fills', 'count', 'wins', 'losses', 'zeros', 'returns', 'requests', 'rateLimited'],
  ...['longestLosingRun', 'minimumTrackRecord'],
])

const money =
  /^(?:attribution\.|benchmark\.(?:held|trading)|costs\.shortfall\.|costs\.(?:.*[fF]ees)|returns\.profit$|activity\.(?:volume|gross|net)|maker\.volume|trips\.expectancy)/

export interface SweepContext {
  readonly version: string
  /** Those of the plan, some of which may not be done yet. */
  readonly cases: number
  readonly objective: string
}

/** What the sections of a sweep's report are made of. */
export interface SweepView {
  readonly plan: SweepPlan
  readonly rows: readonly CaseRow[]
  readonly objective: string
  readonly cells: readonly CellSummary[]
  /** The cell with the best median of the objective; null where no run has one. */
  readonly best: CellSummary | null
}
