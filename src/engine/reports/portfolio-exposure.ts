import { equityAtoms } from '../assessment.ts'
import { cash } from '../codes.ts'
import type { State } from '../state.ts'
import { percentE4, ratioE8 } from './ratios.ts'

/** What an account holds, at the mark, without open orders. Money in USD atoms. */
export interface PortfolioExposureFigures {
  /** The gross exposure: long + short. */
  readonly totalExposureAtoms: number
  /** The net exposure: long - short. */
  readonly netExposureAtoms: number
  readonly longExposureAtoms: number
  /** The value of the short positions; never negative. */
  readonly shortExposureAtoms: number
  readonly cashBalanceAtoms: number
  /** The value of cash and positions; on the wire `totalValue` or `portfolioValue`. */
  readonly equityAtoms: number
  readonly leverageE8: number
  /** The assets with a position, in the order of the configuration, then cash. */
  readonly byAsset: readonly AssetWeight[]
}

export interface AssetWeight {
  readonly asset: number
  /** The value at the mark; never negative, except for cash that is owed. */
  readonly exposureAtoms: number
  /**
   * The share of the equity, 10^-4 percent; 0 without equity. The weights of a portfolio without shorts add up to
   * 100.
   */
  readonly weightE4: number
  readonly side: ExposureSide
}

export type ExposureSide = 'long' | 'short' | 'neutral'

/**
 * Computes the exposure of an account, in total and by asset. Spec: Portfolio exposure; formulas of market.md,
 * section 7.
 */
export function portfolioExposure(state: State, account: number): PortfolioExposureFigures {
  const equity = equityAtoms(state, account)
  const byAsset: AssetWeight[] = []
  let long = 0
  let short = 0
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const weight = assetWeight(state, account, asset)
    if (weight.side === 'long') long += weight.exposureAtoms
    if (weight.side === 'short') short += weight.exposureAtoms
    if (state.ledger.total(account, asset) !== 0) byAsset.push(weight)
  }
  byAsset.push(assetWeight(state, account, cash))
  return {
    totalExposureAtoms: long + short,
    netExposureAtoms: long - short,
    longExposureAtoms: long,
    shortExposureAtoms: short,
    cashBalanceAtoms: state.ledger.total(account, cash),
    equityAtoms: equity,
    leverageE8: leverageE8(long + short, equity),
    byAsset,
  }
}

/** Computes exposure, weight and side of one asset, which may be cash or flat. */
export function assetWeight(state: State, account: number, asset: number): AssetWeight {
  const equity = equityAtoms(state, account)
  if (asset === cash) {
    const balance = state.ledger.total(account, cash)
    return { asset, exposureAtoms: balance, weightE4: percentE4(balance, equity), side: 'neutral' }
  }
  const quantity = state.ledger.total(account, asset)
  const exposureAtoms = Math.abs(state.exposures.valueAtoms(account, asset))
  return { asset, exposureAtoms, weightE4: percentE4(exposureAtoms, equity), side: toSide(quantity) }
}

/**
 * Returns the gross exposure over the equity, in 10^-8, half-even; 0 without exposure. Choice: at most 9999, which is
 * also the value for exposure without equity, so that it rises without a jump as the equity falls.
 */
export function leverageE8(grossAtoms: number, equity: number): number {
  if (grossAtoms === 0) return 0
  return equity > 0 ? Math.min(ratioE8(grossAtoms, equity), maximumLeverageE8) : maximumLeverageE8
}

const maximumLeverageE8 = 999_900_000_000

function toSide(quantity: number): ExposureSide {
  if (quantity === 0) return 'neutral'
  return quantity > 0 ? 'long' : 'short'
}
