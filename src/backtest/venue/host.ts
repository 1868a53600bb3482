import type { Order, Quote } from '../../client/venue-types.ts'
import type { MidColumn } from '../../engine/idle/idle-prices.ts'
import type { CandleTable } from '../../market/recordings/candle-table.ts'
import type { ReadVolume } from '../bars.ts'
import type { FeedPrice, MaybePromise, OwnTrade, StrategyVenue, SyncVenueClient } from '../strategy.ts'

/** Where a strategy runs: a world in this process, or a service over HTTP. */
export interface Host {
  readonly nowMillis: number
  readonly assets: readonly string[]
  readonly venue: StrategyVenue
  readonly sync: SyncVenueClient
  /**
   * Moves time on; on the way the account is sampled on its grid. An instant in the past counts as now.
   * `isObservedNext`: nobody looks at what was observed last any more.
   */
  advanceTo(atMillis: number, isObservedNext?: boolean): MaybePromise<void>
  observe(): MaybePromise<Observation>
  /** Requests under way that wait for the venue's time to pass; null where none can. */
  readonly waitQueue: WaitQueue | null
  /** What its feed will show, as far as that can be foreseen; null where it never can. */
  readonly lookahead: Lookahead | null
  readonly readVolume: ReadVolume
  /** By asset, the recorded candles that its price follows all through the run; null for any other price. */
  readonly candles: readonly (CandleTable | null)[]
}

/** Ticks to come that show nothing but prices, and their mids. */
export interface Lookahead {
  /**
   * Before this instant ticks show nothing else, unless the venue is asked something; now: the next must be observed.
   */
  readonly untilMillis: number
  /** The same as far as mids cost little. */
  readonly midsUntilMillis: number
  /** Changes whenever the venue was asked something or has moved: what was foreseen before may not come true. */
  readonly version: number
  /** Writes an asset's mids at future instants, a step apart: one for each place of the column. */
  writeMids(
    place: number,
    fromMillis: number,
    stepMillis: number,
    column: MidColumn,
    mids: Float64Array,
  ): void
  /** Moves time to a foreseen instant, and observes it. */
  observeAt(atMillis: number): Observation
}

export interface Observation {
  readonly atMillis: number
  /** What has come since the last observation, oldest first. */
  readonly fills: readonly OwnTrade[]
  readonly orders: readonly Order[]
  readonly quotes: readonly Quote[]
  /** What the feed showed of an asset, by its place in the host's assets. */
  price(place: number): FeedPrice
  mid(place: number): number
}

/** An observation whose data stay as they are. */
export function createObservation(
  seen: Omit<Observation, 'price' | 'mid'> & { readonly prices: readonly FeedPrice[] },
): Observation {
  const price = (place: number): FeedPrice => {
    const found = seen.prices[place]
    if (found === undefined) throw new RangeError(`there is no asset ${place}`)
    return found
  }
  return { ...seen, price, mid: (place) => price(place).mid }
}

/** What a strategy listens to; nothing else has to be gathered. */
export interface Subscriptions {
  readonly fills: boolean
  readonly orders: boolean
  readonly quotes: boolean
}

interface Wait {
  readonly atMillis: number
  readonly number: number
  readonly wake: () => void
}

/**
 * Requests and sleeps that wait for an instant of the venue's time. Whoever drives the run lets time pass once
 * everything that can run without it has run.
 */
export class WaitQueue {
  private readonly waiting: Wait[] = []
  private count = 0
  private signal: () => void = () => undefined

  until(atMillis: number): Promise<void> {
    return new Promise((resolve) => {
      this.count += 1
      this.waiting.push({ atMillis, number: this.count, wake: resolve })
      this.signal()
    })
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0
  }

  some(): Promise<void> {
    if (this.waiting.length > 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.signal = resolve
    })
  }

  /** Takes the earliest, of several at one instant the first that came; null when nothing waits. */
  takeNext(): Wait | null {
    let earliest: Wait | null = null
    for (const wait of this.waiting) {
      if (earliest === null || wait.atMillis < earliest.atMillis) earliest = wait
    }
    if (earliest !== null) this.waiting.splice(this.waiting.indexOf(earliest), 1)
    return earliest
  }
}
