import { missing } from '../../numeric/assert.ts'
import { element } from '../../numeric/columns.ts'
import { exp } from '../../numeric/portable-math.ts'
import { StreamSeries } from '../../numeric/random.ts'
import { CachedMinutes } from './cached-minutes.ts'
import type { FactorBlock, MarketFactor } from './market-factor.ts'
import { apart, marketVol, slowScales, stillness } from './market-figures.ts'
import { type Grid, minutesPerYear, type StreamNames } from './price-model.ts'
import { BlockLine, interpolateParts, partsOfBlock } from './slow-paths.ts'
import { type BlockSource, blockMinutes, type MinuteBlock } from './stepped-path.ts'

/** Factor with the weight that it has in an asset's return. */
interface Loaded {
  readonly load: number
  readonly factor: MarketFactor
}

/** What an asset adds to its factors. */
interface OwnTraits {
  readonly vol: number
  readonly drift: number
  readonly marketShareSd: number
  readonly standstillBps: number
}

/**
 * Minutes of an asset as a weighted sum of factors. The weight of the market wanders. In some minutes the price stands
 * still; the next minute that moves has the variance of them all. So the past never shows the direction of what comes,
 * and no asset follows another.
 */
export class LoadedFactors implements BlockSource {
  private readonly parts: readonly Loaded[]
  private readonly isMarketLoaded: boolean
  private readonly traits: OwnTraits
  private readonly minuteVol: number
  private readonly driftPerMinute: number
  private readonly loading: BlockLine
  private readonly standstill: BlockLine
  private readonly standstillStreams: StreamSeries
  private readonly apartStreams: StreamSeries
  private readonly slowValues = new Float64Array(partsOfBlock + 1)
  private readonly weights: CachedMinutes<Weights>

  constructor(
    { market, alts, own }: { readonly market: Loaded; readonly alts: Loaded; readonly own: Loaded },
    traits: OwnTraits,
    names: StreamNames,
  ) {
    this.parts = [market, alts, own].filter(({ load }) => load !== 0)
    this.isMarketLoaded = market.load !== 0
    this.traits = traits
    this.minuteVol = traits.vol / Math.sqrt(minutesPerYear)
    this.driftPerMinute = traits.drift / minutesPerYear
    this.loading = new BlockLine(slowScales.weeks.halfLifeMinutes, names, 'loading')
    this.standstill = new BlockLine(stillness.halfLifeMinutes, names, 'standstill')
    this.apartStreams = new StreamSeries(names.seed, 'loading/minutes', names.symbol)
    this.standstillStreams = new StreamSeries(names.seed, 'standstill/minutes', names.symbol)
    this.weights = new CachedMinutes(8, createWeights, (index, weights) => this.writeWeights(index, weights))
  }

  fillBlock(index: number, { returns, activities }: MinuteBlock): void {
    const { driftPerMinute, minuteVol, parts } = this
    const { activity, drifts, factors, market, variances } = this.weights.at(index)
    for (let i = 0; i < blockMinutes; i += 1) {
      returns[i] = driftPerMinute * element(drifts, i)
      activities[i] = minuteVol > 0 ? element(activity, i) / minuteVol : 1
    }
    for (const [place, { factor, load }] of parts.entries()) {
      const weights = place === 0 && this.isMarketLoaded ? market : factors
      addReturns(load, weights, factor.block(index), returns)
    }
    // Half of the variance is subtracted, so that the price itself is a martingale.
    for (let i = 0; i < blockMinutes; i += 1) {
      const factor = element(factors, i)
      returns[i] = element(returns, i) - (factor * factor * element(variances, i)) / 2
    }
  }

  addBridge(minute: number, grid: Grid, _block: MinuteBlock, values: Float64Array): void {
    const index = Math.floor(minute / blockMinutes)
    const i = minute - index * blockMinutes
    const { factors, market } = this.weights.at(index)
    for (const [place, { factor, load }] of this.parts.entries()) {
      const weight = element(place === 0 && this.isMarketLoaded ? market : factors, i)
      if (weight === 0) continue
      const width = load * weight * element(factor.block(index).sigmas, i)
      const bridge = factor.getBridge(minute, grid)
      for (let at = 0; at < grid.count; at += 1)
        values[at] = element(values, at) + width * element(bridge, at)
    }
  }

  private writeWeights(index: number, weights: Weights): void {
    const { apartness, drifts, factors, loading, market } = weights
    const { slowValues } = this
    const { marketShareSd } = this.traits
    this.loading.fillParts(index, slowValues)
    for (let part = 0; part <= partsOfBlock; part += 1)
      slowValues[part] = exp(marketShareSd * (element(slowValues, part) - marketShareSd))
    for (let i = 0; i < blockMinutes; i += 1) loading[i] = interpolateParts(slowValues, i)
    if (this.isMarketLoaded) this.driftApart(index, apartness)
    this.fillVariances(index, weights)
    factors.fill(1)
    drifts.fill(1)
    if (this.traits.standstillBps > 0) this.standStill(index, weights)
    for (let i = 0; i < blockMinutes; i += 1)
      market[i] = element(loading, i) * element(apartness, i) * element(factors, i)
  }

