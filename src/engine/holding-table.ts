import { Float64Field, Int32Field } from '../numeric/records.ts'
import { Table } from './table.ts'

const derivedFromBytes = 88

/**
 * What one account has of one asset, two cache lines a holding: balances (see Ledger), the position's basis (see
 * PositionTable), and the open interest (see ExposureTable). Row = account * assets + asset.
 */
export class HoldingTable extends Table {
  readonly totalAtoms = new Float64Field(this.store, 0)
  readonly lockedAtoms = new Float64Field(this.store, 8)
  readonly openBuyAtoms = new Float64Field(this.store, 16)
  readonly openSellAtoms = new Float64Field(this.store, 24)
  readonly openBuySteps = new Float64Field(this.store, 32)
  readonly openSellSteps = new Float64Field(this.store, 40)
  readonly basisCostAtoms = new Float64Field(this.store, 48)
  readonly basisQuantityAtoms = new Float64Field(this.store, 56)
  readonly realizedAtoms = new Float64Field(this.store, 64)
  readonly pendingDepositAtoms = new Float64Field(this.store, 72)
  readonly pendingWithdrawalAtoms = new Float64Field(this.store, 80)
  readonly valueAtoms = new Float64Field(this.store, 88)
  readonly worstAtoms = new Float64Field(this.store, 96)
  /** Live orders and live quotes. */
  readonly openOrders = new Int32Field(this.store, 104)
  private readonly assetCount: number

  constructor(assetCount: number) {
    super(derivedFromBytes)
    this.assetCount = assetCount
  }

  /** The row of an account's asset. */
  rowOf(account: number, asset: number): number {
    return account * this.assetCount + asset
  }

  /** Adds the holdings of one more account. */
  appendAccount(): void {
    this.appendRows(this.assetCount)
  }
}
