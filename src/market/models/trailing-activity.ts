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
  private readonly minutes: LogMemory
  private readonly hours: LogMemory
  private shortMinute = Number.NaN
  private shortVariance = 0
  private longHour = Number.NaN
  private longVariance = 0

  /** `priceAt` answers for the starts of minutes; `firstMinute` is the first one at which there is a price. */
  constructor(priceAt: (minute: number) => number, firstMinute = Number.NEGATIVE_INFINITY) {
    this.firstMinute = firstMinute
    this.minutes = new LogMemory((minute) => log(priceAt(minute)))
    this.hours = new LogMemory((hour) => log(priceAt(hour * 60)))
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
