import { nameInstant } from '../../numeric/time-text.ts'
import { formatCounted } from '../../numeric/units.ts'
import type { HorizontalAxis, Panel } from '../../pages/chart.ts'
import { countHistogram, makeFanLayers, makeHistogramBars } from '../../pages/histogram.ts'
import {
  codeMarkup,
  detailsMarkup,
  factsMarkup,
  paragraph,
  type Section,
  tableMarkup,
} from '../../pages/html.ts'
import type { Pictures } from '../../pages/pictures.ts'
import { element, escapeText } from '../../pages/svg-text.ts'
import { type CaseRow, formatCell, type SweepPlan } from '../sweep/plan.ts'
import {
  type CellSummary,
  computeMedian,
  computeMedianInterval,
  findExtremes,
  formatReplayCommand,
  listValues,
  runSignTest,
} from '../sweep/summary.ts'
import type { OtherTrials } from '../sweep/sweep-result.ts'
import { axisScale, count, metricText, rangeText } from './figures.ts'

export function distributionSection(view: SweepView, pictures: Pictures): Section {
  const title = 'Distributions over seeds'
  const { best, objective } = view
  if (best === null) return { id: 'distributions', title, body: paragraph('There is nothing to show.') }
  const metrics = [...new Set([objective, 'returns.profit', 'returns.sharpe', 'drawdown.maximum'])]
  const charts = metrics.map((metric, place) =>
    drawHistogram(best, metric, `distribution-${place}`, pictures, metric === objective ? view.plan : null),
  )
  return { id: 'distributions', title, body: describeCell(view) + charts.join('') }
}

/**
 * Draws how many seeds had a figure. With the plan, each seed stands at its own figure, and a click on it shows its
 * command.
 */
function drawHistogram(
  cell: CellSummary,
  metric: string,
  id: string,
  pictures: Pictures,
  plan: SweepPlan | null,
): string {
  const values = listValues(cell.rows, metric)
  const { factor, suffix } = axisScale(metric)
  const drawn = countHistogram(values.map((value) => value * factor))
  if (drawn === null) return ''
  const median = computeMedian(values) ?? 0
  return pictures.chart({
    id,
    title: metric,
    description: `${metric} of ${formatCounted(values.length, 'seed')}; the median is ${metricText(metric, median)}.${plan === null ? '' : ' Below, each seed by its own.'}`,
    x: { kind: 'number', label: metric, suffix },
    panels: [
      {
        title: 'Seeds',
        height: 130,
        layers: [
          makeHistogramBars(drawn, 'seeds'),
          { kind: 'rule', axis: 'x', at: median * factor, label: 'median', color: 2 },
        ],
      },
      ...(plan === null ? [] : [makeSeedPanel(plan, cell, metric)]),
    ],
  })
}

function makeSeedPanel(plan: SweepPlan, { rows }: CellSummary, metric: string): Panel {
  const { factor } = axisScale(metric)
  const seeds = rows.flatMap((row) => {
    const value = row.metrics[metric]
    return typeof value === 'number' ? [{ row, value }] : []
  })
  return {
    title: 'Place of the seed in the plan',
    height: 110,
    layers: [
      {
        kind: 'markers',
        shape: 'dot',
        label: 'seed',
        color: 1,
        xs: seeds.map(({ value }) => value * factor),
        ys: seeds.map((_, place) => place + 1),
        titles: seeds.map(({ row, value }) => `seed ${row.seed}: ${metricText(metric, value)}`),
        commands: seeds.map(({ row }) => formatReportCommand(plan, row)),
      },
    ],
  }
}

/** Formats the command that runs a case again and writes its whole report. */
const formatReportCommand = (plan: SweepPlan, row: CaseRow): string =>
  `${formatReplayCommand(plan, row)} --html seed-${row.seed.replaceAll(/[^A-Za-z0-9]/g, '')}.html`

/**
 * Builds the chart of the best cell's equity over all seeds, from the start of the run to its end; returns null where
 * no run has a path.
 */
export function fanSection(view: SweepView, pictures: Pictures): Section | null {
  const { best } = view
  const paths = best?.rows.map(({ equity }) => equity).filter(({ length }) => length > 1) ?? []
  const points = paths[0]?.length ?? 0
  if (points < 2) return null
  const axis = chooseAxis(best?.rows ?? [])
  const xs = Array.from(
    { length: points },
    (_, place) => axis.from + ((axis.to - axis.from) * place) / (points - 1),
  )
  const body = pictures.chart({
    id: 'fan',
    title: 'Equity over seeds',
    description: `The equity of ${formatCounted(paths.length, 'seed')}: at each moment of the run, the pale band reaches from the 5th to the 95th percentile of them, the dark one from the 25th to the 75th.`,
    x: axis,
    panels: [{ title: 'Equity, USD', height: 240, layers: makeFanLayers(xs, paths) }],
  })
  return { id: 'equity-fan', title: 'Equity over seeds', body: describeCell(view) + body }
}

