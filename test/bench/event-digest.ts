import type { EventSink, EventType } from '../../src/engine/events.ts'
import { Hash128 } from '../../src/numeric/hash.ts'

/* An event is seven numbers while it waits: type, subject, account, asset, first, second, third. */
const eventNumbers = 7
const bufferedEvents = 128
/** At most: the head, subject, account, and low and high words of three numbers. */
const largestEventWords = 9

/*
 * The head of an event is its type, what follows, and its asset, from the lowest bit up. Without a mark there follow
 * subject, account and the low word of the first number.
 */
const assetPlace = 256
const firstIsWide = 32
const hasMoreNumbers = 64
const moreAreWide = 128

/**
 * Hashes all events into one digest: two runs with the same digest had the same events in the same order. Events are
 * buffered, packed into words (mostly four per event), and hashed in blocks.
 */
export class EventDigest implements EventSink {
  private readonly hash = new Hash128()
  private readonly waiting = new Float64Array(eventNumbers * bufferedEvents)
  private readonly words = new Int32Array(largestEventWords * bufferedEvents)
  private used = 0

  emit(
    type: EventType,
    subject: number,
    account: number,
    asset: number,
    first: number,
    second: number,
    third: number,
  ): void {
    const { waiting, used } = this
    waiting[used] = type
    waiting[used + 1] = subject
    waiting[used + 2] = account
    waiting[used + 3] = asset
    waiting[used + 4] = first
    waiting[used + 5] = second
    waiting[used + 6] = third
    this.used = used + eventNumbers
    if (this.used === waiting.length) this.flush()
  }

  /** 32 hexadecimal digits of all events so far; more may come. */
  digest(): string {
    const hash = this.hash.copy()
    hash.addInt32Array(this.words.subarray(0, this.pack()))
    return hash.digest()
  }

  private flush(): void {
    this.hash.addInt32Array(this.words.subarray(0, this.pack()))
    this.used = 0
  }

  /** Packs the buffered events into words; returns how many. */
  private pack(): number {
    const { waiting, words, used } = this
    let count = 0
    for (let at = 0; at < used; at += eventNumbers) {
      const first = waiting[at + 4] ?? 0
      const second = waiting[at + 5] ?? 0
      const third = waiting[at + 6] ?? 0
      const start = count
      let head = (waiting[at] ?? 0) + (waiting[at + 3] ?? 0) * assetPlace
      words[count + 1] = waiting[at + 1] ?? 0
      words[count + 2] = waiting[at + 2] ?? 0
      words[count + 3] = first
      count += 4
      if ((first | 0) !== first) {
        head += firstIsWide
        words[count] = Math.floor(first / 4294967296)
        count += 1
      }
      if (second !== 0 || third !== 0) {
        head += hasMoreNumbers
        words[count] = second
        words[count + 1] = third
        count += 2
        if ((second | 0) !== second || (third | 0) !== third) {
          head += moreAreWide
          words[count] = Math.floor(second / 4294967296)
          words[count + 1] = Math.floor(third / 4294967296)
          count += 2
        }
      }
      words[start] = head
    }
    return count
  }
}
