import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'

/**
 * Activity measured from a path, for models that do not know their volatility: the volatility of the last three
 * hours, with weights that halve every half hour, relative to that of the last two weeks, sampled by the hour.
 * Only the path up to the minute is read. It is 1 where nothing moved.
 *
 * Choice: before a recording begins nothing is known, which is not the same as no move. So only the known part
 * of the two weeks counts; while that is less than twelve hours, the missing hours are assumed to be like the
 * last minutes.
 */
export class TrailingActivity {
  private readonly firstMinute: number
  private readonly minutes: LogPriceCache
  private readonly hours: LogPriceCache
  private shortMinute = Number.NaN
  private shortVariance = 0
  private longHour = Number.NaN
  private longVariance = 0

  /**
   * Creates a measure of activity. `priceAt` returns the price at the start of a minute; `firstMinute` is the
   * first one that has a price.
   */
  constructor(priceAt: (minute: number) => number, firstMinute = Number.NEGATIVE_INFINITY) {
    this.firstMinute = firstMinute
    this.minutes = new LogPriceCache(priceAt, 1)
    this.hours = new LogPriceCache(priceAt, 60)
  }

  /** Returns the activity at the start of a minute. */
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

/**
 * Cache of the logarithms of prices at the starts of the last spans: from one span to the next all but one are
 * the same.
 */
class LogPriceCache {
  private readonly priceAt: (minute: number) => number
  private readonly spanMinutes: number
  /* First span that is cached, and the one after the last; all between them are cached. */
  private first = 0
  private end = 0
  private readonly logs = new Float64Array(capacity)

  constructor(priceAt: (minute: number) => number, spanMinutes: number) {
    this.priceAt = priceAt
    this.spanMinutes = spanMinutes
  }

  /**
   * Returns the weighted mean of the squared returns of the `count` spans before one, weighting the latest
   * first; 0 for no spans.
   */
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

  /** Caches the spans of a range. It reads forwards, because a path is read fastest that way. */
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

/**
 * Weights of the last span, the one before it, and so on, from index 1 on; and the sums of the first weights.
 */
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

/** Number of cached spans: a power of two above the longest range. */
const capacity = 512
const shortMinutes = 180
const longHours = 336
/** Weights that halve every half hour. */
const shortWeights = computeWeights(shortMinutes, exp(-log(2) / 30))
const longWeights = computeWeights(longHours, 1)
const leastHours = 12
