import { isObject, jsonField } from '../api/json.ts'
import type { OperationId } from '../api/operations/operations.ts'
import { assert } from '../numeric/assert.ts'
import { decimalToText, parseDecimal } from '../numeric/units.ts'
import { type Endpoint, endpoints } from './endpoints.ts'
import { type ClientConnection, computeDelayMillis, type ExchangeOutcome, exchange } from './exchange.ts'
import type { TransportRequest } from './transport.ts'
import { ConnectionError, VenueError } from './venue-error.ts'

/** Options of every method of a client. */
export interface CallOptions {
  /** Aborts the wait for the answer. What was sent may still be carried out. */
  readonly signal?: AbortSignal | undefined
}

/** The input of an operation. JavaScript callers may have passed anything. */
export interface CallInput {
  /** The id or symbol in the path. */
  readonly parameter?: unknown
  readonly query?: unknown
  readonly body?: unknown
}

/**
 * Carries out one operation, given the arguments of its method. If the answer is lost, only operations that change
 * nothing are repeated.
 *
 * Rejects with a TypeError or URIError for input that cannot be sent, a ConnectionError if there is no answer, a VenueError
 * for a refusal, and the signal's reason.
 */
export async function call(
  connection: ClientConnection,
  endpoint: Endpoint,
  given: readonly unknown[],
): Promise<object> {
  const last = given[endpoint.takes.length]
  const options = isOptions(last) ? last : {}
  const request = makeRequest(endpoint.id, readArguments(endpoint, given), options)
  if (endpoint.id === 'createOrder') return placeOrder(connection, request, options)
  return readResult(await exchange(connection, request, endpoint.changesNothing ? 'repeatedly' : 'once'))
}

/**
 * Reads the input of an operation from the arguments of its method. Throws a TypeError for a filter with an undefined
 * field.
 */
export function readArguments({ takes }: Endpoint, given: readonly unknown[]): CallInput {
  let parameter: unknown
  let query: unknown
  let body: unknown
  let index = 0
  for (const { place, field } of takes) {
    const value = field === null ? given[index] : { [field]: given[index] }
    if (place === 'parameter') parameter = value
    else if (place === 'query') query = value
    else body = place === 'filter' ? checkFilter(value) : value
    index += 1
  }
  return { parameter, query, body }
}

/**
 * Makes the request of an operation. Throws the signal's reason if it is aborted, and a TypeError for input that cannot
 * be sent.
 */
export function makeRequest(id: OperationId, input: CallInput, { signal }: CallOptions): TransportRequest {
  const endpoint = byId.get(id)
  assert(endpoint !== undefined, `${id} is an operation`)
  const { method, path } = endpoint
  signal?.throwIfAborted()
  const target = writeTarget(path, input.parameter, input.query)
  const parameter = input.parameter === undefined ? '' : encodeSegment(input.parameter)
  return { operation: id, parameter, method, target, body: input.body, signal }
}

/** Returns the body of a success. Throws the error for a lost answer or a refusal. */
export function readResult(outcome: ExchangeOutcome): object {
  if (outcome.kind === 'lost') throw outcome.failure
  const { answer } = outcome
  const body = unwrapEnvelope(answer.body)
  if (answer.status >= 400 || typeof body !== 'object' || body === null) throw new VenueError(answer)
  return body
}

/**
 * Returns a body without the envelope `{data, timestamp}`, if it has one. Spec: Endpoints, whose general description leaves
 * open whether there is an envelope. No body has both fields itself.
 */
function unwrapEnvelope(body: unknown): unknown {
  const data = jsonField(body, 'data')
  return data !== undefined && jsonField(body, 'timestamp') !== undefined ? data : body
}

const everyEndpoint = Object.values(endpoints).flatMap((family) => Object.values(family))
const byId: ReadonlyMap<string, Endpoint> = new Map(everyEndpoint.map((endpoint) => [endpoint.id, endpoint]))

function isOptions(given: unknown): given is CallOptions {
  return typeof given === 'object' && given !== null
}

/**
 * Formats the path and query of a request. Undefined values are left out, lists are joined by commas, and numbers are
 * written without exponents.
 *
 * Throws a TypeError for an id or symbol that would lead to another endpoint: `cancel('batch')` would cancel every order, and
 * browsers resolve `..` to the parent folder.
 */
export function writeTarget(path: string, parameter: unknown, query?: unknown): string {
  const parts = isObject(query) ? Object.entries(query).flatMap(formatPair) : noPairs
  const filled = parameter === undefined ? path : fillParameter(path, parameter)
  return parts.length === 0 ? filled : `${filled}?${parts.join('&')}`
}

const noPairs: readonly string[] = []

function formatPair([name, value]: [name: string, value: unknown]): readonly string[] {
  return value === undefined ? noPairs : [`${encodeURIComponent(name)}=${formatValue(name, value)}`]
}

function fillParameter(path: string, parameter: unknown): string {
  const start = path.indexOf(':')
  const end = path.indexOf('/', start)
  const filled = `${path.slice(0, start)}${encodeSegment(parameter)}${end === -1 ? '' : path.slice(end)}`
  if (fixedPaths.has(filled)) throw segmentError(parameter)
  return filled
}

