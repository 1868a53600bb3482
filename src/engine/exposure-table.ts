import type { Float64Column } from '../numeric/columns.ts'
import type { Float64Field, Int32Field } from '../numeric/records.ts'
import type { AccountTable } from './account-table.ts'
import type { AssetTable } from './asset-table.ts'
import { buy } from './codes.ts'
import type { HoldingTable } from './holding-table.ts'

/*
 * What an account could come to hold, by account and asset (design 16, "Exposure in checks"): with v the position at
 * the mark and B and S the open buys and sells at their own prices, the exposure of an asset is
 * max(|v + B|, |v - S|), and the portfolio's is the sum.
 *
 * Values at the mark are remembered with the mark's version and brought up to date when somebody asks, so an order
 * costs O(1) while marks stand still and O(assets) after they moved. Totals of an account are the sums of its rows.
 */
export class ExposureTable {
  readonly openBuyAtoms: Float64Field
  readonly openSellAtoms: Float64Field
  readonly openBuySteps: Float64Field
  readonly openSellSteps: Float64Field
  readonly openOrders: Int32Field
  private readonly holdings: HoldingTable
  private readonly accounts: AccountTable
  private readonly assets: AssetTable
  private readonly marks: Float64Column
  private version = 1

  constructor(holdings: HoldingTable, accounts: AccountTable, assets: AssetTable, marks: Float64Column) {
    this.openBuyAtoms = holdings.openBuyAtoms
    this.openSellAtoms = holdings.openSellAtoms
    this.openBuySteps = holdings.openBuySteps
    this.openSellSteps = holdings.openSellSteps
    this.openOrders = holdings.openOrders
    this.holdings = holdings
    this.accounts = accounts
    this.assets = assets
    this.marks = marks
  }

  /** To be called when any mark has moved. */
  marksMoved(): void {
    this.version = (this.version + 1) | 0
  }

  /** To be called after an account's total of an asset has changed. */
  touch(account: number, asset: number): void {
    if (this.accounts.valuedVersion.get(account) === this.version) this.refresh(account, asset)
  }

  /** Counts more (or less) open interest of an account on one side, in USD atoms at its own price and in steps. */
  changeOpen(account: number, asset: number, side: number, changeAtoms: number, changeSteps: number): void {
    const { accounts, holdings } = this
    const row = holdings.rowOf(account, asset)
    this.addOpen(row, side, changeAtoms, changeSteps)
    if (accounts.valuedVersion.get(account) === this.version)
      this.refreshWorst(account, row, holdings.valueAtoms.get(row))
  }

  /** The same, to be called after the account's total of the asset has changed, too. */
  changeFilled(account: number, asset: number, side: number, changeAtoms: number, changeSteps: number): void {
    this.addOpen(this.holdings.rowOf(account, asset), side, changeAtoms, changeSteps)
    this.touch(account, asset)
  }

  /** Signed value of a position at the mark, half-even to the USD atom. */
  valueAtoms(account: number, asset: number): number {
    this.bringUpToDate(account)
    return this.holdings.valueAtoms.get(this.holdings.rowOf(account, asset))
  }

  /** Sum of the signed values of all positions. */
  positionsAtoms(account: number): number {
    this.bringUpToDate(account)
    return this.accounts.positionsAtoms.get(account)
  }

  /** Worst case of the portfolio: the sum over assets. */
  totalWorstAtoms(account: number): number {
    this.bringUpToDate(account)
    return this.accounts.worstAtoms.get(account)
  }

  /** To be called before a valued field of an account or of its holdings is read from the table itself. */
  bringUpToDate(account: number): void {
    if (this.accounts.valuedVersion.get(account) === this.version) return
    this.accounts.valuedVersion.set(account, this.version)
    for (let asset = 1; asset < this.assets.count; asset += 1) this.refresh(account, asset)
  }

  private addOpen(row: number, side: number, changeAtoms: number, changeSteps: number): void {
    const { holdings } = this
    if (side === buy) {
      holdings.openBuyAtoms.add(row, changeAtoms)
      holdings.openBuySteps.add(row, changeSteps)
    } else {
      holdings.openSellAtoms.add(row, changeAtoms)
      holdings.openSellSteps.add(row, changeSteps)
    }
  }

  private refresh(account: number, asset: number): void {
    const { accounts, holdings } = this
    const row = holdings.rowOf(account, asset)
    const total = holdings.totalAtoms.get(row)
    const value = total === 0 ? 0 : this.assets.value(asset, this.marks.get(asset), total)
    accounts.positionsAtoms.add(account, value - holdings.valueAtoms.get(row))
    holdings.valueAtoms.set(row, value)
    this.refreshWorst(account, row, value)
  }

  private refreshWorst(account: number, row: number, value: number): void {
    const { accounts, holdings } = this
    const worst = worstCase(value, holdings.openBuyAtoms.get(row), holdings.openSellAtoms.get(row))
    accounts.worstAtoms.add(account, worst - holdings.worstAtoms.get(row))
    holdings.worstAtoms.set(row, worst)
  }
}

/** max(|v + B|, |v - S|). */
export function worstCase(valueAtoms: number, buyAtoms: number, sellAtoms: number): number {
  return Math.max(Math.abs(valueAtoms + buyAtoms), Math.abs(valueAtoms - sellAtoms))
}
