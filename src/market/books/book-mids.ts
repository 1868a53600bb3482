import { type BookIndex, bookIndexMillis } from './recorded-book.ts'

/** Sums and extremes of the trades of a span; 0 where there was none. */
export interface BookTrades {
  readonly trades: number
  readonly steps: number
  /** The sum over the trades of ticks times steps. */
  readonly tickSteps: number
  readonly highTicks: number
  readonly lowTicks: number
}

const known = new WeakMap<BookIndex, BookMids>()

/** Returns the mids of an index, which all worlds that play the recording share. */
export function findBookMids(index: BookIndex): BookMids {
  const mids = known.get(index) ?? new BookMids(index)
  known.set(index, mids)
  return mids
}

/** Mids and trades of a recorded book, read from its index. */
export class BookMids {
  private readonly index: BookIndex
  /** By entry, bid plus ask, carried on while a side is empty. */
  private halfTicks: Int32Array | null = null

  constructor(index: BookIndex) {
    this.index = index
  }

  /**
   * Returns the mid after all rows up to the last tenth of a second, in half ticks. While a side is empty, it is the
   * last one that was; before the first one, the first; 1 for a book that never has two sides.
   */
  halfTicksAt(atMillis: number): number {
    this.halfTicks ??= carryMids(this.index)
    return this.halfTicks[this.findPlace(atMillis)] ?? 1
  }

  /** Returns the trades after one instant and up to another, each counted by the tenth of a second that it ends in. */
  tradesIn(afterMillis: number, untilMillis: number): BookTrades {
    const { index } = this
    if (untilMillis < index.firstMillis) return nothing
    const first = afterMillis < index.firstMillis ? -1 : this.findPlace(afterMillis)
    const last = this.findPlace(untilMillis)
    let highTicks = 0
    let lowTicks = 0
    for (let place = first + 1; place <= last; place += 1) {
      const low = index.lowTicks[place] ?? 0
      highTicks = Math.max(highTicks, index.highTicks[place] ?? 0)
      if (low !== 0) lowTicks = lowTicks === 0 ? low : Math.min(lowTicks, low)
    }
    const sumOf = (column: Int32Array | Float64Array): number => (column[last] ?? 0) - (column[first] ?? 0)
    return {
      trades: sumOf(index.trades),
      steps: sumOf(index.tradedSteps),
      tickSteps: sumOf(index.tradedTickSteps),
      highTicks,
      lowTicks,
    }
  }

  /**
   * Returns the place of an instant's entry in the index: that of the last tenth of a second, before the recording the
   * first one, after it the last one.
   */
  private findPlace(atMillis: number): number {
    const { count, firstMillis } = this.index
    const place = Math.floor((atMillis - firstMillis) / bookIndexMillis)
    return Math.min(Math.max(place, 0), count - 1)
  }
}

const nothing: BookTrades = { trades: 0, steps: 0, tickSteps: 0, highTicks: 0, lowTicks: 0 }

function carryMids({ askTicks, bidTicks, count }: BookIndex): Int32Array {
  const mids = new Int32Array(count)
  let last = 0
  for (let place = 0; place < count; place += 1) {
    const bid = bidTicks[place] ?? 0
    const ask = askTicks[place] ?? 0
    if (bid !== 0 && ask !== 0) {
      if (last === 0) mids.fill(bid + ask, 0, place)
      last = bid + ask
    }
    mids[place] = last
  }
  return last === 0 ? mids.fill(1) : mids
}
