import type { EventSink, EventType } from '../../src/engine/events.ts'

/**
 * A digest of all events, each number of each of them: two runs with the same digest had the same events in the same
 * order. Five lanes of 32 bits are stepped independently of one another, which is what a processor does best: the events
 * are the engine's work, their digest is only the proof that somebody has read them.
 */
export class EventDigest implements EventSink {
  private a = 0
  private b = 0
  private c = 0
  private d = 0
  private e = 0

  emit(
    type: EventType,
    subject: number,
    account: number,
    asset: number,
    first: number,
    second: number,
    third: number,
  ): void {
    const { a, b, c, d, e } = this
    const high = first / twoTo32 + (second / twoTo32) * 3 + (third / twoTo32) * 5
    this.a = Math.imul(((a << 15) | (a >>> 17)) ^ type ^ (asset << 8) ^ (high << 12), odd)
    this.b = Math.imul(((b << 15) | (b >>> 17)) ^ subject ^ (account << 16), odd)
    this.c = Math.imul(((c << 15) | (c >>> 17)) ^ first, odd)
    this.d = Math.imul(((d << 15) | (d >>> 17)) ^ second, odd)
    this.e = Math.imul(((e << 15) | (e >>> 17)) ^ third, odd)
  }

  /** 40 hexadecimal digits of all events so far; more may come. */
  digest(): string {
    const lanes = [this.a, this.b, this.c, this.d, this.e]
    return lanes.map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
  }
}

/** What an amount is divided by to see what is above its lower 32 bits. */
const twoTo32 = 4294967296
/** Any odd factor makes a step of a lane a bijection: of the lane for a given word, and of the word for a given lane. */
const odd = 0x9e3779b1
