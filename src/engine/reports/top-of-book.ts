import { buy, none, sell } from '../codes.ts'
import { type State, stateOf } from '../state.ts'

/** Best prices in ticks, -1 where a side is empty, and the mid in half ticks. */
export interface TopOfBook {
  readonly bidTicks: number
  readonly askTicks: number
  /** Shown bid + shown ask. */
  readonly midHalfTicks: number
}

/** Best prices as clients are shown them, in ticks: there is always one. */
export interface ShownPrices {
  readonly bidTicks: number
  readonly askTicks: number
}

/** The best prices of clients and the venue's ladder together. */
export function topOfBook(state: State, asset: number): TopOfBook {
  const { book, ladder } = stateOf(state, asset)
  const bidTicks = Math.max(book.bestTicks(buy), ladder.bestTicks(buy))
  const askTicks = lowerOf(book.bestTicks(sell), ladder.bestTicks(sell))
  return { bidTicks, askTicks, midHalfTicks: midHalfTicksOf(state.markTicks.get(asset), bidTicks, askTicks) }
}

/** Of the best prices, -1 where a side is empty. */
export function midHalfTicksOf(markTicks: number, bidTicks: number, askTicks: number): number {
  if (bidTicks !== none && askTicks !== none) return bidTicks + askTicks
  const shown = shownBeside(markTicks, bidTicks, askTicks)
  return shown.bidTicks + shown.askTicks
}

/**
 * The mark stands in for a side that is empty (design 16).
 * Choice: up to the other side's best price, where the mark has gone past it: a bid above the ask would be read as a
 * crossed book, and nobody could trade at it.
 */
export function shownPrices(state: State, asset: number): ShownPrices {
  const { bidTicks, askTicks } = topOfBook(state, asset)
  return shownBeside(state.markTicks.get(asset), bidTicks, askTicks)
}

function shownBeside(markTicks: number, bidTicks: number, askTicks: number): ShownPrices {
  return {
    bidTicks: bidTicks === none ? lowerOf(askTicks, markTicks) : bidTicks,
    askTicks: askTicks === none ? Math.max(bidTicks, markTicks) : askTicks,
  }
}

function lowerOf(left: number, right: number): number {
  if (left === none) return right
  return right === none ? left : Math.min(left, right)
}
