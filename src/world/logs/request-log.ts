import { assert } from '../../numeric/assert.ts'
import { Float64Column } from '../../numeric/columns.ts'

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

/** The bounds of a log: how many requests, and how many bytes of text. */
const maximumRequests = 10_000
const maximumBytes = 16 * 1_048_576
/** Longer bodies are cut: a log must not hold the memory of every batch. */
const longestBody = 4096

/**
 * The numbers of a request: where its texts begin, two clocks and how long it took, the status, the world's sequence, and the lengths of
 * its texts in bytes.
 */
const stride = 12
const textsFrom = 6
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
  private failed = 0

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
    numbers.set(place * stride + 5, request.durationMillis)
    this.methods[place] = request.method
    this.accounts[place] = request.account
    this.faults.delete(this.written - maximumRequests)
    if (request.fault !== null) this.faults.set(this.written, request.fault)
    this.written += 1
    if (request.status === noAnswer || request.status >= 400) this.failed += 1
  }

  /** All since the log was cleared, those that are no longer kept included. */
  get counts(): { readonly requests: number; readonly failures: number } {
    return { requests: this.written - this.cleared, failures: this.failed }
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
    this.failed = 0
    this.faults.clear()
  }

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
      hint: lengths[4] === noHint ? null : hint,
      fault: this.faults.get(index) ?? null,
    }
  }
}

/*
 * The last bytes that were written, in one piece of memory that grows to a bound and then wraps around. Positions
 * count all bytes ever written, so none is given twice. What is written in one go lies in one piece.
 */
class ByteRing {
  private readonly largest: number
  private memory: Buffer
  private head = 0

  /** Both sizes are powers of two. */
  constructor(smallest: number, largest: number) {
    this.memory = Buffer.alloc(smallest)
    this.largest = largest
  }

  /** The present memory; valid only until the next claim. */
  get bytes(): Buffer {
    return this.memory
  }

  /**
   * Makes room for up to `length` bytes in one piece, and answers their position. As long as it may, it grows rather
   * than overwrite what stands from `oldest` on.
   */
  claim(length: number, oldest: number): number {
    assert(length <= this.largest, 'what is written fits into the ring')
    let start = this.startOf(length)
    while (start + length - oldest > this.memory.length || length > this.memory.length) {
      if (this.memory.length >= this.largest) break
      this.grow(oldest)
      start = this.startOf(length)
    }
    this.head = start + length
    return start
  }

  /** Gives back what was claimed but not written: `end` is the position after the last byte written. */
  settle(end: number): void {
    this.head = end
  }

  /** Where a position is in `bytes`. */
  placeOf(position: number): number {
    return position % this.memory.length
  }

  /** Whether nothing from a position on has been overwritten. */
  holds(position: number): boolean {
    return position >= this.head - this.memory.length
  }

  /** A piece that would reach beyond the end of the memory begins at its start. */
  private startOf(length: number): number {
    const left = this.memory.length - this.placeOf(this.head)
    return length <= left ? this.head : this.head + left
  }

  /** A piece that did not wrap around before does not do so in twice the memory. */
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
