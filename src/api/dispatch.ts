import {
  type ApiContext,
  type ApiRequest,
  type ApiResponse,
  type Handled,
  type Handler,
  type ReadInput,
  refuse,
} from './context.ts'
import { errorBody, invalid, type Problem, statusOf } from './errors.ts'
import { type Read, read } from './flaw.ts'
import * as marketData from './handlers/market-data.ts'
import * as orders from './handlers/orders.ts'
import * as portfolio from './handlers/portfolio.ts'
import { present } from './handlers/present.ts'
import * as quotes from './handlers/quotes.ts'
import * as risk from './handlers/risk.ts'
import type { ItemFlaws } from './input/json-scan.ts'
import { queryUnder, readQuery } from './input/query-string.ts'
import { ignoredHint, readBody, readBodyOfItems, validate } from './input/read-body.ts'
import { noQuery } from './operations/common.ts'
import type { Operation } from './operations/operation.ts'
import { everyOperationId, type OperationId, routeOf } from './operations/operations.ts'
import type { Readings } from './readings/readings.ts'
import { defaultReadings } from './readings/readings.ts'
import type { ObjectShape } from './wire-shapes.ts'

/** The types of a row and of its handler must agree. */
const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  ...orders,
  ...quotes,
  ...marketData,
  ...portfolio,
  ...risk,
}

/** An operation of any kind. As a method, because only a row and its handler together know what the input is. */
interface Served {
  handle(context: ApiContext, input: ReadInput): Handled<object>
}

/**
 * Carries out an operation for a caller who is known and allowed: reads body and query by their shapes, calls the
 * handler, and puts its answer into the documented form. Synchronous; never throws for anything that a caller can
 * send. Errors, in order: body 400, query 400, then those of the operation.
 */
export function dispatch(context: ApiContext, request: ApiRequest): ApiResponse {
  const outcome = carryOut(context, request)
  if (!outcome.ok) return problemResponse(outcome.problem, context.readings)
  return {
    status: outcome.status ?? successStatus(routeOf(request.operation), context.readings),
    body: present(context, request.operation, outcome.body),
    hint: outcome.hint ?? null,
  }
}

/** What the handler of an operation answers to a request that is still text. */
export function carryOut(context: ApiContext, request: ApiRequest): Handled<object> {
  const { readings } = context
  const row = routeOf(request.operation)
  const body = readBodyFor(row, request.body, readings)
  if (!body.ok) return refuse(invalid(body.flaw))
  const query = readParameters(row.query, request.query, readings)
  if (!query.ok) return refuse(invalid(query.flaw))
  const { hint, ...content } = body.value
  const { values, hint: queryHint } = query.value
  const outcome = handle(request.operation, context, {
    parameter: request.parameter,
    query: values,
    ...content,
  })
  return hinted(hinted(outcome, hint), queryHint)
}

/** The same for a request whose parts have been read. */
export function handle(operation: OperationId, context: ApiContext, input: ReadInput): Handled<object> {
  const served: { readonly [Id in OperationId]: Served['handle'] } = handlers
  return served[operation](context, input)
}

/** Any problem as a response, including those found before an operation is known. */
export function problemResponse(problem: Problem, readings: Readings): ApiResponse {
  return {
    status: statusOf(problem, readings),
    body: errorBody(problem, readings),
    hint: problem.hint ?? null,
  }
}

/** Whether there is such an operation: all of the specification, and what reading `quotes.fills` adds. */
export function isServed(operation: OperationId, readings: Readings): boolean {
  return routeOf(operation).isSpecified || readings['quotes.fills'] === 'present'
}

/** Reading `createdStatus`. */
export function successStatus({ makes, method }: Operation, readings: Readings): 200 | 201 {
  switch (readings.createdStatus) {
    case '200':
      return 200
    case '201':
      return makes === 'nothing' ? 200 : 201
    case 'every-post':
      return method === 'POST' ? 201 : 200
  }
}

interface Content {
  readonly body: unknown
  readonly hint: string | null
  readonly flaws?: ItemFlaws
}

