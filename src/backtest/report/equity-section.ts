import { basketIndex } from '../../metrics/benchmark.ts'
import { equitySeries } from '../../metrics/equity-series.ts'
import type { EquityGrid } from '../../metrics/records.ts'
import { dayOfWeek, hourOfDay } from '../../numeric/calendar.ts'
import { millisPerHour } from '../../numeric/time-text.ts'
import type { Layer } from '../../pages/chart.ts'
import { histogram, histogramBars, normalOverlay } from '../../pages/histogram.ts'
import type { BacktestResult } from '../result.ts'
import { count, instant, percent, span, usd } from './figures.ts'
import { detailsMarkup, paragraph, type Section, tableMarkup } from './html.ts'
import type { Pictures } from './page-pictures.ts'

/** Equity above its drawdowns, the five deepest of them shaded and listed. */
export function equitySection(result: BacktestResult, pictures: Pictures): Section {
  const { atMillis, equity } = result.equity
  const falls = drawdowns(result.equity)
  const { deepest } = result.metrics.drawdown
  const picture = pictures.chart({
    id: 'equity',
    title: 'Equity and drawdown',
    description: `Equity went from ${usd(Number(equity[0]))} to ${usd(equity.at(-1) ?? 0)}; below it, how far it stood under its highest value so far, deposits and withdrawals removed. The deepest falls are shaded.`,
    x: { kind: 'time' },
    panels: [
      {
        title: 'Equity, USD',
        height: 220,
        layers: [
          ...deepest.map(({ peakMillis, recoveryMillis }, place) => ({
            kind: 'span' as const,
            color: 2 as const,
            from: peakMillis,
            to: recoveryMillis ?? result.toMillis,
            ...(place === 0 ? { label: 'deepest falls' } : {}),
          })),
          ...marketLine(result),
          { kind: 'line', label: 'equity', color: 1, xs: atMillis, ys: equity },
        ],
      },
      {
        title: 'Drawdown, %',
        height: 100,
        suffix: '%',
        layers: [{ kind: 'area', color: 2, xs: atMillis, ys: falls }],
      },
    ],
  })
  const rows = deepest.map((fall) => [
    percent(fall.depth),
    instant(fall.peakMillis),
    instant(fall.troughMillis),
    fall.recoveryMillis === null ? 'not recovered' : instant(fall.recoveryMillis),
    span((fall.recoveryMillis ?? result.toMillis) - fall.peakMillis),
  ])
  const head = ['Depth', 'Peak', 'Trough', 'Recovery', 'Length']
  const table = tableMarkup({ caption: 'The deepest falls', head, rows, figures: [] })
  const points = samples(atMillis, equity, falls)
  const body = picture + (rows.length === 0 ? '' : table) + detailsMarkup('Equity as a table', points)
  return { id: 'equity-and-drawdown', title: 'Equity and drawdown', body }
}

/** What the equity of the start would be worth in the market, where there are no flows to compare with. */
function marketLine({ equity: grid, fills }: BacktestResult): readonly Layer[] {
  const basket = grid.flow.some((flow) => flow !== 0) ? null : basketIndex(grid, fills)
  if (basket === null) return []
  const start = Number(grid.equity[0])
  const ys = basket.map((value) => value * start)
  return [{ kind: 'line', label: 'buying and holding', color: 8, isDashed: true, xs: grid.atMillis, ys }]
}

/** Percent below the highest value so far, by unit value: what flows in or out is neither gain nor loss. */
export function drawdowns(grid: EquityGrid): readonly number[] {
  let highest = 0
  return equitySeries(grid).index.map((unit) => {
    highest = Math.max(highest, unit)
    return (unit / highest - 1) * 100
  })
}

const maximumRows = 40

