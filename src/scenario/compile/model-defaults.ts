import type { GarchSpec, HawkesJumps, RegimesSpec } from '../../market/market-spec.ts'

/*
 * The price models of assets where a scenario states nothing. Sources: market.md 2b (GARCH and the regimes were
 * fitted to hourly returns of BTC, ETH and SOL; jumps and Heston are set by hand) and 2d (loadings). Choice: XRP's
 * and DOGE's loadings give their usual volatility and a correlation with BTC of 0.62 and 0.64.
 */

/** Loadings of the default model: on the market, on the smaller coins together, on the asset's own noise. */
export interface Loadings {
  readonly marketShare: number
  readonly altShare: number
  readonly ownShare: number
}

export interface ModelDefaults {
  readonly loadings: Loadings
  readonly dailyVolumeUsd: number
  /** Merton's standard deviation of a jump. */
  readonly jumpSd: number
  readonly garch: Pick<GarchSpec, 'alpha' | 'beta' | 'asymmetry' | 'tails'>
}

const bitcoin: ModelDefaults = {
  loadings: { marketShare: 1, altShare: 0, ownShare: 0.14 },
  dailyVolumeUsd: 400e6,
  jumpSd: 0.01,
  garch: { alpha: 0.044, beta: 0.951, asymmetry: 0.02, tails: 3.65 },
}
const ether: ModelDefaults = {
  loadings: { marketShare: 1.13, altShare: 0.22, ownShare: 0.2 },
  dailyVolumeUsd: 200e6,
  jumpSd: 0.015,
  garch: { alpha: 0.046, beta: 0.95, asymmetry: 0.024, tails: 4 },
}
const solana: ModelDefaults = {
  loadings: { marketShare: 1.45, altShare: 0.55, ownShare: 0.5 },
  dailyVolumeUsd: 40e6,
  jumpSd: 0.02,
  garch: { alpha: 0.061, beta: 0.935, asymmetry: 0.008, tails: 4.8 },
}
const otherAsset: ModelDefaults = {
  ...solana,
  loadings: { marketShare: 1.2, altShare: 0.5, ownShare: 0.5 },
  dailyVolumeUsd: 8e6,
}

const bySymbol: ReadonlyMap<string, ModelDefaults> = new Map([
  ['BTC', bitcoin],
  ['ETH', ether],
  ['SOL', solana],
  [
    'XRP',
    {
      ...solana,
      loadings: { marketShare: 1.03, altShare: 0.45, ownShare: 0.47 },
      dailyVolumeUsd: 30e6,
    },
  ],
  [
    'DOGE',
    {
      ...solana,
      loadings: { marketShare: 1.25, altShare: 0.5, ownShare: 0.56 },
      dailyVolumeUsd: 20e6,
    },
  ],
])

export const modelDefaults = (symbol: string): ModelDefaults => bySymbol.get(symbol) ?? otherAsset

const stablecoins: readonly string[] = [
  'USDT',
  'USDC',
  'DAI',
  'FDUSD',
  'PYUSD',
  'TUSD',
  'USDP',
  'USDE',
  'USDS',
]

/** Coins worth one dollar, unless their price says otherwise. */
export const isStablecoin = (symbol: string, price: number): boolean =>
  stablecoins.includes(symbol) && price > 0.98 && price < 1.02

/** How a stablecoin returns to its price: half the way in four hours, within 4 basis points in the long run. */
export const stablecoinDefaults = { halfLifeMillis: 14_400_000, stationarySd: 0.0004 }

export const hestonDefaults = { meanVariance: 0.3, meanReversion: 15, volOfVariance: 3, leverage: -0.2 }

export const jumpDefaults: HawkesJumps = {
  perDay: 0.21,
  branching: 0.3,
  decayMillis: 600_000,
  size: 8,
  tilt: 0.1,
}

export const mertonDefaults = { jumpsPerYear: 180, jumpMean: -0.001 }

export const regimeDefaults: Pick<RegimesSpec, 'regimes' | 'transitions'> = {
  regimes: [
    { volMultiple: 0.4, drift: 0 },
    { volMultiple: 0.97, drift: 0 },
    { volMultiple: 2.2, drift: 0 },
  ],
  transitions: [
    [0.876, 0.118, 0.006],
    [0.117, 0.862, 0.021],
    [0, 0.127, 0.873],
  ],
}

/** The correlation of two different assets (market.md 2d). */
export function defaultCorrelation(left: string, right: string): number {
  if (stablecoins.includes(left) || stablecoins.includes(right)) return 0
  const pair = [left, right].sort().join(' ')
  return correlations.get(pair) ?? 0.62
}

const correlations: ReadonlyMap<string, number> = new Map([
  ['BTC ETH', 0.85],
  ['BTC SOL', 0.66],
  ['ETH SOL', 0.7],
])
