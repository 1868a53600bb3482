import type { LimitsConfig } from '../../src/engine/limits.ts'
import { atoms, partsPerMillion } from '../../src/numeric/units.ts'

const none = new Map<string, never>()
const million = 1_000_000

/** USD as atoms. */
const usd = (amount: number) => atoms(amount * million)

export const wideLimits: LimitsConfig = {
  maxOrderSize: { bySymbol: none, default: 1e15 },
  minOrderSize: { bySymbol: none, default: 0 },
  maxOrderValue: usd(1e9),
  maxDailyVolume: usd(9e9),
  maxOpenOrders: 1000,
  maxOpenOrdersPerAsset: 500,
  maxExposure: usd(1e9),
  maxExposurePerAsset: { bySymbol: none, default: usd(1e9) },
  maxLeverage: partsPerMillion(1_000_000),
}

/** Wide, and three that bind: on sizes and values, on exposures, and on counts and volume. */
export const limitSets: readonly [LimitsConfig, ...LimitsConfig[]] = [
  wideLimits,
  {
    ...wideLimits,
    maxOrderSize: { bySymbol: new Map([['BTC', 60_000_000]]), default: 800_000 },
    minOrderSize: { bySymbol: new Map([['BTC', 20_000_000]]), default: 200_000 },
    maxOrderValue: usd(25),
    maxLeverage: partsPerMillion(900_000),
  },
  {
    ...wideLimits,
    maxExposure: usd(260),
    maxExposurePerAsset: { bySymbol: new Map([['BTC', usd(180)]]), default: usd(1) },
    maxLeverage: partsPerMillion(3_000_000),
  },
  {
    ...wideLimits,
    maxDailyVolume: usd(300),
    maxOpenOrders: 6,
    maxOpenOrdersPerAsset: 3,
    maxLeverage: partsPerMillion(2_000_000),
  },
]