  /**
   * Lets the asset go its own way in wild minutes, in which the square of the market's weight is drawn by the
   * minute, about 1. So two assets have fewer of their very worst minutes together.
   */
  private driftApart(index: number, apartness: Float64Array): void {
    const stream = this.apartStreams.at(index)
    const { sigmas } = this.marketBlock(index)
    apartness.fill(1)
    for (let i = 0; i < blockMinutes; i += 1) {
      const wild = element(sigmas, i) / usualMinuteVol - apart.from
      if (wild <= 0) continue
      const width = Math.min(wild / (apart.to - apart.from), 1)
      apartness[i] = Math.sqrt(1 + width * (2 * stream.uniform() - 1))
    }
  }

  private marketBlock(index: number): FactorBlock {
    return (this.parts[0] ?? missing('the market is the first part')).factor.block(index)
  }

  /**
   * Chooses the minutes in which the price stands still, and gives their variance to the next that moves. The
   * last minute of a block always moves, so that blocks do not depend on each other.
   */
  private standStill(index: number, { activity, drifts, factors, variances }: Weights): void {
    const { slowValues } = this
    this.standstill.fillParts(index, slowValues)
    const usual = exp(stillness.deviation * element(slowValues, 0)) * this.traits.standstillBps
    const stream = this.standstillStreams.at(index)
    let pending = 0
    let minutes = 0
    for (let i = 0; i < blockMinutes; i += 1) {
      const bps = 1e4 * element(activity, i)
      const ratio = usual / Math.max(bps, 1e-9)
      const variance = element(variances, i)
      const isStill = stream.uniform() < Math.min(ratio * ratio, stillness.mostShare) && i + 1 < blockMinutes
      if (isStill) {
        pending += variance
        minutes += 1
        factors[i] = 0
        drifts[i] = 0
      } else if (minutes > 0) {
        if (variance > 0) factors[i] = Math.sqrt(1 + pending / variance)
        drifts[i] = 1 + minutes
        pending = 0
        minutes = 0
      }
    }
  }

  /** Writes the sums of the squared deviations of the loaded factors, without and with what wild minutes draw. */
  private fillVariances(index: number, { activity, apartness, loading, variances }: Weights): void {
    variances.fill(0)
    activity.fill(0)
    for (const [place, { factor, load }] of this.parts.entries()) {
      const { sigmas } = factor.block(index)
      const isMarket = place === 0 && this.isMarketLoaded
      for (let i = 0; i < blockMinutes; i += 1) {
        const weight = load * (isMarket ? element(loading, i) : 1)
        const sigma = weight * element(sigmas, i)
        const drawn = isMarket ? element(apartness, i) : 1
        const deviation = drawn * sigma
        activity[i] = element(activity, i) + sigma * sigma
        variances[i] = element(variances, i) + deviation * deviation
      }
    }
    for (let i = 0; i < blockMinutes; i += 1) activity[i] = Math.sqrt(element(activity, i))
  }
}

/** Deviation of a minute of the market in the long run. */
const usualMinuteVol = marketVol / Math.sqrt(minutesPerYear)

/** Weights of one block's minutes. */
interface Weights {
  /** By how much a minute multiplies the asset's load on the market factor. */
  readonly loading: Float64Array
  /** What a wild minute draws as a multiple of that; 1 in calm ones. */
  readonly apartness: Float64Array
  /** Multiple of all loads: 0 where the price stands still, above 1 in the next minute that moves. */
  readonly factors: Float64Array
  /** Product of the three. */
  readonly market: Float64Array
  /** How many minutes' drift a minute has. */
  readonly drifts: Float64Array
  /** Deviation of each minute's return, as known at the minute's start, as if it never stood still. */
  readonly activity: Float64Array
  /** Variance of each minute's return given its own draws, as if it never stood still. */
  readonly variances: Float64Array
}

const createWeights = (): Weights => ({
  loading: new Float64Array(blockMinutes),
  apartness: new Float64Array(blockMinutes),
  factors: new Float64Array(blockMinutes),
  market: new Float64Array(blockMinutes),
  drifts: new Float64Array(blockMinutes),
  activity: new Float64Array(blockMinutes),
  variances: new Float64Array(blockMinutes),
})

function addReturns(load: number, weights: Float64Array, block: FactorBlock, returns: Float64Array): void {
  for (let i = 0; i < blockMinutes; i += 1)
    returns[i] = element(returns, i) + load * element(weights, i) * element(block.returns, i)
}
