import type { BarsLayer } from '../../charts/chart.ts'
import { medianInterval, medianOf } from '../sweep/paired.ts'
import type { GridAxis } from '../sweep/plan.ts'
import { spreadOf, valuesOf } from '../sweep/summary.ts'
import { count, rangeText, ratioText, share } from './figures.ts'
import { paragraph, type Section, tableMarkup } from './html.ts'
import { metricText } from './metric-text.ts'
import type { Pictures } from './page-pictures.ts'
import type { SweepView } from './sweep-view.ts'

const maximumDrawn = 60

/** Every cell of the grid: how the objective spreads over seeds, and how often it is a loss. */
export function cellSection(view: SweepView, pictures: Pictures): Section {
  const { cells, objective } = view
  const rows = cells.map((cell) => {
    const values = valuesOf(cell.rows, objective)
    const spread = spreadOf(values)
    const interval = medianInterval(values)
    const show = (value: number | undefined): string =>
      value === undefined ? 'n/a' : metricText(objective, value)
    const losses = valuesOf(cell.rows, 'returns.profit')
    const sharpe = medianOf(valuesOf(cell.rows, 'returns.sharpe'))
    const fall = medianOf(valuesOf(cell.rows, 'drawdown.maximum'))
    return [
      cell.name === '' ? 'all' : cell.name,
      count(cell.rows.length),
      show(spread?.p5),
      show(spread?.median),
      interval === null ? 'n/a' : rangeText(show(interval.low), show(interval.high)),
      show(spread?.p95),
      losses.length === 0 ? 'n/a' : share(losses.filter((value) => value < 0).length / losses.length),
      sharpe === null ? 'n/a' : ratioText(sharpe),
      fall === null ? 'n/a' : metricText('drawdown.maximum', fall),
    ]
  })
  const head = [
    'Cell',
    'Seeds',
    '5 %',
    'Median',
    '95 % interval of it',
    '95 %',
    'P(loss)',
    'Median Sharpe',
    'Median fall',
  ]
  const table = tableMarkup({ caption: `${objective} by cell`, head, rows })
  const picture = cells.length > 1 && cells.length <= maximumDrawn ? spreadPicture(view, pictures) : ''
  return { id: 'cells', title: 'Cells', body: picture + table }
}

function spreadPicture({ cells, objective }: SweepView, pictures: Pictures): string {
  const spreads = cells.map((cell) => spreadOf(valuesOf(cell.rows, objective)))
  const bars = (
    label: string,
    half: number,
    low: 'p5' | 'p25',
    high: 'p95' | 'p75',
    color: 1 | 8,
  ): BarsLayer => ({
    kind: 'bars',
    label,
    color,
    froms: spreads.map((_, place) => place - half),
    tos: spreads.map((_, place) => place + half),
    bases: spreads.map((spread) => spread?.[low] ?? Number.NaN),
    ys: spreads.map((spread) => spread?.[high] ?? Number.NaN),
  })
  return pictures.chart({
    id: 'cell-spreads',
    title: `${objective} by cell`,
    description:
      'For each cell the span from the 5th to the 95th and from the 25th to the 75th per cent of seeds, and the median.',
    x: { kind: 'names', label: '', names: cells.map(({ name }) => name) },
    panels: [
      {
        title: objective,
        height: 220,
        layers: [
          bars('5 to 95 %', 0.12, 'p5', 'p95', 8),
          bars('25 to 75 %', 0.35, 'p25', 'p75', 1),
          { kind: 'rule', axis: 'y', at: 0, color: 0 },
          {
            kind: 'markers',
            shape: 'dot',
            label: 'median',
            color: 2,
            xs: spreads.map((_, place) => place),
            ys: spreads.map((spread) => spread?.median ?? Number.NaN),
          },
        ],
      },
    ],
  })
}

/** Medians over each two parameters, all others taken together. */
export function heatSection(view: SweepView, pictures: Pictures): Section | null {
  const axes = view.plan.grid.filter(({ values }) => values.length > 1).slice(0, 3)
  const pairs = axes.flatMap((first, place) =>
    axes.slice(place + 1).map((second) => [first, second] as const),
  )
  if (pairs.length === 0) return null
  const maps = pairs.map(([first, second], place) => heatMap(view, first, second, place, pictures))
  const hint =
    axes.length > 2 ? paragraph('Parameters that a map does not show are taken together.', 'soft') : ''
  return { id: 'heat', title: 'Two parameters at a time', body: hint + maps.join('') }
}

function heatMap(
  { rows, objective }: SweepView,
  down: GridAxis,
  across: GridAxis,
  place: number,
  pictures: Pictures,
): string {
  const values = down.values.map((downValue) =>
    across.values.map((acrossValue) => {
      const own = rows.filter(
        ({ parameters }) => parameters[down.name] === downValue && parameters[across.name] === acrossValue,
      )
      return medianOf(valuesOf(own, objective)) ?? Number.NaN
    }),
  )
  return pictures.heatMap({
    id: `heat-${place}`,
    title: `Median ${objective} by ${down.name} and ${across.name}`,
    description: `${down.name} from top to bottom, ${across.name} from left to right: blue is above 0, orange below.`,
    rowNames: down.values.map((value) => `${down.name} ${value}`),
    columnNames: across.values.map((value) => `${across.name} ${value}`),
    values,
    show: (value) => metricText(objective, value),
  })
}
