import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { createStream } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { amount, kind, number, type RecordOf, record } from '../../shape/shape.ts'
import { problem } from '../../shape/spec-checks.ts'
import { usualFigures } from '../usual-figures.ts'
import { CachedMinutes } from './cached-minutes.ts'
import { GaussianPath } from './gaussian-path.ts'
import { createOrnsteinUhlenbeckProcess } from './gaussian-process.ts'
import { defineModel, drift, vol } from './model-definition.ts'
import { type Grid, minutesPerYear, type PriceModel, type StreamNames } from './price-model.ts'
import { type FactorBlock, type MarketFactors, ReturnFactor, type ReturnFactorSpec } from './return-factor.ts'
import { fillSeason, volatilitySeason, volumeSeason } from './seasons.ts'
import {
  type BlockSource,
  blockMinutes,
  createPathModel,
  type MinuteBlock,
  SteppedPath,
} from './stepped-path.ts'

const shape = record(
  {
    kind: kind('market'),
    vol,
    drift,
    // Loadings on the returns of the market (annual volatility 0.53), of the smaller coins (1) and of the asset
    // itself (1).
    marketShare: number(-10, 10, 'Loading on the common return.'),
    altShare: number(-10, 10, 'Loading on the return of the smaller coins.'),
    ownShare: number(0, 10, "Loading on the asset's own noise."),
    dailyVolumeUsd: amount(0, 1e15, 'Traded value per day, USD.'),
  },
  'Stochastic volatility on four time scales, fat tails, seasons, clustered jumps, common factors.',
)

type MarketModelSpec = RecordOf<typeof shape>

/**
 * Model `market`, the default: returns of a common factor, of a factor of the smaller coins, and of the asset's
 * own, each with stochastic volatility on four (or two) time scales, Student-t shocks, seasons of day and week,
 * and jumps that cluster (market.md sections 2b and 2d). The shares determine the correlations; the sum is
 * scaled to `vol`.
 */
export const market = defineModel<MarketModelSpec>({
  shape,
  usual: ({ symbol }) => ({ vol: usualFigures(symbol).vol, ...(loadings.get(symbol) ?? loadingsOfOthers) }),
  rule: ({ marketShare, altShare, ownShare }) =>
    Math.max(Math.abs(marketShare), Math.abs(altShare), ownShare) < 1e-6
      ? problem('model.ownShare', 'is below 0.000001 as both other shares are: nothing would move the price')
      : null,
  path: (price, spec, { getFactors: factors, startMillis, names }) =>
    createMarketModel(price, spec, factors(), startMillis, names),
})

/*
 * Figures: market.md 2d. Choice: XRP's and DOGE's loadings give their usual volatility and a correlation with
 * BTC of 0.62 and 0.64.
 */
const loadingsOfOthers = { marketShare: 1.2, altShare: 0.5, ownShare: 0.5, dailyVolumeUsd: 8e6 }
const loadings: ReadonlyMap<string, typeof loadingsOfOthers> = new Map([
  ['BTC', { marketShare: 1, altShare: 0, ownShare: 0.14, dailyVolumeUsd: 400e6 }],
  ['ETH', { marketShare: 1.13, altShare: 0.22, ownShare: 0.2, dailyVolumeUsd: 200e6 }],
  ['SOL', { marketShare: 1.45, altShare: 0.55, ownShare: 0.5, dailyVolumeUsd: 40e6 }],
  ['XRP', { marketShare: 1.03, altShare: 0.45, ownShare: 0.47, dailyVolumeUsd: 30e6 }],
  ['DOGE', { marketShare: 1.25, altShare: 0.5, ownShare: 0.56, dailyVolumeUsd: 20e6 }],
])

/** Creates the factors that all assets of a market share. */
export function createMarketFactors(seed: string, startMillis: number): MarketFactors {
  const names: StreamNames = { seed, symbol: '' }
  const market = new ReturnFactor(marketFactor, null, startMillis, names, 'market')
  return { market, alts: new ReturnFactor(altFactor, market, startMillis, names, 'alts') }
}

