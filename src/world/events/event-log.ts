import { type EventName, type EventSink, eventNames, eventType } from '../../engine/events.ts'
import { Float64Column } from '../../numeric/columns.ts'

/** The names of internal events of the engine, which are not logged. */
const privateNames: ReadonlySet<EventName> = new Set([
  'posted',
  'reserved',
  'released',
  'account-created',
  'settings-changed',
])
const isPublic = Uint8Array.from(eventNames, (name) => (privateNames.has(name) ? 0 : 1))

/** The type code of the event of a scripted action, which the world emits, not the engine. */
export const scenarioAction = eventNames.length
/** How many events a log keeps, a power of two. */
export const keptEvents = 4096
const stride = 9

/** A public event as the log keeps it: the meaning of the numbers depends on the type. */
export interface RawEvent {
  readonly sequence: number
  readonly atMillis: number
  readonly type: number
  readonly subject: number
  readonly account: number
  readonly asset: number
  readonly first: number
  readonly second: number
  readonly third: number
  /** How many fills there were before the event: the row of the fill of a trade's maker. */
  readonly fills: number
  /** What a scripted action did; null for the engine's events. */
  readonly note: ActionRecord | null
}

export interface ActionRecord {
  readonly action: string
  readonly id: string | null
  /** Why the action had no effect; null when it had one. */
  readonly problem: string | null
}

/** The source of the time of events and, where there are any, of the number of fills. */
interface EventClock {
  readonly nowMillis: number
  readonly fills?: { readonly count: number }
}

/**
 * The last public events of a world, as the numbers that the engine emits: they become objects only when somebody reads
 * them. Sequences count public events from 1, and none is given twice.
 */
export class EventLog implements EventSink {
  /** The check over every event so far, internal ones included, by which journals verify a replay. */
  readonly check = new EventCheck()
  private readonly numbers = new Float64Column(stride * 16)
  private readonly notes = new Map<number, ActionRecord>()
  private written = 0
  private cleared = 0
  private clock: EventClock = { nowMillis: 0 }
  private listener: EventSink | null = null

  /** The sequence of the newest event; 0 before the first. */
  get lastSequence(): number {
    return this.written
  }

  /** Takes the time of events, and the number of fills, from this clock from now on. */
  useClock(clock: EventClock): void {
    this.clock = clock
  }

  setListener(listener: EventSink | null): void {
    this.listener = listener
  }

  emit(
    type: number,
    subject: number,
    account: number,
    asset: number,
    first: number,
    second: number,
    third: number,
  ): void {
    this.listener?.emit(type, subject, account, asset, first, second, third)
    if (type !== scenarioAction) this.check.add(type, subject, account, asset, first, second, third)
    if (isPublic[type] === 0) return
    const { numbers } = this
    const slot = this.nextSlot()
    numbers.set(slot, this.clock.nowMillis)
    numbers.set(slot + 1, type)
    numbers.set(slot + 2, subject)
    numbers.set(slot + 3, account)
    numbers.set(slot + 4, asset)
    numbers.set(slot + 5, first)
    numbers.set(slot + 6, second)
    numbers.set(slot + 7, third)
    numbers.set(slot + 8, this.clock.fills?.count ?? 0)
  }

  noteAction(note: ActionRecord): void {
    this.emit(scenarioAction, -1, -1, -1, 0, 0, 0)
    this.notes.set(this.written, note)
    this.notes.delete(this.written - keptEvents)
  }

  /** Returns the events after a sequence that are still kept, oldest first, and the first `most` of them at most. */
  since(sequence: number, most = keptEvents): RawEvent[] {
    const first = Math.max(sequence, this.written - keptEvents, this.cleared) + 1
    const last = Math.min(this.written, first + most - 1)
    const found: RawEvent[] = []
    for (let at = first; at <= last; at += 1) found.push(this.event(at))
    return found
  }

  /** Returns whether any event after a sequence was more than a price or a trade of the market itself. */
  hasClientEventsSince(sequence: number): boolean {
    if (this.written - sequence > keptEvents) return true
    for (let at = sequence; at < this.written; at += 1) {
      const type = this.numbers.get((at % keptEvents) * stride + 1)
      if (type !== eventType.price && type !== eventType.print) return true
    }
    return false
  }

  /** Forgets all events; sequences continue. */
  clear(): void {
    this.cleared = this.written
    this.notes.clear()
  }

  private nextSlot(): number {
    const slot = (this.written % keptEvents) * stride
    this.written += 1
    this.numbers.reserve(slot + stride)
    return slot
  }

  private event(sequence: number): RawEvent {
    const { numbers } = this
    const slot = ((sequence - 1) % keptEvents) * stride
    return {
      sequence,
      atMillis: numbers.get(slot),
      type: numbers.get(slot + 1),
      subject: numbers.get(slot + 2),
      account: numbers.get(slot + 3),
      asset: numbers.get(slot + 4),
      first: numbers.get(slot + 5),
      second: numbers.get(slot + 6),
      third: numbers.get(slot + 7),
      fills: numbers.get(slot + 8),
      note: this.notes.get(sequence) ?? null,
    }
  }
}

/** Returns the admin API's name for a type code, such as `order.partially_filled`. */
export function publicName(type: number): string {
  if (type === scenarioAction) return 'scenario.action'
  const name = eventNames[type] ?? ''
  // Choice: a print is a trade in which no client took part, so it has the same name.
  if (type === eventType.print) return 'trade'
  return name.replace('-', '.').replaceAll('-', '_')
}

/** All names that `publicName` returns, for the suggestions of error messages. */
export const publicNames: readonly string[] = [
  ...new Set(eventNames.filter((name) => !privateNames.has(name)).map((name) => publicName(eventType[name]))),
  'scenario.action',
]

/**
 * A running checksum over all events of an engine: 32 bits, a few operations for each event. Two runs with the same
 * events have the same value after each command, so a journal shows at which command they diverge. It misses one
 * difference in four thousand million, which the digest of the whole state then finds.
 */
class EventCheck {
  /** A whole number below 2^32. */
  value = 0

  add(
    type: number,
    subject: number,
    account: number,
    asset: number,
    first: number,
    second: number,
    third: number,
  ): void {
    let lane = mix(this.value, type + asset * 256)
    lane = mix(lane, subject)
    lane = mix(lane, account)
    lane = mix(lane, foldTo32Bits(first))
    lane = mix(lane, foldTo32Bits(second))
    lane = mix(lane, foldTo32Bits(third))
    this.value = lane >>> 0
  }
}

function mix(lane: number, word: number): number {
  const next = Math.imul(lane ^ word, 0x9e3779b1)
  return Math.imul(next ^ (next >>> 15), 0x85ebca77)
}

/** Folds a whole number of up to 53 bits to 32 bits. */
function foldTo32Bits(value: number): number {
  const low = value | 0
  return low === value ? low : low ^ Math.imul(Math.floor(value / 4294967296), 0x27d4eb2f)
}
