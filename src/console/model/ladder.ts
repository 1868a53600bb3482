import type { OrderBook, Quote } from '../../client/venue-types.ts'
import type { ListedOrder } from './documents.ts'

/** Level of the displayed order book. */
export interface Level {
  readonly price: number
  readonly quantity: number
  /** Quantity from the best price to this level. */
  readonly total: number
  /** Quantity of the account's own orders and quotes. */
  readonly own: number
  /** Total as a share of the deepest total of both sides, 0 to 1. */
  readonly share: number
}

export interface Ladder {
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  readonly spread: number | null
}

/** Builds the displayed order book, with the account's own share of each level. */
export function buildLadder(
  book: OrderBook,
  orders: readonly ListedOrder[],
  quotes: readonly Quote[],
): Ladder {
  const own = listOwnLines(book.asset, orders, quotes)
  const ownAt = (side: string, price: number): number =>
    own.reduce((sum, line) => (line.side === side && line.price === price ? sum + line.left : sum), 0)
  const totals = [book.bids, book.asks].map((side) => side.reduce((sum, { quantity }) => sum + quantity, 0))
  const deepest = Math.max(...totals)
  const levels = (side: OrderBook['bids'], name: 'buy' | 'sell'): readonly Level[] => {
    let total = 0
    return side.map(({ price, quantity }) => {
      total += quantity
      const share = deepest > 0 ? total / deepest : 0
      return { price, quantity, total, own: ownAt(name, price), share }
    })
  }
  const [bid] = book.bids
  const [ask] = book.asks
  const spread = bid === undefined || ask === undefined ? null : ask.price - bid.price
  return { bids: levels(book.bids, 'buy'), asks: levels(book.asks, 'sell'), spread }
}

/** What is left of an order, or of a side of a quote, at its price. */
export interface OwnLine {
  readonly kind: 'order' | 'quote'
  readonly id: string
  readonly side: 'buy' | 'sell'
  readonly price: number
  readonly left: number
  readonly createdAt: string
}

/** Lists what is left of the account's orders and quotes of an asset, each at its price. */
export function listOwnLines(
  of: string,
  orders: readonly ListedOrder[],
  quotes: readonly Quote[],
): readonly OwnLine[] {
  const ordered = orders.flatMap(
    ({ orderId: id, asset, side, price, quantity, filledQuantity, createdAt }) =>
      asset === of && price !== null
        ? [{ kind: 'order' as const, id, side, price, left: quantity - filledQuantity, createdAt }]
        : [],
  )
  const quoted = quotes
    .filter(({ asset }) => asset === of)
    .flatMap(({ quoteId: id, bidPrice, bidSize, bidFilled, askPrice, askSize, askFilled, createdAt }) => {
      const about = { kind: 'quote' as const, id, createdAt }
      return [
        { ...about, side: 'buy' as const, price: bidPrice, left: bidSize - bidFilled },
        { ...about, side: 'sell' as const, price: askPrice, left: askSize - askFilled },
      ]
    })
  return [...ordered, ...quoted].filter(({ left }) => left > 0)
}
