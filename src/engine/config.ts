import type { ImpactSpec } from '../market/liquidity/impact.ts'
import type { LiquiditySpec } from '../market/liquidity/liquidity.ts'
import type { MarketSpec } from '../market/market-spec.ts'
import type { Atoms, Millis, PartsPerMillion, PriceTicks, QuantitySteps } from '../numeric/units.ts'
import {
  mapByName,
  natural,
  nullable,
  oneOfWords,
  type RecordOf,
  record,
  text,
  wholeNumber,
} from '../shape/shape.ts'
import type { SelfTradeMode } from './codes.ts'
import { limitsConfig } from './limits.ts'

/*
 * What a venue is before anything happens on it: plain data, all integers except in the market's specification.
 * `configProblem` (check-config.ts) finds what could not be kept exact.
 */

export interface VenueConfig {
  /** Normalised to a string at every boundary: "7" and 7 seed differently. */
  readonly seed: string
  readonly startMillis: Millis
  /** Spacing of the market's grid, 100 ms to 1 h. */
  readonly gridMillis: Millis
  /** Row 0 is cash (USD, scale 6); the others are traded against it, in rows 1, 2, ... */
  readonly assets: readonly AssetConfig[]
  readonly fees: FeeConfig
  readonly selfTrade: SelfTradeMode
  readonly accounts: readonly AccountConfig[]
  /** Its assets stand in the order of `assets` without cash: market asset i is asset row i + 1. */
  readonly market: MarketSpec
}

export interface AssetConfig {
  readonly symbol: string
  /** One atom is 10^-scale units. */
  readonly scale: number
  /** Null for cash. */
  readonly pair: PairConfig | null
  readonly liquidity: LiquiditySpec
  /** Left out: takers do not move the price. */
  readonly impact?: ImpactSpec
}

/** An increment as `units * 10^-scale`: 0.05 is {units: 5, scale: 2}. */
export interface DecimalStep {
  readonly units: number
  readonly scale: number
}

export interface PairConfig {
  readonly priceStep: DecimalStep
  readonly quantityStep: DecimalStep
  readonly minQuantitySteps: QuantitySteps
  readonly maxQuantitySteps: QuantitySteps
  readonly minPriceTicks: PriceTicks
  readonly minNotionalAtoms: Atoms
  readonly isActive: boolean
}

export interface FeeConfig {
  /** May be negative: a rebate. */
  readonly makerRate: PartsPerMillion
  readonly takerRate: PartsPerMillion
  /** `quote`: USD for both sides. `received`: what each side gets, so a buyer pays in the asset. */
  readonly currency: 'quote' | 'received'
}

/** May be negative: a rebate. */
export const feeRate = wholeNumber<PartsPerMillion>()

export const accountConfig = record({
  id: text(),
  type: oneOfWords('cash', 'margin'),
  /** Opening balances by asset symbol, in atoms. */
  balances: mapByName(natural<Atoms>()),
  /** Stated average entry price of an opening balance, in 10^-8 USD a unit; without one it enters at the first mark. */
  averageEntryPrices: mapByName(natural()),
  limits: limitsConfig,
  /** Null: the venue's rates. */
  fees: nullable(record({ makerRate: feeRate, takerRate: feeRate })),
})

export type AccountConfig = RecordOf<typeof accountConfig>

const lastMade = new WeakMap<VenueConfig, VenueConfig>()

/**
 * A configuration with another seed, in every place that has one. Worlds that are made one after the other with the
 * same seed get the same object, because venues of one configuration share their history
 * (`engine/series/minute-history.ts`).
 */
export function seeded(config: VenueConfig, seed: string): VenueConfig {
  if (hasSeed(config, seed)) return config
  const last = lastMade.get(config)
  if (last !== undefined && hasSeed(last, seed)) return last
  const made = { ...config, seed, market: { ...config.market, seed } }
  lastMade.set(config, made)
  return made
}

const hasSeed = (config: VenueConfig, seed: string): boolean =>
  config.seed === seed && config.market.seed === seed
