import type { Bar } from './strategy.ts'
import type { Observation } from './venue/host.ts'

/**
 * Bars of the mids that ticks showed. A bar covers (from, to], both multiples of its span since 1970; the mid at `from`
 * is its open. A bar that began before the first tick is left out.
 */
export class BarMaker {
  private readonly spanMillis: number
  private readonly places: readonly number[]
  private readonly symbols: readonly string[]
  private readonly open: Float64Array
  private readonly high: Float64Array
  private readonly low: Float64Array
  private readonly close: Float64Array
  private toMillis = 0
  private isWhole = false

  /** `places` are those of the assets wanted. */
  constructor(spanMillis: number, places: readonly number[], symbols: readonly string[]) {
    this.spanMillis = spanMillis
    this.places = places
    this.symbols = symbols
    this.open = new Float64Array(places.length)
    this.high = new Float64Array(places.length)
    this.low = new Float64Array(places.length)
    this.close = new Float64Array(places.length)
  }

  /** Takes in what was seen; the bars that it completes, one an asset, in the order of the assets. */
  add(seen: Observation): readonly Bar[] {
    const { atMillis } = seen
    if (atMillis < this.toMillis) {
      this.extend(seen)
      return none
    }
    // A sample at the very end still belongs to the bar, and opens the next.
    if (atMillis === this.toMillis) this.extend(seen)
    const bars = this.isWhole ? this.bars() : none
    this.begin(seen)
    return bars
  }

  /** What it has of the bar that is being made, as plain data. */
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

  private extend(seen: Observation): void {
    const { close, high, low, places } = this
    for (let index = 0; index < places.length; index += 1) {
      const mid = seen.mid(places[index] ?? 0)
      close[index] = mid
      if (mid > (high[index] ?? 0)) high[index] = mid
      if (mid < (low[index] ?? 0)) low[index] = mid
    }
  }

  private begin(seen: Observation): void {
    const { places, spanMillis } = this
    const isFirst = this.toMillis === 0
    this.toMillis = (Math.floor(seen.atMillis / spanMillis) + 1) * spanMillis
    this.isWhole = !isFirst || seen.atMillis % spanMillis === 0
    for (let index = 0; index < places.length; index += 1) {
      const mid = seen.mid(places[index] ?? 0)
      this.open[index] = mid
      this.high[index] = mid
      this.low[index] = mid
      this.close[index] = mid
    }
  }

  private bars(): readonly Bar[] {
    const { symbols } = this
    if (symbols.length === 1) return [this.bar(0)]
    return symbols.map((_, index) => this.bar(index))
  }

  private bar(index: number): Bar {
    const { close, high, low, open, spanMillis, symbols, toMillis } = this
    return {
      asset: symbols[index] ?? '',
      fromMillis: toMillis - spanMillis,
      toMillis,
      open: open[index] ?? 0,
      high: high[index] ?? 0,
      low: low[index] ?? 0,
      close: close[index] ?? 0,
    }
  }
}

export interface BarMakerState {
  readonly prices: readonly (readonly number[])[]
  readonly toMillis: number
  readonly isWhole: boolean
}

const none: readonly Bar[] = []
