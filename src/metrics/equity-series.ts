import { millisPerDay } from '../numeric/time-text.ts'
import type { EquityGrid } from './records.ts'

/** From this many whole days on, daily returns are the better sample. */
const enoughDays = 30

/** Returns of equal steps, and how long a step is. */
export interface EqualReturns {
  readonly stepMillis: number
  readonly values: readonly number[]
}

/** The returns of an equity grid, flows removed: r = (E - flow) / E before - 1. */
export interface EquitySeries {
  /** Unit value at every point, 1 at the first. */
  readonly index: readonly number[]
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
export function equitySeries(grid: EquityGrid): EquitySeries {
  const { atMillis, equity, flow, stepMillis } = grid
  const index: number[] = [1]
  const values: number[] = []
  let profit = 0
  let ruinedAtMillis: number | null = null
  for (let place = 1; place < equity.length; place += 1) {
    const before = Number(equity[place - 1])
    const gained = Number(equity[place]) - Number(flow[place]) - before
    const change = before > 0 ? Math.max(-1, gained / before) : 0
    profit += gained
    index.push(Number(index[place - 1]) * (1 + change))
    if (ruinedAtMillis !== null) continue
    if (change === -1) ruinedAtMillis = Number(atMillis[place])
    if (Number(atMillis[place]) - Number(atMillis[place - 1]) === stepMillis) values.push(change)
  }
  const steps = { stepMillis, values }
  const days = dailyReturns(index, atMillis)
  return {
    index,
    grid: steps,
    ratio: days.length >= enoughDays ? { stepMillis: millisPerDay, values: days } : steps,
    profit,
    ruinedAtMillis,
  }
}

function dailyReturns(index: readonly number[], atMillis: readonly number[]): number[] {
  const values: number[] = []
  let before = 0
  let beforeMillis = 0
  for (const [place, millis] of atMillis.entries()) {
    if (millis % millisPerDay !== 0) continue
    const value = Number(index[place])
    // A grid of seven hours or of two days does not meet every midnight.
    if (before > 0 && millis - beforeMillis === millisPerDay) values.push(value / before - 1)
    before = value
    beforeMillis = millis
  }
  return values
}
