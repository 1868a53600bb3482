import { refuse } from './answer.ts'
import type { ApiContext, ApiRequest, ApiResponse, Handler, HandlerInput, HandlerResult } from './context.ts'
import { errorBody, type Problem, problemStatus } from './errors.ts'
import { changeBody, readingsOfBodies } from './handlers/change-body.ts'
import * as marketData from './handlers/market-data.ts'
import * as orders from './handlers/orders.ts'
import * as portfolio from './handlers/portfolio.ts'
import * as quotes from './handlers/quotes.ts'
import * as risk from './handlers/risk.ts'
import { queryUnder, readQuery } from './input/query-string.ts'
import { formatIgnoredHint, readBody, validate } from './input/read-body.ts'
import { type InputResult, withHint } from './input-problem.ts'
import { nearestWord } from './nearest-word.ts'
import { noQuery } from './operations/common.ts'
import type { Operation, RateCategory, Scope } from './operations/operation.ts'
import { everyOperationId, type OperationId, routeOf } from './operations/operations.ts'
import { defaultReadings, type Readings } from './readings/readings.ts'
import { areWatched } from './readings/watched-readings.ts'
import type { ObjectShape } from './wire-shapes.ts'

/** The handlers of all operations. The compiler checks that the types of each row and of its handler agree. */
const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  ...orders,
  ...quotes,
  ...marketData,
  ...portfolio,
  ...risk,
}

/**
 * A handler of any operation. It is declared as a method, whose parameters are not compared strictly: only a row and
 * its handler together know the type of the input.
 */
interface AnyHandler {
  call(context: ApiContext, input: HandlerInput): HandlerResult<object>
}

/**
 * Answers a request of a caller who is authenticated and has the scope. It is synchronous and never throws for
 * anything that a caller can send. Errors, in order: body 400, query 400, then those of the operation.
 */
export function dispatch(context: ApiContext, request: ApiRequest): ApiResponse {
  const outcome = runOperation(context, request)
  if (!outcome.ok) return problemResponse(outcome.problem, context.readings)
  return {
    status: outcome.status ?? successStatus(routeOf(request.operation), context.readings),
    body: present(context, request.operation, outcome.body),
    hint: outcome.hint ?? null,
  }
}

/**
 * Reads the parts of a request and calls its handler; `dispatch` turns the result into a response. Errors, in order:
 * body 400, query 400, then those of the operation.
 */
export function runOperation(context: ApiContext, request: ApiRequest): HandlerResult<object> {
  const { readings } = context
  const row = routeOf(request.operation)
  const read = readBody(row, request.body, readings)
  if (!read.ok) return refuse(read.problem)
  const { body, problems, hint } = read.value
  const parameters = readParameters(row.query, request.query, readings)
  if (!parameters.ok) return refuse(withHint(parameters.problem, hint))
  const { values: query, hint: queryHint } = parameters.value
  const { operation, parameter } = request
  const outcome = callHandler(operation, context, { parameter, query, body, problems })
  return addHint(addHint(outcome, hint), queryHint)
}

/** Calls the handler of an operation with a request whose parts have been read. */
export function callHandler(
  operation: OperationId,
  context: ApiContext,
  input: HandlerInput,
): HandlerResult<object> {
  const served: { readonly [Id in OperationId]: AnyHandler['call'] } = handlers
  return served[operation](context, input)
}

/**
 * Returns the documented body of an answer in the form that the readings ask for. Handlers know only the full form, which
 * the default readings leave untouched.
 */
export function present(context: ApiContext, operation: OperationId, body: object): object {
  return isAsDocumented(context.readings) ? body : changeBody(context, operation, body)
}

/**
 * Returns whether the readings leave bodies as handlers make them. The answer is kept for each set of readings,
 * because it is asked at every request and readings rarely change.
 */
function isAsDocumented(readings: Readings): boolean {
  const known = asDocumented.get(readings)
  if (known !== undefined) return known
  if (areWatched(readings)) return false
  const found = readingsOfBodies.every((key) => readings[key] === defaultReadings[key])
  asDocumented.set(readings, found)
  return found
}

const asDocumented = new WeakMap<Readings, boolean>()

/** Returns the response to any problem, including those that are found before an operation is known. */
export function problemResponse(problem: Problem, readings: Readings): ApiResponse {
  return {
    status: problemStatus(problem, readings),
    body: errorBody(problem, readings),
    hint: problem.hint ?? null,
  }
}

