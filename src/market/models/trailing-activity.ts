import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'

/*
 * Activity where no model knows it: the volatility of the last minutes, with weights that halve each half hour,
 * relative to that of the last two weeks, sampled by the hour. Only the path up to the minute is read. It is 1 where
 * nothing moved.
 *
 * Choice: before a recording begins nothing is known, which is not the same as no move. So only the known part of the
 * two weeks counts; while that is less than twelve hours, the missing hours are assumed to be like the last minutes.
 */
export class TrailingActivity {
  private readonly firstMinute: number
  private readonly minutes: LogPriceCache
  private readonly hours: LogPriceCache
  private shortMinute = Number.NaN
  private shortVariance = 0
  private longHour = Number.NaN
  private longVariance = 0

  /** `priceAt` answers for the starts of minutes; `firstMinute` is the first one at which there is a price. */
  constructor(priceAt: (minute: number) => number, firstMinute = Number.NEGATIVE_INFINITY) {
    this.firstMinute = firstMinute
    this.minutes = new LogPriceCache(priceAt, 1)
    this.hours = new LogPriceCache(priceAt, 60)
  }

  at(minute: number): number {
    if (this.shortMinute !== minute) {
      const known = Math.min(Math.max(minute - this.firstMinute, 0), shortMinutes)
      this.shortVariance = this.minutes.meanSquare(minute, known, shortWeights)
      this.shortMinute = minute
    }
    const hour = Math.floor(minute / 60)
    const known = Math.min(Math.max(hour - Math.ceil(this.firstMinute / 60), 0), longHours)
    if (this.longHour !== hour) {
      this.longVariance = this.hours.meanSquare(hour, known, longWeights) / 60
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
}

/** Logarithms at the starts of the last spans: from one span to the next all but one are the same. */
class LogPriceCache {
  private readonly priceAt: (minute: number) => number
  private readonly spanMinutes: number
  /** Of the spans known, which follow each other: the first, and the one after the last. */
  private first = 0
  private end = 0
  private readonly logs = new Float64Array(capacity)

  constructor(priceAt: (minute: number) => number, spanMinutes: number) {
    this.priceAt = priceAt
    this.spanMinutes = spanMinutes
  }

  /** Weighted mean of the squared returns of `count` spans before one, the last one first; 0 of none. */
  meanSquare(span: number, count: number, { each, sums }: Weights): number {
    if (count === 0) return 0
    this.load(span - count, span)
    const { logs } = this
    let later = element(logs, span & (capacity - 1))
    let sum = 0
    for (let back = 1; back <= count; back += 1) {
      const earlier = element(logs, (span - back) & (capacity - 1))
      sum += element(each, back) * (later - earlier) * (later - earlier)
      later = earlier
    }
    return sum / element(sums, count)
  }

  /** Reads forwards, as a path is read fastest. */
  private load(first: number, last: number): void {
    if (first < this.first || first > this.end) {
      this.first = first
      this.end = first
    }
    const { logs, priceAt, spanMinutes } = this
    for (; this.end <= last; this.end += 1)
      logs[this.end & (capacity - 1)] = log(priceAt(this.end * spanMinutes))
    this.first = Math.max(this.first, this.end - capacity)
  }
}

/** Of the last span, the one before it, and so on, from place 1 on; and the sum of as many. */
interface Weights {
  readonly each: Float64Array
  readonly sums: Float64Array
}

function computeWeights(count: number, decay: number): Weights {
  const each = new Float64Array(count + 1)
  const sums = new Float64Array(count + 1)
  let weight = 1
  for (let back = 1; back <= count; back += 1) {
    each[back] = weight
    sums[back] = element(sums, back - 1) + weight
    weight *= decay
  }
  return { each, sums }
}

/** A power of two above the longest look back. */
const capacity = 512
const shortMinutes = 180
const longHours = 336
/** They halve each half hour. */
const shortWeights = computeWeights(shortMinutes, exp(-log(2) / 30))
const longWeights = computeWeights(longHours, 1)
const leastHours = 12
