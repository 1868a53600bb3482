import type { OperationId } from '../api/operations/operations.ts'

/** One operation on its way to a venue. */
export interface TransportRequest {
  readonly operation: OperationId
  /** The id or symbol in the path, percent-encoded; empty if the path has none. */
  readonly parameter: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path and query, percent-encoded, from `/api/sdk` on. */
  readonly target: string
  /** The value of the JSON body; undefined for none. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

/** The answer of a venue to one request. */
export interface TransportAnswer {
  readonly status: number
  /** Returns a header by its lower-case name; null if there is none. */
  readonly header: (name: string) => string | null
  /** The JSON value of the body; undefined if it is not JSON. */
  readonly body: unknown
}

/**
 * Sends one request to a venue, once, and returns the answer; the client decides what is sent again. Rejects with a
 * ConnectionError if there is no answer, and with the signal's reason if the caller aborts.
 */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>

/** The longest delay of a platform timer. Longer ones fire at once. */
export const longestTimerMillis = 2_147_483_647

/** A function that answers the requests of one account in this process: a world's `request` without its first argument. */
export type InProcessRequest = (
  method: string,
  target: string,
  body?: unknown,
) => { readonly status: number; readonly body: object }

/**
 * Creates a transport to a world in this process, without sockets, signatures or rate limits. Bodies and statuses are those
 * of the wire.
 */
export function inProcessTransport(request: InProcessRequest): Transport {
  return async ({ method, target, body, signal }) => {
    signal?.throwIfAborted()
    return { ...request(method, target, body), header: noHeader }
  }
}

const noHeader = () => null
