import type { Scope } from '../../api/routes/route.ts'
import type { AssetConfig, LimitsConfig } from '../../engine/config.ts'
import { atoms, partsPerMillion } from '../../numeric/units.ts'
import type { StartPrice } from './start-prices.ts'

/* What a scenario need not say. Choice: figures by symbol follow the market note's table of dealer venues. */

export const defaultStart = '2026-01-05T00:00:00Z'
export const defaultGrid = '1s'
export const defaultStepMillis = 100

export interface PairDefaults {
  readonly priceStep: string
  readonly quantityStep: string
  readonly maxQuantity: string
}

/** Steps with which a price has about five digits, and an order is worth a few cents to some ten million USD. */
export function pairDefaults(price: number): PairDefaults {
  if (price >= 10_000) return { priceStep: '0.01', quantityStep: '0.0001', maxQuantity: '1000' }
  if (price >= 1000) return { priceStep: '0.01', quantityStep: '0.001', maxQuantity: '10000' }
  if (price >= 10) return { priceStep: '0.01', quantityStep: '0.01', maxQuantity: '1000000' }
  if (price >= 1) return { priceStep: '0.0001', quantityStep: '0.1', maxQuantity: '10000000' }
  if (price >= 0.01) return { priceStep: '0.00001', quantityStep: '1', maxQuantity: '50000000' }
  return { priceStep: '0.00000001', quantityStep: '1', maxQuantity: '50000000' }
}

export const defaultMinNotional = '1'
export const defaultDecimals = 8

const usd = (whole: number) => atoms(whole * 1_000_000)
const size = (thousandths: number): number => thousandths * 100_000

/** The venue's limits for an account that states none (design section 11). */
export const defaultLimits: LimitsConfig = {
  maxOrderSize: {
    bySymbol: new Map([
      ['BTC', size(10_000)],
      ['ETH', size(100_000)],
    ]),
    default: size(50_000_000),
  },
  minOrderSize: {
    bySymbol: new Map([
      ['BTC', size(1)],
      ['ETH', size(10)],
    ]),
    default: size(1000),
  },
  maxOrderValue: usd(500_000),
  maxDailyVolume: usd(5_000_000),
  maxOpenOrders: 100,
  maxOpenOrdersPerAsset: 20,
  maxExposure: usd(10_000_000),
  maxExposurePerAsset: {
    bySymbol: new Map([
      ['BTC', usd(2_000_000)],
      ['ETH', usd(1_000_000)],
    ]),
    default: usd(500_000),
  },
  maxLeverage: partsPerMillion(1_000_000),
}

export const allTradingScopes: readonly Scope[] = ['READ', 'TRADE', 'MARKET_MAKING']

/** The accounts of every shipped scenario, and what their keys may do. */
export const defaultAccounts: ReadonlyMap<string, readonly Scope[]> = new Map([
  ['desk', allTradingScopes],
  ['trader', ['READ', 'TRADE']],
  ['maker', ['READ', 'MARKET_MAKING']],
  ['viewer', ['READ']],
])

/**
 * A million USD, and of each asset a power of ten of units, worth 30,000 to 300,000 USD; none of one that would come
 * near to what an account can be worth.
 */
export function defaultBalances(
  assets: readonly AssetConfig[],
  prices: ReadonlyMap<string, StartPrice>,
): ReadonlyMap<string, string> {
  const balances = new Map([['USD', '1000000']])
  for (const { pair, symbol } of assets) {
    const price = prices.get(symbol)
    if (pair === null || price === undefined) continue
    let units = 1
    while (units * price.stated < 30_000 && units < 1_000_000) units *= 10
    balances.set(symbol, units * Math.max(price.stated, price.first) > 1e9 ? '0' : String(units))
  }
  return balances
}
