import type { Json } from '../json.ts'
import type { OperationId } from '../operations/operations.ts'
import type { Readings } from '../readings/readings.ts'

/** What a creation leads to: operations that take a parameter from its answer. */
export function linksOf(id: OperationId, readings: Readings): Json | undefined {
  const targets = linked.get(id)
  if (targets === undefined) return undefined
  const body = readings.envelope === 'wrapped' ? '$response.body#/data' : '$response.body#'
  return Object.fromEntries(
    targets.map(([operationId, parameter, place, description]) => [
      operationId,
      { operationId, parameters: { [parameter]: `${body}/${place}` }, description },
    ]),
  )
}

type Target = readonly [operation: OperationId, parameter: string, placeInAnswer: string, description: string]

const linked: ReadonlyMap<OperationId, readonly Target[]> = new Map<OperationId, readonly Target[]>([
  [
    'createOrder',
    [
      ['getOrder', 'orderId', 'orderId', 'The order as it is now'],
      ['amendOrder', 'orderId', 'orderId', 'Changes its quantity or price'],
      ['cancelOrder', 'orderId', 'orderId', 'Cancels it'],
      ['listOrderFills', 'orderId', 'orderId', 'Its fills'],
      ['getOrderByClientId', 'clientOrderId', 'clientOrderId', 'The same order by the id of the caller'],
    ],
  ],
  ['createOrders', [['listOrderFills', 'orderId', 'results/0/orderId', 'The fills of the first order']]],
  [
    'submitQuote',
    [
      ['getQuote', 'quoteId', 'quoteId', 'The quote as it is now'],
      ['updateQuote', 'quoteId', 'quoteId', 'Changes its prices, sizes or validity'],
      ['cancelQuote', 'quoteId', 'quoteId', 'Cancels it'],
    ],
  ],
])
