import type { Float64Field } from '../../numeric/records.ts'
import { multiplyDivideHalfEven } from '../../numeric/wide.ts'
import type { HoldingTable } from './record-tables.ts'

/*
 * Average cost, fees apart, by account and asset. A position's quantity is the ledger's total of the asset.
 *
 * The average is the exact fraction basisCost / basisQuantity as the last increase left it: a reduction does not change
 * it, and the cost basis of what remains is the quantity times that fraction, half-even to the USD atom. So what was
 * realised and what remains always add up to what was paid, to the atom.
 */
export class PositionTable {
  readonly basisCostAtoms: Float64Field
  readonly basisQuantityAtoms: Float64Field
  /** Profit over the life of the account, USD: it survives closing and re-opening. */
  readonly realizedAtoms: Float64Field

  constructor(holdings: HoldingTable) {
    this.basisCostAtoms = holdings.basisCostAtoms
    this.basisQuantityAtoms = holdings.basisQuantityAtoms
    this.realizedAtoms = holdings.realizedAtoms
  }

  /** Cost of `quantityAtoms` (unsigned) of the position, USD atoms, half-even. */
  costBasisAtoms(index: number, quantityAtoms: number): number {
    if (quantityAtoms === 0) return 0
    const basisQuantity = this.basisQuantityAtoms.get(index)
    const basisCost = this.basisCostAtoms.get(index)
    if (quantityAtoms === basisQuantity) return basisCost
    return multiplyDivideHalfEven(basisCost, quantityAtoms, basisQuantity)
  }

  /**
   * Applies a signed change of quantity, for an unsigned value in USD atoms, to a position that holds `before`
   * (signed). An increase changes the average, a reduction realises profit, a flip closes all and opens the rest with
   * its share of the value (half-even). Returns the realised profit, USD atoms.
   *
   * A purchase of which a fee in kind leaves nothing (change 0) is a cost like any such fee: of the long position that
   * there is, else a loss at once.
   */
  apply(index: number, before: number, change: number, valueAtoms: number): number {
    if (change === 0) return this.payForNothing(index, before, valueAtoms)
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
    this.realizedAtoms.set(index, this.realizedAtoms.get(index) + realized)
    const opening = Math.abs(change) - closing
    if (closing === held) {
      this.basisCostAtoms.set(index, opening === 0 ? 0 : valueAtoms - closingValue)
      this.basisQuantityAtoms.set(index, opening)
    }
    return realized
  }

  private payForNothing(index: number, before: number, valueAtoms: number): number {
    if (before > 0) {
      this.increase(index, before, 0, valueAtoms)
      return 0
    }
    this.realizedAtoms.set(index, this.realizedAtoms.get(index) - valueAtoms)
    return -valueAtoms
  }

  private increase(index: number, held: number, added: number, valueAtoms: number): void {
    this.basisCostAtoms.set(index, this.costBasisAtoms(index, held) + valueAtoms)
    this.basisQuantityAtoms.set(index, held + added)
  }
}