const fixedPaths: ReadonlySet<string> = new Set(everyEndpoint.map(({ path }) => path))

function encodeSegment(parameter: unknown): string {
  if (typeof parameter !== 'string') throw segmentError(parameter)
  // Most ids and symbols need no encoding, which takes longer than this test.
  if (/^\w+$/.test(parameter)) return parameter
  if (/^\.{0,2}$/.test(parameter)) throw segmentError(parameter)
  return encodeURIComponent(parameter)
}

function segmentError(parameter: unknown): TypeError {
  return new TypeError(`${JSON.stringify(parameter)} is neither an id nor a symbol`)
}

function formatValue(name: string, value: unknown): string {
  if (typeof value === 'string') return encodeURIComponent(value)
  if (typeof value === 'number') return formatNumber(value)
  if (Array.isArray(value)) return value.map(encodeURIComponent).join(',')
  throw new TypeError(`${name} must be a string, a number or a list, not ${JSON.stringify(value)}`)
}

function formatNumber(value: number): string {
  const decimal = parseDecimal(String(value))
  return decimal === null ? String(value) : decimalToText(decimal.units, decimal.scale)
}

/**
 * Creates an order, once. If the answer is lost and the order has a `clientOrderId`, it looks the order up by that id and
 * sends it again only if it does not exist. Without a `clientOrderId` it reports the loss.
 *
 * An order that is found is returned in its present state, which may have fills. Rejects with reason `unverified` if the
 * look-up fails too, for example because the key lacks the READ scope.
 */
async function placeOrder(
  connection: ClientConnection,
  request: TransportRequest,
  options: CallOptions,
): Promise<object> {
  const order = request.body
  let outcome = await exchange(connection, request, 'once')
  const clientOrderId = jsonField(order, 'clientOrderId') ?? null
  if (clientOrderId === null) return readResult(outcome)
  for (let repetition = 1; outcome.kind === 'lost'; repetition += 1) {
    await connection.clock.sleep(computeDelayMillis(connection.retries, repetition), options.signal)
    const found = await findPlaced(connection, order, clientOrderId, options)
    if (found !== null) return found
    if (repetition > connection.retries.afterFailure) break
    outcome = await exchange(connection, request, 'once')
    if (isConflict(outcome)) {
      // The earlier request was slower than this one, but has arrived meanwhile.
      const late = await findPlaced(connection, order, clientOrderId, options)
      if (late !== null) return late
    }
  }
  return readResult(outcome)
}

/** Looks up an order by its client id. Returns null if there is none, or only one with other terms. */
async function findPlaced(
  connection: ClientConnection,
  order: unknown,
  clientOrderId: unknown,
  options: CallOptions,
): Promise<object | null> {
  try {
    const request = makeRequest('getOrderByClientId', { query: { clientOrderId } }, options)
    const found = readResult(await exchange(connection, request, 'repeatedly'))
    return isSameOrder(order, found) ? found : null
  } catch (failure) {
    if (failure instanceof VenueError && failure.statusCode === notFound) return null
    if (!(failure instanceof VenueError || failure instanceof ConnectionError)) throw failure
    const message = `order ${clientOrderId} may have been placed: its answer was lost, and it cannot be looked up`
    throw new ConnectionError('unverified', message, failure)
  }
}

const notFound = 404
const conflict = 409

function isConflict(outcome: ExchangeOutcome): boolean {
  return outcome.kind === 'answered' && outcome.answer.status === conflict
}

/**
 * Returns whether an order that was found has the terms of the one sent. Choice: an order that somebody has amended
 * meanwhile is not taken for it, because an older order of the same client id can't be told from one.
 */
function isSameOrder(order: unknown, found: object): boolean {
  const isEqual = (name: string, byDefault?: string) =>
    (jsonField(order, name) ?? byDefault) === jsonField(found, name)
  if (!isEqual('side') || !isEqual('asset')) return false
  if (!isEqual('orderType', 'limit') || !isEqual('timeInForce', 'GTC')) return false
  const isPriced = (jsonField(order, 'orderType') ?? 'limit') !== 'market'
  return isSameNumber(order, found, 'quantity') && (!isPriced || isSameNumber(order, found, 'price'))
}

/** Returns whether a field is the same number in both, whether it is written as a number or as a decimal text. */
function isSameNumber(order: unknown, found: object, name: string): boolean {
  const [sent, kept] = [order, found].map((from) => jsonField(from, name) ?? null)
  if (sent === null || kept === null) return sent === kept
  return Number(sent) === Number(kept)
}

/**
 * Returns the filter of a cancel-all unchanged. Throws a TypeError if one of its fields is undefined: JSON would leave that
 * field out, and a cancel meant for one asset would cancel everything.
 */
function checkFilter(filter: unknown): unknown {
  for (const [name, value] of Object.entries(isObject(filter) ? filter : {})) {
    if (value === undefined) throw new TypeError(`${name} is undefined; leave it out to cancel everything`)
  }
  return filter
}
