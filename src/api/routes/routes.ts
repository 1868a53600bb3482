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

export const operationIds: readonly OperationId[] = Object.keys(routes).filter(isOperationId)

function isOperationId(id: string): id is OperationId {
  return Object.hasOwn(routes, id)
}

/** An operation as any other, where its own types do not matter. */
export function routeOf(operation: OperationId): Route {
  return routes[operation]
}
