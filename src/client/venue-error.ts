import { type ErrorType, errorTypes } from '../api/error-types.ts'
import { jsonField } from '../api/json.ts'
import type { TransportAnswer } from './transport.ts'

/** The error for a request that the service has refused. Spec: Errors. */
export class VenueError extends Error {
  override readonly name = 'VenueError'
  readonly statusCode: number
  /** One of the nine type names; null if the service gave none. */
  readonly type: ErrorType | null
  /** The details of the refusal, such as the wrong field and the reason; empty if the service gave none. */
  readonly details: { readonly [name: string]: unknown }
  /** The id to quote when asking about this request; null if the service gave none. */
  readonly requestId: string | null
  /** What a simulator thinks went wrong, from `X-Sim-Hint`; null if there is no hint. */
  readonly hint: string | null
  /** The body as received; undefined if it was not JSON. */
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
 * Reads the type name of a refusal. Spec: Errors; "the body field that carries these names: not shown". So it looks wherever
 * services put the name, and accepts only the nine names.
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

/** Reads the message of a refusal. Some frameworks send a list of messages where the specification has a string. */
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
 * Why there is no answer: `network` (the connection failed), `timeout` (it took too long), `unreadable` (what was received is
 * not a venue's answer), `unverified` (the answer to a new order was lost, and looking the order up failed as well: see
 * `cause`).
 */
export type ConnectionFailure = 'network' | 'timeout' | 'unreadable' | 'unverified'

/** The error for a request without an answer. The request may have been carried out or not. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly reason: ConnectionFailure

  constructor(reason: ConnectionFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}
