import type { AnswerLoss } from '../../api/request-words.ts'
import { assert } from '../../numeric/assert.ts'
import { Float64Column } from '../../numeric/columns.ts'

/** One venue request and its answer, as the request log keeps it. */
export interface LoggedRequest {
  readonly sequence: number
  /** The value of X-Sim-Request-Id. */
  readonly requestId: string
  readonly atMillis: number
  readonly wallMillis: number
  /** The time from the arrival of the whole request to its answer, by the wall clock. */
  readonly durationMillis: number
  /** The world's `sequence` when the request had been answered. */
  readonly worldSequence: number
  readonly method: string
  readonly path: string
  /** The query with its question mark, or empty. */
  readonly query: string
  /** The account of the request's key; null when there is none. */
  readonly account: string | null
  readonly apiKey: string
  /** The first 4,096 bytes of the request's body. */
  readonly requestBody: string
  readonly status: number
  /** The first 4,096 characters of the answer's body. */
  readonly responseBody: string
  readonly hint: string | null
  /** The faults that fired for the request; null when none did. */
  readonly fault: string | null
  /** How a fault kept the answer from its caller; null when it did not. */
  readonly lost: AnswerLoss | null
}

/** An answered request with its whole body, to be added to a log. */
export interface AnsweredRequest extends Omit<LoggedRequest, 'sequence' | 'requestId' | 'requestBody'> {
  readonly requestBody: Uint8Array
}

/** The status under which a request without an answer is logged. */
export const noAnswer = 0

/** The bound on the number of requests in a log. */
const maximumRequests = 10_000
/** The bound on the bytes of all texts in a log. */
const maximumBytes = 16 * 1_048_576
/** Longer bodies are cut, in bytes or characters, so that large batches do not fill the log. */
export const longestBody = 4096

/**
 * How many numbers a request has: where its texts start, the world's and the wall instant, status, the world's sequence,
 * duration, and the lengths of its six texts in bytes.
 */
const stride = 12
/** The index of the first length among a request's numbers. */
const textsFrom = 6
/** What stands in place of the length of a text that is null. */
const nullLength = -1

/**
 * A world's last venue requests, as bytes and numbers that become objects only when somebody reads them: as objects, they
 * were most of what the garbage collector had to copy. The log is not part of the world's state, so digests, snapshots
 * and journals leave it out.
 */
export class RequestLog {
  private readonly numbers = new Float64Column(stride * 16)
  private readonly texts = new ByteRing(256, maximumBytes)
  /** The methods by slot. The strings are few and shared, as those of accounts are, so each costs only a reference. */
  private readonly methods: string[] = []
  private readonly accounts: (string | null)[] = []
  /** The faults by index of the request, for the few requests that met one. */
  private readonly faults = new Map<number, Pick<LoggedRequest, 'fault' | 'lost'>>()
  private written = 0
  private cleared = 0
  private failed = 0

  get nextSequence(): number {
    return this.written + 1
  }

