import { idOf } from '../ids.ts'
import type { Json } from '../json.ts'
import type { OperationId } from '../routes/routes.ts'

/** The market of the examples: a pair, prices at which it trades, and a valid quantity. */
export interface ExampleMarket {
  readonly asset: string
  readonly bid: number
  readonly ask: number
  readonly quantity: number
}

export const usualMarket: ExampleMarket = { asset: 'BTC', bid: 49_990, ask: 50_010, quantity: 0.01 }

const ids = { format: 'counter', seed: '' } as const
const firstOrder = idOf(ids, 'order', 0)
const firstQuote = idOf(ids, 'quote', 0)

/** A value for every required parameter. */
export function parameterExample(name: string, { asset, ask }: ExampleMarket): string | number {
  switch (name) {
    case 'orderId':
      return firstOrder
    case 'quoteId':
      return firstQuote
    case 'side':
      return 'buy'
    case 'price':
      return ask
    case 'clientOrderId':
      return 'my-order-1'
    default:
      return asset
  }
}

/** A body for every operation that takes one. Without a client id, because sending that twice would conflict. */
export function bodyExample(id: OperationId, market: ExampleMarket): Json | null {
  const { asset, bid, ask, quantity } = market
  const order = { side: 'buy', asset, quantity, price: bid }
  const quote = { bidPrice: bid, askPrice: ask, bidSize: quantity, askSize: quantity }
  switch (id) {
    case 'createOrder':
      return { ...order, orderType: 'limit', timeInForce: 'GTC' }
    case 'amendOrder':
      return { quantity, price: bid }
    case 'createOrders':
      return { orders: [order, { ...order, side: 'sell', price: ask }] }
    case 'cancelOrders':
      return { asset, side: 'buy' }
    case 'submitQuote':
      return { asset, ...quote, validForSeconds: 30 }
    case 'updateQuote':
      return { ...quote, validForSeconds: 30 }
    case 'cancelQuotes':
      return { asset }
    case 'updateQuotes':
      return [{ quoteId: firstQuote, ...quote }]
    case 'checkOrder':
    case 'simulateOrder':
      return order
    default:
      return null
  }
}
