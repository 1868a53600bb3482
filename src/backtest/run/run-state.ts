import type { BarMakerState } from '../bar-maker.ts'
import type { Bar, FeedPrice, HookName, Tick, Trade } from '../strategy.ts'
import type { Observation } from '../venue/host.ts'
import type { RunNotebookState } from './run-notebook.ts'
import type { TimersState } from './timers.ts'

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
  readonly fills: readonly Trade[]
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
