import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { StreamSeries } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { LogVolatilityPath } from './log-volatility.ts'
import { fastScales, middleScales, quarterDeviation, slowScales, trend, wildness } from './market-figures.ts'
import type { MinuteTree } from './minute-tree.ts'
import type { StreamNames } from './price-model.ts'
import type { ReturnTrends } from './return-trends.ts'
import { minuteOfHour } from './seasons.ts'
import { BlockLine, createSlowPath, fillWeighted, partMinutes, partsOfBlock } from './slow-paths.ts'
import { blockMinutes } from './stepped-path.ts'
import { VolatilityShots } from './volatility-shots.ts'

/**
 * Logarithm of the volatility of a factor of the default market, without season: fast scales whose width is the
 * wildness of the weeks, slow scales, the squared trends of the returns before, leverage, and shots. It depends
 * on the returns of minutes before, never on a minute's own.
 */
export class MarketVolatility {
  private readonly trends: ReturnTrends
  private readonly startMillis: number
  private readonly fast: LogVolatilityPath
  private readonly shots: VolatilityShots
  private readonly quarterStreams: StreamSeries
  private readonly middle: Readonly<Record<keyof typeof middleScales, MinuteTree>>
  private readonly slow: Readonly<Record<keyof typeof slowScales, BlockLine>>
  private readonly values = {
    middle: createParts(),
    days: createParts(),
    weeks: createParts(),
    wildness: createParts(),
    leverage: createParts(),
  }
  private readonly levels = createParts()
  private readonly widths = createParts()
  private readonly quarters = new Float64Array(blockMinutes)

  constructor(trends: ReturnTrends, startMillis: number, names: StreamNames, purpose: string) {
    this.trends = trends
    this.startMillis = startMillis
    this.fast = new LogVolatilityPath(fastScales, names, `${purpose}/vol`)
    this.shots = new VolatilityShots(names, purpose)
    this.quarterStreams = new StreamSeries(names.seed, `${purpose}/quarters`, names.symbol)
    const middle = (name: keyof typeof middleScales): MinuteTree =>
      createSlowPath(middleScales[name].halfLifeMinutes, partMinutes, names, `${purpose}/${name}`)
    const slow = (name: keyof typeof slowScales): BlockLine =>
      new BlockLine(slowScales[name].halfLifeMinutes, names, `${purpose}/${name}`)
    this.middle = { hour: middle('hour'), hours: middle('hours') }
    this.slow = {
      days: slow('days'),
      weeks: slow('weeks'),
      wildness: slow('wildness'),
      leverage: slow('leverage'),
    }
  }

  /**
   * Writes the logarithm at the start of each minute of a block, and returns what minutes 0, 15, 30 and 45 add to it; 0
   * in the others. That array is reused: do not keep it.
   */
  fillLogs(index: number, logs: Float64Array): Float64Array {
    const { levels, values, widths } = this
    this.fillSlowParts(index)
    const fast = this.fast.block(index).logs
    const { days, halfDay, hour } = this.trends.block(index)
    for (let place = 0; place < partsOfBlock; place += 1) {
      let level = element(levels, place)
      let width = element(widths, place)
      let leverage = element(values.leverage, place)
      const levelStep = (element(levels, place + 1) - level) / partMinutes
      const widthStep = (element(widths, place + 1) - width) / partMinutes
      const leverageStep = (element(values.leverage, place + 1) - leverage) / partMinutes
      const end = (place + 1) * partMinutes
      for (let i = place * partMinutes; i < end; i += 1) {
        const trendOfHalfDay = element(halfDay, i)
        logs[i] =
          level +
          width * element(fast, i) +
          trend.hour.weight * measureExcess(element(hour, i)) +
          trend.halfDay.weight * measureExcess(trendOfHalfDay) +
          trend.days.weight * measureExcess(element(days, i)) -
          leverage * trendOfHalfDay
        level += levelStep
        width += widthStep
        leverage += leverageStep
      }
    }
    this.shots.addLogs(index, logs)
    this.drawQuarters(index)
    return this.quarters
  }

  /** Computes, every sixteen minutes, the level of the logarithm, the width of its fast part, and the leverage. */
  private fillSlowParts(index: number): void {
    const { levels, slow, values, widths } = this
    const { days, leverage, middle, weeks, wildness: wild } = values
    fillWeighted(
      index,
      [this.middle.hour, middleScales.hour.weight],
      [this.middle.hours, middleScales.hours.weight],
      middle,
    )
    slow.days.fillParts(index, days)
    slow.weeks.fillParts(index, weeks)
    slow.wildness.fillParts(index, wild)
    slow.leverage.fillParts(index, leverage)
    for (let place = 0; place <= partsOfBlock; place += 1) {
      const slowPart =
        slowScales.days.weight * element(days, place) + slowScales.weeks.weight * element(weeks, place)
      const logWidth =
        slowScales.wildness.weight * element(wild, place) - (wildness.fall / wildness.unit) * slowPart
      const width = Math.min(exp(logWidth), wildness.most)
      widths[place] = width
      levels[place] = slowPart - slowVariance + width * (element(middle, place) - width * fastVariance)
      leverage[place] = trend.leverage + slowScales.leverage.weight * element(leverage, place)
    }
  }

  private drawQuarters(index: number): void {
    const { quarters } = this
    const stream = this.quarterStreams.at(index)
    const firstMinute = minuteOfHour(this.startMillis + index * blockMinutes * millisPerMinute)
    quarters.fill(0)
    for (let i = (15 - (firstMinute % 15)) % 15; i < blockMinutes; i += 15)
      quarters[i] = quarterDeviation * (stream.normal() - quarterDeviation / 2)
  }
}

/** Returns by how much the square of a trend exceeds its mean of 1, bounded. */
const measureExcess = (value: number): number => Math.min(value * value - 1, trend.most)

const createParts = (): Float64Array => new Float64Array(partsOfBlock + 1)

const square = (value: number): number => value * value
const slowVariance = square(slowScales.days.weight) + square(slowScales.weeks.weight)
const fastVariance = fastScales.reduce(
  (sum, { weight }) => sum + square(weight),
  square(middleScales.hour.weight) + square(middleScales.hours.weight),
)
