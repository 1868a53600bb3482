import { element } from '../../numeric/columns.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { CachedMinutes } from '../models/cached-minutes.ts'

/**
 * The move of a price that decides which side a taker is more likely to take. A taker knows the price two seconds
 * ahead; its move goes from what the taker before it knew to what it knows, over at most thirty seconds. The intervals
 * of neighbouring takers touch and never overlap, so no move counts twice.
 */
export class PriceMoves {
  private readonly minutes: CachedMinutes<Seconds>

  /** `fillSeconds` writes the prices at a minute's start and at the ends of its sixty seconds. */
  constructor(fillSeconds: (minute: number, prices: Float64Array) => void) {
    this.minutes = new CachedMinutes(4, createSeconds, (minute, seconds) => {
      fillSeconds(minute, seconds.prices)
      seconds.deviation = computeDeviation(seconds.prices)
    })
  }

  /**
   * Returns the move in deviations of its interval, at most 4 either way; NaN while the price stands still. Both
   * instants are milliseconds after the market's start.
   */
  measureMove(beforeMillis: number, atMillis: number): number {
    const toMillis = atMillis + leadMillis
    const fromMillis = Math.max(beforeMillis + leadMillis, toMillis - mostMillis)
    const from = this.priceAt(fromMillis)
    const to = this.priceAt(toMillis)
    const { deviation } = this.minutes.at(Math.floor(atMillis / millisPerMinute))
    if (deviation === 0) return Number.NaN
    const seconds = Math.max(toMillis - fromMillis, 1) / 1000
    return Math.min(Math.max((to / from - 1) / (deviation * Math.sqrt(seconds)), -mostMove), mostMove)
  }

  private priceAt(atMillis: number): number {
    const minute = Math.floor(atMillis / millisPerMinute)
    const { prices } = this.minutes.at(minute)
    const second = (atMillis - minute * millisPerMinute) / 1000
    const whole = Math.floor(second)
    const price = element(prices, whole)
    return whole === second ? price : price + (element(prices, whole + 1) - price) * (second - whole)
  }
}

/** How far ahead takers know the price: in records, takers' prices go on with them for a few seconds. */
const leadMillis = 2000
const mostMillis = 30_000
const mostMove = 4

/** Prices of a minute's seconds, and the deviation of a second's return. */
interface Seconds {
  readonly prices: Float64Array
  deviation: number
}

const createSeconds = (): Seconds => ({ prices: new Float64Array(61), deviation: 0 })

function computeDeviation(prices: Float64Array): number {
  let sum = 0
  for (let second = 1; second < prices.length; second += 1) {
    const move = element(prices, second) / element(prices, second - 1) - 1
    sum += move * move
  }
  return Math.sqrt(sum / (prices.length - 1))
}
