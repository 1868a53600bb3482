import type { EventSink, EventType } from '../../src/engine/events.ts'

/**
 * A digest of all events, each number of each of them: two runs with the same digest had the same events in the same
 * order. Four lanes of 32 bits are turned independently of one another, which is what a processor does best: the events
 * are the engine's work, their digest is only the proof that somebody has read them.
 */
export class EventDigest implements EventSink {
  private a = 0
  private b = 0
  private c = 0
  private d = 0

  emit(
    type: EventType,
    subject: number,
    account: number,
    asset: number,
    first: number,
    second: number,
    third: number,
  ): void {
    this.a = turned(turned(this.a, type + asset * 256), high(first))
    this.b = turned(turned(this.b, subject), first)
    this.c = turned(turned(this.c, account), second)
    this.d = turned(turned(this.d, third), high(second) + high(third) * 3)
  }

  /** 32 hexadecimal digits of all events so far; more may come. */
  digest(): string {
    return [this.a, this.b, this.c, this.d].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
  }
}

/* Constants, because a call of a function that could be another one next time has to check that it is not. */

/** For a given word a bijection of the lane, and for a given lane one of the word's lower 32 bits. */
const turned = (lane: number, word: number): number => {
  const mixed = Math.imul(lane ^ word, 0x9e3779b1)
  return (mixed << 15) | (mixed >>> 17)
}

/** What is above the lower 32 bits of an amount. */
const high = (amount: number): number => (amount / 4294967296) | 0
