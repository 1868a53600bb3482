import type { Readings } from './readings/readings.ts'
import { type OperationId, routeOf } from './routes/routes.ts'

/** Whether there is such an operation: all of the specification, and what reading `quotes.fills` adds. */
export function isServed(operation: OperationId, readings: Readings): boolean {
  return routeOf(operation).isSpecified !== false || readings['quotes.fills'] === 'present'
}
