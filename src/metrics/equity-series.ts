import { element } from '../numeric/columns.ts'
import { millisPerDay } from '../numeric/time-text.ts'
import type { AnyGrid } from './records.ts'
import { toDoubles } from './samples.ts'

/** The number of whole days from which on daily returns are the better sample. */
const enoughDays = 30

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
  /** The returns from which ratios are computed: of days from 00:00 to 00:00 UTC if there are 30, else of the grid. */
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
export function computeEquitySeries({
  stepMillis,
  ...columns
}: Omit<AnyGrid, 'assets' | 'cash'>): EquitySeries {
  const atMillis = toDoubles(columns.atMillis)
  const equity = toDoubles(columns.equity)
  const flow = toDoubles(columns.flow)
  const index = new Float64Array(equity.length)
  const values = new Float64Array(equity.length)
  let count = 0
  let profit = 0
  let ruinedAtMillis: number | null = null
  index[0] = 1
  for (let place = 1; place < equity.length; place += 1) {
    const before = element(equity, place - 1)
    const gained = element(equity, place) - element(flow, place) - before
    const change = before > 0 ? Math.max(-1, gained / before) : 0
    profit += gained
    index[place] = element(index, place - 1) * (1 + change)
    if (ruinedAtMillis !== null) continue
    if (change === -1) ruinedAtMillis = element(atMillis, place)
    if (element(atMillis, place) - element(atMillis, place - 1) !== stepMillis) continue
    values[count] = change
    count += 1
  }
  const steps = { stepMillis, values: values.subarray(0, count) }
  const days = computeDailyReturns(index, atMillis)
  return {
    index,
    grid: steps,
    ratio: days.length >= enoughDays ? { stepMillis: millisPerDay, values: days } : steps,
    profit,
    ruinedAtMillis,
  }
}

function computeDailyReturns(index: Float64Array, atMillis: Float64Array): Float64Array {
  const values: number[] = []
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
    // A grid of seven hours or of two days does not have a point at every midnight.
    if (before > 0 && millis - beforeMillis === millisPerDay) values.push(value / before - 1)
    before = value
    beforeMillis = millis
  }
  return Float64Array.from(values)
}
