import type { Float64Field } from '../numeric/records.ts'
import { multiplyDivideHalfEven } from '../numeric/wide.ts'
import type { HoldingTable } from './holding-table.ts'

/*
 * Average cost, fees apart, by account and asset. The quantity of a position is the ledger's total of the asset.
 *
 * The average is the exact fraction basisCost / basisQuantity, frozen at the last increase: a reduction leaves it
 * alone, and the cost basis of what is left is that fraction of it, half-even to the USD atom. So what realised and
 * what is left always add up to what was paid, to the atom.
 */
export class PositionTable {
  readonly basisCostAtoms: Float64Field
  readonly basisQuantityAtoms: Float64Field
  /** Over the life of the account: survives closing and re-opening. */
  readonly realizedAtoms: Float64Field

  constructor(holdings: HoldingTable) {
    this.basisCostAtoms = holdings.basisCostAtoms
    this.basisQuantityAtoms = holdings.basisQuantityAtoms
    this.realizedAtoms = holdings.realizedAtoms
  }

  /** Cost of `quantityAtoms` (unsigned) of the position, half-even. */
  costBasisAtoms(index: number, quantityAtoms: number): number {
    if (quantityAtoms === 0) return 0
    const basisQuantity = this.basisQuantityAtoms.get(index)
    const basisCost = this.basisCostAtoms.get(index)
    if (quantityAtoms === basisQuantity) return basisCost
    return multiplyDivideHalfEven(basisCost, quantityAtoms, basisQuantity)
  }

  /**
   * Applies a signed change of quantity for a value, both in atoms, to a position that holds `before` (signed).
   * Increases reweight, reductions realise, a flip closes all and opens the rest with its share of the value.
   * Returns what was realised.
   */
  apply(index: number, before: number, change: number, valueAtoms: number): number {
    const isIncrease = before === 0 || before > 0 === change > 0
    if (isIncrease) {
      this.increase(index, Math.abs(before), Math.abs(change), valueAtoms)
      return 0
    }
    const held = Math.abs(before)
    const closing = Math.min(held, Math.abs(change))
    const closingValue =
      closing === Math.abs(change)
        ? valueAtoms
        : multiplyDivideHalfEven(valueAtoms, closing, Math.abs(change))
    const closingCost = this.costBasisAtoms(index, held) - this.costBasisAtoms(index, held - closing)
    const realized = before > 0 ? closingValue - closingCost : closingCost - closingValue
    this.realizedAtoms.add(index, realized)
    const opening = Math.abs(change) - closing
    if (closing === held) {
      this.basisCostAtoms.set(index, opening === 0 ? 0 : valueAtoms - closingValue)
      this.basisQuantityAtoms.set(index, opening)
    }
    return realized
  }

  private increase(index: number, held: number, added: number, valueAtoms: number): void {
    this.basisCostAtoms.set(index, this.costBasisAtoms(index, held) + valueAtoms)
    this.basisQuantityAtoms.set(index, held + added)
  }
}
