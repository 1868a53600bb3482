import type { OrderBook, Quote } from '../../client/venue-types.ts'
import type { ListedOrder } from './documents.ts'

export interface Level {
  readonly price: number
  readonly quantity: number
  /** The total from the best price to here. */
  readonly total: number
  readonly own: number
  /** The total as a share of the deepest total of both sides, 0 to 1. */
  readonly share: number
}

export interface Ladder {
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  readonly spread: number | null
}

/** A book with the account's own share of each level. */
export function ladderOf(book: OrderBook, orders: readonly ListedOrder[], quotes: readonly Quote[]): Ladder {
  const own = ownInterest(book.asset, orders, quotes)
  const totals = [book.bids, book.asks].map((side) => side.reduce((sum, { quantity }) => sum + quantity, 0))
  const deepest = Math.max(...totals)
  const levels = (side: OrderBook['bids'], name: 'buy' | 'sell'): readonly Level[] => {
    let total = 0
    return side.map(({ price, quantity }) => {
      total += quantity
      const share = deepest > 0 ? total / deepest : 0
      return { price, quantity, total, own: own.get(`${name} ${price}`) ?? 0, share }
    })
  }
  const [bid] = book.bids
  const [ask] = book.asks
  const spread = bid === undefined || ask === undefined ? null : ask.price - bid.price
  return { bids: levels(book.bids, 'buy'), asks: levels(book.asks, 'sell'), spread }
}

function ownInterest(
  asset: string,
  orders: readonly ListedOrder[],
  quotes: readonly Quote[],
): ReadonlyMap<string, number> {
  const own = new Map<string, number>()
  const add = (side: string, price: number, quantity: number): void => {
    if (quantity > 0) own.set(`${side} ${price}`, (own.get(`${side} ${price}`) ?? 0) + quantity)
  }
  for (const order of orders) {
    if (order.asset === asset && order.price !== null)
      add(order.side, order.price, order.quantity - order.filledQuantity)
  }
  for (const quote of quotes) {
    if (quote.asset !== asset) continue
    add('buy', quote.bidPrice, quote.bidSize - quote.bidFilled)
    add('sell', quote.askPrice, quote.askSize - quote.askFilled)
  }
  return own
}
