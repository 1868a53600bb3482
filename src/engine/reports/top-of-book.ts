import { buy, none, type Side, sell } from '../codes.ts'
import { type State, stateOf } from '../state.ts'

/** Best prices in ticks, -1 for an empty side, and the mid in half ticks. */
export interface TopOfBook {
  readonly bidTicks: number
  readonly askTicks: number
  /** The mid in half ticks: shown bid + shown ask (see `shownPrices`). */
  readonly midHalfTicks: number
}

/** Best prices as shown to clients, in ticks; no side is ever without one. */
export interface ShownPrices {
  readonly bidTicks: number
  readonly askTicks: number
}

/** Returns the best prices of clients and the venue's ladder together. */
export function topOfBook(state: State, asset: number): TopOfBook {
  const { book, ladder } = stateOf(state, asset)
  const bidTicks = Math.max(book.bestTicks(buy), ladder.bestTicks(buy))
  const askTicks = lowerPrice(book.bestTicks(sell), ladder.bestTicks(sell))
  return {
    bidTicks,
    askTicks,
    midHalfTicks: computeMidHalfTicks(state.markTicks.get(asset), bidTicks, askTicks),
  }
}

/**
 * Returns a function that returns later what the book shows now, even when clients have traded at this instant. It may
 * be called until the ladder is next refreshed.
 */
export function deferShownPrices(state: State, asset: number): () => ShownPrices {
  const { book, ladder, recorded } = stateOf(state, asset)
  if (recorded !== null) {
    const shown = shownPrices(state, asset)
    return () => shown
  }
  const [bids, asks] = [book.bestTicks(buy), book.bestTicks(sell)]
  const markTicks = state.markTicks.get(asset)
  return () =>
    shownAround(markTicks, {
      bidTicks: Math.max(bids, ladder.bestTicksAtRefresh(buy)),
      askTicks: lowerPrice(asks, ladder.bestTicksAtRefresh(sell)),
    })
}

/** Returns whether nobody has a better price than a client's. */
export function isBestPrice(state: State, asset: number, side: Side, ticks: number): boolean {
  const { book, ladder } = stateOf(state, asset)
  if (ticks !== book.bestTicks(side) || ladder.isSurelyBetter(side, ticks)) return false
  const ladderTicks = ladder.bestTicks(side)
  return side === buy ? ticks >= ladderTicks : ticks === lowerPrice(ticks, ladderTicks)
}

/** Returns the mid of the shown prices, in half ticks; either of the best ones may be -1 for an empty side. */
export function computeMidHalfTicks(markTicks: number, bidTicks: number, askTicks: number): number {
  return shownBidTicks(markTicks, bidTicks, askTicks) + shownAskTicks(markTicks, bidTicks, askTicks)
}

/**
 * Returns the best prices as shown to clients. For an empty side the mark is shown (design 16). Choice: no further
 * than the other side's best price, where the mark has gone past that: a bid above the ask would look like a crossed
 * book, and nobody could trade at it.
 */
export function shownPrices(state: State, asset: number): ShownPrices {
  return shownAround(state.markTicks.get(asset), topOfBook(state, asset))
}

function shownAround(markTicks: number, { askTicks, bidTicks }: ShownPrices): ShownPrices {
  return {
    bidTicks: shownBidTicks(markTicks, bidTicks, askTicks),
    askTicks: shownAskTicks(markTicks, bidTicks, askTicks),
  }
}

function shownBidTicks(markTicks: number, bidTicks: number, askTicks: number): number {
  return bidTicks === none ? lowerPrice(askTicks, markTicks) : bidTicks
}

function shownAskTicks(markTicks: number, bidTicks: number, askTicks: number): number {
  return askTicks === none ? Math.max(bidTicks, markTicks) : askTicks
}

function lowerPrice(left: number, right: number): number {
  if (left === none) return right
  return right === none ? left : Math.min(left, right)
}
