import { powerOfTen } from '../../numeric/units.ts'
import type { State } from '../state.ts'
import { cashScale } from '../tables/asset-table.ts'
import { percentE4, scaledRatio } from './ratios.ts'

/** An open position. Money in USD atoms, quantities in atoms of the asset. */
export interface PositionFigures {
  readonly asset: number
  /** The quantity; negative when short. */
  readonly quantityAtoms: number
  readonly side: 'long' | 'short'
  /** The average entry price in 10^-8 USD per unit, half-even. */
  readonly averageEntryPriceE8: number
  /** The mark, in ticks. */
  readonly currentPriceTicks: number
  /** The value at the mark, in USD atoms; negative when short. */
  readonly marketValueAtoms: number
  /** What the position cost; never negative. */
  readonly costBasisAtoms: number
  readonly unrealizedPnlAtoms: number
  /** The unrealised profit in 10^-4 percent of the cost basis; 0 when that is 0. */
  readonly unrealizedPnlPercentE4: number
  /** The realised profit over the account's life: it survives closing and re-opening. */
  readonly realizedPnlAtoms: number
}

/** Computes the position of an account in a traded asset; null when it is flat. Spec: Position. */
export function computePosition(state: State, account: number, asset: number): PositionFigures | null {
  const { exposures, holdings, ledger, markTicks } = state
  const quantityAtoms = ledger.total(account, asset)
  if (quantityAtoms === 0) return null
  const index = holdings.rowOf(account, asset)
  const marketValueAtoms = exposures.valueAtoms(account, asset)
  const costBasisAtoms = holdings.costBasisAtoms(index, Math.abs(quantityAtoms))
  const unrealizedPnlAtoms = unrealizedAtoms(state, account, asset)
  return {
    asset,
    quantityAtoms,
    side: quantityAtoms > 0 ? 'long' : 'short',
    averageEntryPriceE8: averageEntryPriceE8(state, asset, index),
    currentPriceTicks: markTicks.get(asset),
    marketValueAtoms,
    costBasisAtoms,
    unrealizedPnlAtoms,
    unrealizedPnlPercentE4: percentE4(unrealizedPnlAtoms, costBasisAtoms),
    realizedPnlAtoms: holdings.realizedAtoms.get(index),
  }
}

/** Lists an account's open positions, in the order of the configuration. */
export function listPositionFigures(state: State, account: number): readonly PositionFigures[] {
  const found: PositionFigures[] = []
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const position = computePosition(state, account, asset)
    if (position !== null) found.push(position)
  }
  return found
}

/**
 * Returns the unrealised profit in USD atoms: the value at the mark less the cost; of a short, what it brought less
 * the value.
 */
export function unrealizedAtoms(state: State, account: number, asset: number): number {
  const { exposures, holdings, ledger } = state
  const quantity = ledger.total(account, asset)
  if (quantity === 0) return 0
  const cost = holdings.costBasisAtoms(holdings.rowOf(account, asset), Math.abs(quantity))
  return exposures.valueAtoms(account, asset) - Math.sign(quantity) * cost
}

/**
 * Returns the exact average of the position, cost over quantity as the last increase left them, rounded only here.
 */
function averageEntryPriceE8(state: State, asset: number, index: number): number {
  const { assets, holdings } = state
  const cost = BigInt(holdings.basisCostAtoms.get(index))
  const quantity = BigInt(holdings.basisQuantityAtoms.get(index)) * BigInt(powerOfTen(cashScale))
  return scaledRatio(cost, quantity, BigInt(powerOfTen(assets.config(asset).scale + 8)))
}
