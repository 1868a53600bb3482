import { computeEquitySeries } from '../../metrics/equity-series.ts'
import { deviation } from '../../metrics/samples.ts'
import { computePeriodSharpe } from '../../metrics/skill.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import { at } from '../../pages/decimate.ts'
import { type Cell, type Section, tableMarkup } from '../../pages/html.ts'
import type { Pictures } from '../../pages/pictures.ts'
import type { RunResult } from '../result.ts'
import { percent, ratioText } from './figures.ts'

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * Builds the table of returns by month and year, without deposits and withdrawals; returns null for a run within one
 * month.
 */
export function monthSection(result: RunResult): Section | null {
  const found = listMonthReturns(result)
  if (found === null) return null
  const { returns, years } = found
  const rows = years.map(({ months, whole, year }): readonly Cell[] => [
    year,
    ...months.map((value) => (value === undefined ? '–' : percent(value))),
    percent(whole),
  ])
  const won = returns.filter((value) => value > 0).length
  const caption = `Returns by month, UTC: ${won} of ${returns.length} gained, the best ${percent(Math.max(...returns))}, the worst ${percent(Math.min(...returns))}`
  const table = tableMarkup({ caption, head: ['Year', ...monthNames, 'Year as a whole'], rows })
  return { id: 'months', title: 'Months', body: table }
}

/** Draws the returns by month and year as a map; empty for a run within one month. */
export function drawMonths(result: RunResult, pictures: Pictures): string {
  const found = listMonthReturns(result)
  if (found === null) return ''
  const { years } = found
  return pictures.heatMap({
    id: 'summary-months',
    title: 'Returns by month',
    description:
      'Returns by month and year, UTC: blue gained, orange lost, stronger the more. First and last month may be parts.',
    rowNames: years.map(({ year }) => year),
    columnNames: [...monthNames, 'Year'],
    values: years.map(({ months, whole }) => [...months.map((value) => value ?? Number.NaN), whole]),
    show: (value) => `${(value * 100).toFixed(1)} %`.replace('-', '−'),
  })
}

interface MonthReturns {
  readonly returns: readonly number[]
  readonly years: readonly {
    readonly year: string
    /** By month, as fractions; undefined for one without returns. */
    readonly months: readonly (number | undefined)[]
    readonly whole: number
  }[]
}

/** Computes the returns by month and year; null for a run within one month. */
function listMonthReturns(result: RunResult): MonthReturns | null {
  const { atMillis } = result.equity
  const { index } = computeEquitySeries(result.equity)
  const ends = new Map<string, number>()
  // A point at midnight ends the day before.
  for (const [place, millis] of atMillis.entries())
    ends.set(millisToIso(millis - 1).slice(0, 7), at(index, place))
  const first = millisToIso(at(atMillis, 0)).slice(0, 7)
  const months = [...ends.keys()].filter((month) => month >= first)
  if (months.length < 2) return null
  const returns = new Map<string, number>()
  let before = at(index, 0)
  for (const month of months) {
    const end = ends.get(month) ?? Number.NaN
    // After everything was lost there are no returns.
    if (before > 0) returns.set(month, end / before - 1)
    before = end
  }
  const years = [...new Set(months.map((month) => month.slice(0, 4)))].map((year) => {
    const cells = monthNames.map((_, month) => returns.get(`${year}-${String(month + 1).padStart(2, '0')}`))
    const whole = cells.reduce<number>((growth, value) => growth * (1 + (value ?? 0)), 1) - 1
    return { year, months: cells, whole }
  })
  return { returns: [...returns.values()], years }
}

const windowDays = 30

/**
 * Builds the charts of volatility and Sharpe ratio over the last 30 days, day by day; returns null for a run of fewer
 * than 60 days.
 */
export function rollingSection(result: RunResult, pictures: Pictures): Section | null {
  const { endMillis, values } = computeEquitySeries(result.equity).days
  if (values.length < 2 * windowDays) return null
  const xs = [...endMillis.subarray(windowDays - 1)]
  const windows = xs.map((_, place) => values.subarray(place, place + windowDays))
  const deviations = windows.map((window) => deviation(window).value ?? Number.NaN)
  const yearly = Math.sqrt(365)
  const sharpes = windows.map((window) => (computePeriodSharpe(window).value ?? Number.NaN) * yearly)
  const body = pictures.chart({
    id: 'rolling',
    title: `Rolling ratios of ${windowDays} days`,
    description: `Volatility and Sharpe ratio, by the year, of the ${windowDays} days before each; the ratio ends at ${ratioText(sharpes.at(-1) ?? Number.NaN)}.`,
    x: { kind: 'time', from: result.fromMillis, to: result.toMillis },
    panels: [
      {
        title: 'Volatility a year, %',
        height: 110,
        suffix: '%',
        layers: [{ kind: 'line', color: 1, xs, ys: deviations.map((value) => value * yearly * 100) }],
      },
      {
        title: 'Sharpe ratio',
        height: 110,
        includeZero: true,
        layers: [
          { kind: 'rule', axis: 'y', at: 0, color: 0 },
          { kind: 'line', color: 3, xs, ys: sharpes },
        ],
      },
    ],
  })
  return { id: 'rolling-ratios', title: 'Rolling ratios', body }
}