function samples(atMillis: readonly number[], equity: readonly number[], falls: readonly number[]): string {
  const every = Math.max(1, Math.ceil((atMillis.length - 1) / maximumRows))
  const places = atMillis.map((_, place) => place).filter((place) => place % every === 0)
  if (places.at(-1) !== atMillis.length - 1) places.push(atMillis.length - 1)
  const rows = places.map((place) => [
    instant(Number(atMillis[place])),
    usd(Number(equity[place])),
    percent(Number(falls[place]) / 100),
  ])
  return tableMarkup({ caption: 'Equity at equal steps', head: ['Time', 'Equity', 'Drawdown'], rows })
}

const maximumDrawn = 12

/** What the strategy has recorded, a panel for each series over one time axis; null where it has recorded nothing. */
export function seriesSection(result: BacktestResult, pictures: Pictures): Section | null {
  const all = Object.entries(result.series)
  if (all.length === 0) return null
  const drawn = all.slice(0, maximumDrawn)
  const left = all.slice(maximumDrawn).map(([name]) => name)
  const picture = pictures.chart({
    id: 'series',
    title: 'Recorded by the strategy',
    description: 'What the strategy has recorded, by name. What was not a finite number is a gap.',
    x: { kind: 'time', from: result.fromMillis, to: result.toMillis },
    panels: drawn.map(([name, { atMillis, values }]) => ({
      title: name,
      height: 110,
      layers: [{ kind: 'line', color: 1, xs: atMillis, ys: values.map((value) => value ?? Number.NaN) }],
    })),
  })
  const rest =
    left.length === 0
      ? ''
      : paragraph(
          `Not drawn, but in the result: ${count(left.length)} more, such as ${left[0] ?? ''}.`,
          'soft',
        )
  return { id: 'recorded', title: 'Recorded by the strategy', body: picture + rest }
}

/** The returns of the grid, flows removed, and over them the normal distribution with the same mean and deviation. */
export function returnsSection(result: BacktestResult, pictures: Pictures): Section {
  const title = 'Distribution of returns'
  const drawn = histogram(gridReturns(result).map((value) => value * 10_000))
  if (drawn === null) return { id: 'returns', title, body: paragraph('There are no returns.') }
  const normal = normalOverlay(drawn, 0)
  const body = pictures.chart({
    id: 'returns-histogram',
    title,
    description: `${drawn.total} returns of the grid in basis points; the dashed line is what a normal distribution of the same mean and deviation would give.`,
    x: { kind: 'number', label: 'return, basis points' },
    panels: [
      {
        title: 'Count',
        height: 180,
        layers: [histogramBars(drawn, 'returns'), ...(normal === null ? [] : [normal])],
      },
    ],
  })
  return { id: 'returns', title, body }
}

function gridReturns({ equity: { equity, flow } }: BacktestResult): readonly number[] {
  const returns: number[] = []
  for (let place = 1; place < equity.length; place += 1) {
    const before = Number(equity[place - 1])
    if (before !== 0) returns.push((Number(equity[place]) - Number(flow[place])) / before - 1)
  }
  return returns
}

const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Profit by weekday and hour of the day in UTC; a step belongs to the hour in which it ends. */
export function hourSection(result: BacktestResult, pictures: Pictures): Section | null {
  const { atMillis, equity, flow, stepMillis } = result.equity
  if (stepMillis > millisPerHour) return null
  const profits = dayNames.map(() => new Array<number>(24).fill(Number.NaN))
  for (let place = 1; place < equity.length; place += 1) {
    const end = Number(atMillis[place]) - 1
    const hour = hourOfDay(end)
    const gain = Number(equity[place]) - Number(equity[place - 1]) - Number(flow[place])
    const row = profits[dayOfWeek(end)]
    if (row === undefined) continue
    const before = row[hour]
    row[hour] = (before === undefined || Number.isNaN(before) ? 0 : before) + gain
  }
  const body = pictures.heatMap({
    id: 'hours',
    title: 'Profit by weekday and hour',
    description:
      'USD by the hour of the day in UTC, Monday to Sunday: blue gained, orange lost, empty where the run has no such hour.',
    rowNames: dayNames,
    columnNames: Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')),
    values: profits,
    show: usd,
  })
  return { id: 'hours-of-day', title: 'Hours of the day', body }
}
