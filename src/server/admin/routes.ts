import { clockRoutes } from './clock-routes.ts'
import { infoRoutes } from './info-routes.ts'
import { moneyRoutes } from './money-routes.ts'
import type { AdminRoute } from './route.ts'
import { worldRoutes } from './world-routes.ts'

/** The whole control plane. Design, section 9. */
export const adminRoutes: readonly AdminRoute[] = [
  ...infoRoutes,
  ...worldRoutes,
  ...clockRoutes,
  ...moneyRoutes,
]
