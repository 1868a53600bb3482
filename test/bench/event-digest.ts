import type { EventSink, EventType } from '../../src/engine/events.ts'
import { Hash128 } from '../../src/numeric/hash.ts'

/** At most: the head, subject, account, and low and high words of three numbers. */
const largestEventWords = 9
const bufferedWords = 2_048

/*
 * The head of an event is its type, what follows, and its asset, from the lowest bit up. Without a mark there follow
 * subject, account and the low word of the first number.
 */
const assetPlace = 256
const firstIsWide = 32
const hasMoreNumbers = 64
const moreAreWide = 128

/**
 * Chains every event into one digest: two runs with the same digest had the same events in the same order. Events
 * are gathered as words, most of them four, and hashed in blocks, so that one costs little more than its writing down.
 */
export class EventDigest implements EventSink {
  count = 0
  private readonly hash = new Hash128()
  private readonly words = new Int32Array(bufferedWords)
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
    const { words } = this
    let used = this.used
    const start = used
    let head = type + asset * assetPlace
    this.count += 1
    words[used + 1] = subject
    words[used + 2] = account
    words[used + 3] = first
    used += 4
    if ((first | 0) !== first) {
      head += firstIsWide
      words[used] = Math.floor(first / 4294967296)
      used += 1
    }
    if (second !== 0 || third !== 0) {
      head += hasMoreNumbers
      words[used] = second
      words[used + 1] = third
      used += 2
      if ((second | 0) !== second || (third | 0) !== third) {
        head += moreAreWide
        words[used] = Math.floor(second / 4294967296)
        words[used + 1] = Math.floor(third / 4294967296)
        used += 2
      }
    }
    words[start] = head
    this.used = used
    if (used > bufferedWords - largestEventWords) this.flush()
  }

  /** 32 hexadecimal digits of all events so far; more may come. */
  digest(): string {
    const hash = this.hash.copy()
    hash.addInt32Array(this.words.subarray(0, this.used))
    return hash.digest()
  }

  private flush(): void {
    this.hash.addInt32Array(this.words.subarray(0, this.used))
    this.used = 0
  }
}
