import { accountRoutes } from './account-routes.ts'
import { clockRoutes } from './clock-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { faultRoutes } from './fault-routes.ts'
import { marketRoutes, timelineRoutes } from './market-routes.ts'
import { noteRoutes } from './note-routes.ts'
import { orderRoutes } from './order-routes.ts'
import { historyRoutes, journalRoutes, snapshotRoutes } from './past-routes.ts'
import { limitRoutes, requestRoutes } from './request-routes.ts'
import type { AdminRoute } from './route.ts'
import { viewRoutes } from './view-routes.ts'
import { infoRoutes, shutdownRoutes, worldRoutes } from './world-routes.ts'

/** Every operation of the admin API, in the order of its documentation. Design, section 9. */
export const adminRoutes: readonly AdminRoute[] = [
  ...infoRoutes,
  ...worldRoutes,
  ...clockRoutes,
  ...accountRoutes,
  ...marketRoutes,
  ...timelineRoutes,
  ...orderRoutes,
  ...limitRoutes,
  ...requestRoutes,
  ...journalRoutes,
  ...historyRoutes,
  ...noteRoutes,
  ...viewRoutes,
  ...eventRoutes,
  ...faultRoutes,
  ...snapshotRoutes,
  ...shutdownRoutes,
]
