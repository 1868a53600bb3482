import { adminErrorBody } from '../api/admin-errors.ts'
import { assert } from '../numeric/assert.ts'
import { accountRoutes } from '../server/admin/account-routes.ts'
import { marketRoutes } from '../server/admin/market-routes.ts'
import { orderRoutes } from '../server/admin/order-routes.ts'
import { limitRoutes } from '../server/admin/request-routes.ts'
import { AdminRefusal } from '../server/admin/route.ts'
import { createShippedLibrary } from '../world/shipped/shipped-scenarios.ts'
import type { Worlds } from '../world/worlds.ts'

const routes = [...accountRoutes, ...marketRoutes, ...orderRoutes, ...limitRoutes]

/** The operations of the admin API that tests carry out in their process. */
type OperationName = 'deposit' | 'movePrice' | 'changePair' | 'fillOrder' | 'rejectOrder' | 'setRateLimits'

/**
 * Carries out an operation of the admin API in a world of this process, at once. `params` are those of its path. Throws
 * a RangeError that names the field and what was probably meant.
 */
export function carryOutOperation(
  worlds: Worlds,
  operation: OperationName,
  params: { readonly world: string; readonly [name: string]: string },
  body: object,
): void {
  const route = routes.find(({ id }) => id === operation)
  assert(route !== undefined, `${operation} is an operation of the admin API`)
  const call = { worlds, params, query: new URLSearchParams(), lastEventId: null, server, routes }
  try {
    route.answer(call, body)
  } catch (failure) {
    if (!(failure instanceof AdminRefusal)) throw failure
    throw new RangeError(`world ${params.world}: ${adminErrorBody(failure.problem).message}`)
  }
}

/** There is no server behind these operations, none of which asks for it. */
const server = {
  version: '',
  startedAtMillis: 0,
  scenarios: createShippedLibrary(),
  readings: {},
  url: () => '',
  shutdown: () => undefined,
}