/**
 * Creates a path of the default market: r = b r_M + v r_A + u e, each factor with its own stochastic volatility
 * (market.md, 2b and 2d). Half of the variance is subtracted from the return, and the mean of the jumps is
 * given back, so that the price has no drift except that of the specification.
 */
function createMarketModel(
  price: number,
  spec: MarketModelSpec,
  factors: MarketFactors,
  startMillis: number,
  names: StreamNames,
): PriceModel {
  const own = new ReturnFactor(ownFactor, factors.market, startMillis, names, 'own')
  const source = new LoadedFactors(spec, factors, own)
  const path = new SteppedPath(source, names)
  const volume = new MarketVolume(spec.dailyVolumeUsd, path, startMillis, names)
  return { ...createPathModel(price, path), volumeUsdIn: (minute) => volume.usdIn(minute) }
}

/** Minutes of an asset as a weighted sum of factors. */
class LoadedFactors implements BlockSource {
  private readonly parts: readonly { readonly load: number; readonly factor: ReturnFactor }[]
  private readonly minuteVol: number
  private readonly driftPerMinute: number

  constructor(spec: MarketModelSpec, factors: MarketFactors, own: ReturnFactor) {
    const scale = spec.vol / computeVolOfShares(spec)
    this.parts = [
      { load: scale * spec.marketShare, factor: factors.market },
      { load: scale * spec.altShare, factor: factors.alts },
      { load: scale * spec.ownShare, factor: own },
    ].filter(({ load }) => load !== 0)
    this.minuteVol = spec.vol / Math.sqrt(minutesPerYear)
    this.driftPerMinute = spec.drift / minutesPerYear
  }

  fillBlock(index: number, { returns, jumps, activities }: MinuteBlock): void {
    returns.fill(this.driftPerMinute)
    activities.fill(0)
    for (const { load, factor } of this.parts) {
      addFactor(load, factor, factor.block(index), returns, jumps, activities)
    }
    for (let i = 0; i < blockMinutes; i += 1) {
      activities[i] = this.minuteVol > 0 ? Math.sqrt(element(activities, i)) / this.minuteVol : 1
    }
  }

  addBridge(minute: number, grid: Grid, _block: MinuteBlock, values: Float64Array): void {
    const index = Math.floor(minute / blockMinutes)
    for (const { load, factor } of this.parts) {
      const width = load * element(factor.block(index).deviations, minute - index * blockMinutes)
      const bridge = factor.getBridge(minute, grid)
      for (let i = 0; i < grid.count; i += 1) values[i] = element(values, i) + width * element(bridge, i)
    }
  }
}

/**
 * Adds a factor's part to the returns and jumps, and its variance, that of its jumps included, to the
 * variances.
 */
function addFactor(
  load: number,
  factor: ReturnFactor,
  block: FactorBlock,
  returns: Float64Array,
  jumps: Float64Array,
  variances: Float64Array,
): void {
  const { jumpVariance, jumpMean } = factor
  const square = load * load * (1 + jumpVariance)
  for (let i = 0; i < blockMinutes; i += 1) {
    const sigma = element(block.sigmas, i)
    const variance = square * sigma * sigma
    returns[i] = element(returns, i) + load * (element(block.returns, i) - jumpMean * sigma) - variance / 2
    jumps[i] = element(jumps, i) + load * element(block.jumps, i)
    variances[i] = element(variances, i) + variance
  }
}

/*
 * Measured on eight seeds of a year each by the realism suite: these weights and jumps give the facts of
 * market.md section 1.
 */
const marketFactor: ReturnFactorSpec = {
  vol: 0.53,
  scales: [
    { halfLifeMinutes: 10, weight: 0.45, isLeveraged: false },
    { halfLifeMinutes: 240, weight: 0.4, isLeveraged: true },
    { halfLifeMinutes: 2 * 1440, weight: 0.4, isLeveraged: true },
    { halfLifeMinutes: 25 * 1440, weight: 0.4, isLeveraged: false },
  ],
  parentShare: 0,
  tails: 7,
  leverage: -0.25,
  jumps: { perDay: 0.21, branching: 0.3, decayMillis: 600_000, size: 8, tilt: 0.1 },
}

