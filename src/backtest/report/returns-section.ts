import { histogram, histogramBars, normalOverlay } from '../../charts/histogram.ts'
import { dayOfWeek, hourOfDay } from '../../numeric/calendar.ts'
import { millisPerHour } from '../../numeric/time-text.ts'
import type { BacktestResult } from '../result.ts'
import { usd } from './figures.ts'
import { paragraph, type Section } from './html.ts'
import type { Pictures } from './page-pictures.ts'

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