/**
 * Returns whether a venue with these readings has the operation: every operation of the specification, and the one
 * that reading `quotes.fills` adds.
 */
export function isServed(operation: OperationId, readings: Readings): boolean {
  return routeOf(operation).isSpecified || readings['quotes.fills'] === 'present'
}

/** Returns the status of a success (reading `createdStatus`). */
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

/** Adds a hint to a success or a problem alike: what was ignored may be the reason for either. */
function addHint(outcome: HandlerResult<object>, hint: string | null): HandlerResult<object> {
  if (hint === null) return outcome
  return outcome.ok ? withHint(outcome, hint) : refuse(withHint(outcome.problem, hint))
}

interface ParsedParameters {
  readonly values: unknown
  readonly hint: string | null
}

function readParameters(shape: ObjectShape, raw: string, readings: Readings): InputResult<ParsedParameters> {
  // Most requests have no query, and many operations take none.
  if (raw === '' && shape === noQuery) return noParameters
  const allowed = queryUnder(shape, readings)
  const query = readQuery(raw, allowed, {
    ignoresUnknown: raw !== '' && readings['query.unknown'] === 'ignore',
    clampsNumbers: raw !== '' && readings['params.outOfRange'] === 'clamp',
  })
  if (!query.ok) return query
  const { values, ignored } = query.value
  const narrow = validate(allowed, values)
  const checked = narrow.ok ? validate(shape, values) : narrow
  const hint = formatIgnoredHint(ignored)
  if (checked.ok) return { ok: true, value: { values: checked.value, hint } }
  // The elements of a list have no names of their own, so the problem names the parameter.
  const problem = withHint(checked.problem, hint)
  return { ok: false, problem: { ...problem, field: problem.field.replace(/\[[0-9]+\]$/, '') } }
}

const noParameters: InputResult<ParsedParameters> = { ok: true, value: { values: {}, hint: null } }

type Match =
  | { readonly kind: 'found'; readonly operation: OperationId; readonly parameter: string }
  /** A known path with another method: the methods that the path has, for an Allow header. */
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' }

/**
 * Finds the operation of a method and a raw path without its query. HEAD finds what GET does. Source: RFC 9110,
 * section 9.1: a server has both. Case matters, and so does every slash; a fixed path is never read as one with a
 * parameter, so `/orders/batch` has no GET. Nothing is decoded, because no id or symbol needs it. `parameter` is ''
 * when the path has none.
 */
export function matchRoute(method: string, path: string, readings: Readings = defaultReadings): Match {
  const fixed = path.endsWith('/') || path.includes('//') ? undefined : routes.get(path)
  const candidate = fixed === undefined ? findParameterPath(path) : { operations: fixed, parameter: '' }
  if (candidate === undefined) return unknown
  const { operations, parameter } = candidate
  const operation = operations.get(method === 'HEAD' ? 'GET' : method)
  if (operation !== undefined && isServed(operation, readings)) return { kind: 'found', operation, parameter }
  const allowed = [...operations].flatMap(([name, other]) => (isServed(other, readings) ? [name] : []))
  return allowed.length === 0 ? unknown : { kind: 'wrong-method', allowed }
}

interface Candidate {
  /** The operations of the path by method. */
  readonly operations: ReadonlyMap<string, OperationId>
  readonly parameter: string
}

const unknown: Match = { kind: 'unknown' }

/** The operations of each path by method. The parameter of a path is left out: `/api/sdk/orders//fills`. */
const routes = new Map<string, Map<string, OperationId>>()
for (const operation of everyOperationId) {
  const { method, path } = routeOf(operation)
  const place = path.replace(/:\w+/, '')
  routes.set(place, (routes.get(place) ?? new Map()).set(method, operation))
}

/** Finds a path with a parameter, which is the last segment, or the one before a fixed last segment. */
function findParameterPath(path: string): Candidate | undefined {
  const last = path.lastIndexOf('/')
  return (
    findParameterBetween(path, last, path.length) ??
    findParameterBetween(path, path.lastIndexOf('/', last - 1), last)
  )
}

function findParameterBetween(path: string, slash: number, end: number): Candidate | undefined {
  if (slash < 0 || end - slash < 2) return undefined
  const operations = routes.get(path.slice(0, slash + 1) + path.slice(end))
  return operations === undefined ? undefined : { operations, parameter: path.slice(slash + 1, end) }
}

