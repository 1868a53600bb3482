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
  /** As `loggedBytes` has it. */
  readonly requestBody: string
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

  /** The sequence of the next request. */
  get nextSequence(): number {
    return this.ring.lastSequence + 1
  }

  /** Takes the next request; its sequence is `nextSequence`. */
  add(request: LoggedRequest): void {
    this.ring.push(request)
  }

  since(sequence: number): LoggedRequest[] {
    return this.ring.since(sequence)
  }

  clear(): void {
    this.ring.clear()
  }
}

/**
 * What the log keeps of a request's body. As text: thousands of buffers that stay would be a good part of the time that
 * a request takes, because each is memory of its own to the collector.
 */
export function loggedBytes(body: Buffer): string {
  return body.length === 0 ? '' : body.toString('utf8', 0, longestBody)
}

/** What the log keeps of an answer's body. */
export function loggedText(body: string): string {
  return body.length <= longestBody ? body : body.slice(0, longestBody)
}
