import { Ring } from './ring.ts'

/** One venue request and its answer, as the request log keeps it. */
export interface LoggedRequest {
  readonly sequence: number
  /** The value of X-Sim-Request-Id. */
  readonly requestId: string
  readonly atMillis: number
  readonly wallMillis: number
  readonly method: string
  readonly path: string
  /** With its question mark, or nothing. */
  readonly query: string
  /** Null when no account could be found. */
  readonly account: string | null
  readonly apiKey: string
  readonly requestBody: Uint8Array
  readonly status: number
  readonly responseBody: string
  readonly hint: string | null
}

/** What a log keeps at most. */
const mostRequests = 10_000
/** Longer bodies are cut: a log must not hold the memory of every batch. */
const longestBody = 4096

/** The last venue requests of a world. It is no part of its state: digests, snapshots and journals leave it out. */
export class RequestLog {
  private readonly ring = new Ring<LoggedRequest>(mostRequests)

  get lastSequence(): number {
    return this.ring.lastSequence
  }

  add(request: Omit<LoggedRequest, 'sequence'>): void {
    this.ring.push((sequence) => ({
      ...request,
      sequence,
      requestBody: beginningOf(request.requestBody),
      responseBody: request.responseBody.slice(0, longestBody),
    }))
  }

  since(sequence: number): LoggedRequest[] {
    return this.ring.since(sequence)
  }

  clear(): void {
    this.ring.clear()
  }
}

/** A view of a long body would keep all of it. */
function beginningOf(body: Uint8Array): Uint8Array {
  return body.length <= longestBody ? body : Uint8Array.from(body.subarray(0, longestBody))
}
