import { expect, it } from 'vitest'
import type { HistoryEntry, ListedOrder, View } from '../../../src/console/model/documents.ts'
import {
  collectOutcomes,
  explainAnswer,
  explainUnfilled,
  formatOutcome,
} from '../../../src/console/model/why-unfilled.ts'

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
const seen = { asset: 'BTC', book, pairs: [], queuePlaces: [] }
const told = '0.1 of the 0.7 that stood ahead of it at placing is still ahead (log)'

it.each([
  [order('buy', 98), seen, 'an ask of 98 or less; the best is 101, with 2 BTC before it'],
  [order('buy', 90), seen, 'an ask of 90 or less; the best is 101, with at least 6 BTC before it'],
  [order('buy', 99), seen, 'an ask of 99 or less; the best is 101'],
  [order('sell', 105), seen, 'a bid of 105 or more; the best is 99, with at least 5 BTC before it'],
  [order('buy', 98), { ...seen, book: { ...book, asks: [] } }, /^an ask of 98 or less; there is none/],
  [order('buy', 98, 'ETH'), seen, ''],
  [
    order('buy', 99),
    {
      ...seen,
      queuePlaces: [
        { orderId: 'ord_2', told: '' },
        { orderId: 'ord_1', told },
      ],
    },
    `an ask of 99 or less; the best is 101; ${told}`,
  ],
])('says of %o what it waits for', (given, view, sentence) => {
  if (typeof sentence === 'string') expect(explainUnfilled(given, view)).toBe(sentence)
  else expect(explainUnfilled(given, view)).toMatch(sentence)
})

const refusal = {
  ...{ statusCode: 422, message: 'Risk limit exceeded', error: 'Unprocessable Entity' },
  details: { reason: 'exposure of BTC would be 500' },
}

it.each([
  [201, { orderId: 'ord_1' }, null, 'open, 1 of 1 left: waits for an ask of 99 or less; the best is 101'],
  [
    201,
    { orderId: 'ord_2' },
    null,
    'partially filled, 0.6 of 1 left: waits for a bid of 200 or more; the best is 99, with at least 5 BTC before it',
  ],
  [201, { orderId: 'ord_3' }, null, 'filled, 0 of 1 left'],
  [201, { orderId: 'ord_4' }, null, ''],
  [200, [1], null, ''],
  [0, {}, null, ''],
  [
    422,
    refusal,
    'RISK_LIMIT_EXCEEDED',
    'Risk limit exceeded: exposure of BTC would be 500 (RISK_LIMIT_EXCEEDED)',
  ],
  [404, { message: 'There is no order ord_9' }, null, 'There is no order ord_9'],
])('says of an answer %i %o why it is so', (status, body, type, told) => {
  const found = (orderId: string, change: Partial<ListedOrder>) => ({
    ...order('buy', 99),
    orderId,
    ...change,
  })
  const orders = {
    orders: [
      found('ord_1', {}),
      found('ord_2', { side: 'sell', price: 200, status: 'partially_filled', filledQuantity: 0.4 }),
    ],
    pagination: { page: 1, limit: 50, total: 2, totalPages: 1 },
  }
  const view = { ...seen, orders, recentOrders: [found('ord_3', { status: 'filled', filledQuantity: 1 })] }
  expect(explainAnswer({ status, type, responseBody: JSON.stringify(body) }, view)).toBe(told)
})

const happened = (sequence: number, type: string, fields: HistoryEntry['fields']): HistoryEntry => ({
  ...{ index: sequence, sequence, at: `2026-01-05T00:00:0${sequence}.000Z`, kind: 'event', type },
  ...{ account: 'trader', asset: 'BTC', refusal: null, fields },
})
const items = [
  happened(1, 'order.accepted', { orderId: 'ord_1', quantity: 2 }),
  happened(2, 'order.partially_filled', { orderId: 'ord_1', quantity: 2, filledQuantity: 0.5 }),
  happened(3, 'trade', { orderId: 'ord_1', quantity: 1.5 }),
  happened(3, 'order.filled', { orderId: 'ord_1', quantity: 2, filledQuantity: 2 }),
  happened(4, 'quote.expired', { quoteId: 'qte_1' }),
]

it.each([
  ['ord_1', 'open', null, 'filled 2'],
  ['ord_1', 'open', 2, 'partially filled 0.5 of 2'],
  ['ord_1', 'open', 1, ''],
  ['ord_1', 'filled', null, ''],
  ['ord_2', 'open', null, ''],
])('says of %s, answered as %s, what had become of it at line %o', (orderId, status, line, told) => {
  const moment = line === null ? null : { sequence: line, at: `2026-01-05T00:00:0${line}.000Z` }
  const answered = { method: 'POST', status: 201, responseBody: JSON.stringify({ orderId, status }) }
  expect(formatOutcome(answered, collectOutcomes(items), moment)).toBe(told)
  const quoted = { ...answered, responseBody: '{"quoteId":"qte_1","status":"active"}' }
  expect(formatOutcome(quoted, collectOutcomes(items), moment)).toBe(moment === null ? 'expired' : '')
})
