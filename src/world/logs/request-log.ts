/** One venue request and its answer, as the request log keeps it. */
export interface LoggedRequest {
  readonly sequence: number
  /** The value of X-Sim-Request-Id. */
  readonly requestId: string
  readonly atMillis: number
  readonly wallMillis: number
  /** From when it had come until it was answered, by the wall clock. */
  readonly durationMillis: number
  /** The world's `sequence` when it had been answered. */
  readonly worldSequence: number
  readonly method: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  /** Null when no account was found. */
  readonly account: string | null
  readonly apiKey: string
  /** Its first 4,096 bytes. */
  readonly requestBody: string
  readonly status: number
  /** Its first 4,096 characters. */
  readonly responseBody: string
  readonly hint: string | null
  /** The faults that struck it; null when none did. */
  readonly fault: string | null
}

/** A request before it is kept, with its whole body. */
export interface AnsweredRequest extends Omit<LoggedRequest, 'sequence' | 'requestId' | 'requestBody'> {
  readonly requestBody: Uint8Array
}

/** The status of a request that got no answer. */
export const noAnswer = 0

/** The bounds of a log: how many requests, and how many bytes of them. */
const maximumRequests = 10_000
const maximumBytes = 16 * 1_048_576
/** Longer bodies are cut: a log must not hold the memory of every batch. */
const longestBody = 4096

/**
 * A world's last venue requests. They are no part of its state: digests, snapshots and journals leave them out. Each is
 * kept as bytes, outside of the heap, until somebody reads it: as an object with its texts it would outlive the young
 * generation, and copying them all made the slowest of a hundred answers five times as slow (`npm run bench:http`).
 */
export class RequestLog {
  /** In turn, by sequence: JSON. */
  private readonly kept: (Buffer | undefined)[] = []
  private oldest = 1
  private written = 0
  private cleared = 0
  private failed = 0
  private bytes = 0

  /** The sequence of the next request. */
  get nextSequence(): number {
    return this.written + 1
  }

  /** Adds a request; its sequence is `nextSequence`. */
  add(request: AnsweredRequest): void {
    this.written += 1
    const { status, requestBody, responseBody } = request
    const entry: LoggedRequest = {
      sequence: this.written,
      requestId: `req_${this.written}`,
      ...request,
      requestBody: Buffer.from(requestBody.subarray(0, longestBody)).toString('utf8'),
      responseBody: responseBody.slice(0, longestBody),
    }
    if (this.written - this.oldest === maximumRequests) this.dropOldest()
    const bytes = Buffer.from(JSON.stringify(entry))
    this.kept[this.written % maximumRequests] = bytes
    this.bytes += bytes.length
    while (this.bytes > maximumBytes) this.dropOldest()
    if (status === noAnswer || status >= 400) this.failed += 1
  }

  /** All since the log was cleared, those that are no longer kept included. */
  get counts(): { readonly requests: number; readonly failures: number } {
    return { requests: this.written - this.cleared, failures: this.failed }
  }

  /** Requests with a sequence above `sequence`, oldest first, as far as they are still kept. */
  since(sequence: number): LoggedRequest[] {
    const found: LoggedRequest[] = []
    for (let at = Math.max(sequence + 1, this.oldest); at <= this.written; at += 1) {
      const bytes = this.kept[at % maximumRequests]
      if (bytes !== undefined) found.push(JSON.parse(bytes.toString()))
    }
    return found
  }

  /** Forgets the requests; sequences go on. */
  clear(): void {
    while (this.oldest <= this.written) this.dropOldest()
    this.cleared = this.written
    this.failed = 0
  }

  private dropOldest(): void {
    const place = this.oldest % maximumRequests
    this.bytes -= this.kept[place]?.length ?? 0
    this.kept[place] = undefined
    this.oldest += 1
  }
}
