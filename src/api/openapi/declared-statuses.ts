import { successStatus } from '../dispatch.ts'
import type { Operation } from '../operations/operation.ts'
import type { OperationId } from '../operations/operations.ts'
import type { Readings } from '../readings/readings.ts'

/** The statuses of an operation, each list in ascending order without repetitions. */
export interface DeclaredStatuses {
  readonly successes: readonly number[]
  readonly errors: readonly number[]
}

/**
 * The statuses that an operation has under the readings: those of its route, those of every operation, and those that
 * readings add. What is not proper HTTP is refused before an operation is known (408, 417, 431), and belongs to none.
 */
export function declaredStatuses(id: OperationId, route: Operation, readings: Readings): DeclaredStatuses {
  const errors = [400, 401, 403, 429, 500, ...route.errors]
  if (route.body !== null) errors.push(413)
  if (id === 'cancelOrder') errors.push(terminalStatus(readings['orders.cancelTerminal']))
  if (id === 'cancelQuote' || id === 'updateQuote') errors.push(terminalStatus(readings['quotes.terminal']))
  if (readings['assets.unknown'] === '404' && filtersAssets(route)) errors.push(404)
  if (readings['pairs.violation'] === '422' && takesAmounts.has(id)) errors.push(422)
  const successes: number[] = [successStatus(route, readings)]
  if (takesClientId.has(id) && readings['clientId.duplicate'] === 'return') successes.push(200)
  if (route.bodyItem !== null && readings.batchStatus === '207') successes.push(207)
  if (route.bodyItem !== null && readings.batchStatus === '422') successes.push(422)
  return { successes: ascending(successes), errors: ascending(errors) }
}

/** A cancel that is answered as done leaves 409 to what can still conflict. */
function terminalStatus(reading: '409' | '404' | '422' | '400' | '200'): number {
  return reading === '200' ? 409 : Number(reading)
}

/** A required parameter is no filter: an asset that does not exist is then a mistake in the request. */
function filtersAssets({ query }: Operation): boolean {
  const isFilter = (name: string) =>
    Object.hasOwn(query.properties, name) && query.required?.includes(name) !== true
  return isFilter('asset') || isFilter('assets')
}

/**
 * Operations in which a price or a quantity can be off its pair's steps. Items of a batch fail individually, without a
 * status.
 */
const takesAmounts: ReadonlySet<OperationId> = new Set([
  'createOrder',
  'amendOrder',
  'submitQuote',
  'updateQuote',
  'checkOrder',
  'getMaxQuantity',
  'simulateOrder',
])

/** Something that was made before is answered with 200, not as created. */
const takesClientId: ReadonlySet<OperationId> = new Set(['createOrder', 'submitQuote'])

function ascending(statuses: readonly number[]): readonly number[] {
  return [...new Set(statuses)].sort((a, b) => a - b)
}
