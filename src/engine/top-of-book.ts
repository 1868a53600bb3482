import { buy, none, sell } from './codes.ts'
import type { State } from './state.ts'
import { stateOf } from './walk.ts'

/** Best prices in ticks, -1 where a side is empty, and the mid in half ticks. */
export interface TopOfBook {
  readonly bidTicks: number
  readonly askTicks: number
  /** Bid + ask; the mark stands in for a side that is empty (design 16). */
  readonly midHalfTicks: number
}

/** The best prices of clients and the venue's ladder together. */
export function topOfBook(state: State, asset: number): TopOfBook {
  const { book, ladder } = stateOf(state, asset)
  const bidTicks = Math.max(book.bestTicks(buy), ladder.bestTicks(buy))
  const askTicks = lowerOf(book.bestTicks(sell), ladder.bestTicks(sell))
  const markTicks = state.markTicks.get(asset)
  const midHalfTicks = (bidTicks === none ? markTicks : bidTicks) + (askTicks === none ? markTicks : askTicks)
  return { bidTicks, askTicks, midHalfTicks }
}

function lowerOf(left: number, right: number): number {
  if (left === none) return right
  return right === none ? left : Math.min(left, right)
}
