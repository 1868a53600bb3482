import { Float64Field, Int32Field } from '../../numeric/records.ts'
import { Table } from './table.ts'

const derivedFromBytes = 96

/**
 * What one account has of one asset: balances (see Ledger), the position's basis (see PositionTable), and the open
 * interest (see ExposureTable). Row = account * assets + asset.
 *
 * Layout: what every order reads and changes lies in bytes 48 to 112. These are one cache line, because a large buffer
 * begins 16 bytes into a page.
 */
export class HoldingTable extends Table {
  readonly basisCostAtoms = new Float64Field(this.store, 0)
  readonly basisQuantityAtoms = new Float64Field(this.store, 8)
  readonly realizedAtoms = new Float64Field(this.store, 16)
  readonly pendingDepositAtoms = new Float64Field(this.store, 24)
  readonly pendingWithdrawalAtoms = new Float64Field(this.store, 32)
  readonly totalAtoms = new Float64Field(this.store, 48)
  readonly lockedAtoms = new Float64Field(this.store, 56)
  readonly openBuyAtoms = new Float64Field(this.store, 64)
  readonly openSellAtoms = new Float64Field(this.store, 72)
  readonly openBuySteps = new Float64Field(this.store, 80)
  readonly openSellSteps = new Float64Field(this.store, 88)
  readonly valueAtoms = new Float64Field(this.store, 96)
  /** Live orders and live quotes. */
  readonly openOrders = new Int32Field(this.store, 104)
  private readonly assetCount: number

  constructor(assetCount: number) {
    super(derivedFromBytes)
    this.assetCount = assetCount
  }

  /** The row of an account's asset, in 32 bits, and without a call, so that V8 always inlines it. */
  rowOf(account: number, asset: number): number {
    return (account * this.assetCount + asset) | 0
  }

  appendAccount(): void {
    this.appendRows(this.assetCount)
  }
}
