import { expect, it } from 'vitest'
import type { ListedOrder, View } from '../../../src/console/model/documents.ts'
import { whyUnfilled } from '../../../src/console/model/why-unfilled.ts'

const order = (side: 'buy' | 'sell', price: number | null, asset = 'BTC'): ListedOrder => ({
  ...{ orderId: 'ord_1', clientOrderId: null, side, asset, quantity: 1, price, status: 'open' },
  ...{ filledQuantity: 0, createdAt: '2026-01-05T00:00:00.000Z' },
})
const level = (price: number, quantity: number) => ({ price, quantity })
const book: View['book'] = {
  ...{ asset: 'BTC', timestamp: '2026-01-05T00:00:00.000Z' },
  bids: [level(99, 2), level(98, 3), level(97, 1)],
  asks: [level(101, 5)],
}
const seen = { asset: 'BTC', book, pairs: [] }

it.each([
  [order('buy', 98), seen, 'an ask of 98 or less (the best is 101), after 2 at better prices'],
  [order('buy', 90), seen, 'an ask of 90 or less (the best is 101), after at least 6 at better prices'],
  [order('buy', 99), seen, 'an ask of 99 or less (the best is 101)'],
  [order('sell', 105), seen, 'a bid of 105 or more (the best is 99), after at least 5 at better prices'],
  [order('buy', 98), { ...seen, book: { ...book, asks: [] } }, /^an ask of 98 or less \(there is none\)/],
  [order('buy', 98, 'ETH'), seen, ''],
])('says of %o what it waits for', (given, view, told) => {
  if (typeof told === 'string') expect(whyUnfilled(given, view)).toBe(told)
  else expect(whyUnfilled(given, view)).toMatch(told)
})