  /** Adds a request, which gets the sequence `nextSequence`. */
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
    numbers.set(place * stride + 5, request.durationMillis)
    this.methods[place] = request.method
    this.accounts[place] = request.account
    this.faults.delete(this.written - maximumRequests)
    const { fault, lost } = request
    if (fault !== null) this.faults.set(this.written, { fault, lost })
    this.written += 1
    if (request.status === noAnswer || request.status >= 400 || lost !== null) this.failed += 1
  }

  /** How many requests were logged since the log was cleared and how many of them failed, dropped ones included. */
  get counts(): { readonly requests: number; readonly failures: number } {
    return { requests: this.written - this.cleared, failures: this.failed }
  }

  /** Returns the requests after a sequence that are still kept, oldest first. */
  since(sequence: number): LoggedRequest[] {
    const found: LoggedRequest[] = []
    for (let at = Math.max(sequence, this.oldest); at < this.written; at += 1) {
      const start = this.numbers.get((at % maximumRequests) * stride)
      if (this.texts.isKept(start)) found.push(this.request(at))
    }
    return found
  }

  /** Forgets all requests; sequences continue. */
  clear(): void {
    this.cleared = this.written
    this.failed = 0
    this.faults.clear()
  }

  private get oldest(): number {
    return Math.max(this.written - maximumRequests, this.cleared)
  }

  /** Writes a request's texts, and their lengths from `slot` on. Returns the position of the first text. */
  private addTexts(request: AnsweredRequest, slot: number): number {
    const { path, query, apiKey, responseBody, requestBody } = request
    const shown = responseBody.length <= longestBody ? responseBody : responseBody.slice(0, longestBody)
    const taken = Math.min(requestBody.length, longestBody)
    const hint = request.hint ?? ''
    const characters = path.length + query.length + apiKey.length + shown.length + hint.length
    const start = this.texts.claim(3 * characters + taken, this.oldestAfterNext)
    const begin = this.texts.toIndex(start)
    // One write for all texts is fastest, and nearly always each of them has as many bytes as characters.
    let length = this.texts.bytes.write(path + query + apiKey + shown + hint, begin)
    const isPlain = length === characters
    const { numbers } = this
    numbers.set(slot, isPlain ? path.length : Buffer.byteLength(path))
    numbers.set(slot + 1, isPlain ? query.length : Buffer.byteLength(query))
    numbers.set(slot + 2, isPlain ? apiKey.length : Buffer.byteLength(apiKey))
    numbers.set(slot + 3, isPlain ? shown.length : Buffer.byteLength(shown))
    const hintLength = isPlain ? hint.length : Buffer.byteLength(hint)
    numbers.set(slot + 4, request.hint === null ? nullLength : hintLength)
    numbers.set(slot + 5, taken)
    this.texts.bytes.set(requestBody.subarray(0, taken), begin + length)
    length += taken
    this.texts.release(start + length)
    return start
  }

  /** Where the oldest texts start that must stay when another request is added; infinity when none must. */
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
    let at = this.texts.toIndex(numbers.get(slot))
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
      durationMillis: numbers.get(slot + 5),
      worldSequence: numbers.get(slot + 4),
      method: this.methods[place] ?? '',
      path,
      query,
      account: this.accounts[place] ?? null,
      apiKey,
      requestBody,
      status: numbers.get(slot + 3),
      responseBody,
      hint: lengths[4] === nullLength ? null : hint,
      ...(this.faults.get(index) ?? { fault: null, lost: null }),
    }
  }
}

/**
 * The last bytes that were written, in a buffer that grows to a bound and then wraps around. Positions count all bytes
 * ever claimed, so none is given twice. What was claimed at once is contiguous.
 */
class ByteRing {
  private readonly largest: number
  private memory: Buffer
  private head = 0

  /** The sizes in bytes are powers of two. */
  constructor(smallest: number, largest: number) {
    this.memory = Buffer.alloc(smallest)
    this.largest = largest
  }

  /** The present buffer, which is valid only until the next claim. */
  get bytes(): Buffer {
    return this.memory
  }

  /**
   * Reserves `length` contiguous bytes, and returns their position. Below its bound, the buffer grows rather than
   * overwrite bytes at the position `oldest` or later.
   */
  claim(length: number, oldest: number): number {
    assert(length <= this.largest, 'what is written fits into the ring')
    let start = this.findStart(length)
    while (start + length - oldest > this.memory.length || length > this.memory.length) {
      if (this.memory.length >= this.largest) break
      this.grow(oldest)
      start = this.findStart(length)
    }
    this.head = start + length
    return start
  }

  /** Gives back bytes that were claimed but not written. `end` is the position after the last byte written. */
  release(end: number): void {
    this.head = end
  }

  /** Returns the index of a position in `bytes`. */
  toIndex(position: number): number {
    return position % this.memory.length
  }

  /** Returns whether no byte at a position or later has been overwritten. */
  isKept(position: number): boolean {
    return position >= this.head - this.memory.length
  }

  /** Returns the position of the next claim: bytes that would reach past the buffer's end go to its start. */
  private findStart(length: number): number {
    const left = this.memory.length - this.toIndex(this.head)
    return length <= left ? this.head : this.head + left
  }

  /** Doubles the buffer. Bytes that were contiguous stay so, because a size is a multiple of the one before. */
  private grow(oldest: number): void {
    const before = this.memory
    const after = Buffer.alloc(before.length * 2)
    const first = Math.max(oldest, this.head - before.length, 0)
    for (let at = first; at < this.head; ) {
      const from = at % before.length
      const count = Math.min(before.length - from, this.head - at)
      before.copy(after, at % after.length, from, from + count)
      at += count
    }
    this.memory = after
  }
}
