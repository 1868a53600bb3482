import { Float64Column, Int32Column } from '../numeric/columns.ts'
import type { AssetTable } from './asset-table.ts'
import type { Ledger } from './ledger.ts'

/*
 * What an account could come to hold, by account and asset (design 16, "Exposure in checks"): with v the position at
 * the mark and B and S the open buys and sells at their own prices, the exposure of an asset is
 * max(|v + B|, |v - S|), and the portfolio's is the sum.
 *
 * Values at the mark are remembered with the mark's version and brought up to date when somebody asks, so an order
 * costs O(1) while marks stand still and O(assets) after they moved. Totals of an account are the sums of its rows.
 */
export class ExposureTable {
  readonly openBuyAtoms = new Float64Column()
  readonly openSellAtoms = new Float64Column()
  readonly openBuySteps = new Float64Column()
  readonly openSellSteps = new Float64Column()
  readonly openOrders = new Int32Column()
  private readonly values = new Float64Column()
  private readonly worsts = new Float64Column()
  private readonly totalValues = new Float64Column()
  private readonly totalWorsts = new Float64Column()
  private readonly versions = new Int32Column()
  private readonly assets: AssetTable
  private readonly ledger: Ledger
  private readonly marks: Float64Column
  private version = 1

  constructor(assets: AssetTable, ledger: Ledger, marks: Float64Column) {
    this.assets = assets
    this.ledger = ledger
    this.marks = marks
  }

  reserveAccounts(accounts: number): void {
    const rows = accounts * this.assets.count
    for (const column of this.stateColumns()) column.reserve(rows)
    this.openOrders.reserve(rows)
    this.values.reserve(rows)
    this.worsts.reserve(rows)
    this.totalValues.reserve(accounts)
    this.totalWorsts.reserve(accounts)
    this.versions.reserve(accounts)
  }

  /** To be called when any mark has moved. */
  marksMoved(): void {
    this.version += 1
  }

  /** To be called after an account's total, open buys or open sells of an asset have changed. */
  touch(account: number, asset: number): void {
    if (this.versions.get(account) === this.version) this.refresh(account, asset)
  }

  /** Signed value of a position at the mark, half-even to the USD atom. */
  valueAtoms(account: number, asset: number): number {
    this.bringUpToDate(account)
    return this.values.get(this.ledger.index(account, asset))
  }

  /** Sum of the signed values of all positions. */
  positionsAtoms(account: number): number {
    this.bringUpToDate(account)
    return this.totalValues.get(account)
  }

  /** Worst case of one asset. */
  worstAtoms(account: number, asset: number): number {
    this.bringUpToDate(account)
    return this.worsts.get(this.ledger.index(account, asset))
  }

  /** Worst case of the portfolio: the sum over assets. */
  totalWorstAtoms(account: number): number {
    this.bringUpToDate(account)
    return this.totalWorsts.get(account)
  }

  /** The columns that are state; the rest is derived. */
  stateColumns(): readonly Float64Column[] {
    return [this.openBuyAtoms, this.openSellAtoms, this.openBuySteps, this.openSellSteps]
  }

  private bringUpToDate(account: number): void {
    if (this.versions.get(account) === this.version) return
    this.versions.set(account, this.version)
    for (let asset = 1; asset < this.assets.count; asset += 1) this.refresh(account, asset)
  }

  private refresh(account: number, asset: number): void {
    const index = this.ledger.index(account, asset)
    const total = this.ledger.totals.get(index)
    const value = total === 0 ? 0 : this.assets.value(asset, this.marks.get(asset), total)
    const worst = worstCase(value, this.openBuyAtoms.get(index), this.openSellAtoms.get(index))
    this.totalValues.add(account, value - this.values.get(index))
    this.totalWorsts.add(account, worst - this.worsts.get(index))
    this.values.set(index, value)
    this.worsts.set(index, worst)
  }
}

/** max(|v + B|, |v - S|). */
export function worstCase(valueAtoms: number, buyAtoms: number, sellAtoms: number): number {
  return Math.max(Math.abs(valueAtoms + buyAtoms), Math.abs(valueAtoms - sellAtoms))
}
