import type { ApiContext, ApiRequest, ApiResponse } from './context.ts'
import { errorBody, type Problem, statusOf } from './errors.ts'
import { operations } from './operations.ts'
import { present } from './readings/present.ts'
import type { Readings } from './readings/readings.ts'
import { routeOf } from './routes/routes.ts'
import { successStatus } from './success-status.ts'
import { clientView } from './views/client-view.ts'

/**
 * Carries out an operation for a caller who is known and allowed: reads body and query by their schemas, calls the
 * handler, and puts its answer into the documented form. Synchronous; never throws for anything that a caller can
 * send. Errors, in order: body 400, query 400, then those of the operation.
 */
export function dispatch(context: ApiContext, request: ApiRequest): ApiResponse {
  const outcome = operations[request.operation](context, request)
  if (!outcome.ok) return problemResponse(outcome.problem, context.readings)
  return {
    status: outcome.status ?? successStatus(routeOf(request.operation), context.readings),
    body: present(request.operation, outcome.body, context.now, context.readings, (schema, body) =>
      clientView(context, schema, body),
    ),
    hint: outcome.hint ?? null,
  }
}

/** Any problem as a response, including those found before an operation is known. */
export function problemResponse(problem: Problem, readings: Readings): ApiResponse {
  return {
    status: statusOf(problem, readings),
    body: errorBody(problem, readings),
    hint: problem.hint ?? null,
  }
}
