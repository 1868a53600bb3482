import { amount, kind, number, type RecordOf, record } from '../../shape/shape.ts'
import { problem } from '../../shape/spec-checks.ts'
import { LoadedFactors } from './loaded-factors.ts'
import { MarketFactor, type MarketFactors } from './market-factor.ts'
import { marketVol } from './market-figures.ts'
import { MarketVolume } from './market-volume.ts'
import { defineModel, drift, vol } from './model-definition.ts'
import type { PriceModel, StreamNames } from './price-model.ts'
import { getSharedEdges } from './shared-values.ts'
import { createPathModel, SteppedPath } from './stepped-path.ts'

const shape = record(
  {
    kind: kind('market'),
    vol,
    drift,
    // Loadings on the returns of the market (annual volatility 0.55), of the smaller coins (1) and of the asset
    // itself (1).
    marketShare: number(-10, 10, 'Loading on the common return.'),
    marketShareSd: number(0, 1, 'Deviation of the logarithm of that loading, which wanders over weeks.'),
    altShare: number(-10, 10, 'Loading on the return of the smaller coins.', { default: 0 }),
    ownShare: number(0, 10, "Loading on the asset's own noise."),
    commonVolatility: number(
      0,
      1,
      "Weight of the logarithm of the market's volatility in that of the asset's own noise.",
    ),
    standstillBps: number(
      0,
      100,
      'The price stands still in a minute with the probability (standstillBps / volatility of the minute in bps)², at most 0.3.',
    ),
    dailyVolumeUsd: amount(0, 1e15, 'Traded value per day, USD.'),
  },
  'Stochastic volatility on scales of minutes to weeks, feedback of trends, news, seasons, common factors.',
)

type MarketModelSpec = RecordOf<typeof shape>

/**
 * Model `market`, the default: returns of a common factor and of the asset's own, each with stochastic volatility
 * on scales of three minutes to 25 days, the feedback of trends, shots of volatility, and seasons of the week and
 * of the hour. The shares determine the correlations; the sum is scaled to `vol`. The price is a martingale but
 * for `drift`.
 */
export const market = defineModel<MarketModelSpec>({
  shape,
  usual: ({ symbol }) => usualTraits.get(symbol) ?? traitsOfOthers,
  rule: ({ marketShare, altShare, ownShare }) =>
    Math.max(Math.abs(marketShare), Math.abs(altShare), ownShare) < 1e-6
      ? problem('model.ownShare', 'is below 0.000001 as both other shares are: nothing would move the price')
      : null,
  path: (price, spec, { getFactors: factors, startMillis, names }) =>
    createMarketModel(price, spec, factors(), startMillis, names),
})

/*
 * Loadings of BTC, ETH and SOL: market-recipe.md, "Three assets"; their own noises give the correlations of
 * recorded hours: 0.86, 0.64 and 0.66. Volatilities: recorded hours of 2020 to 2026. Choice: XRP, DOGE and others
 * lie between ETH and SOL, and the coarser an asset's ticks are, the more often it stands still.
 */
const traitsOfOthers = {
  vol: 1.05,
  marketShare: 1.3,
  marketShareSd: 0.24,
  ownShare: 0.8,
  commonVolatility: 0.15,
  standstillBps: 1,
  dailyVolumeUsd: 8e6,
}
const usualTraits: ReadonlyMap<string, typeof traitsOfOthers> = new Map([
  ['BTC', traits(0.6, [1, 0.04], [0.16, 0.4], 0.42, 400e6)],
  ['ETH', traits(0.76, [1.18, 0.07], [0.22, 0.3], 0.42, 200e6)],
  ['SOL', traits(1.2, [1.38, 0.24], [0.8, 0.1], 0.6, 40e6)],
  ['XRP', traits(1, [1.03, 0.2], [0.6, 0.15], 0.8, 30e6)],
  ['DOGE', traits(1.2, [1.25, 0.2], [0.7, 0.15], 0.8, 20e6)],
])

function traits(
  vol: number,
  [marketShare, marketShareSd]: readonly [number, number],
  [ownShare, commonVolatility]: readonly [number, number],
  standstillBps: number,
  dailyVolumeUsd: number,
): typeof traitsOfOthers {
  return { vol, marketShare, marketShareSd, ownShare, commonVolatility, standstillBps, dailyVolumeUsd }
}

/** Creates the factors that all assets of a market share. */
export function createMarketFactors(seed: string, startMillis: number): MarketFactors {
  const names: StreamNames = { seed, symbol: '' }
  const market = new MarketFactor({ vol: marketVol, parentShare: 0 }, null, startMillis, names, 'market')
  const alts = new MarketFactor({ vol: 1, parentShare: 0.5 }, market, startMillis, names, 'alts')
  return { market, alts }
}

function createMarketModel(
  price: number,
  spec: MarketModelSpec,
  factors: MarketFactors,
  startMillis: number,
  names: StreamNames,
): PriceModel {
  const own = new MarketFactor(
    { vol: 1, parentShare: spec.commonVolatility },
    factors.market,
    startMillis,
    names,
    'own',
  )
  const scale = spec.vol / computeVolOfShares(spec)
  const source = new LoadedFactors(
    {
      market: { load: scale * spec.marketShare, factor: factors.market },
      alts: { load: scale * spec.altShare, factor: factors.alts },
      own: { load: scale * spec.ownShare, factor: own },
    },
    spec,
    names,
  )
  const { symbol, seed } = names
  const edges = getSharedEdges(JSON.stringify([seed, symbol, startMillis, spec]))
  const path = new SteppedPath(source, names, edges)
  const volume = new MarketVolume(spec, path, startMillis, names)
  return { ...createPathModel(price, path), volumeUsdIn: (minute) => volume.usdIn(minute) }
}

/** Returns the annual volatility of the loaded factors before scaling. */
function computeVolOfShares({ marketShare, altShare, ownShare }: MarketModelSpec): number {
  const market = marketShare * marketVol
  return Math.sqrt(market * market + altShare * altShare + ownShare * ownShare)
}
