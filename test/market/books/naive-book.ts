import type { BookRow } from '../../../src/market/books/make-recorded-book.ts'

/* A recorded book as plain maps, written from the rules and sharing no code with the product. */

export interface NaiveBook {
  readonly bids: Map<number, number>
  readonly asks: Map<number, number>
  lastTicks: number
  tradedSteps: number
  trades: number
}

export const createNaiveBook = (): NaiveBook => ({
  bids: new Map(),
  asks: new Map(),
  lastTicks: 0,
  tradedSteps: 0,
  trades: 0,
})

/** Works off a row. A level that reaches the other side's removes what it reaches. */
export function workOff(book: NaiveBook, { kind, side, priceTicks, quantitySteps }: BookRow): void {
  const { bids, asks } = book
  if (kind === 2) {
    book.lastTicks = priceTicks
    book.tradedSteps += quantitySteps
    book.trades += 1
  } else if (kind === 3) {
    for (const [ours, levels] of [bids, asks].entries()) {
      if (side !== 2 && side !== ours) continue
      for (const ticks of [...levels.keys()]) {
        const isCleared =
          priceTicks === 0 || side === 2 || (side === 0 ? ticks >= priceTicks : ticks <= priceTicks)
        if (isCleared) levels.delete(ticks)
      }
    }
  } else {
    const levels = side === 0 ? bids : asks
    if (Math.round(quantitySteps) === 0) levels.delete(priceTicks)
    else {
      levels.set(priceTicks, quantitySteps)
      for (const ticks of [...(side === 0 ? asks : bids).keys()]) {
        if (side === 0 ? ticks <= priceTicks : ticks >= priceTicks) (side === 0 ? asks : bids).delete(ticks)
      }
    }
  }
}

export const sortedBids = (book: NaiveBook) => [...book.bids].sort((left, right) => right[0] - left[0])
export const sortedAsks = (book: NaiveBook) => [...book.asks].sort((left, right) => left[0] - right[0])
