import { Float64Column } from '../../numeric/columns.ts'
import { ByteRing } from './byte-ring.ts'

/*
 * A world's last venue requests, as bytes and numbers that become objects only when somebody reads them. As objects
 * they would all outlive the young generation, and copying them was most of what the garbage collector had to do.
 */

/** One venue request and its answer, as the request log keeps it. */
export interface LoggedRequest {
  readonly sequence: number
  /** The value of X-Sim-Request-Id. */
  readonly requestId: string
  readonly atMillis: number
  readonly wallMillis: number
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

/** The bounds of a log: how many requests, and how many bytes of text. */
const maximumRequests = 10_000
const maximumBytes = 16 * 1_048_576
/** Longer bodies are cut: a log must not hold the memory of every batch. */
const longestBody = 4096

/**
 * The numbers of a request: where its texts begin, two clocks, the status, the world's sequence, and the lengths of
 * its texts in bytes.
 */
const stride = 11
const textsFrom = 5
/** Instead of a length, for a text that is null. */
const noHint = -1

/** The log is no part of the world's state: digests, snapshots and journals leave it out. */
export class RequestLog {
  private readonly numbers = new Float64Column(stride * 16)
  private readonly texts = new ByteRing(256, maximumBytes)
  /** Few and shared, so each costs only a reference. */
  private readonly methods: string[] = []
  private readonly accounts: (string | null)[] = []
  /** By slot; most requests meet no fault. */
  private readonly faults = new Map<number, string>()
  private written = 0
  private cleared = 0

  /** The sequence of the next request. */
  get nextSequence(): number {
    return this.written + 1
  }

  /** Adds a request; its sequence is `nextSequence`. */
  add(request: AnsweredRequest): void {
    const place = this.written % maximumRequests
    const { numbers } = this
    numbers.reserve((place + 1) * stride)
    const start = this.addTexts(request, place * stride + textsFrom)
    numbers.set(place * stride, start)
    numbers.set(place * stride + 1, request.atMillis)
    numbers.set(place * stride + 2, request.wallMillis)
    numbers.set(place * stride + 3, request.status)
    numbers.set(place * stride + 4, request.worldSequence)
    this.methods[place] = request.method
    this.accounts[place] = request.account
    this.faults.delete(this.written - maximumRequests)
    if (request.fault !== null) this.faults.set(this.written, request.fault)
    this.written += 1
  }

  /** Requests with a sequence above `sequence`, oldest first, as far as they are still kept. */
  since(sequence: number): LoggedRequest[] {
    const found: LoggedRequest[] = []
    for (let at = Math.max(sequence, this.oldest); at < this.written; at += 1) {
      const start = this.numbers.get((at % maximumRequests) * stride)
      if (this.texts.holds(start)) found.push(this.request(at))
    }
    return found
  }

  /** Forgets the requests; sequences go on. */
  clear(): void {
    this.cleared = this.written
    this.faults.clear()
  }

  /** The index of the oldest request that is kept. */
  private get oldest(): number {
    return Math.max(this.written - maximumRequests, this.cleared)
  }

  /** Writes the texts one after the other, and their lengths from `slot` on. Answers the position of the first. */
  private addTexts(request: AnsweredRequest, slot: number): number {
    const { path, query, apiKey, responseBody, requestBody } = request
    const shown = responseBody.length <= longestBody ? responseBody : responseBody.slice(0, longestBody)
    const taken = Math.min(requestBody.length, longestBody)
    const hint = request.hint ?? ''
    const characters = path.length + query.length + apiKey.length + shown.length + hint.length
    const start = this.texts.claim(3 * characters + taken, this.oldestAfterNext)
    const begin = this.texts.placeOf(start)
    // All texts at once: nearly always each has as many bytes as characters.
    let length = this.texts.bytes.write(path + query + apiKey + shown + hint, begin)
    const isPlain = length === characters
    const { numbers } = this
    numbers.set(slot, isPlain ? path.length : Buffer.byteLength(path))
    numbers.set(slot + 1, isPlain ? query.length : Buffer.byteLength(query))
    numbers.set(slot + 2, isPlain ? apiKey.length : Buffer.byteLength(apiKey))
    numbers.set(slot + 3, isPlain ? shown.length : Buffer.byteLength(shown))
    const hintLength = isPlain ? hint.length : Buffer.byteLength(hint)
    numbers.set(slot + 4, request.hint === null ? noHint : hintLength)
    numbers.set(slot + 5, taken)
    this.texts.bytes.set(requestBody.subarray(0, taken), begin + length)
    length += taken
    this.texts.settle(start + length)
    return start
  }

  /**
   * Where the oldest texts begin that are left once another request is added; where its own will begin when none are.
   */
  private get oldestAfterNext(): number {
    const index = Math.max(this.written + 1 - maximumRequests, this.cleared)
    return index < this.written
      ? this.numbers.get((index % maximumRequests) * stride)
      : Number.POSITIVE_INFINITY
  }

  private request(index: number): LoggedRequest {
    const { numbers } = this
    const place = index % maximumRequests
    const slot = place * stride
    const lengths = [0, 1, 2, 3, 4, 5].map((text) => numbers.get(slot + textsFrom + text))
    let at = this.texts.placeOf(numbers.get(slot))
    const [path = '', query = '', apiKey = '', responseBody = '', hint = '', requestBody = ''] = lengths.map(
      (length) => {
        const from = at
        at += Math.max(length, 0)
        return this.texts.bytes.toString('utf8', from, at)
      },
    )
    return {
      sequence: index + 1,
      requestId: `req_${index + 1}`,
      atMillis: numbers.get(slot + 1),
      wallMillis: numbers.get(slot + 2),
      worldSequence: numbers.get(slot + 4),
      method: this.methods[place] ?? '',
      path,
      query,
      account: this.accounts[place] ?? null,
      apiKey,
      requestBody,
      status: numbers.get(slot + 3),
      responseBody,
      hint: lengths[4] === noHint ? null : hint,
      fault: this.faults.get(index) ?? null,
    }
  }
}
