import { formatId } from '../answer.ts'
import type { Json } from '../json.ts'
import type { OperationId } from '../operations/operations.ts'

/** The world of the examples: what trades there, at which prices orders rest, and the ids that the examples create. */
export interface ExampleWorld {
  readonly asset: string
  /** Another asset; the same one in a world with only one. */
  readonly otherAsset: string
  /** A price far enough below the market that a bid still rests when the market has moved; likewise `ask` above it. */
  readonly bid: number
  readonly ask: number
  readonly otherBid: number
  readonly otherAsk: number
  readonly quantity: number
  readonly otherQuantity: number
  /** The id of the first order that is created. `filledOrderId` is that of the first order in a batch. */
  readonly orderId: string
  readonly filledOrderId: string
  readonly quoteId: string
  /** The day on which the examples are sent, as an ISO date. */
  readonly date: string
}

const ids = { format: 'counter', seed: '' } as const

export const defaultExampleWorld: ExampleWorld = {
  asset: 'BTC',
  otherAsset: 'ETH',
  bid: 45_000,
  ask: 55_000,
  otherBid: 2_700,
  otherAsk: 3_300,
  quantity: 0.01,
  otherQuantity: 0.1,
  orderId: formatId(ids, 'order', 0),
  filledOrderId: formatId(ids, 'order', 1),
  quoteId: formatId(ids, 'quote', 0),
  date: '2026-01-05',
}

/** Returns an example of a path or query parameter. */
export function parameterExample(id: OperationId, name: string, world: ExampleWorld): string | number {
  switch (name) {
    case 'orderId':
      return id === 'listOrderFills' ? world.filledOrderId : world.orderId
    case 'quoteId':
      return world.quoteId
    case 'clientOrderId':
      return clientOrderId
    case 'assets':
      return [...new Set([world.asset, world.otherAsset])].join(',')
    case 'statuses':
      return id === 'listQuotes' ? 'active,filled' : 'open,filled'
    case 'startDate':
    case 'endDate':
      return world.date
    case 'price':
      return world.ask
    default:
      return plainExamples.get(name) ?? world.asset
  }
}

const clientOrderId = 'my-order-1'

const plainExamples: ReadonlyMap<string, string | number> = new Map<string, string | number>([
  ['side', 'buy'],
  ['status', 'active'],
  ['period', '24h'],
  ['type', 'trade'],
  ['depth', 5],
  ['page', 1],
  ['limit', 50],
  ['offset', 0],
])

/**
 * Returns the example bodies of an operation by name; none for an operation without a body. They succeed in the order
 * of the document. Choice: filters name what the earlier examples of other operations do not need, because tools
 * differ in the order in which they send the methods of a path.
 */
export function bodyExamples(id: OperationId, world: ExampleWorld): { readonly [name: string]: Json } {
  const { asset, otherAsset, bid, ask, quantity } = world
  const order = { side: 'buy', asset, quantity, price: bid }
  const quote = { bidPrice: bid, askPrice: ask, bidSize: quantity, askSize: quantity }
  switch (id) {
    case 'createOrder':
      return { limit: { ...order, orderType: 'limit', timeInForce: 'GTC', clientOrderId } }
    case 'amendOrder':
      return { quantity: { quantity: 2 * quantity } }
    case 'createOrders':
      return {
        batch: {
          orders: [
            { side: 'buy', asset, quantity, orderType: 'market' },
            { side: 'sell', asset, quantity, price: ask },
          ],
        },
      }
    case 'cancelOrders':
      return { sells: { asset, side: 'sell' } }
    case 'submitQuote':
      return {
        quote: { asset, ...quote, validForSeconds: 300 },
        other: {
          asset: otherAsset,
          bidPrice: world.otherBid,
          askPrice: world.otherAsk,
          bidSize: world.otherQuantity,
          askSize: world.otherQuantity,
          clientQuoteId: 'my-quote-2',
        },
      }
    case 'updateQuote':
      return { sizes: { bidSize: 2 * quantity, askSize: 2 * quantity, validForSeconds: 60 } }
    case 'cancelQuotes':
      return { asset: { asset: otherAsset } }
    case 'updateQuotes':
      return { terms: [{ quoteId: world.quoteId, ...quote }] }
    case 'checkOrder':
    case 'simulateOrder':
      return { order }
    default:
      return {}
  }
}
