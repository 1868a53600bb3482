import { createStream, type RandomState, type RandomStream, resumeStream } from '../../numeric/random.ts'
import type { BarMakerState } from '../bars.ts'
import type { NoteRecord, RecordedSeries } from '../result.ts'
import type { Bar, FeedPrice, HookName, OwnTrade, Tick, Timer } from '../strategy.ts'
import type { Observation } from '../venue/host.ts'

/** The state of a run between two instants, without its host: plain data. */
export interface RunState {
  readonly fromMillis: number
  readonly nextTick: number
  /** The strategy's own. */
  readonly state: unknown
  readonly timers: TimersState
  readonly bars: BarMakerState | null
  /** The bars that the strategy can look back on. */
  readonly window: readonly Bar[]
  readonly notebook: RunNotebookState
  readonly calls: Readonly<Record<HookName, number>>
  /** What the strategy last saw, where the feed has latency; below, what is on its way to it. */
  readonly seen: SeenState | null
  readonly deliveries: readonly {
    readonly atMillis: number
    readonly tick: Tick
    readonly seen: SeenState
  }[]
}

interface SeenState {
  readonly atMillis: number
  readonly prices: readonly FeedPrice[]
  readonly fills: readonly OwnTrade[]
  readonly orders: Observation['orders']
  readonly quotes: Observation['quotes']
}

/** The data of a kept observation; null for one that is read from its host. */
export function seenStateOf(seen: Observation | null): SeenState | null {
  if (seen === null || seen.prices === null) return null
  const { atMillis, fills, orders, prices, quotes } = seen
  return { atMillis, prices, fills, orders, quotes }
}

/**
 * A copy of a strategy's state that later hooks cannot change. Throws a RangeError that names what is not plain data:
 * numbers, texts, booleans, null, big integers, lists, maps, plain objects and arrays of bytes, integers or doubles
 * can be captured.
 */
export function plainCopy(value: unknown, path: string): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw notPlain(path, `a ${typeof value}`)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Float64Array || value instanceof Int32Array || value instanceof Uint8Array)
    return value.slice()
  if (Array.isArray(value)) return value.map((item: unknown, place) => plainCopy(item, `${path}[${place}]`))
  if (value instanceof Map) {
    const pairs: (readonly [unknown, unknown])[] = []
    for (const [key, item] of value) {
      if (typeof key === 'object') throw notPlain(path, 'a map with objects as keys')
      pairs.push([key, plainCopy(item, `${path}.get(${String(key)})`)])
    }
    return new Map(pairs)
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null)
    throw notPlain(path, `a ${value.constructor.name}`)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, plainCopy(item, `${path}.${key}`)]),
  )
}

function notPlain(path: string, what: string): RangeError {
  return new RangeError(`${path} is ${what}: a run can be captured while its strategy's state is plain data`)
}

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

  capture(): TimersState {
    return {
      count: this.count,
      pending: this.pending.map(({ timer, atMillis, everyMillis }) => ({ ...timer, atMillis, everyMillis })),
    }
  }

  restore(state: TimersState): void {
    this.count = state.count
    this.pending.length = 0
    for (const { id, name, atMillis, everyMillis } of state.pending) {
      this.pending.push({ timer: { id, name }, atMillis, everyMillis })
    }
    this.findNext()
  }

  private findNext(): void {
    this.nextAtMillis = Number.POSITIVE_INFINITY
    for (const { atMillis } of this.pending) this.nextAtMillis = Math.min(this.nextAtMillis, atMillis)
  }
}

interface TimersState {
  readonly count: number
  readonly pending: readonly {
    readonly id: number
    readonly name: string
    readonly atMillis: number
    readonly everyMillis: number
  }[]
}

const maximumNotes = 1000

interface RunNotebookState {
  readonly streams: readonly (readonly [name: string, state: RandomState])[]
  readonly notes: readonly NoteRecord[]
  readonly series: readonly (readonly [name: string, series: RecordedSeries])[]
}

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

  capture(): RunNotebookState {
    return {
      streams: Array.from(this.streams, ([name, stream]) => [name, stream.state()]),
      notes: [...this.notes],
      series: Array.from(this.recorded, ([name, { atMillis, values }]) => [
        name,
        { atMillis: [...atMillis], values: [...values] },
      ]),
    }
  }

  restore(from: RunNotebookState): void {
    for (const [name, state] of from.streams) this.streams.set(name, resumeStream(state))
    for (const note of from.notes) this.notes.push(note)
    for (const [name, { atMillis, values }] of from.series)
      this.recorded.set(name, { atMillis: [...atMillis], values: [...values] })
  }
}

/** For strategies written in JavaScript. */
function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}
