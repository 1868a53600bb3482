import { exp, log } from '../../numeric/portable-math.ts'
import type { PriceModel } from './price-model.ts'
import { minuteEnd } from './price-model.ts'

/*
 * Activity where no model knows it: the volatility of the last minutes, with weights that halve each half hour,
 * relative to that of the last two weeks, sampled by the hour. Only the path up to the minute is read. It is 1 where
 * nothing moved.
 *
 * Choice: before a recording begins nothing is known, which is not the same as no move. So only the known part of the
 * two weeks counts; while that is less than twelve hours, the missing hours are assumed to be like the last minutes.
 */
export class TrailingActivity {
  private readonly fillPrices: PriceModel['fillPrices']
  private readonly firstMinute: number
  private readonly price = new Float64Array(1)
  private readonly minutes = new LogMemory((minute) => this.logAt(minute))
  private readonly hours = new LogMemory((hour) => this.logAt(hour * 60))
  private shortMinute = Number.NaN
  private shortVariance = 0
  private longHour = Number.NaN
  private longVariance = 0

  /** `firstMinute` is the first one at whose start there is a price. */
  constructor(fillPrices: PriceModel['fillPrices'], firstMinute = Number.NEGATIVE_INFINITY) {
    this.fillPrices = fillPrices
    this.firstMinute = firstMinute
  }

  at(minute: number): number {
    if (this.shortMinute !== minute) {
      const known = Math.min(Math.max(minute - this.firstMinute, 0), shortMinutes)
      this.shortVariance = meanSquare(this.minutes, minute, known, shortDecay)
      this.shortMinute = minute
    }
    const hour = Math.floor(minute / 60)
    const known = Math.min(Math.max(hour - Math.ceil(this.firstMinute / 60), 0), longHours)
    if (this.longHour !== hour) {
      this.longVariance = meanSquare(this.hours, hour, known, 1) / 60
      this.longHour = hour
    }
    const assumed = leastHours - known
    const usual =
      assumed <= 0
        ? this.longVariance
        : (known * this.longVariance + assumed * this.shortVariance) / leastHours
    if (usual === 0) return 1
    return Math.min(Math.max(Math.sqrt(this.shortVariance / usual), 0.05), 20)
  }

  /** The price's logarithm at a minute's start. */
  private logAt(minute: number): number {
    this.fillPrices(minute - 1, minuteEnd, this.price)
    return log(Number(this.price[0]))
  }
}

/** Weighted mean of the squared returns of `count` spans before one, the last one first; 0 of none. */
function meanSquare(logs: LogMemory, span: number, count: number, decay: number): number {
  if (count === 0) return 0
  let later = logs.at(span)
  let weight = 1
  let weights = 0
  let sum = 0
  for (let back = 1; back <= count; back += 1) {
    const earlier = logs.at(span - back)
    sum += weight * (later - earlier) * (later - earlier)
    weights += weight
    weight *= decay
    later = earlier
  }
  return sum / weights
}

/** Logarithms at the starts of the last spans: from one span to the next all but one are the same. */
class LogMemory {
  private readonly read: (span: number) => number
  private readonly spans = new Float64Array(remembered).fill(Number.NaN)
  private readonly logs = new Float64Array(remembered)

  constructor(read: (span: number) => number) {
    this.read = read
  }

  at(span: number): number {
    const place = span & (remembered - 1)
    if (this.spans[place] !== span) {
      this.logs[place] = this.read(span)
      this.spans[place] = span
    }
    return Number(this.logs[place])
  }
}

/** A power of two above the longest look back. */
const remembered = 512
const shortMinutes = 180
const shortDecay = exp(-log(2) / 30)
const longHours = 336
const leastHours = 12
