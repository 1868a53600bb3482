import { Hash128 } from '../numeric/hash.ts'
import type { EventSink, EventType } from './events.ts'

/** Words of one event: type and asset, subject, account, and low and high halves of three numbers. */
const eventWords = 10
const bufferedEvents = 256

/**
 * Chains every event into one digest: two runs with the same digest had the same events in the same order. Events
 * are gathered as words and hashed in blocks of a fixed number, so that one costs little more than its writing down.
 */
export class EventDigest implements EventSink {
  count = 0
  private readonly hash = new Hash128()
  private readonly words = new Int32Array(eventWords * bufferedEvents)
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
    const { words, used } = this
    this.count += 1
    words[used] = type
    words[used + 1] = asset
    words[used + 2] = subject
    words[used + 3] = account
    words[used + 4] = first
    words[used + 5] = Math.floor(first / 4294967296)
    words[used + 6] = second
    words[used + 7] = Math.floor(second / 4294967296)
    words[used + 8] = third
    words[used + 9] = Math.floor(third / 4294967296)
    this.used = used + eventWords
    if (this.used === words.length) {
      this.hash.addInt32Array(words)
      this.used = 0
    }
  }

  /** 32 hexadecimal digits of all events so far; more may come. */
  digest(): string {
    const hash = this.hash.copy()
    hash.addInt32Array(this.words.subarray(0, this.used))
    return hash.digest()
  }
}
