import type { Shape } from '../../shape/shape.ts'
import { successStatus } from '../dispatch.ts'
import { errorBody, type Problem, phrases, type Status } from '../errors.ts'
import { readQuery } from '../input/query-string.ts'
import { validate } from '../input/read-body.ts'
import { inputProblem } from '../input-problem.ts'
import { isObject, type Json } from '../json.ts'
import { errorShape, timestamp } from '../operations/common.ts'
import type { Operation } from '../operations/operation.ts'
import type { OperationId } from '../operations/operations.ts'
import type { Readings } from '../readings/readings.ts'
import { object } from '../wire-shapes.ts'
import { type SchemaStyle, schemaOrReference } from './document-schema.ts'

/** An answer that was recorded to be an example. */
export interface RecordedAnswer {
  readonly status: number
  readonly body: Json
}

/**
 * Describes the responses of an operation by status, each with an example: the recorded answer, or an error in the
 * words of the venue.
 */
export function describeResponses(
  id: OperationId,
  route: Operation,
  style: SchemaStyle,
  recorded: RecordedAnswer | undefined,
): Json {
  const { readings } = style
  const { successes } = declaredStatuses(id, route, readings)
  const inOrder = [...shapesByStatus(id, route, readings)].sort(([left], [right]) => left - right)
  const responses = inOrder.map(([status, schema]) => {
    const isSuccess = successes.includes(status)
    const example = isSuccess ? recordedBody(status, recorded) : makeErrorExample(id, route, status, readings)
    const links = isSuccess ? describeLinks(id, readings) : undefined
    const content = { 'application/json': { schema: schemaOrReference(schema, style), example } }
    const description = statusDescription(status)
    return [String(status), { description, headers: describeHeaders(status), content, links }] as const
  })
  return Object.fromEntries(responses)
}

/**
 * Returns the shapes of an operation's answers by status. What is inside them depends on the readings, too
 * (`shapeUnder`).
 */
function shapesByStatus(id: OperationId, route: Operation, readings: Readings): Map<number, Shape> {
  const { successes, errors } = declaredStatuses(id, route, readings)
  const success = wrapInEnvelope(id, route.response, readings)
  const shapes = new Map(errors.map((status): [number, Shape] => [status, errorShape]))
  for (const status of successes) {
    const other = shapes.get(status)
    shapes.set(status, other === undefined ? success : { anyOf: [success, other] })
  }
  return shapes
}

function recordedBody(status: number, recorded: RecordedAnswer | undefined): Json | undefined {
  return recorded?.status === status ? recorded.body : undefined
}

/** Wraps the shape of a success as readings `positions.one` and `envelope` say. */
function wrapInEnvelope(id: OperationId, schema: Shape, readings: Readings): Shape {
  const isWrapped = id === 'getPosition' && readings['positions.one'] === 'wrapped'
  const body = isWrapped ? object({ position: schema }) : schema
  return readings.envelope === 'wrapped' ? object({ data: body, timestamp }) : body
}

const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

