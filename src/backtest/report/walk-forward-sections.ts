import type { BarsLayer } from '../../charts/chart.ts'
import type { FoldResult, OutOfSample } from '../sweep/out-of-sample.ts'
import { cellName, type SweepPlan } from '../sweep/plan.ts'
import { replayCommand } from '../sweep/replay-command.ts'
import { extremes } from '../sweep/summary.ts'
import { count } from './figures.ts'
import { paragraph, type Section, tableMarkup } from './html.ts'
import { metricText } from './metric-text.ts'
import type { Pictures } from './page-pictures.ts'

/** Every fold: what training chose, and what became of it, side by side. */
export function foldSection(result: OutOfSample, pictures: Pictures): Section {
  const { folds, objective } = result
  const show = (value: number | null): string => (value === null ? 'n/a' : metricText(objective, value))
  const rows = folds.map((fold, place) => [
    String(place + 1),
    span(fold.train.from, fold.train.to),
    span(fold.test.from, fold.test.to),
    fold.chosen === null ? 'n/a' : fold.chosen.name === '' ? 'all' : fold.chosen.name,
    show(fold.inSample),
    show(fold.outOfSample),
    fold.rank === null ? 'n/a' : `${fold.rank} of ${count(fold.ranked)}`,
    fold.hindsight === null ? 'n/a' : `${show(fold.hindsightValue)} (${fold.hindsight.name})`,
  ])
  const head = [
    'Fold',
    'Training',
    'Test',
    'Chosen',
    'In sample',
    'Out of sample',
    'Rank there',
    'Best there',
  ]
  const table = tableMarkup({ caption: named(result), head, rows, figures: [4, 5, 6, 7] })
  return { id: 'folds', title: 'Folds', body: foldPicture(result, pictures) + table }
}

function foldPicture(result: OutOfSample, pictures: Pictures): string {
  const { folds } = result
  const bars = (
    label: string,
    from: number,
    color: 1 | 2,
    of: (fold: FoldResult) => number | null,
  ): BarsLayer => ({
    kind: 'bars',
    label,
    color,
    froms: folds.map((_, place) => place + from),
    tos: folds.map((_, place) => place + from + 0.36),
    ys: folds.map((fold) => of(fold) ?? Number.NaN),
  })
  return pictures.chart({
    id: 'fold-figures',
    title: named(result),
    description:
      'For each fold the figure of the chosen cell in training, and beside it the same in the test that followed.',
    x: { kind: 'names', label: '', names: folds.map(({ test }) => test.from.slice(0, 10)) },
    panels: [
      {
        title: named(result),
        height: 200,
        includeZero: true,
        layers: [
          bars('in sample', -0.38, 1, ({ inSample }) => inSample),
          bars('out of sample', 0.02, 2, ({ outOfSample }) => outOfSample),
          { kind: 'rule', axis: 'y', at: 0, color: 0 },
        ],
      },
    ],
  })
}

/** Every cell over all folds: whether what was good in training was good afterwards. */
export function cellsSection(result: OutOfSample): Section | null {
  const { cells, objective } = result
  if (cells.length < 2) return null
  const show = (value: number | null): string => (value === null ? 'n/a' : metricText(objective, value))
  const rows = cells.map(({ cell, inSample, outOfSample, timesChosen }) => [
    cell.name,
    show(inSample),
    show(outOfSample),
    count(timesChosen),
  ])
  const head = ['Cell', 'In sample', 'Out of sample', 'Times chosen']
  const note = paragraph(
    'The best figure out of sample is known only afterwards: who takes that cell has chosen on the tests, and has none left.',
    'soft',
  )
  return {
    id: 'cells',
    title: 'Cells',
    body: note + tableMarkup({ caption: `${named(result)}, mean over folds`, head, rows }),
  }
}

/** The worst tests of chosen cells, with the commands that repeat them. */
export function worstTestSection(plan: SweepPlan, { folds, objective }: OutOfSample): Section {
  const tested = folds.flatMap(({ rows }) => rows)
  const rows = extremes(tested, objective, 'worst', 5).map((row) => [
    row.seed,
    row.window === undefined ? '' : span(row.window.from, row.window.to),
    cellName(row.parameters),
    metricText(objective, row.metrics[objective] ?? 0),
    row.digest ?? 'n/a',
    replayCommand(plan, row),
  ])
  const head = ['Seed', 'Test', 'Cell', objective, 'Digest', 'To see it again']
  const table = tableMarkup({ caption: `The worst five tests by ${objective}`, head, rows, figures: [3] })
  return { id: 'worst-tests', title: 'Worst tests', body: table }
}

const named = ({ isPerDay, objective }: OutOfSample): string => `${objective}${isPerDay ? ' a day' : ''}`

const span = (from: string, to: string): string => `${day(from)} to ${day(to)}`

/** Only the date when a window begins at midnight. */
const day = (text: string): string => text.replace('T00:00:00.000Z', '').replace('.000Z', 'Z')
