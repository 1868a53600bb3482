import { missing } from '../numeric/assert.ts'
import { element } from '../numeric/columns.ts'
import type { Bar } from './strategy.ts'

/**
 * Returns what a recording traded in (from, to] of the asset at a place in the host's `assets`, in units of the asset;
 * null when it is unknown.
 */
export type ReadVolume = (place: number, fromMillis: number, toMillis: number) => number | null

/**
 * Makes bars from the mids at ticks. A bar covers (from, to], where both are multiples of its span since 1970; the mid
 * at `from` is its open. A bar that began before the first tick is left out.
 */
export class BarMaker {
  private readonly spanMillis: number
  private readonly symbols: readonly string[]
  private readonly readVolume: ReadVolume
  private readonly places: readonly number[]
  private readonly open: Float64Array
  private readonly high: Float64Array
  private readonly low: Float64Array
  private readonly close: Float64Array
  private toMillis = 0
  private isWhole = false

  /** `symbols` are the assets to make bars of; `places` are their places in the host's `assets`. */
  constructor(
    spanMillis: number,
    symbols: readonly string[],
    volumeOf: ReadVolume,
    places: readonly number[],
  ) {
    this.spanMillis = spanMillis
    this.symbols = symbols
    this.readVolume = volumeOf
    this.places = places
    this.open = new Float64Array(symbols.length)
    this.high = new Float64Array(symbols.length)
    this.low = new Float64Array(symbols.length)
    this.close = new Float64Array(symbols.length)
  }

  /**
   * Adds the mids of a tick, which begin in `mids` at index `from`. Returns the bars that this tick completes, one for
   * each asset in the order of `symbols`.
   */
  add(atMillis: number, mids: Float64Array, from: number): readonly Bar[] {
    if (atMillis < this.toMillis) {
      this.extend(mids, from)
      return noBars
    }
    // A mid at the very end still belongs to the bar, and also opens the next one.
    if (atMillis === this.toMillis) this.extend(mids, from)
    const bars = this.isWhole ? this.makeBars() : noBars
    this.startBar(atMillis, mids, from)
    return bars
  }

  private extend(mids: Float64Array, from: number): void {
    const { close, high, low } = this
    for (let index = 0; index < close.length; index += 1) {
      const mid = element(mids, from + index)
      close[index] = mid
      if (mid > element(high, index)) high[index] = mid
      if (mid < element(low, index)) low[index] = mid
    }
  }

  private startBar(atMillis: number, mids: Float64Array, from: number): void {
    const { close, high, low, open, spanMillis } = this
    const isFirst = this.toMillis === 0
    this.toMillis = (Math.floor(atMillis / spanMillis) + 1) * spanMillis
    this.isWhole = !isFirst || atMillis % spanMillis === 0
    for (let index = 0; index < close.length; index += 1) {
      const mid = element(mids, from + index)
      open[index] = mid
      high[index] = mid
      low[index] = mid
      close[index] = mid
    }
  }

  private makeBars(): readonly Bar[] {
    const { symbols } = this
    if (symbols.length === 1) return [this.makeBar(0)]
    return symbols.map((_, index) => this.makeBar(index))
  }

  private makeBar(index: number): Bar {
    const { close, high, low, open, places, spanMillis, symbols, toMillis, readVolume } = this
    const fromMillis = toMillis - spanMillis
    return {
      asset: symbols[index] ?? '',
      fromMillis,
      toMillis,
      open: element(open, index),
      high: element(high, index),
      low: element(low, index),
      close: element(close, index),
      volume: readVolume(places[index] ?? missing('each asset has its place'), fromMillis, toMillis),
    }
  }
}

const noBars: readonly Bar[] = []
