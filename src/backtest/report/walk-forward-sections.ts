import { isoToMillis, nameInstant } from '../../numeric/time-text.ts'
import { formatCounted } from '../../numeric/units.ts'
import type { BarsLayer, Layer } from '../../pages/chart.ts'
import { makeFanLayers } from '../../pages/histogram.ts'
import { paragraph, type Section, tableMarkup } from '../../pages/html.ts'
import type { Pictures } from '../../pages/pictures.ts'
import type { JoinedTests } from '../sweep/join-tests.ts'
import type { FoldResult, OutOfSample } from '../sweep/out-of-sample.ts'
import type { SweepPlan } from '../sweep/plan.ts'
import { computeMedian, findExtremes } from '../sweep/summary.ts'
import { count, metricText } from './figures.ts'
import { drawCase } from './sweep-sections.ts'

/**
 * Builds the chart of the tests joined into one equity, with its falls and what buying and holding made; a sentence where
 * they cannot be joined.
 */
export function joinedSection(result: OutOfSample, pictures: Pictures): Section {
  const { folds, joined } = result
  const title = 'Out of sample, joined'
  if ('reason' in joined)
    return { id: 'joined', title, body: paragraph(`There is no joined equity: ${joined.reason}.`) }
  const { atMillis, paths, seeds } = joined
  const [only] = paths
  const equity: readonly Layer[] =
    only !== undefined && paths.length === 1
      ? [{ kind: 'line', label: 'chosen cells', color: 1, xs: atMillis, ys: only }]
      : makeFanLayers(atMillis, paths)
  const middle = atMillis.map((_, place) => computeMedian(paths.map((path) => path[place] ?? 0)) ?? 0)
  const over = seeds.length === 1 ? '' : ` Bands and median are of ${count(seeds.length)} seeds.`
  const body = pictures.chart({
    id: 'joined-equity',
    title,
    description: `What 1 USD becomes in the tests, one after the other, each by the cell that its own training chose.${over} Upright lines show where tests begin; the dashed line is buying and holding, known at their ends.`,
    x: { kind: 'time' },
    panels: [
      {
        title: 'Worth of 1 USD',
        height: 220,
        layers: [
          ...folds.map((fold) => drawBegin(fold)),
          { kind: 'rule', axis: 'y', at: 1, color: 0 },
          ...drawMarket(result, joined),
          ...equity,
        ],
      },
      {
        title: seeds.length === 1 ? 'Drawdown, %' : 'Drawdown of the median, %',
        height: 90,
        suffix: '%',
        layers: [{ kind: 'area', color: 2, xs: atMillis, ys: measureFalls(middle) }],
      },
    ],
  })
  return { id: 'joined', title, body }
}

const drawBegin = ({ test }: FoldResult): Layer => ({
  kind: 'rule',
  axis: 'x',
  at: isoToMillis(test.from) ?? 0,
  color: 8,
})

function measureFalls(path: readonly number[]): readonly number[] {
  let highest = 0
  return path.map((worth) => {
    highest = Math.max(highest, worth)
    return (worth / highest - 1) * 100
  })
}

/** Draws what holding made, through the ends of the tests; the median over the seeds. */
function drawMarket({ folds, marketReturns }: OutOfSample, { seeds }: JoinedTests): readonly Layer[] {
  const [first] = folds
  if (marketReturns === null || first === undefined) return []
  const worths = seeds.map(() => 1)
  const ys = [1]
  for (const returns of marketReturns) {
    for (const [place, one] of returns.entries()) worths[place] = (worths[place] ?? 1) * (1 + one)
    ys.push(computeMedian(worths) ?? Number.NaN)
  }
  const xs = [first.test.from, ...folds.map(({ test }) => test.to)].map((text) => isoToMillis(text) ?? 0)
  return [{ kind: 'line', label: 'buying and holding', color: 8, isDashed: true, xs, ys }]
}

export function foldSection(result: OutOfSample, pictures: Pictures): Section {
  const { folds, objective } = result
  const show = (value: number | null): string => (value === null ? 'n/a' : metricText(objective, value))
  const rows = folds.map((fold, place) => [
    String(place + 1),
    formatSpan(fold.train.from, fold.train.to),
    formatSpan(fold.test.from, fold.test.to),
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
  const table = tableMarkup({
    caption: describeObjective(result),
    head,
    rows,
    figures: [4, 5, 6],
    isWrapped: true,
  })
  return { id: 'folds', title: 'Folds', body: drawFolds(result, pictures) + table }
}

function drawFolds(result: OutOfSample, pictures: Pictures): string {
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
    title: describeObjective(result),
    description:
      'For each fold the figure of the chosen cell in training, and beside it the same in the test that followed.',
    x: { kind: 'names', label: '', names: folds.map(({ test }) => nameInstant(test.from)) },
    panels: [
      {
        title: describeObjective(result),
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
    body: note + tableMarkup({ caption: `${describeObjective(result)}, mean over folds`, head, rows }),
  }
}

export function worstTestSection(
  plan: SweepPlan,
  { folds, objective }: OutOfSample,
  pictures: Pictures,
): Section {
  const tested = folds.flatMap(({ rows }) => rows)
  const cases = findExtremes(tested, objective, 'worst', 5).map((row, place) =>
    drawCase(plan, row, `worst-${place + 1}`, objective, pictures),
  )
  const heading = paragraph(
    `The worst ${formatCounted(cases.length, 'test')} by ${objective}; each opens.`,
    'soft',
  )
  return { id: 'worst-tests', title: 'Worst tests', body: heading + cases.join('') }
}

const describeObjective = ({ isPerDay, objective }: OutOfSample): string =>
  `${objective}${isPerDay ? ' a day' : ''}`

const formatSpan = (from: string, to: string): string => `${nameInstant(from)} to ${nameInstant(to)}`
