import { refuse } from './answer.ts'
import type { ApiContext, ApiRequest, ApiResponse, Handled, Handler, ReadInput } from './context.ts'
import { errorBody, invalid, type Problem, statusOf } from './errors.ts'
import { nearestWord, type Read, withHint } from './flaw.ts'
import * as marketData from './handlers/market-data.ts'
import * as orders from './handlers/orders.ts'
import * as portfolio from './handlers/portfolio.ts'
import { present } from './handlers/present.ts'
import * as quotes from './handlers/quotes.ts'
import * as risk from './handlers/risk.ts'
import { queryUnder, readQuery } from './input/query-string.ts'
import { ignoredHint, readBody, validate } from './input/read-body.ts'
import { noQuery } from './operations/common.ts'
import type { Operation, RateCategory, Scope } from './operations/operation.ts'
import { everyOperationId, type OperationId, routeOf } from './operations/operations.ts'
import { defaultReadings, type Readings } from './readings/readings.ts'
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
 * For a caller who is known and allowed. Synchronous; never throws for anything that a caller can send. Errors, in
 * order: body 400, query 400, then those of the operation.
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
  const read = readBody(row, request.body, readings)
  if (!read.ok) return refuse(invalid(read.flaw))
  const { body, flaws, hint } = read.value
  const parameters = readParameters(row.query, request.query, readings)
  if (!parameters.ok) return refuse(invalid(withHint(parameters.flaw, hint)))
  const { values: query, hint: queryHint } = parameters.value
  const { operation, parameter } = request
  const outcome = handle(operation, context, { parameter, query, body, flaws })
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

/** Whatever the outcome is: what was ignored may be why. */
function hinted(outcome: Handled<object>, hint: string | null): Handled<object> {
  if (hint === null) return outcome
  return outcome.ok ? withHint(outcome, hint) : refuse(withHint(outcome.problem, hint))
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
  const hint = ignoredHint(ignored)
  if (checked.ok) return { ok: true, value: { values: checked.value, hint } }
  // A list is one parameter: its elements have no names of their own.
  const { field, ...flaw } = withHint(checked.flaw, hint)
  return { ok: false, flaw: { ...flaw, field: field.replace(/\[[0-9]+\]$/, '') } }
}

const noParameters: Read<Parameters> = { ok: true, value: { values: {}, hint: null } }

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

export type Resolved =
  | { readonly ok: true; readonly operation: OperationId; readonly parameter: string }
  | { readonly ok: false; readonly problem: Problem; readonly allowed: readonly string[] }

/** Choice: a known path with another method is 404, unless reading `http.wrongMethod` says 405. */
export function resolveOperation(method: string, path: string, readings: Readings): Resolved {
  const match = matchRoute(method, path, readings)
  if (match.kind === 'found') return { ok: true, operation: match.operation, parameter: match.parameter }
  const reason = `Cannot ${method} ${path}`
  if (match.kind === 'unknown') return { ok: false, problem: unknownRoute(method, path, reason), allowed: [] }
  const hint = `this path takes ${match.allowed.join(', ')}`
  if (readings['http.wrongMethod'] === '405') {
    return { ok: false, problem: { code: 'wrong-method', reason, hint }, allowed: match.allowed }
  }
  return { ok: false, problem: { code: 'unknown-route', reason, hint }, allowed: [] }
}

function unknownRoute(method: string, path: string, reason: string): Problem {
  const meant = meantPath(method, path)
  return { code: 'unknown-route', reason, ...(meant === null ? {} : { hint: `did you mean ${meant}?` }) }
}

/** Spec: Limits. A path that does not exist counts in the category that it would belong to. */
export function categoryOf(resolved: Resolved, path: string): RateCategory {
  if (resolved.ok) return routeOf(resolved.operation).category
  return path.startsWith('/api/sdk/market-data') ? 'marketData' : 'other'
}

/**
 * Spec: Authentication, scopes. Whether other scopes imply READ is reading `scopes.implied`. Null when the scopes
 * suffice.
 */
export function scopeProblem(
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
 * The path that was most likely meant by one that no operation has: `/api/sdk/orders` for `/api/sdk/order`. Null for a
 * path that an operation has, for a pattern with stars, and when no path is near: a scenario may name a path that does
 * not exist on purpose, to expect that no request goes there.
 */
function nearestPath(path: string): string | null {
  if (path.includes('*') || matchRoute('GET', path).kind !== 'unknown') return null
  const isFixed = (known: string) => !known.endsWith('/') && !known.includes('//')
  const isAsLong = (known: string) => known.split('/').length === path.split('/').length
  return nearestWord(
    path,
    [...routes.keys()].filter((known) => isFixed(known) && isAsLong(known)),
  )
}

/**
 * The same for a path with extra slashes, with its prefix twice, or without its prefix. Null also where nothing is
 * near. `method` is that of the request, null where any will do.
 */
export function meantPath(method: string | null, path: string): string | null {
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
  return repaired.find(isRoute) ?? nearestPath(plain)
}

const longestPath = 1000

/** A request target as its path and its raw query, which has its question mark or is empty. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const mark = target.indexOf('?')
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark) }
}