/**
 * The operation of a request, or why there is none. `allowed` has the methods of the path when the answer is 405, and
 * is empty otherwise.
 */
export type ResolvedOperation =
  | { readonly ok: true; readonly operation: OperationId; readonly parameter: string }
  | { readonly ok: false; readonly problem: Problem; readonly allowed: readonly string[] }

/**
 * Finds the operation of a request, or the problem with its path or method. Choice: a known path with another method
 * is 404, unless reading `http.wrongMethod` says 405.
 */
export function resolveOperation(method: string, path: string, readings: Readings): ResolvedOperation {
  const match = matchRoute(method, path, readings)
  if (match.kind === 'found') return { ok: true, operation: match.operation, parameter: match.parameter }
  const reason = `Cannot ${method} ${path}`
  if (match.kind === 'unknown')
    return { ok: false, problem: unknownRouteProblem(method, path, reason), allowed: [] }
  const hint = `this path takes ${match.allowed.join(', ')}`
  if (readings['http.wrongMethod'] === '405') {
    return { ok: false, problem: { code: 'wrong-method', reason, hint }, allowed: match.allowed }
  }
  return { ok: false, problem: { code: 'unknown-route', reason, hint }, allowed: [] }
}

function unknownRouteProblem(method: string, path: string, reason: string): Problem {
  const meant = suggestPath(method, path)
  return { code: 'unknown-route', reason, ...(meant === null ? {} : { hint: `did you mean ${meant}?` }) }
}

/**
 * Returns the rate-limit category of a request (Spec: Limits). A path that does not exist counts in the category that
 * it would belong to.
 */
export function rateCategory(resolved: ResolvedOperation, path: string): RateCategory {
  if (resolved.ok) return routeOf(resolved.operation).category
  return path.startsWith('/api/sdk/market-data') ? 'marketData' : 'other'
}

/**
 * Returns the problem of a key that lacks the scope of an operation, or null when its scopes suffice (Spec:
 * Authentication, scopes). Whether other scopes imply READ is reading `scopes.implied`.
 */
export function checkScope(
  scopes: ReadonlySet<Scope>,
  operation: OperationId,
  readings: Readings,
): Problem | null {
  const { scope } = routeOf(operation)
  if (scopes.has(scope)) return null
  const isImplied = scopes.has('TRADE') || scopes.has('MARKET_MAKING')
  if (scope === 'READ' && readings['scopes.implied'] === 'read' && isImplied) return null
  const has = scopes.size === 0 ? 'no scope' : [...scopes].join(' ')
  return {
    code: 'insufficient-scope',
    field: 'scope',
    reason: `${scope} is required`,
    hint: `the key has ${has}`,
  }
}

/**
 * Finds the path of an operation that is nearest to an unknown path: `/api/sdk/orders` for `/api/sdk/order`. Null
 * when nothing is near, for a path that an operation has, and for a pattern with stars, because a scenario may expect
 * on purpose that no request goes to a path.
 */
function findNearestPath(path: string): string | null {
  if (path.includes('*') || matchRoute('GET', path).kind !== 'unknown') return null
  const isFixed = (known: string) => !known.endsWith('/') && !known.includes('//')
  const isAsLong = (known: string) => known.split('/').length === path.split('/').length
  return nearestWord(
    path,
    [...routes.keys()].filter((known) => isFixed(known) && isAsLong(known)),
  )
}

/**
 * Returns the path that the caller of an unknown path most likely meant. Besides misspellings it recognises extra
 * slashes, a prefix that is doubled, and one that is missing. Null when nothing is near. `method` is that of the
 * request; null accepts any.
 */
export function suggestPath(method: string | null, path: string): string | null {
  const plain = path
    .slice(0, longestPath)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
  const repaired = [
    plain,
    plain.replace(/^.+(?=\/api\/sdk\/)/, ''),
    `/api/sdk${plain}`,
    `/api/sdk${plain.replace(/^\/(api|sdk)(?=\/)/, '')}`,
  ]
  const isRoute = (candidate: string): boolean => {
    const { kind } = matchRoute(method ?? 'GET', candidate)
    return kind === 'found' || (method === null && kind === 'wrong-method')
  }
  return repaired.find(isRoute) ?? findNearestPath(plain)
}

const longestPath = 1000

/** Splits a request target into its path and its raw query, which is empty or begins with a question mark. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?')
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark) }
}
