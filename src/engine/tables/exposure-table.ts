import type { Float64Column } from '../../numeric/columns.ts'
import type { Float64Field, Int32Field } from '../../numeric/records.ts'
import { buy } from '../codes.ts'
import type { AccountTable } from './account-table.ts'
import { type AssetTable, maximumExact } from './asset-table.ts'
import type { HoldingTable } from './record-tables.ts'

/*
 * What an account could come to hold, by account and asset (design 16, "Exposure in checks"): with v the position at
 * the mark and B and S the open buys and sells at their own prices, the exposure of an asset is
 * max(|v + B|, |v - S|), and the portfolio's is the sum.
 *
 * Values at the mark are kept with the version of the marks at which they were made, and brought up to date when
 * they are read. So an order costs O(1) while marks do not move, and O(assets) after one has moved. An account's totals
 * are the sums over its assets.
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

  /** Call it when any mark has moved. */
  marksMoved(): void {
    this.version = (this.version + 1) | 0
  }

  /** Call it after an account's total of an asset has changed. */
  touch(account: number, asset: number): void {
    this.changeFilled(account, this.holdings.rowOf(account, asset), asset, buy, 0, 0)
  }

  /**
   * Counts more (or less) open interest of an account's holding on one side, in USD atoms at its own price and in steps.
   */
  changeOpen(account: number, holding: number, side: number, changeAtoms: number, changeSteps: number): void {
    const change = addOpen(this.holdings, holding, side, changeAtoms, changeSteps)
    if (this.accounts.valuedVersion.get(account) === this.version) this.addWorst(account, change)
  }

  /** As `changeOpen`, for when the account's total of the asset has just changed as well. */
  changeFilled(
    account: number,
    holding: number,
    asset: number,
    side: number,
    changeAtoms: number,
    changeSteps: number,
  ): void {
    const change = addOpen(this.holdings, holding, side, changeAtoms, changeSteps)
    if (this.accounts.valuedVersion.get(account) === this.version)
      this.revalue(account, holding, asset, change)
  }

  /** Signed value of a position at the mark, half-even to the USD atom. */
  valueAtoms(account: number, asset: number): number {
    this.bringUpToDate(account)
    return this.holdings.valueAtoms.get(this.holdings.rowOf(account, asset))
  }

  /** Sum of the signed values of all positions, USD atoms. */
  positionsAtoms(account: number): number {
    this.bringUpToDate(account)
    return this.accounts.positionsAtoms.get(account)
  }

  /** Worst case of the portfolio, the sum over its assets, USD atoms. */
  totalWorstAtoms(account: number): number {
    this.bringUpToDate(account)
    return this.accounts.worstAtoms.get(account)
  }

  /** Values an account at the present marks. Call it before reading such a field from its table. */
  bringUpToDate(account: number): void {
    if (this.accounts.valuedVersion.get(account) === this.version) return
    this.accounts.valuedVersion.set(account, this.version)
    this.accounts.positionsAtoms.set(account, 0)
    this.accounts.worstAtoms.set(account, 0)
    for (let asset = 1; asset < this.assets.count; asset += 1) {
      const holding = this.holdings.rowOf(account, asset)
      this.holdings.valueAtoms.set(holding, 0)
      const { openBuyAtoms, openSellAtoms } = this
      this.revalue(
        account,
        holding,
        asset,
        worstCase(0, openBuyAtoms.get(holding), openSellAtoms.get(holding)),
      )
    }
  }

  /**
   * Revalues an asset at its mark; `uncounted` is the part of its previous worst case that the account's sum does not
   * include yet.
   */
  private revalue(account: number, holding: number, asset: number, uncounted: number): void {
    const { accounts, holdings } = this
    const total = holdings.totalAtoms.get(holding)
    const buys = holdings.openBuyAtoms.get(holding)
    const sells = holdings.openSellAtoms.get(holding)
    const before = holdings.valueAtoms.get(holding)
    const value = total === 0 ? 0 : this.assets.value(asset, this.marks.get(asset), total)
    accounts.positionsAtoms.set(account, accounts.positionsAtoms.get(account) + (value - before))
    holdings.valueAtoms.set(holding, value)
    this.addWorst(account, uncounted + worstCase(value, buys, sells) - worstCase(before, buys, sells))
  }

  private addWorst(account: number, change: number): void {
    const { worstAtoms } = this.accounts
    const sum = worstAtoms.get(account) + change
    worstAtoms.set(account, sum)
    // Beyond 2^53 a sum depends on the order of adding, so it is computed afresh at each read.
    if (sum > maximumExact) this.accounts.valuedVersion.set(account, 0)
  }
}

/** Adds to the open interest of a holding; returns by how much its worst case changes. */
function addOpen(
  holdings: HoldingTable,
  holding: number,
  side: number,
  changeAtoms: number,
  changeSteps: number,
): number {
  const value = holdings.valueAtoms.get(holding)
  const buys = holdings.openBuyAtoms.get(holding)
  const sells = holdings.openSellAtoms.get(holding)
  const buysAfter = side === buy ? buys + changeAtoms : buys
  const sellsAfter = side === buy ? sells : sells + changeAtoms
  holdings.openBuyAtoms.set(holding, buysAfter)
  holdings.openSellAtoms.set(holding, sellsAfter)
  const openSteps = side === buy ? holdings.openBuySteps : holdings.openSellSteps
  openSteps.set(holding, openSteps.get(holding) + changeSteps)
  return worstCase(value, buysAfter, sellsAfter) - worstCase(value, buys, sells)
}

/** max(|v + B|, |v - S|), which is max(v + B, S - v), as B and S are not negative. */
export function worstCase(valueAtoms: number, buyAtoms: number, sellAtoms: number): number {
  return Math.max(valueAtoms + buyAtoms, sellAtoms - valueAtoms)
}