/**
 * Returns a time axis where all runs begin and end together; else an axis of the share of a run, because a strategy may
 * have stopped early.
 */
function chooseAxis(
  rows: readonly CaseRow[],
): HorizontalAxis & { readonly from: number; readonly to: number } {
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

function describeCell({ best, cells }: SweepView): string {
  if (best === null || cells.length < 2) return ''
  return paragraph(`Of the cell with the best median: ${formatCell(best.parameters)}.`, 'soft')
}

export interface SweepContext {
  readonly version: string
  /** The number of cases in the plan; some may not be done yet. */
  readonly cases: number
  readonly objective: string
  /** What else was tried on the same data; without it, nothing. */
  readonly others?: OtherTrials
}

export interface SweepView {
  readonly plan: SweepPlan
  readonly rows: readonly CaseRow[]
  readonly objective: string
  readonly cells: readonly CellSummary[]
  /** The cell with the best median of the objective; null where no run has one. */
  readonly best: CellSummary | null
}

const maximumPairs = 100

/**
 * Builds the comparison of the best cell with each other one, seed by seed: both had the same market, so its luck
 * cancels out.
 */
export function pairSection(view: SweepView): Section | null {
  const { best, cells, objective } = view
  if (best === null || cells.length < 2) return null
  const show = (value: number): string => metricText(objective, value)
  const others = cells.filter((cell) => cell !== best)
  const compared = others.slice(0, maximumPairs)
  const rows = compared.map((cell) => {
    const differences = computeCommonDifferences(best, cell, objective)
    const { losses, probability, ties, wins } = runSignTest(differences)
    const median = computeMedian(differences)
    const interval = computeMedianInterval(differences)
    return [
      cell.name,
      count(differences.length),
      median === null ? 'n/a' : show(median),
      interval === null ? 'n/a (it takes 6 seeds)' : rangeText(show(interval.low), show(interval.high)),
      `${count(wins)}, ${count(losses)}, ${count(ties)}`,
      differences.length === 0 ? 'n/a' : probability < 0.0001 ? '< 0.0001' : probability.toFixed(4),
    ]
  })
  const head = [
    'Against',
    'Common seeds',
    'Median difference',
    '95 % interval of it',
    'Won, lost, tied',
    'Chance of it',
  ]
  const cut =
    others.length > compared.length ? `; the first ${compared.length} of ${count(others.length)} cells` : ''
  const caption = `${objective} of ${formatCell(best.parameters)} less that of the other cell, over common seeds; sign test, two-sided${cut}`
  const note = paragraph(
    'The best of many cells is chosen after the fact: with many rows, some differ by chance alone, so hold the last column against 0.05 over the number of rows.',
    'soft',
  )
  return { id: 'pairs', title: 'Paired comparison', body: note + tableMarkup({ caption, head, rows }) }
}

function computeCommonDifferences(
  best: CellSummary,
  other: CellSummary,
  objective: string,
): readonly number[] {
  const bySeed = new Map(other.rows.map((row) => [row.seed, row.metrics[objective]]))
  return best.rows.flatMap(({ seed, metrics }) => {
    const [own, theirs] = [metrics[objective], bySeed.get(seed)]
    return typeof own === 'number' && typeof theirs === 'number' ? [own - theirs] : []
  })
}

const maximumSteps = 100

/**
 * Builds the chart of the median as seeds are added, which shows whether there were enough of them; returns null for
 * fewer than 6 values.
 */
export function convergenceSection(view: SweepView, pictures: Pictures): Section | null {
  const { best, objective } = view
  const { factor, suffix } = axisScale(objective)
  const values =
    best?.rows.flatMap(({ metrics }) => metrics[objective] ?? []).map((one) => one * factor) ?? []
  if (values.length < 6) return null
  const every = Math.max(1, Math.ceil(values.length / maximumSteps))
  const xs: number[] = []
  const medians: number[] = []
  const lows: number[] = []
  const highs: number[] = []
  for (let seeds = Math.max(1, every); seeds <= values.length; seeds += every) {
    const first = values.slice(0, seeds)
    const interval = computeMedianInterval(first)
    xs.push(seeds)
    medians.push(computeMedian(first) ?? Number.NaN)
    lows.push(interval?.low ?? Number.NaN)
    highs.push(interval?.high ?? Number.NaN)
  }
  const body = pictures.chart({
    id: 'convergence',
    title: 'Convergence of the median',
    description:
      'The median over the first seeds, as more of them are taken, with its 95 % interval. Where it still moves, more seeds are needed.',
    x: { kind: 'number', label: 'seeds' },
    panels: [
      {
        title: objective,
        height: 160,
        suffix,
        layers: [
          { kind: 'band', label: '95 % interval', color: 1, xs, lows, highs },
          { kind: 'line', label: 'median', color: 1, xs, ys: medians },
        ],
      },
    ],
  })
  return { id: 'convergence-of-median', title: 'Convergence of the median', body: describeCell(view) + body }
}

/**
 * Builds the lists of the worst and best seeds. Each opens on a click: its equity, its figures, and the command that
 * makes its whole report.
 */
export function extremeSection({ plan, rows, objective }: SweepView, pictures: Pictures): Section {
  const list = (end: 'worst' | 'best'): string => {
    const picked = findExtremes(rows, objective, end, 5)
    const heading = element('h3', {}, escapeText(`The ${end} ${picked.length} by ${objective}`))
    return (
      heading +
      picked.map((row, place) => drawCase(plan, row, `${end}-${place + 1}`, objective, pictures)).join('')
    )
  }
  return { id: 'extremes', title: 'Worst and best seeds', body: list('worst') + list('best') }
}

/** Draws one case as a heading that opens: equity, figures, digest, and the command that runs it again. */
export function drawCase(
  plan: SweepPlan,
  row: CaseRow,
  id: string,
  objective: string,
  pictures: Pictures,
): string {
  const { digest, equity, metrics, parameters, reasons, seed, window } = row
  const value = metrics[objective] ?? null
  const names = ['returns.total', 'returns.sharpe', 'drawdown.maximum', 'activity.fills', 'costs.fees']
  const shown = [...new Set([objective, ...names])].map((name): [string, string] => {
    const figure = metrics[name] ?? null
    return [name, figure === null ? `n/a (${reasons?.[name] ?? 'not known'})` : metricText(name, figure)]
  })
  const axis = chooseAxis([row])
  const xs = equity.map(
    (_, place) => axis.from + ((axis.to - axis.from) * place) / Math.max(1, equity.length - 1),
  )
  const picture =
    equity.length < 2
      ? ''
      : pictures.chart({
          id: `case-${id}`,
          title: `Equity of seed ${seed}`,
          description: `The equity of seed ${seed}, at ${equity.length} points.`,
          x: axis,
          panels: [
            { title: 'Equity, USD', height: 120, layers: [{ kind: 'line', color: 1, xs, ys: equity }] },
          ],
        })
  const cell = formatShortCell(plan, parameters)
  const test = window === undefined ? '' : `, test from ${nameInstant(window.from)}`
  const summary = `Seed ${seed}${cell === '' ? '' : `, ${cell}`}${test}: ${value === null ? 'n/a' : metricText(objective, value)}`
  const facts = factsMarkup([...shown, ['Digest', digest ?? 'n/a']])
  const command = codeMarkup(`The command of ${id.replace('-', ' ')}`, formatReportCommand(plan, row))
  return detailsMarkup(summary, picture + facts + command)
}

/** Formats the parameters of a cell that differ between cells; all of them where none differs. */
export function formatShortCell(plan: SweepPlan, parameters: CaseRow['parameters']): string {
  const varied = plan.grid.filter(({ values }) => values.length > 1).map(({ name }) => name)
  const shown = Object.entries(parameters).filter(([name]) => varied.length === 0 || varied.includes(name))
  return formatCell(Object.fromEntries(shown))
}

const maximumFailures = 50

export function failureSection({ plan, rows }: Pick<SweepView, 'plan' | 'rows'>): Section | null {
  const failed = rows.filter((row): row is CaseRow & { readonly failure: string } => row.failure !== null)
  if (failed.length === 0) return null
  const table = tableMarkup({
    caption: `${formatCounted(failed.length, 'case')} failed; the first ${Math.min(maximumFailures, failed.length)} of them`,
    head: ['Seed', 'Cell', 'Why', 'To see it again'],
    rows: failed
      .slice(0, maximumFailures)
      .map((row) => [
        row.seed,
        formatCell(row.parameters),
        row.failure,
        { text: formatReplayCommand(plan, row), as: 'code' as const },
      ]),
    figures: [],
  })
  return { id: 'failures', title: 'Failed cases', body: table }
}
