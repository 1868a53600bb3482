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
 * `findConfigProblem` (check-config.ts) finds what could not be kept exact.
 */

export interface VenueConfig {
  /** The seed, which every boundary turns into a string: "7" and 7 would seed differently. */
  readonly seed: string
  readonly startMillis: Millis
  /** The spacing of the market's grid, from 100 ms to 1 h. */
  readonly gridMillis: Millis
  /** The assets: row 0 is cash (USD, scale 6); the others are traded against it, in rows 1, 2, ... */
  readonly assets: readonly AssetConfig[]
  readonly fees: FeeConfig
  readonly selfTrade: SelfTradeMode
  readonly accounts: readonly AccountConfig[]
  /**
   * The market. Its assets are those of the venue without cash, in their order: market asset i is asset row i + 1.
   */
  readonly market: MarketSpec
}

export interface AssetConfig {
  readonly symbol: string
  /** The decimals of an amount: one atom is 10^-scale units. */
  readonly scale: number
  /** The pair in which the asset is traded for USD; null for cash. */
  readonly pair: PairConfig | null
  readonly liquidity: LiquiditySpec
  /** How takers move the price; without it they do not. */
  readonly impact?: ImpactSpec
}

/** A price or quantity step, as `units * 10^-scale`: 0.05 is {units: 5, scale: 2}. */
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
  /** A fee rate; a negative one is a rebate. */
  readonly makerRate: PartsPerMillion
  readonly takerRate: PartsPerMillion
  /**
   * What fees are paid in. `quote`: USD for both sides. `received`: what each side gets, so a buyer pays in the
   * asset.
   */
  readonly currency: 'quote' | 'received'
}

/** A fee rate; a negative one is a rebate. */
export const feeRate = wholeNumber<PartsPerMillion>()

export const accountConfig = record({
  id: text(),
  type: oneOfWords('cash', 'margin'),
  /** The opening balances by asset symbol, in atoms. */
  balances: mapByName(natural<Atoms>()),
  /**
   * The stated average entry prices of opening balances by asset symbol, in 10^-8 USD a unit. A balance without one
   * enters at the first mark.
   */
  averageEntryPrices: mapByName(natural()),
  limits: limitsConfig,
  /** The account's own fee rates; null means the venue's. */
  fees: nullable(record({ makerRate: feeRate, takerRate: feeRate })),
})

export type AccountConfig = RecordOf<typeof accountConfig>

const lastMade = new WeakMap<VenueConfig, VenueConfig>()

/**
 * Returns a configuration with another seed in every place that has one. Worlds that are made one after the other
 * with the same seed get the same object, because venues of one configuration share their history
 * (`engine/series/minute-history.ts`). The object that was made last is cached by its configuration, which cannot be
 * observed but by identity.
 */
export function withSeed(config: VenueConfig, seed: string): VenueConfig {
  if (hasSeed(config, seed)) return config
  const last = lastMade.get(config)
  if (last !== undefined && hasSeed(last, seed)) return last
  const made = { ...config, seed, market: { ...config.market, seed } }
  lastMade.set(config, made)
  return made
}

const hasSeed = (config: VenueConfig, seed: string): boolean =>
  config.seed === seed && config.market.seed === seed