function describeHeaders(status: number): Json {
  const names = status === 429 ? [...rateHeaders, 'Retry-After'] : rateHeaders
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Makes an example of the error that an operation answers with a status, as the venue makes it. */
function makeErrorExample(id: OperationId, route: Operation, status: number, readings: Readings): Json {
  const problem = { ...exampleProblem(id, route, status), status: isStatus(status) ? status : 500 } as const
  const { details, ...rest } = errorBody(problem, readings)
  return { ...rest, details: { ...details } }
}

function isStatus(status: number): status is Status {
  return Object.hasOwn(phrases, status)
}

function exampleProblem(id: OperationId, route: Operation, status: number): Problem {
  const isQuote = route.path.includes('/quotes')
  const isDone = id === 'cancelOrder' || id === 'cancelQuote' || id === 'updateQuote' || id === 'amendOrder'
  const done: Problem = { code: isQuote ? 'quote-terminal' : 'order-terminal' }
  switch (status) {
    case 400:
      return exampleInputProblem(route)
    case 401:
      return { code: 'invalid-key' }
    case 403:
      return { code: 'insufficient-scope' }
    case 404:
      return { code: notFoundCode(id, isQuote) }
    case 409:
      return isDone ? done : { code: 'duplicate-client-id' }
    case 413:
      return { code: 'payload-too-large' }
    case 415:
      return { code: 'unsupported-media-type' }
    case 422:
      return route.makes === 'nothing' && isDone && id !== 'amendOrder' && id !== 'updateQuote'
        ? done
        : { code: 'risk-limit' }
    case 429:
      return { code: 'rate-limited' }
    default:
      return { code: 'internal' }
  }
}

/** Makes an example of a refusal: the problem of an empty body, or else of a parameter that does not exist. */
function exampleInputProblem({ body, query }: Operation) {
  const read = body === null || !isObject(body) ? null : validate(body, {})
  if (read !== null && !read.ok) return read.problem
  const asked = readQuery('colour=red', query, { ignoresUnknown: false, clampsNumbers: false })
  return asked.ok ? inputProblem('query', 'is not valid') : asked.problem
}

function notFoundCode(id: OperationId, isQuote: boolean) {
  if (id === 'getPosition') return 'unknown-position'
  if (isQuote) return 'unknown-quote'
  return /Order/.test(id) && id !== 'getOrderBook' ? 'unknown-order' : 'unknown-asset'
}

/** Describes the links of a creation: the operations that take a parameter from its answer. */
function describeLinks(id: OperationId, readings: Readings): Json | undefined {
  const targets = linkTargets.get(id)
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

const linkTargets: ReadonlyMap<OperationId, readonly Target[]> = new Map<OperationId, readonly Target[]>([
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

/**
 * Returns the statuses of an operation under the readings: those of its route, those of every operation, and those
 * that readings add. Invalid HTTP is refused before an operation is known (408, 417, 431), and belongs to none.
 */
export function declaredStatuses(id: OperationId, route: Operation, readings: Readings) {
  const errors = [400, 401, 403, 429, 500, ...route.errors]
  if (route.path.includes(':')) errors.push(404)
  if (route.body !== null) errors.push(413, 415)
  if (id === 'cancelOrder') errors.push(terminalStatus(readings['orders.cancelTerminal']))
  if (id === 'cancelQuote' || id === 'updateQuote') errors.push(terminalStatus(readings['quotes.terminal']))
  if (readings['assets.unknown'] === '404' && hasAssetFilter(route)) errors.push(404)
  if (readings['pairs.violation'] === '422' && hasAmounts(route)) errors.push(422)
  const successes: number[] = [successStatus(route, readings)]
  // An order or quote that existed before is answered with 200, not as created.
  const makesOne = route.makes === 'order' || route.makes === 'quote'
  if (makesOne && readings['clientId.duplicate'] === 'return') successes.push(200)
  if (route.bodyItem !== null && readings.batchStatus === '207') successes.push(207)
  if (route.bodyItem !== null && readings.batchStatus === '422') successes.push(422)
  return { successes: sortAscending(successes), errors: sortAscending(errors) }
}

/**
 * Returns the status of a terminal order or quote. A cancel that is answered as done leaves 409 to what can still
 * conflict.
 */
function terminalStatus(reading: '409' | '404' | '422' | '400' | '200'): number {
  return reading === '200' ? 409 : Number(reading)
}

/**
 * Returns whether an operation has an optional filter by asset. An unknown asset in a required parameter is a mistake
 * in the request instead.
 */
function hasAssetFilter({ query }: Operation): boolean {
  const isFilter = (name: string) =>
    Object.hasOwn(query.properties, name) && query.required?.includes(name) !== true
  return isFilter('asset') || isFilter('assets')
}

/**
 * Returns whether an operation takes amounts, which may violate the steps of a pair. Items of a batch fail one by
 * one, without a status.
 */
function hasAmounts({ body, bodyItem, query }: Operation): boolean {
  const names = Object.keys({ ...query.properties, ...body?.properties })
  return bodyItem === null && ['price', 'bidPrice'].some((name) => names.includes(name))
}

function sortAscending(statuses: readonly number[]): readonly number[] {
  return [...new Set(statuses)].sort((a, b) => a - b)
}

/** Returns the description of a status (Spec: Errors, HTTP status codes). */
function statusDescription(status: number): string {
  return descriptions.get(status) ?? 'Error'
}

const descriptions: ReadonlyMap<number, string> = new Map([
  [200, 'Success'],
  [201, 'Created'],
  [207, 'Some items failed'],
  [400, 'Invalid parameters'],
  [401, 'Invalid or missing API key or authentication'],
  [403, 'Insufficient scope'],
  [404, 'Resource does not exist'],
  [409, 'The resource is done, or its client id has been used'],
  [413, 'Payload Too Large'],
  [415, 'Unsupported Media Type'],
  [422, 'Risk check failed'],
  [429, 'Rate limit exceeded'],
  [500, 'Internal Server Error'],
])
