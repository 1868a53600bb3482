import { element } from '../numeric/columns.ts'
import { millisPerDay } from '../numeric/time-text.ts'
import { mergeMidnights, type ValueGrid } from './midnights.ts'

/** The number of whole days from which on daily returns are the better sample. */
const enoughDays = 30

/** A change of equity of less than this part counts as none: it is a rounding error of sums of decimals. */
const rounding = 1e-13

/** Returns over steps of equal length. */
export interface EqualReturns {
  readonly stepMillis: number
  readonly values: Float64Array
}

/** The returns of an equity grid without flows: (equity - flow) / previous equity - 1. */
export interface EquitySeries {
  /** The unit value at every point of the grid, 1 at the first. */
  readonly index: Float64Array
  /** The returns of all whole steps of the grid. */
  readonly grid: EqualReturns
  /** The returns of days from 00:00 to 00:00 UTC, and the instants at which they end. */
  readonly days: EqualReturns & { readonly endMillis: Float64Array }
  /** The returns from which ratios are computed: of days if there are 30, else of the grid. */
  readonly ratio: EqualReturns
  /** What the equity gained in USD, apart from flows. */
  readonly profit: number
  /** The instant at which nothing or less was left after a loss; null if that never happened. */
  readonly ruinedAtMillis: number | null
}

/**
 * Computes the returns of an equity grid. While the equity is not above 0 there are no returns, and the unit value stays.
 * A loss of everything or more ends the returns: the unit is worth 0 from then on, whatever positions that are still open
 * may gain.
 */
export function computeEquitySeries(grid: ValueGrid): EquitySeries {
  const { stepMillis } = grid
  const { atMillis, equity, flow, isOnGrid } = mergeMidnights(grid)
  const units = new Float64Array(equity.length)
  const values = new Float64Array(equity.length)
  const index = isOnGrid === null ? units : new Float64Array(grid.equity.length)
  let [count, profit, points] = [0, 0, 0]
  let ruinedAtMillis: number | null = null
  // What a unit was worth, and when, at the last point of the grid, and how it has changed since.
  let [gridMillis, growth, changes] = [element(atMillis, 0), 1, 0]
  let isOver = false
  for (let place = 0; place < equity.length; place += 1) {
    let change = 0
    if (place > 0) {
      const before = element(equity, place - 1)
      const gained = element(equity, place) - element(flow, place) - before
      change = before > 0 && Math.abs(gained) > rounding * before ? Math.max(-1, gained / before) : 0
      profit += gained
    }
    units[place] = place === 0 ? 1 : element(units, place - 1) * (1 + change)
    if (change === -1) ruinedAtMillis ??= element(atMillis, place)
    growth *= 1 + change
    changes += 1
    if (isOnGrid !== null && isOnGrid[place] === 0) continue
    index[points] = element(units, place)
    points += 1
    if (!isOver && place > 0 && element(atMillis, place) - gridMillis === stepMillis) {
      values[count] = changes === 1 ? change : growth - 1
      count += 1
    }
    gridMillis = element(atMillis, place)
    growth = 1
    changes = 0
    isOver = ruinedAtMillis !== null
  }
  const steps = { stepMillis, values: values.subarray(0, count) }
  const days = computeDailyReturns(units, atMillis)
  const ratio = days.values.length >= enoughDays ? days : steps
  return { index, grid: steps, days, ratio, profit, ruinedAtMillis }
}

function computeDailyReturns(index: Float64Array, atMillis: Float64Array): EquitySeries['days'] {
  const values: number[] = []
  const endMillis: number[] = []
  let before = 0
  let beforeMillis = 0
  let midnightMillis = Number.NEGATIVE_INFINITY
  for (let place = 0; place < index.length; place += 1) {
    const millis = element(atMillis, place)
    if (millis < midnightMillis) continue
    const isMidnight = millis % millisPerDay === 0
    midnightMillis = Math.ceil((millis + 1) / millisPerDay) * millisPerDay
    if (!isMidnight) continue
    const value = element(index, place)
    // Equity from elsewhere, such as a file of an earlier version, may lack midnights.
    if (before > 0 && millis - beforeMillis === millisPerDay) {
      values.push(value / before - 1)
      endMillis.push(millis)
    }
    before = value
    beforeMillis = millis
  }
  return {
    stepMillis: millisPerDay,
    values: Float64Array.from(values),
    endMillis: Float64Array.from(endMillis),
  }
}
