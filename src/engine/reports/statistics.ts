import type { RollingStatistics } from '../series/rolling-statistics.ts'
import { type State, stateOf } from '../state.ts'
import { percentE4 } from './ratios.ts'
import { topOfBook } from './top-of-book.ts'

/** The 24-hour figures of the specification. Prices are in half ticks, because a close may be a mid. */
export interface Statistics24h {
  readonly asset: number
  /** The last price at or before 24 hours ago. */
  readonly openHalfTicks: number
  readonly highHalfTicks: number
  readonly lowHalfTicks: number
  /** The last trade, else the mid. */
  readonly closeHalfTicks: number
  readonly changeHalfTicks: number
  /** The change as 100 * (close / open - 1), in 10^-4 percent, half-even. */
  readonly changePercentE4: number
  readonly volumeSteps: number
  readonly volumeAtoms: number
  readonly trades: number
  /**
   * The volume-weighted average price in 10^-8 USD per unit, half-even; null without volume, when the close is shown
   * instead.
   */
  readonly vwapE8: number | null
}

/**
 * Computes the statistics of the window (now - 24h, now], over all prints. Always low <= open, close, vwap <= high.
 * Spec: 24-hour statistics entry; formulas of market.md, section 7; design 16, Shapes.
 */
export function statistics24h(state: State, asset: number): Statistics24h {
  const figures = stateOf(state, asset).statistics.read(state.nowMillis)
  const openHalfTicks = 2 * figures.openTicks
  const closeHalfTicks =
    figures.lastTicks === 0 ? topOfBook(state, asset).midHalfTicks : 2 * figures.lastTicks
  const highest = Math.max(openHalfTicks, closeHalfTicks)
  const lowest = Math.min(openHalfTicks, closeHalfTicks)
  const changeHalfTicks = closeHalfTicks - openHalfTicks
  return {
    asset,
    openHalfTicks,
    highHalfTicks: Math.max(highest, 2 * figures.highTicks),
    lowHalfTicks: figures.lowTicks === 0 ? lowest : Math.min(lowest, 2 * figures.lowTicks),
    closeHalfTicks,
    changeHalfTicks,
    changePercentE4: percentE4(changeHalfTicks, openHalfTicks),
    volumeSteps: figures.volumeSteps,
    volumeAtoms: figures.volumeAtoms,
    trades: figures.trades,
    vwapE8: figures.vwapE8,
  }
}

/**
 * Does a few hundred microseconds of the work that the first read of these assets' 24-hour statistics would have to do:
 * nearly half a second for five assets in a fresh process. True when nothing is left. The state does not change.
 *
 * Assets take turns, so that what their paths have in common is made only once.
 */
export function prepareStatistics(state: State, assets: readonly number[]): boolean {
  let next: RollingStatistics | null = null
  let fewest = Number.POSITIVE_INFINITY
  for (const asset of assets) {
    const { statistics } = stateOf(state, asset)
    const steps = statistics.preparedSteps
    if (steps >= fewest) continue
    next = statistics
    fewest = steps
  }
  next?.prepare()
  return next === null
}

export function listTradedAssets({ assets }: State): readonly number[] {
  return Array.from({ length: assets.count - 1 }, (_, place) => place + 1)
}
