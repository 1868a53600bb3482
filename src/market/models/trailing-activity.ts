import { exp, log } from '../../numeric/portable-math.ts'
import type { PriceModel } from './price-model.ts'
import { minuteEnd } from './price-model.ts'

/*
 * Activity where no model tells it: the volatility of the last minutes, whose weights halve each half hour, over that
 * of the last two weeks, sampled by the hour. Only the path up to the minute is read. It is 1 where nothing moved.
 */
export class TrailingActivity {
  private readonly fillPrices: PriceModel['fillPrices']
  private readonly price = new Float64Array(1)
  private shortMinute = Number.NaN
  private shortVariance = 0
  private longHour = Number.NaN
  private longVariance = 0

  constructor(fillPrices: PriceModel['fillPrices']) {
    this.fillPrices = fillPrices
  }

  at(minute: number): number {
    if (this.shortMinute !== minute) {
      this.shortVariance = this.meanSquare(minute, 1, shortMinutes, shortDecay)
      this.shortMinute = minute
    }
    const hour = Math.floor(minute / 60)
    if (this.longHour !== hour) {
      this.longVariance = this.meanSquare(hour * 60, 60, longHours, 1) / 60
      this.longHour = hour
    }
    if (this.longVariance === 0) return 1
    return Math.min(Math.max(Math.sqrt(this.shortVariance / this.longVariance), 0.05), 20)
  }

  /** Weighted mean of the squared returns of `count` spans before a minute, the last one first. */
  private meanSquare(minute: number, spanMinutes: number, count: number, decay: number): number {
    let later = log(this.priceAt(minute))
    let weight = 1
    let weights = 0
    let sum = 0
    for (let back = 1; back <= count; back += 1) {
      const earlier = log(this.priceAt(minute - back * spanMinutes))
      sum += weight * (later - earlier) * (later - earlier)
      weights += weight
      weight *= decay
      later = earlier
    }
    return sum / weights
  }

  /** At a minute's start. */
  private priceAt(minute: number): number {
    this.fillPrices(minute - 1, minuteEnd, this.price)
    return this.price[0] ?? 1
  }
}

const shortMinutes = 180
const shortDecay = exp(-log(2) / 30)
const longHours = 336
