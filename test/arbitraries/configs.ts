import fc from 'fast-check'
import type { SelfTradeMode } from '../../src/engine/codes.ts'
import type { AccountConfig, AssetConfig, VenueConfig } from '../../src/engine/config.ts'
import type { LiquiditySpec } from '../../src/market/liquidity/liquidity.ts'
import { atoms, millis, partsPerMillion, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { limitSets, wideLimits } from './limits.ts'

/** What differs from one crowded world to the next. */
export interface ConfigChoice {
  readonly selfTrade: SelfTradeMode
  readonly feeCurrency: 'quote' | 'received'
  readonly makerRate: number
  readonly takerRate: number
  readonly hasLadder: boolean
  readonly hasPrivateFees: boolean
  readonly carolsLimits: number
  readonly davesLimits: number
  /** Bob is a margin account, as Carol is. */
  readonly hasTwoMargins: boolean
}

/** Rebates among them: one below every taker's fee, and one above. */
export const makerRates = [-5000, -200, 0, 500] as const
export const takerRates = [-100, 0, 1000, 3333] as const

export const configChoice: fc.Arbitrary<ConfigChoice> = fc.record({
  selfTrade: fc.constantFrom('cancel_taker', 'cancel_maker', 'cancel_both', 'allow'),
  feeCurrency: fc.constantFrom('quote', 'quote', 'received'),
  makerRate: fc.constantFrom(...makerRates),
  takerRate: fc.constantFrom(...takerRates),
  hasLadder: fc.boolean(),
  hasPrivateFees: fc.boolean(),
  carolsLimits: fc.constantFrom(0, 2, 3),
  davesLimits: fc.nat(3),
  hasTwoMargins: fc.boolean(),
})

/** The same choices for the same seed, numbered so that a failing test names its world. */
export function sampledChoices(
  seed: number,
  count: number,
): readonly (ConfigChoice & { readonly index: number })[] {
  return fc.sample(configChoice, { seed, numRuns: count }).map((choice, index) => ({ ...choice, index }))
}

/** 2026-01-05T08:00:00Z, a Monday. */
export const startMillis = 1_767_600_000_000

const plainChoice: ConfigChoice = {
  selfTrade: 'cancel_taker',
  feeCurrency: 'quote',
  makerRate: 0,
  takerRate: 1000,
  hasLadder: false,
  hasPrivateFees: false,
  carolsLimits: 0,
  davesLimits: 0,
  hasTwoMargins: false,
}

/** Three assets at about 100 ticks, of which one trades in tenths of a cash atom; three cash accounts, one margin. */
export function crowdedConfig(choice: Partial<ConfigChoice> = {}): VenueConfig {
  const chosen = { ...plainChoice, ...choice }
  const assets = [cashAsset, ...tradedAssets(chosen.hasLadder)]
  return {
    seed: '7',
    startMillis: millis(startMillis),
    gridMillis: millis(1000),
    assets,
    fees: {
      makerRate: partsPerMillion(chosen.makerRate),
      takerRate: partsPerMillion(chosen.takerRate),
      currency: chosen.feeCurrency,
    },
    selfTrade: chosen.selfTrade,
    accounts: accountsOf(chosen),
    market: {
      seed: '7',
      startMillis,
      gridMillis: 1000,
      assets: assets.slice(1).map(({ symbol }) => ({
        symbol,
        price: prices[symbol] ?? 1,
        model: { kind: 'constant' },
        flow: { kind: 'none' },
      })),
    },
  }
}

const prices: Readonly<Record<string, number>> = { BTC: 50, ETH: 5, DUST: 0.01 }

const cashAsset: AssetConfig = { symbol: 'USD', scale: 6, pair: null, liquidity: { kind: 'none' } }

function tradedAssets(hasLadder: boolean): readonly AssetConfig[] {
  return [
    asset(
      'BTC',
      8,
      { units: 5, scale: 1 },
      { units: 1, scale: 1 },
      1_000_000,
      hasLadder ? ladder(0.5, 0.1) : null,
    ),
    asset(
      'ETH',
      6,
      { units: 5, scale: 2 },
      { units: 1, scale: 3 },
      5_000,
      hasLadder ? ladder(0.05, 0.001) : null,
    ),
    asset('DUST', 4, { units: 1, scale: 4 }, { units: 1, scale: 3 }, 12, null),
  ]
}

function asset(
  symbol: string,
  scale: number,
  priceStep: { units: number; scale: number },
  quantityStep: { units: number; scale: number },
  minNotionalAtoms: number,
  liquidity: LiquiditySpec | null,
): AssetConfig {
  return {
    symbol,
    scale,
    pair: {
      priceStep,
      quantityStep,
      minQuantitySteps: quantitySteps(1),
      maxQuantitySteps: quantitySteps(200),
      minPriceTicks: priceTicks(2),
      minNotionalAtoms: atoms(minNotionalAtoms),
      isActive: true,
    },
    liquidity: liquidity ?? { kind: 'none' },
  }
}

/** Two levels a side, at 98 and 96, and at 102 and 104 ticks. */
function ladder(tick: number, step: number): LiquiditySpec {
  const level = (ticks: number, steps: number) => [rounded(ticks * tick), rounded(steps * step)] as const
  return { kind: 'ladder', bids: [level(98, 7), level(96, 12)], asks: [level(102, 6), level(104, 11)] }
}

function rounded(value: number): number {
  return Number(value.toFixed(6))
}

function accountsOf(choice: ConfigChoice): readonly AccountConfig[] {
  const own = { makerRate: partsPerMillion(100), takerRate: partsPerMillion(777) }
  const carolsLimits = limitSets[choice.carolsLimits] ?? wideLimits
  return [
    account('alice', 'cash', { USD: 2_000_000_000, BTC: 4_000_000_000, ETH: 400_000, DUST: 90_000 }),
    {
      ...account('bob', choice.hasTwoMargins ? 'margin' : 'cash', {
        USD: 300_000_000,
        BTC: 400_000_000,
        ETH: 40_000,
        DUST: 900,
      }),
      averageEntryPrices: new Map([['BTC', 4_000_000_000]]),
      limits: choice.hasTwoMargins ? leveraged(wideLimits) : wideLimits,
      fees: choice.hasPrivateFees ? own : null,
    },
    { ...account('carol', 'margin', { USD: 500_000_000 }), limits: leveraged(carolsLimits) },
    {
      ...account('dave', 'cash', { USD: 900_000_000, BTC: 900_000_000, ETH: 20_000, DUST: 2_000 }),
      limits: limitSets[choice.davesLimits] ?? wideLimits,
    },
  ]
}

/** An account that is added later, with a small balance of every asset. */
export function newcomer(id: number, isMargin: boolean): AccountConfig {
  const balances = { USD: 50_000_000, BTC: 100_000_000, ETH: 5_000 }
  return account(`late${id}`, isMargin ? 'margin' : 'cash', balances)
}

function leveraged(limits: AccountConfig['limits']): AccountConfig['limits'] {
  return { ...limits, maxLeverage: partsPerMillion(Math.max(2_000_000, limits.maxLeverage)) }
}

function account(
  id: string,
  type: 'cash' | 'margin',
  balances: Readonly<Record<string, number>>,
): AccountConfig {
  return {
    id,
    type,
    balances: new Map(Object.entries(balances).map(([symbol, amount]) => [symbol, atoms(amount)])),
    averageEntryPrices: new Map(),
    limits: wideLimits,
    fees: null,
  }
}
