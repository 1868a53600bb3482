import type { Order, Quote } from '../../client/venue-types.ts'
import type { MidColumn } from '../../engine/idle/idle-prices.ts'
import type { CandleTable } from '../../market/recordings/candle-table.ts'
import type { ReadVolume } from '../bars.ts'
import type {
  BookPlace,
  FeedPrice,
  MaybePromise,
  OwnTrade,
  ShownBook,
  StrategyVenue,
  SyncVenueClient,
} from '../strategy.ts'

/** Where a strategy runs: a world in this process, or a service over HTTP. */
export interface Host {
  readonly nowMillis: number
  readonly assets: readonly string[]
  readonly venue: StrategyVenue
  readonly sync: SyncVenueClient
  /**
   * Advances the venue's time; on the way the account's equity is sampled. An instant in the past counts as now.
   * `isObservedNext` says that nobody will read the last observation again.
   */
  advanceTo(atMillis: number, isObservedNext?: boolean): MaybePromise<void>
  observe(): MaybePromise<Observation>
  /** The requests and sleeps that wait for the venue's time to pass; null where requests take no promises. */
  readonly waitQueue: WaitQueue | null
  /** The prices that the feed will show at future ticks; null where they cannot be known. */
  readonly lookahead: Lookahead | null
  readonly readVolume: ReadVolume
  /** Finds where an order of the account stands in a recorded book. Throws a RangeError over HTTP. */
  findBookPlace(orderId: string): BookPlace | null
  /**
   * By place of the asset: the recorded candles that its price follows through the whole run; null for any other price.
   */
  readonly candles: readonly (CandleTable | null)[]
}

/** Looks ahead at future ticks that show nothing but prices, and computes their mids. */
export interface Lookahead {
  /**
   * The instant before which ticks show nothing but prices, unless a request is sent. It is the present where the next
   * tick must be observed.
   */
  readonly untilMillis: number
  /** The instant before which mids can be computed cheaply; at most `untilMillis`. */
  readonly midsUntilMillis: number
  /**
   * A number that changes whenever a request was sent or the venue has moved; mids computed before may then be wrong.
   */
  readonly version: number
  /** Writes the mids of an asset at future instants, `stepMillis` apart, to the rows of a column of `mids`. */
  writeMids(
    place: number,
    fromMillis: number,
    stepMillis: number,
    column: MidColumn,
    mids: Float64Array,
  ): void
  /** Advances time to an instant before `untilMillis`, and observes it. */
  observeAt(atMillis: number): Observation
}

export interface Observation {
  readonly atMillis: number
  /** The account's fills since the last observation, oldest first. */
  readonly fills: readonly OwnTrade[]
  readonly orders: readonly Order[]
  readonly quotes: readonly Quote[]
  /** How many fills the account had since the run began. */
  readonly fillCount: number
  /** Returns what the feed showed of the asset at a place in the host's `assets`. */
  price(place: number): FeedPrice
  mid(place: number): number
  /** Returns the book that the venue showed of the asset at a place. Throws a RangeError over HTTP. */
  book(place: number): ShownBook
}

/** Creates an observation of given prices and events, which later observations do not change. */
export function createObservation(
  seen: Omit<Observation, 'price' | 'mid' | 'book'> & {
    readonly prices: readonly FeedPrice[]
    /** The books by place of their assets; absent over HTTP. */
    readonly books?: readonly ShownBook[]
  },
): Observation {
  const price = (place: number): FeedPrice => {
    const found = seen.prices[place]
    if (found === undefined) throw new RangeError(`there is no asset ${place}`)
    return found
  }
  const book = (place: number): ShownBook => {
    const found = seen.books?.[place]
    if (found === undefined) throw new RangeError(notInProcess)
    return found
  }
  return { ...seen, price, book, mid: (place) => price(place).mid }
}

/** The message of the error for a strategy that asks for a book or a place over HTTP. */
export const notInProcess = 'books and places in queues are known only in a backtest in process'

/** The kinds of events that a strategy has hooks for; others need not be gathered. */
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
 * A queue of requests and sleeps that wait for an instant of the venue's time. The run lets time pass to the earliest
 * of them once everything that needs no time to pass has run.
 */
export class WaitQueue {
  private readonly waiting: Wait[] = []
  private count = 0
  private signal: () => void = () => undefined

  waitUntil(atMillis: number): Promise<void> {
    return new Promise((resolve) => {
      this.count += 1
      this.waiting.push({ atMillis, number: this.count, wake: resolve })
      this.signal()
    })
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0
  }

  waitForAny(): Promise<void> {
    if (this.waiting.length > 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.signal = resolve
    })
  }

  /**
   * Takes the entry with the earliest instant, of several at one instant the first that came; returns null when nothing
   * waits.
   */
  takeNext(): Wait | null {
    let earliest: Wait | null = null
    for (const wait of this.waiting) {
      if (earliest === null || wait.atMillis < earliest.atMillis) earliest = wait
    }
    if (earliest !== null) this.waiting.splice(this.waiting.indexOf(earliest), 1)
    return earliest
  }
}
