import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { CachedMinutes } from './cached-minutes.ts'
import type { KnownSums } from './known-sums.ts'
import { LogVolatilityPath, type VolatilityScale } from './log-volatility.ts'
import { trend } from './market-figures.ts'
import type { StreamNames } from './price-model.ts'
import { getSharedSums } from './shared-values.ts'
import { blockMinutes } from './stepped-path.ts'

/** Trends of one block, each of mean 0 and variance 1, before each minute. */
export interface TrendBlock {
  /** Weighted sums of the shocks before, which halve in an hour. */
  readonly hour: Float64Array
  /** Weighted sums of the shocks before, which halve in half a day. */
  readonly halfDay: Float64Array
  /** Weighted sums of the shocks before, which halve in days. */
  readonly days: Float64Array
  /** The normal variable of each minute's return. */
  readonly shocks: Float64Array
}

/**
 * The normal variables of a factor's returns, and their trends on three time scales. The longest trend is an
 * Ornstein-Uhlenbeck process from a tree; the shocks of the returns are its own, so they are independent of each other
 * and of every trend before them. The shorter trends sum the same shocks over as many blocks before as leave more than
 * a thirtieth of a shock, so any block can be reached directly. What each block adds is kept, eight bytes, so only the
 * first reader draws those blocks.
 */
export class ReturnTrends {
  private readonly path: LogVolatilityPath
  private readonly hour: SummedTrend
  private readonly halfDay: SummedTrend
  private readonly blocks = new CachedMinutes(2, createBlock, (index, block) => this.writeBlock(index, block))

  constructor(names: StreamNames, purpose: string) {
    this.path = new LogVolatilityPath(longestScale, names, `${purpose}/trend`)
    const shocksOf = (index: number): Float64Array => this.path.block(index).shocks
    const { seed, symbol } = names
    const sumsOf = (scale: string): KnownSums => getSharedSums(JSON.stringify([seed, symbol, purpose, scale]))
    this.hour = new SummedTrend(trend.hour.halfLifeMinutes, shocksOf, sumsOf('hour'))
    this.halfDay = new SummedTrend(trend.halfDay.halfLifeMinutes, shocksOf, sumsOf('halfDay'))
  }

  /** Returns a block's trends. The object is reused: do not keep it. */
  block(index: number): TrendBlock {
    return this.blocks.at(index)
  }

  private writeBlock(index: number, { days, halfDay, hour, shocks }: TrendBlock): void {
    this.hour.fillBlock(index, hour)
    this.halfDay.fillBlock(index, halfDay)
    const path = this.path.block(index)
    days.set(path.logs)
    shocks.set(path.shocks)
  }
}

/** Trend that sums the shocks of the blocks before. */
class SummedTrend {
  private readonly shocksOf: (index: number) => Float64Array
  private readonly reachBlocks: number
  private readonly kept: number
  private readonly added: number
  private readonly keptOverBlock: number
  private readonly sums: KnownSums
  private readonly sumBlock = (index: number): number => this.computeSum(index)

  constructor(halfLifeMinutes: number, shocksOf: (index: number) => Float64Array, sums: KnownSums) {
    this.shocksOf = shocksOf
    this.sums = sums
    this.reachBlocks = Math.ceil((leastHalvings * halfLifeMinutes) / blockMinutes)
    this.kept = exp(-log(2) / halfLifeMinutes)
    this.added = Math.sqrt(1 - this.kept * this.kept)
    this.keptOverBlock = exp((-log(2) * blockMinutes) / halfLifeMinutes)
  }

  fillBlock(index: number, values: Float64Array): void {
    const { added, kept } = this
    let value = 0
    for (let before = index - this.reachBlocks; before < index; before += 1)
      value = value * this.keptOverBlock + this.sums.at(before, this.sumBlock)
    const shocks = this.shocksOf(index)
    for (let i = 0; i < blockMinutes; i += 1) {
      values[i] = value
      value = kept * value + added * element(shocks, i)
    }
  }

  private computeSum(index: number): number {
    const { added, kept } = this
    let sum = 0
    for (const shock of this.shocksOf(index)) sum = kept * sum + added * shock
    return sum
  }
}

const longestScale: readonly VolatilityScale[] = [
  { halfLifeMinutes: trend.days.halfLifeMinutes, weight: 1, isLeveraged: true },
]
/** How many half-lives a trend looks back: what is left of a shock is then 3 %. */
const leastHalvings = 4.98

const createBlock = (): TrendBlock => ({
  hour: new Float64Array(blockMinutes),
  halfDay: new Float64Array(blockMinutes),
  days: new Float64Array(blockMinutes),
  shocks: new Float64Array(blockMinutes),
})
