import type { OperationId } from '../api/operations/operations.ts'

/** One operation on its way to a venue. */
export interface TransportRequest {
  readonly operation: OperationId
  /** The id or symbol in the path, as it stands there; '' where it has none. */
  readonly parameter: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path and query, percent-encoded, from `/api/sdk` on. */
  readonly target: string
  /** What becomes the JSON body; undefined for none. */
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

export interface TransportAnswer {
  readonly status: number
  /** By its lower-case name; null when there is none. */
  readonly header: (name: string) => string | null
  /** The JSON value; undefined when the body is not JSON. */
  readonly body: unknown
}

/**
 * Carries one request to a venue and its answer back, once: the client decides what is sent again. Rejects with a
 * ConnectionError when there is no answer, and with the signal's reason when the caller gives up.
 */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>

/** Longer timers fire at once. */
export const longestTimerMillis = 2_147_483_647

/** The interface of a venue in this process for one account: a world's `request` without its first argument. */
export type InProcessRequest = (
  method: string,
  target: string,
  body?: unknown,
) => { readonly status: number; readonly body: object }

/** No sockets, signatures or rate limits; the bodies and statuses are those of the wire. */
export function inProcessTransport(request: InProcessRequest): Transport {
  return async ({ method, target, body, signal }) => {
    signal?.throwIfAborted()
    return { ...request(method, target, body), header: noHeader }
  }
}

const noHeader = () => null
