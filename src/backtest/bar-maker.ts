import type { Bar } from './strategy.ts'

/** What the rest of the world traded of an asset in (from, to]; null when unknown. By place in the host's assets. */
export type VolumeOf = (place: number, fromMillis: number, toMillis: number) => number | null

/**
 * Makes bars of the mids at ticks. A bar covers (from, to], both multiples of its span since 1970; the mid at `from`
 * is its open. A bar that began before the first tick is left out.
 */
export class BarMaker {
  private readonly spanMillis: number
  private readonly symbols: readonly string[]
  private readonly volumeOf: VolumeOf
  private readonly places: readonly number[]
  private readonly open: Float64Array
  private readonly high: Float64Array
  private readonly low: Float64Array
  private readonly close: Float64Array
  private toMillis = 0
  private isWhole = false

  /** `symbols` are the assets wanted, `places` their places in the host. */
  constructor(spanMillis: number, symbols: readonly string[], volumeOf: VolumeOf, places: readonly number[]) {
    this.spanMillis = spanMillis
    this.symbols = symbols
    this.volumeOf = volumeOf
    this.places = places
    this.open = new Float64Array(symbols.length)
    this.high = new Float64Array(symbols.length)
    this.low = new Float64Array(symbols.length)
    this.close = new Float64Array(symbols.length)
  }

  /**
   * Takes in the mids of a tick, which stand in `mids` from a place on. Answers the bars that it completes, one for
   * each asset, in their order.
   */
  add(atMillis: number, mids: Float64Array, from: number): readonly Bar[] {
    if (atMillis < this.toMillis) {
      this.extend(mids, from)
      return none
    }
    // A sample at the very end still belongs to the bar, and opens the next.
    if (atMillis === this.toMillis) this.extend(mids, from)
    const bars = this.isWhole ? this.bars() : none
    this.begin(atMillis, mids, from)
    return bars
  }

  /** The bar that is being made, as plain data. */
  capture(): BarMakerState {
    const { close, high, isWhole, low, open, toMillis } = this
    return { prices: [open, high, low, close].map((values) => [...values]), toMillis, isWhole }
  }

  restore(from: BarMakerState): void {
    for (const [place, values] of [this.open, this.high, this.low, this.close].entries())
      values.set(from.prices[place] ?? [])
    this.toMillis = from.toMillis
    this.isWhole = from.isWhole
  }

  private extend(mids: Float64Array, from: number): void {
    const { close, high, low } = this
    for (let index = 0; index < close.length; index += 1) {
      const mid = Number(mids[from + index])
      close[index] = mid
      if (mid > Number(high[index])) high[index] = mid
      if (mid < Number(low[index])) low[index] = mid
    }
  }

  private begin(atMillis: number, mids: Float64Array, from: number): void {
    const { close, high, low, open, spanMillis } = this
    const isFirst = this.toMillis === 0
    this.toMillis = (Math.floor(atMillis / spanMillis) + 1) * spanMillis
    this.isWhole = !isFirst || atMillis % spanMillis === 0
    for (let index = 0; index < close.length; index += 1) {
      const mid = Number(mids[from + index])
      open[index] = mid
      high[index] = mid
      low[index] = mid
      close[index] = mid
    }
  }

  private bars(): readonly Bar[] {
    const { symbols } = this
    if (symbols.length === 1) return [this.bar(0)]
    return symbols.map((_, index) => this.bar(index))
  }

  private bar(index: number): Bar {
    const { close, high, low, open, places, spanMillis, symbols, toMillis, volumeOf } = this
    const fromMillis = toMillis - spanMillis
    return {
      asset: symbols[index] ?? '',
      fromMillis,
      toMillis,
      open: Number(open[index]),
      high: Number(high[index]),
      low: Number(low[index]),
      close: Number(close[index]),
      volume: volumeOf(Number(places[index]), fromMillis, toMillis),
    }
  }
}

export interface BarMakerState {
  readonly prices: readonly (readonly number[])[]
  readonly toMillis: number
  readonly isWhole: boolean
}

const none: readonly Bar[] = []
