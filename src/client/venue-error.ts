import { type ErrorType, errorTypes } from '../api/error-types.ts'
import { jsonField } from '../api/json.ts'
import type { TransportAnswer } from './transport.ts'

/** The service answered, and said no. Spec: Errors. */
export class VenueError extends Error {
  override readonly name = 'VenueError'
  readonly statusCode: number
  /** One of the nine type names; null when the service gave none. */
  readonly type: ErrorType | null
  /** The wrong field and why, where the service says so. */
  readonly details: { readonly [name: string]: unknown }
  /** What to quote when asking about this request; null when the service gave none. */
  readonly requestId: string | null
  /** What a simulator thinks went wrong, from `X-Sim-Hint`; null when there is nothing to say. */
  readonly hint: string | null
  /** The body as it came; undefined when it was not JSON. */
  readonly body: unknown

  constructor(answer: TransportAnswer) {
    const { status, body, header } = answer
    super(readMessage(answer))
    this.statusCode = status
    this.type = readType(body)
    this.details = readDetails(body)
    this.requestId = header('x-sim-request-id') ?? header('x-request-id')
    this.hint = header('x-sim-hint')
    this.body = body
  }
}

/**
 * Spec: Errors; "the body field that carries these names: not shown". So the name is looked for wherever services put
 * it, and only the nine names count.
 */
function readType(body: unknown): ErrorType | null {
  const places = [jsonField(body, 'details'), body]
  for (const name of ['type', 'code', 'errorCode', 'error']) {
    for (const place of places) {
      const value = jsonField(place, name)
      if (isErrorType(value)) return value
    }
  }
  return null
}

function isErrorType(value: unknown): value is ErrorType {
  return errorTypes.some((type) => type === value)
}

/** Some frameworks send a list of messages where the specification says a string. */
function readMessage({ status, body }: TransportAnswer): string {
  const message = jsonField(body, 'message')
  if (typeof message === 'string') return message
  const texts = Array.isArray(message) ? message.filter((text) => typeof text === 'string') : []
  if (texts.length > 0) return texts.join('; ')
  return `the service answered ${status}`
}

function readDetails(body: unknown): { readonly [name: string]: unknown } {
  const details = jsonField(body, 'details')
  return typeof details === 'object' && details !== null ? { ...details } : {}
}

/**
 * Why there is no answer: `network` (the connection failed), `timeout` (it took too long), `unreadable` (what came is
 * not a venue's answer), `unverified` (an order's answer was lost, and looking for the order failed as well: see
 * `cause`).
 */
export type ConnectionFailure = 'network' | 'timeout' | 'unreadable' | 'unverified'

/** There is no answer, so nothing is known: the request may have been carried out, or not. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly reason: ConnectionFailure

  constructor(reason: ConnectionFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
