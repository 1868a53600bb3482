import type { SelfTradeMode } from '../../src/engine/codes.ts'
import type { AccountConfig, AssetConfig, VenueConfig } from '../../src/engine/config.ts'
import type { LimitsConfig } from '../../src/engine/limits.ts'
import type { LiquiditySpec } from '../../src/market/liquidity/liquidity.ts'
import { divideHalfEven, power10 } from './exact.ts'
import { postOpening } from './naive-ledger.ts'
import type { HouseLevel, NaiveAccount, NaiveAsset, NaiveWorld } from './naive-world.ts'

export type { LimitsConfig }
export type SelfTrade = SelfTradeMode

/**
 * Creates the world of a configuration at its start. Prices stand still; liquidity is `none` or an explicit ladder.
 */
export function naiveWorld(config: VenueConfig): NaiveWorld {
  const world: NaiveWorld = {
    now: config.startMillis,
    startMillis: config.startMillis,
    gridMillis: config.gridMillis,
    selfTrade: config.selfTrade,
    feeCurrency: config.fees.currency,
    venueMakerRate: BigInt(config.fees.makerRate),
    venueTakerRate: BigInt(config.fees.takerRate),
    assets: config.assets.map((asset, row) =>
      naiveAsset(asset, row, config.market.assets[row - 1]?.price ?? 0),
    ),
    accounts: [],
    orders: [],
    quotes: [],
    transfers: [],
    postings: [],
    fills: [],
    halts: [],
    flows: [],
    events: [],
    refreshedAt: config.startMillis,
    nextPriority: 0,
  }
  for (const account of config.accounts) addAccount(world, account)
  return world
}

/** Opens an account with its balances, each of them entering its position at the stated average, else at the mark. */
export function addAccount(world: NaiveWorld, config: AccountConfig): NaiveAccount {
  const account: NaiveAccount = {
    row: world.accounts.length + 3,
    id: config.id,
    type: config.type,
    limits: config.limits,
    makerRate: config.fees === null ? world.venueMakerRate : BigInt(config.fees.makerRate),
    takerRate: config.fees === null ? world.venueTakerRate : BigInt(config.fees.takerRate),
  }
  world.accounts.push(account)
  for (const asset of world.assets) {
    const atoms = BigInt(config.balances.get(asset.symbol) ?? 0)
    const average = config.averageEntryPrices.get(asset.symbol)
    if (atoms !== 0n)
      postOpening(world, account.row, asset, atoms, average === undefined ? null : BigInt(average))
  }
  return account
}

function naiveAsset(config: AssetConfig, row: number, price: number): NaiveAsset {
  const { pair } = config
  const priceStep = pair?.priceStep ?? { units: 1, scale: 0 }
  const quantityStep = pair?.quantityStep ?? { units: 1, scale: 0 }
  const perTick = BigInt(priceStep.units) * power10(8)
  const asset = {
    row,
    symbol: config.symbol,
    atomsPerUnit: power10(config.scale),
    atomsPerStep: (BigInt(quantityStep.units) * power10(config.scale)) / power10(quantityStep.scale),
    valueNumerator: BigInt(priceStep.units) * BigInt(quantityStep.units) * power10(6),
    valueDenominator: power10(priceStep.scale + quantityStep.scale),
    sizePerStep: (BigInt(quantityStep.units) * power10(8)) / power10(quantityStep.scale),
    markTicks: divideHalfEven(inHundredMillionths(price) * power10(priceStep.scale), perTick),
    isListed: pair?.isActive ?? false,
    minQuantitySteps: BigInt(pair?.minQuantitySteps ?? 0),
    maxQuantitySteps: BigInt(pair?.maxQuantitySteps ?? 0),
    minPriceTicks: BigInt(pair?.minPriceTicks ?? 0),
    minNotionalAtoms: BigInt(pair?.minNotionalAtoms ?? 0),
  }
  const houseFull = {
    bids: houseLevels(config.liquidity, 'bids', priceStep, quantityStep),
    asks: houseLevels(config.liquidity, 'asks', priceStep, quantityStep),
  }
  return { ...asset, houseFull, houseBids: [...houseFull.bids], houseAsks: [...houseFull.asks] }
}

function houseLevels(
  liquidity: LiquiditySpec,
  side: 'bids' | 'asks',
  priceStep: { readonly units: number; readonly scale: number },
  quantityStep: { readonly units: number; readonly scale: number },
): readonly HouseLevel[] {
  if (liquidity.kind === 'none') return []
  if (liquidity.kind !== 'ladder') throw new Error('The twin knows explicit ladders alone')
  return liquidity[side].map(([price, quantity]) => ({
    priceTicks:
      (inHundredMillionths(price) * power10(priceStep.scale)) / (BigInt(priceStep.units) * power10(8)),
    steps:
      (inHundredMillionths(quantity) * power10(quantityStep.scale)) /
      (BigInt(quantityStep.units) * power10(8)),
  }))
}

/** Returns the decimal text of a configured number, so that no double is multiplied. At most 8 decimals. */
function inHundredMillionths(value: number): bigint {
  const [whole = '0', decimals = ''] = String(value).split('.')
  return BigInt(whole + decimals.padEnd(8, '0'))
}
