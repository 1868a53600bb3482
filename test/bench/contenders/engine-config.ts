import type { AccountConfig, AssetConfig, VenueConfig } from '../../../src/engine/config.ts'
import type { LimitsConfig } from '../../../src/engine/limits.ts'
import type { AssetMarketSpec } from '../../../src/market/market-spec.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import type { Workload } from '../workload.ts'

export const startMillis = Date.UTC(2026, 0, 5)

/**
 * A venue on which only the accounts of the workload trade, each with enough money and limits, so that every check is
 * made and passes. Fees, ledger and positions are as on a desk. Self-trades are allowed, because the bare books cannot
 * tell accounts apart.
 */
export function benchVenueConfig(workload: Pick<Workload, 'accounts' | 'assets'>): VenueConfig {
  const symbols = Array.from({ length: workload.assets }, (_, asset) => `A${asset}`)
  return {
    seed: '7',
    startMillis: millis(startMillis),
    gridMillis: millis(1_000),
    assets: [
      { symbol: 'USD', scale: 6, pair: null, liquidity: { kind: 'none' } },
      ...symbols.map(assetConfig),
    ],
    fees: { makerRate: partsPerMillion(0), takerRate: partsPerMillion(1_000), currency: 'quote' },
    selfTrade: 'allow',
    accounts: Array.from({ length: workload.accounts }, (_, account) => accountConfig(account, symbols)),
    market: { seed: '7', startMillis, gridMillis: 1_000, assets: symbols.map(assetMarket) },
  }
}

function assetConfig(symbol: string): AssetConfig {
  return {
    symbol,
    scale: 8,
    pair: {
      priceStep: { units: 1, scale: 2 },
      quantityStep: { units: 1, scale: 4 },
      minQuantitySteps: quantitySteps(1),
      maxQuantitySteps: quantitySteps(10_000_000),
      minPriceTicks: priceTicks(1),
      minNotionalAtoms: atoms(1),
      isActive: true,
    },
    liquidity: { kind: 'none' },
  }
}

function assetMarket(symbol: string): AssetMarketSpec {
  return { symbol, price: 50_000, model: { kind: 'constant' }, flow: { kind: 'none' } }
}

/** 5 million USD and 1,000 units of each asset: the sum over 1,000 accounts stays below 2^53 atoms. */
function accountConfig(account: number, symbols: readonly string[]): AccountConfig {
  const held = symbols.map((symbol) => [symbol, atoms(1_000e8)] as const)
  return {
    id: `account-${account}`,
    type: 'cash',
    balances: new Map([['USD', atoms(5_000_000e6)] as const, ...held]),
    averageEntryPrices: new Map(),
    limits,
    fees: null,
  }
}

const ample = atoms(1e15)
const limits: LimitsConfig = {
  maxOrderSize: { bySymbol: new Map(), default: 1_000e8 },
  minOrderSize: { bySymbol: new Map(), default: 1 },
  maxOrderValue: ample,
  maxDailyVolume: ample,
  maxOpenOrders: 10_000_000,
  maxOpenOrdersPerAsset: 10_000_000,
  maxExposure: ample,
  maxExposurePerAsset: { bySymbol: new Map(), default: ample },
  maxLeverage: partsPerMillion(10_000_000),
}
