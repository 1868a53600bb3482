import { element } from '../numeric/columns.ts'
import { millisPerDay } from '../numeric/time-text.ts'
import type { AnyGrid } from './records.ts'
import { toDoubles } from './samples.ts'

/** From this many whole days on, daily returns are the better sample. */
const enoughDays = 30

export interface EqualReturns {
  readonly stepMillis: number
  readonly values: Float64Array
}

/** The returns of an equity grid, flows removed: r = (E - flow) / E before - 1. */
export interface EquitySeries {
  /** Unit value at every point, 1 at the first. */
  readonly index: Float64Array
  /** The returns of whole steps of the grid; ratios of the grid are made of them. */
  readonly grid: EqualReturns
  /** What ratios are made of: from 00:00 UTC to 00:00 UTC when there are 30 such days, else the grid's. */
  readonly ratio: EqualReturns
  /** USD: what the equity gained, flows apart. */
  readonly profit: number
  /** When a loss left nothing, or less; null where that never happened. */
  readonly ruinedAtMillis: number | null
}

/**
 * Where the equity was not above 0 there is no return, and the unit value stands. A loss of everything, or of more,
 * ends the returns: the unit is worth 0 from then on, whatever positions that nobody has closed may still bring.
 */
export function equitySeries({ stepMillis, ...columns }: Omit<AnyGrid, 'assets' | 'cash'>): EquitySeries {
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
    // A grid of seven hours or of two days does not meet every midnight.
    if (before > 0 && millis - beforeMillis === millisPerDay) values.push(value / before - 1)
    before = value
    beforeMillis = millis
  }
  return Float64Array.from(values)
}
