import { createStream, type RandomStream } from '../../numeric/random.ts'
import type { NoteRecord, RecordedSeries } from '../result.ts'
import type { Timer } from '../strategy.ts'

interface Pending {
  readonly timer: Timer
  atMillis: number
  /** 0: once. */
  readonly everyMillis: number
}

/**
 * A strategy's timers: few, so they are searched one by one. Of several at one instant, the one set first comes
 * first.
 */
export class Timers {
  private readonly pending: Pending[] = []
  private count = 0
  /** The instant of the earliest; infinity when there is none. Kept up to date because every tick asks for it. */
  nextAtMillis = Number.POSITIVE_INFINITY

  set(atMillis: number, everyMillis: number, name: string): Timer {
    this.count += 1
    const timer = { id: this.count, name }
    this.pending.push({ timer, atMillis, everyMillis })
    this.findNext()
    return timer
  }

  clear(timer: Timer): void {
    const place = this.pending.findIndex((pending) => pending.timer.id === timer.id)
    if (place !== -1) this.pending.splice(place, 1)
    this.findNext()
  }

  /** Takes the earliest that is due: removes it, or moves it to its next instant after now. Null when none is due. */
  takeDue(nowMillis: number): Timer | null {
    let due: Pending | null = null
    for (const pending of this.pending) {
      if (pending.atMillis <= nowMillis && (due === null || pending.atMillis < due.atMillis)) due = pending
    }
    if (due === null) return null
    if (due.everyMillis === 0) this.clear(due.timer)
    else {
      const missed = Math.floor((nowMillis - due.atMillis) / due.everyMillis)
      due.atMillis += (missed + 1) * due.everyMillis
      this.findNext()
    }
    return due.timer
  }

  private findNext(): void {
    this.nextAtMillis = Number.POSITIVE_INFINITY
    for (const { atMillis } of this.pending) this.nextAtMillis = Math.min(this.nextAtMillis, atMillis)
  }
}

const maximumNotes = 1000

/** What a strategy draws and writes down during a run. */
export class RunNotebook {
  readonly notes: NoteRecord[] = []
  private readonly seed: string
  private readonly streams = new Map<string, RandomStream>()
  private readonly recorded = new Map<string, { atMillis: number[]; values: (number | null)[] }>()

  constructor(seed: string) {
    this.seed = seed
  }

  get series(): Readonly<Record<string, RecordedSeries>> {
    return Object.fromEntries(this.recorded)
  }

  random(name: string): RandomStream {
    const known = this.streams.get(name)
    if (known !== undefined) return known
    const stream = createStream(this.seed, 'strategy', name, 0)
    this.streams.set(name, stream)
    return stream
  }

  /** Throws a TypeError for anything but a text. */
  note(atMillis: number, text: string): void {
    if (typeof text !== 'string') throw new TypeError(`note: expected a text, found ${kindOf(text)}`)
    if (this.notes.length < maximumNotes) this.notes.push({ atMillis, text })
  }

  /**
   * Records a value; one that is not finite, as an average is before it has values, leaves a gap. Throws a TypeError
   * for anything but a number.
   */
  record(atMillis: number, name: string, value: number): void {
    if (typeof value !== 'number')
      throw new TypeError(`record: expected a number of "${name}", found ${kindOf(value)}`)
    const series = this.recorded.get(name) ?? { atMillis: [], values: [] }
    series.atMillis.push(atMillis)
    series.values.push(Number.isFinite(value) ? value : null)
    this.recorded.set(name, series)
  }
}

/** For strategies written in JavaScript. */
function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}
