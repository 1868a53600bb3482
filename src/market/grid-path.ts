import { assert } from '../numeric/assert.ts'
import type { Lattice, PriceModel } from './models/price-model.ts'
import { minuteMillis } from './models/price-model.ts'

/*
 * A model read on the market's grid: a minute is written at once and remembered, so that going on from one index to
 * the next costs an array read. Eight minutes are kept, for those who look ahead.
 */
export class GridPath {
  private readonly model: PriceModel
  private readonly gridMillis: number
  private readonly windows: readonly Window[]

  constructor(model: PriceModel, gridMillis: number) {
    this.model = model
    this.gridMillis = gridMillis
    this.windows = Array.from({ length: windowCount }, () => ({
      minute: Number.NaN,
      firstIndex: 0,
      prices: noPrices,
    }))
  }

  priceAt(gridIndex: number): number {
    const minute = Math.ceil((gridIndex * this.gridMillis) / minuteMillis) - 1
    const window = this.windows[minute & (windowCount - 1)]
    assert(window !== undefined, 'a window stands at every place')
    if (window.minute !== minute) this.write(window, minute)
    const price = window.prices[gridIndex - window.firstIndex]
    assert(
      price !== undefined && price > 0 && Number.isFinite(price),
      'a model makes positive, finite prices',
    )
    return price
  }

  private write(window: Window, minute: number): void {
    const { gridMillis } = this
    const firstIndex = Math.floor((minute * minuteMillis) / gridMillis) + 1
    const count = Math.floor(((minute + 1) * minuteMillis) / gridMillis) - firstIndex + 1
    const firstMillis = firstIndex * gridMillis - minute * minuteMillis
    if (window.prices.length < count) window.prices = new Float64Array(Math.ceil(minuteMillis / gridMillis))
    const lattice: Lattice = { firstMillis, stepMillis: gridMillis, count }
    window.minute = Number.NaN // should the model stop the run, nothing half-written is read later
    this.model.fillPrices(minute, lattice, window.prices)
    window.minute = minute
    window.firstIndex = firstIndex
  }
}

const windowCount = 8
const noPrices = new Float64Array(0)

interface Window {
  minute: number
  firstIndex: number
  prices: Float64Array
}
