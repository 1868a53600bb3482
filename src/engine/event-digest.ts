import { Hash128 } from '../numeric/hash.ts'
import type { EventSink, EventType } from './events.ts'

/** Chains every event into one digest: two runs with the same digest had the same events in the same order. */
export class EventDigest implements EventSink {
  count = 0
  private readonly hash = new Hash128()

  emit(
    type: EventType,
    subject: number,
    account: number,
    asset: number,
    first: number,
    second: number,
    third: number,
  ): void {
    this.count += 1
    const { hash } = this
    hash.addWords(type, subject)
    hash.addWords(account, asset)
    hash.addInteger(first)
    hash.addInteger(second)
    hash.addInteger(third)
  }

  digest(): string {
    return this.hash.digest()
  }
}