const ownFactor: ReturnFactorSpec = {
  vol: 1,
  scales: [
    { halfLifeMinutes: 120, weight: 0.35, isLeveraged: false },
    { halfLifeMinutes: 2.8 * 1440, weight: 0.35, isLeveraged: false },
  ],
  parentShare: 0.8,
  tails: 7,
  leverage: 0,
  jumps: null,
}

const altFactor = ownFactor

/** Returns the annual volatility of the loaded factors before scaling. */
function computeVolOfShares({ marketShare, altShare, ownShare }: MarketModelSpec): number {
  const market = marketShare * marketFactor.vol
  const alt = altShare * altFactor.vol
  const own = ownShare * ownFactor.vol
  return Math.sqrt(market * market + alt * alt + own * own)
}

/**
 * What the rest of the world trades in a minute: the season of volume, times a power of the volatility (without
 * its own season), times an hourly noise that keeps 0.54 of itself in an hour (market.md 2d). Choice: the power
 * is 1.1 where the note has 0.9, because the range of an hour measures its volatility only with noise; volumes
 * then rise with the power 0.86 of the ranges, as BTC's do (fact 9). Each minute also has a noise of its own,
 * so that neighbours are as similar as real ones.
 */
class MarketVolume {
  private readonly usdPerMinute: number
  private readonly path: SteppedPath
  private readonly startMillis: number
  private readonly names: StreamNames
  private readonly hourly: GaussianPath
  private readonly blocks = new CachedMinutes(
    2,
    () => new Float64Array(blockMinutes),
    (index, volumes) => this.writeBlock(index, volumes),
  )
  private readonly seasons = new Float64Array(blockMinutes)
  private readonly volatilitySeasons = new Float64Array(blockMinutes)

  constructor(dailyVolumeUsd: number, path: SteppedPath, startMillis: number, names: StreamNames) {
    this.usdPerMinute = (dailyVolumeUsd / 1440) * scale
    this.path = path
    this.startMillis = startMillis
    this.names = names
    const start = createStream(names.seed, 'volume/start', names.symbol, 0).normal() * hourlySd
    this.hourly = new GaussianPath(
      createOrnsteinUhlenbeckProcess(start, -log(0.54) / 60, hourlySd),
      names,
      'volume',
    )
  }

  usdIn(minute: number): number {
    const index = Math.floor(minute / blockMinutes)
    return element(this.blocks.at(index), minute - index * blockMinutes)
  }

  private writeBlock(index: number, volumes: Float64Array): void {
    const { hourly, names, path, seasons, volatilitySeasons } = this
    const firstMinute = index * blockMinutes
    const firstMillis = this.startMillis + firstMinute * millisPerMinute
    fillSeason(volumeSeason, firstMillis, blockMinutes, seasons)
    fillSeason(volatilitySeason, firstMillis, blockMinutes, volatilitySeasons)
    const stream = createStream(names.seed, 'volume/minutes', names.symbol, index)
    for (let i = 0; i < blockMinutes; i += 1) {
      const volatility = path.activityAt(firstMinute + i) / element(volatilitySeasons, i)
      const noise = hourly.at((firstMinute + i) * millisPerMinute) + minuteSd * stream.normal()
      volumes[i] = this.usdPerMinute * element(seasons, i) * exp(volatilityPower * log(volatility) + noise)
    }
  }
}

const volatilityPower = 1.1
const hourlySd = 0.35
const minuteSd = 0.4
/**
 * Scale that makes the mean 1: e^(-variance / 2) of the noises, over the mean of the volatility's power, 0.71
 * (by section 2b).
 */
const scale = exp(-(hourlySd * hourlySd + minuteSd * minuteSd) / 2) / 0.71
