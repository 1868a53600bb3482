import { marketDataRoutes } from './market-data-routes.ts'
import { orderRoutes } from './order-routes.ts'
import { portfolioRoutes } from './portfolio-routes.ts'
import { quoteRoutes } from './quote-routes.ts'
import { riskRoutes } from './risk-routes.ts'
import type { Route } from './route.ts'

/** The whole interface, by operation. */
export const routes = {
  ...orderRoutes,
  ...quoteRoutes,
  ...marketDataRoutes,
  ...portfolioRoutes,
  ...riskRoutes,
} as const satisfies { readonly [operation: string]: Route }

export type OperationId = keyof typeof routes

/** Those of the specification, and those that a reading adds. */
export const everyOperationId: readonly OperationId[] = Object.keys(routes).filter(isOperationId)

/** Those of the specification. */
export const operationIds = everyOperationId.filter((id) => routeOf(id).isSpecified !== false)

function isOperationId(id: string): id is OperationId {
  return Object.hasOwn(routes, id)
}

/** An operation as any other, where its own types do not matter. */
export function routeOf(operation: OperationId): Route {
  return routes[operation]
}
