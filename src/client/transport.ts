/** One operation on its way to a venue. */
export interface TransportRequest {
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
