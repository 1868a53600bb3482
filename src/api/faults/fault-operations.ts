import type { Shape } from '../../shape/shape.ts'
import { itemShape } from '../../shape/wire-shapes.ts'
import { everyOperationId, type OperationId, routeOf } from '../operations/operations.ts'
import type { FaultType } from './fault-types.ts'

/** Whether a fault of a type can do anything to an operation; null: the request is for none. */
export function isAbout(type: FaultType, operation: OperationId | null): boolean {
  const only = operationsOf[type]
  return only === undefined || (operation !== null && only.includes(operation))
}

const placing: readonly OperationId[] = [
  ...(['createOrder', 'createOrders', 'amendOrder', 'submitQuote', 'updateQuote', 'updateQuotes'] as const),
]
const listing = everyOperationId.filter((id) => hasList(routeOf(id).response))

/** The types that are about some operations only: their rules count no other requests. */
const operationsOf: { readonly [Type in FaultType]?: readonly OperationId[] } = {
  fill_before_cancel: ['cancelOrder', 'cancelOrders'],
  delayed_fill: placing,
  partial_then_stall: placing,
  stale_market_data: everyOperationId.filter((id) => routeOf(id).category === 'marketData'),
  balance_lag: ['listBalances', 'getBalance', 'getAvailable', 'getSummary'],
  duplicate_fill_in_list: listing,
  reordered_list: listing,
}

/** Whether a list of objects is anywhere in what a schema describes. */
function hasList(shape: Shape): boolean {
  const { properties = {}, additionalProperties, anyOf = [] } = shape
  const items = itemShape(shape)
  if (items !== undefined) return items.type !== 'string'
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...Object.values(properties), ...others, ...anyOf].some(hasList)
}