/** A body that is sent where none is read is ignored. */
function readBodyFor(
  { body, bodyItem, isBodyOptional }: Operation,
  text: string,
  readings: Readings,
): Read<Content> {
  if (body === null) return noContent
  if (bodyItem === null) return readBody(body, text, isBodyOptional, readings)
  return readBodyOfItems(body, bodyItem, text, readings)
}

const noContent: Read<Content> = read({ body: undefined, hint: null })

/** Whatever the outcome is: what was ignored may be why. */
function hinted(outcome: Handled<object>, hint: string | null): Handled<object> {
  if (hint === null) return outcome
  if (outcome.ok) return { ...outcome, hint: outcome.hint === undefined ? hint : `${outcome.hint}; ${hint}` }
  const { problem } = outcome
  return refuse({ ...problem, hint: problem.hint === undefined ? hint : `${problem.hint}; ${hint}` })
}

interface Parameters {
  readonly values: unknown
  readonly hint: string | null
}

function readParameters(shape: ObjectShape, raw: string, readings: Readings): Read<Parameters> {
  // Most requests neither have a query nor may have one.
  if (raw === '' && shape === noQuery) return noParameters
  const allowed = queryUnder(shape, readings)
  const query = readQuery(raw, allowed, {
    ignoresUnknown: readings['query.unknown'] === 'ignore',
    clampsNumbers: readings['params.outOfRange'] === 'clamp',
  })
  if (!query.ok) return query
  const { values, ignored } = query.value
  const narrow = validate(allowed, values)
  const checked = narrow.ok ? validate(shape, values) : narrow
  if (checked.ok) return read({ values: checked.value, hint: ignoredHint(ignored) })
  // A list is one parameter: its elements have no names of their own.
  const { field, ...flaw } = checked.flaw
  return { ok: false, flaw: { ...flaw, field: field.replace(/\[[0-9]+\]$/, '') } }
}

const noParameters: Read<Parameters> = read({ values: {}, hint: null })

type Match =
  | { readonly kind: 'found'; readonly operation: OperationId; readonly parameter: string }
  /** A known path with another method: the methods that it has, for an Allow header. */
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' }

/**
 * The operation of a method and a raw path without its query. Case matters, and so does every slash; a fixed path is
 * never read as one with a parameter, so `/orders/batch` has no GET. Nothing is decoded, because no id or symbol needs
 * it. `parameter` is '' when there is none.
 */
export function matchRoute(method: string, path: string, readings: Readings = defaultReadings): Match {
  const fixed = path.endsWith('/') || path.includes('//') ? undefined : routes.get(path)
  const candidate = fixed === undefined ? parameterPath(path) : { operations: fixed, parameter: '' }
  if (candidate === undefined) return unknown
  const { operations, parameter } = candidate
  const operation = operations.get(method)
  if (operation !== undefined && isServed(operation, readings)) return { kind: 'found', operation, parameter }
  const allowed = [...operations].flatMap(([name, other]) => (isServed(other, readings) ? [name] : []))
  return allowed.length === 0 ? unknown : { kind: 'wrong-method', allowed }
}

interface Candidate {
  /** By method. */
  readonly operations: ReadonlyMap<string, OperationId>
  readonly parameter: string
}

const unknown: Match = { kind: 'unknown' }

/** The operations of each path by method; of a path with a parameter, that is left out: `/api/sdk/orders//fills`. */
const routes = new Map<string, Map<string, OperationId>>()
for (const operation of everyOperationId) {
  const { method, path } = routeOf(operation)
  const place = path.replace(/:\w+/, '')
  routes.set(place, (routes.get(place) ?? new Map()).set(method, operation))
}

/** The parameter is the last segment, or the one before a last segment that is fixed. */
function parameterPath(path: string): Candidate | undefined {
  const last = path.lastIndexOf('/')
  return (
    parameterBetween(path, last, path.length) ?? parameterBetween(path, path.lastIndexOf('/', last - 1), last)
  )
}

function parameterBetween(path: string, slash: number, end: number): Candidate | undefined {
  if (slash < 0 || end - slash < 2) return undefined
  const operations = routes.get(path.slice(0, slash + 1) + path.slice(end))
  return operations === undefined ? undefined : { operations, parameter: path.slice(slash + 1, end) }
}

/** A request target as its path and its raw query, which has its question mark or is empty. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?')
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark) }
}
