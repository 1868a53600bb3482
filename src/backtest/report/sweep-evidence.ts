import type { CaseRow } from '../sweep/case-row.ts'
import { medianInterval, medianOf, signTest } from '../sweep/paired.ts'
import { cellName } from '../sweep/plan.ts'
import { replayCommand } from '../sweep/replay-command.ts'
import { type CellSummary, extremes } from '../sweep/summary.ts'
import { count, rangeText } from './figures.ts'
import { paragraph, type Section, tableMarkup } from './html.ts'
import type { Pictures } from './page-pictures.ts'
import type { SweepView } from './sweep-distributions.ts'
import { cellNote, metricText } from './sweep-distributions.ts'

const maximumPairs = 100

/** The best cell against each of the others, seed by seed: both had the same market, so its luck cancels out. */
export function pairSection(view: SweepView): Section | null {
  const { best, cells, objective } = view
  if (best === null || cells.length < 2) return null
  const show = (value: number): string => metricText(objective, value)
  const rows = cells
    .filter((cell) => cell !== best)
    .slice(0, maximumPairs)
    .map((cell) => {
      const differences = commonDifferences(best, cell, objective)
      const { losses, probability, ties, wins } = signTest(differences)
      const median = medianOf(differences)
      const interval = medianInterval(differences)
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
  const caption = `${objective} of ${cellName(best.parameters)} less that of the other cell, over common seeds; sign test, two-sided`
  const note = paragraph(
    'The best of many cells is chosen after the fact: with many rows, some differ by chance alone, so hold the last column against 0.05 over the number of rows.',
    'soft',
  )
  return { id: 'pairs', title: 'Paired comparison', body: note + tableMarkup({ caption, head, rows }) }
}

function commonDifferences(best: CellSummary, other: CellSummary, objective: string): readonly number[] {
  const bySeed = new Map(other.rows.map((row) => [row.seed, row.metrics[objective]]))
  return best.rows.flatMap(({ seed, metrics }) => {
    const [own, theirs] = [metrics[objective], bySeed.get(seed)]
    return typeof own === 'number' && typeof theirs === 'number' ? [own - theirs] : []
  })
}

const maximumSteps = 100

/** How the median settles as seeds are added: were there enough of them? */
export function convergenceSection(view: SweepView, pictures: Pictures): Section | null {
  const { best, objective } = view
  const values = best?.rows.flatMap(({ metrics }) => metrics[objective] ?? []) ?? []
  if (values.length < 6) return null
  const every = Math.max(1, Math.ceil(values.length / maximumSteps))
  const xs: number[] = []
  const medians: number[] = []
  const lows: number[] = []
  const highs: number[] = []
  for (let seeds = Math.max(1, every); seeds <= values.length; seeds += every) {
    const first = values.slice(0, seeds)
    const interval = medianInterval(first)
    xs.push(seeds)
    medians.push(medianOf(first) ?? Number.NaN)
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
        layers: [
          { kind: 'band', label: '95 % interval', color: 1, xs, lows, highs },
          { kind: 'line', label: 'median', color: 1, xs, ys: medians },
        ],
      },
    ],
  })
  return { id: 'convergence-of-median', title: 'Convergence of the median', body: cellNote(view) + body }
}

/** The worst and the best cases, with the commands that repeat them. */
export function extremeSection({ plan, rows, objective }: SweepView): Section {
  const table = (end: 'worst' | 'best'): string => {
    const picked = extremes(rows, objective, end, 5)
    return tableMarkup({
      caption: `The ${end} five by ${objective}`,
      head: ['Seed', 'Cell', objective, 'Digest', 'To see it again'],
      rows: picked.map((row) => [
        row.seed,
        cellName(row.parameters),
        metricText(objective, row.metrics[objective] ?? 0),
        row.digest ?? 'n/a',
        replayCommand(plan, row),
      ]),
      figures: [2],
    })
  }
  return { id: 'extremes', title: 'Worst and best seeds', body: table('worst') + table('best') }
}

const maximumFailures = 50

/** Cases in which the strategy threw. */
export function failureSection({ plan, rows }: Pick<SweepView, 'plan' | 'rows'>): Section | null {
  const failed = rows.filter((row): row is CaseRow & { readonly failure: string } => row.failure !== null)
  if (failed.length === 0) return null
  const table = tableMarkup({
    caption: `${count(failed.length)} cases failed; the first ${Math.min(maximumFailures, failed.length)}`,
    head: ['Seed', 'Cell', 'Why', 'To see it again'],
    rows: failed
      .slice(0, maximumFailures)
      .map((row) => [row.seed, cellName(row.parameters), row.failure, replayCommand(plan, row)]),
    figures: [],
  })
  return { id: 'failures', title: 'Failed cases', body: table }
}
