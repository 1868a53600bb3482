import { assert } from '../numeric/assert.ts'
import { element } from '../numeric/columns.ts'
import { millisPerMinute } from '../numeric/time-text.ts'
import type { Grid, PriceModel } from './models/price-model.ts'

/**
 * Reads a model's prices on the market's grid. A minute is written as a whole and cached, so that the next
 * index costs one array read. Several minutes are kept, because takers look ahead while others still read the
 * present.
 */
export class GridPath {
  private readonly model: PriceModel
  private readonly gridMillis: number
  /** Largest number of prices in a minute. */
  private readonly stride: number
  private readonly windowCount: number
  /* By window: the minute that it holds, that minute's first grid index, and its prices. */
  private minutes = noValues
  private firstIndices = noValues
  private prices = noValues
  private readonly written: Float64Array
  private minuteGrid: Grid = { firstMillis: 0, stepMillis: 0, count: 0 }

  constructor(model: PriceModel, gridMillis: number) {
    this.model = model
    this.gridMillis = gridMillis
    this.stride = Math.ceil(millisPerMinute / gridMillis)
    this.windowCount = countWindows(gridMillis)
    this.written = new Float64Array(this.stride)
  }

  /** Returns the price at a grid index, USD. */
  priceAt(gridIndex: number): number {
    const { minutes, windowCount } = this
    const minute = Math.ceil((gridIndex * this.gridMillis) / millisPerMinute) - 1
    const window = minute & (windowCount - 1)
    if (minutes.length === 0 || minutes[window] !== minute) this.writeMinute(window, minute)
    const place = gridIndex - element(this.firstIndices, window)
    const price = element(this.prices, window * this.stride + place)
    assert(place >= 0 && place < this.stride && price > 0, 'a grid index lies in its minute, and has a price')
    return price
  }

  /**
   * Writes the prices at `count` indices, `step` apart. A model that can write any instants directly does so
   * without caching them.
   */
  write(firstIndex: number, step: number, count: number, prices: Float64Array): void {
    const { gridMillis, model } = this
    if (model.fillGrid !== undefined) {
      model.fillGrid({ firstMillis: firstIndex * gridMillis, stepMillis: step * gridMillis, count }, prices)
      for (let row = 0; row < count; row += 1) assertPrice(element(prices, row))
      return
    }
    for (let row = 0; row < count; row += 1) prices[row] = this.priceAt(firstIndex + row * step)
  }

  private writeMinute(window: number, minute: number): void {
    const { gridMillis, stride, written } = this
    if (this.minutes.length === 0) this.allocate()
    const firstIndex = Math.floor((minute * millisPerMinute) / gridMillis) + 1
    const count = Math.floor(((minute + 1) * millisPerMinute) / gridMillis) - firstIndex + 1
    const firstMillis = firstIndex * gridMillis - minute * millisPerMinute
    // How far into the minute the grid begins determines how many of its instants lie in the minute.
    if (this.minuteGrid.firstMillis !== firstMillis)
      this.minuteGrid = { firstMillis, stepMillis: gridMillis, count }
    this.minutes[window] = Number.NaN // if the model throws, no half-written minute is read later
    if (stride === 1 && this.model.fillGrid !== undefined)
      this.model.fillGrid({ firstMillis: firstIndex * gridMillis, stepMillis: gridMillis, count }, written)
    else this.model.fillPrices(minute, this.minuteGrid, written)
    for (let place = 0; place < count; place += 1) {
      const price = element(written, place)
      assertPrice(price)
      this.prices[window * stride + place] = price
    }
    this.minutes[window] = minute
    this.firstIndices[window] = firstIndex
  }

  private allocate(): void {
    this.minutes = new Float64Array(this.windowCount).fill(Number.NaN)
    this.firstIndices = new Float64Array(this.windowCount)
    this.prices = new Float64Array(this.windowCount * this.stride)
  }
}

/** Returns how far behind the newest requested price others are still cached, milliseconds. */
export function computeCachedMillis(gridMillis: number): number {
  return (countWindows(gridMillis) - 1) * millisPerMinute
}

/**
 * Returns the number of minutes that are cached, a power of two: few where a minute holds many prices, many
 * where it holds one.
 */
function countWindows(gridMillis: number): number {
  return gridMillis < millisPerMinute ? 8 : 1024
}

function assertPrice(price: number): void {
  assert(price > 0 && price < Number.POSITIVE_INFINITY, 'a model makes positive, finite prices')
}

const noValues = new Float64Array(0)
