import type { OperationId } from '../api/routes/routes.ts'
import { parseDecimal, scaledToText } from '../numeric/decimal.ts'
import { endpoints } from './endpoints.ts'
import { exchange, type Link, type Outcome } from './exchange.ts'
import { fieldOf } from './field-of.ts'
import type { ResponseOf } from './operation-types.ts'
import type { TransportRequest } from './transport.ts'
import { VenueError } from './venue-error.ts'

export interface CallOptions {
  /** Gives up waiting for the answer; what was sent may be carried out all the same. */
  readonly signal?: AbortSignal | undefined
}

export interface CallInput {
  /** The id or symbol in the path. */
  readonly parameter?: string
  readonly query?: { readonly [name: string]: QueryValue } | undefined
  readonly body?: unknown
}

/**
 * Carries out one operation. Only operations that change nothing are repeated when the answer is lost.
 *
 * Rejects with a TypeError or URIError for input that cannot be sent, a ConnectionError when there is no answer, a
 * VenueError for a refusal, and the signal's reason.
 */
export async function call<Id extends OperationId>(
  link: Link,
  id: Id,
  input: CallInput,
  options: CallOptions = {},
): Promise<ResponseOf<Id>> {
  const sending = isRead(id) ? 'repeatedly' : 'once'
  return resultOf<Id>(await exchange(link, requestOf(id, input, options), sending))
}

export function requestOf(id: OperationId, input: CallInput, { signal }: CallOptions): TransportRequest {
  const { method, path } = endpoints[id]
  signal?.throwIfAborted()
  return { method, target: targetOf(path, input.parameter, input.query), body: input.body, signal }
}

/** The body of a success; throws otherwise. */
export function resultOf<Id extends OperationId>(outcome: Outcome): ResponseOf<Id> {
  if (outcome.kind === 'lost') throw outcome.failure
  const { answer } = outcome
  const body = unwrapped(answer.body)
  if (answer.status >= 400 || !isResponse<Id>(body)) throw new VenueError(answer)
  return body
}

/** Operations that change nothing, whatever their method. */
function isRead(id: OperationId): boolean {
  return endpoints[id].method === 'GET' || id === 'checkOrder' || id === 'simulateOrder'
}

/**
 * Spec: Endpoints, conflict in general description: `{data, timestamp}` or the body itself. No body has these two
 * fields.
 */
function unwrapped(body: unknown): unknown {
  const data = fieldOf(body, 'data')
  return data !== undefined && fieldOf(body, 'timestamp') !== undefined ? data : body
}

/** The fields are the service's promise; it is only checked that the body is an object. */
function isResponse<Id extends OperationId>(body: unknown): body is ResponseOf<Id> {
  return typeof body === 'object' && body !== null
}

type QueryValue = string | number | readonly string[] | undefined

/**
 * The path and query of a request. Undefined values are left out; lists are joined by commas; numbers are written
 * without exponents.
 *
 * Throws a TypeError for an id or symbol that would lead to another endpoint: `cancel('batch')` would cancel every
 * order, and browsers read `..` as the folder above.
 */
export function targetOf(
  path: string,
  parameter: string | undefined,
  query: { readonly [name: string]: QueryValue } = {},
): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(name)}=${valueText(value)}`],
  )
  const filled = parameter === undefined ? path : path.replace(/:\w+/, () => segmentOf(parameter))
  if (parameter !== undefined && fixedPaths.has(filled)) throw wrongSegment(parameter)
  return parts.length === 0 ? filled : `${filled}?${parts.join('&')}`
}

const fixedPaths: ReadonlySet<string> = new Set(Object.values(endpoints).map(({ path }) => path))

function segmentOf(parameter: string): string {
  if (typeof parameter !== 'string' || /^\.{0,2}$/.test(parameter)) throw wrongSegment(parameter)
  return encodeURIComponent(parameter)
}

function wrongSegment(parameter: unknown): TypeError {
  return new TypeError(`${JSON.stringify(parameter)} is neither an id nor a symbol`)
}

function valueText(value: string | number | readonly string[]): string {
  if (typeof value === 'string') return encodeURIComponent(value)
  if (typeof value === 'number') return plainText(value)
  return value.map(encodeURIComponent).join(',')
}

function plainText(value: number): string {
  const decimal = parseDecimal(String(value))
  return decimal === null ? String(value) : scaledToText(decimal.units, decimal.scale)
}
