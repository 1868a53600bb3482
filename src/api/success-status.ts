import type { Readings } from './readings/readings.ts'
import type { Route } from './routes/route.ts'

/** Reading `createdStatus`. */
export function successStatus(route: Route, readings: Readings): 200 | 201 {
  switch (readings.createdStatus) {
    case '200':
      return 200
    case '201':
      return route.makes === 'nothing' ? 200 : 201
    case 'every-post':
      return route.method === 'POST' ? 201 : 200
  }
}
