import { assert } from '../../numeric/assert.ts'
import { type Float64Column, Float64Field, Int32Field } from '../../numeric/columns.ts'
import { type Atoms, atoms, multiplyDivideHalfEven } from '../../numeric/units.ts'
import {
  type AccountRow,
  type AnyAccountRow,
  type AnyAssetRow,
  type AssetRow,
  buy,
  type HoldingRow,
  holdingRow,
} from '../codes.ts'
import type { AccountTable, FeeSchedules, RecordsOfAccounts } from './account-table.ts'
import { type AssetTable, maximumExact } from './asset-table.ts'
import { Table } from './record-tables.ts'

const holdingDerivedFromBytes = 96

/**
 * The table of what one account has of one asset: balances (see Ledger), the position's basis, and the open interest
 * (see ExposureTable). Row = account * assets + asset.
 *
 * A position is at average cost, fees apart; its quantity is the total of the asset. The average is the exact
 * fraction basisCost / basisQuantity as the last increase left it: a reduction does not change it, and the cost basis
 * of what remains is the quantity times that fraction, half-even to the USD atom. So what was realised and what
 * remains always add up to what was paid, to the atom.
 *
 * Layout: the fields that every order reads and changes lie side by side.
 */
export class HoldingTable extends Table {
  readonly basisCostAtoms = new Float64Field(this.store, 0)
  readonly basisQuantityAtoms = new Float64Field(this.store, 8)
  /** The profit realised over the life of the account, USD atoms: it survives closing and re-opening. */
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
  /** The number of live orders and live quotes. */
  readonly openOrders = new Int32Field(this.store, 104)
  private readonly assetCount: number

  constructor(assetCount: number) {
    super(holdingDerivedFromBytes)
    this.assetCount = assetCount
  }

  /** Returns the row of an account's asset, in 32 bits, and without a call, so that V8 always inlines it. */
  rowOf(account: AnyAccountRow, asset: AnyAssetRow): HoldingRow {
    return holdingRow((account * this.assetCount + asset) | 0)
  }

  appendAccount(): void {
    this.appendRows(this.assetCount)
  }

  /** Returns the cost of `quantityAtoms` (unsigned) of the position, USD atoms, half-even. */
  costBasisAtoms(row: number, quantityAtoms: number): number {
    if (quantityAtoms === 0) return 0
    const basisQuantity = this.basisQuantityAtoms.get(row)
    const basisCost = this.basisCostAtoms.get(row)
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
  moveBasis(row: number, before: number, change: number, valueAtoms: number): number {
    if (change === 0) return this.bookCostAlone(row, before, valueAtoms)
    const isIncrease = before === 0 || before > 0 === change > 0
    if (isIncrease) {
      this.increase(row, Math.abs(before), Math.abs(change), valueAtoms)
      return 0
    }
    const held = Math.abs(before)
    const closing = Math.min(held, Math.abs(change))
    const closingValue =
      closing === Math.abs(change)
        ? valueAtoms
        : multiplyDivideHalfEven(valueAtoms, closing, Math.abs(change))
    const closingCost = this.costBasisAtoms(row, held) - this.costBasisAtoms(row, held - closing)
    const realized = before > 0 ? closingValue - closingCost : closingCost - closingValue
    this.realizedAtoms.set(row, this.realizedAtoms.get(row) + realized)
    const opening = Math.abs(change) - closing
    if (closing === held) {
      this.basisCostAtoms.set(row, opening === 0 ? 0 : valueAtoms - closingValue)
      this.basisQuantityAtoms.set(row, opening)
    }
    return realized
  }

  private bookCostAlone(row: number, before: number, valueAtoms: number): number {
    if (before > 0) {
      this.increase(row, before, 0, valueAtoms)
      return 0
    }
    this.realizedAtoms.set(row, this.realizedAtoms.get(row) - valueAtoms)
    return -valueAtoms
  }

  private increase(row: number, held: number, added: number, valueAtoms: number): void {
    this.basisCostAtoms.set(row, this.costBasisAtoms(row, held) + valueAtoms)
    this.basisQuantityAtoms.set(row, held + added)
  }
}

const largest = Number.MAX_SAFE_INTEGER
const exact = 'balances stay below 2^53 atoms'

/**
 * The balances by account and asset, in atoms. Every change of a total is an entry from one account to another, so
 * the totals of an asset, and the withdrawals that are pending in between, sum to zero over all accounts, the outside
 * world included.
 *
 * Invariants: total = available + locked; locked is the sum of the reserves of live orders and legs.
 */
export class Ledger {
  private readonly holdings: HoldingTable

  constructor(holdings: HoldingTable) {
    this.holdings = holdings
  }

  total(account: AnyAccountRow, asset: AnyAssetRow): Atoms {
    return atoms(this.holdings.totalAtoms.get(this.holdings.rowOf(account, asset)))
  }

  lockedAtoms(account: AnyAccountRow, asset: AnyAssetRow): Atoms {
    return atoms(this.holdings.lockedAtoms.get(this.holdings.rowOf(account, asset)))
  }

  /** Returns what can be reserved or withdrawn; negative only on a margin account. */
  available(account: AnyAccountRow, asset: AnyAssetRow): Atoms {
    return this.availableIn(this.holdings.rowOf(account, asset))
  }

  availableIn(holding: HoldingRow): Atoms {
    return atoms(this.holdings.totalAtoms.get(holding) - this.holdings.lockedAtoms.get(holding))
  }

  pendingDeposit(account: AnyAccountRow, asset: AnyAssetRow): Atoms {
    return atoms(this.holdings.pendingDepositAtoms.get(this.holdings.rowOf(account, asset)))
  }

  pendingWithdrawal(account: AnyAccountRow, asset: AnyAssetRow): Atoms {
    return atoms(this.holdings.pendingWithdrawalAtoms.get(this.holdings.rowOf(account, asset)))
  }

  /** Books an amount from one account to another, as a double entry. Asserts that both totals stay safe integers. */
  move(from: AccountRow, to: AccountRow, asset: AssetRow, amount: number): void {
    addExactly(this.holdings.totalAtoms, this.holdings.rowOf(from, asset), -amount)
    addExactly(this.holdings.totalAtoms, this.holdings.rowOf(to, asset), amount)
  }

  /** Locks an amount more of a holding; a negative amount is released. The total stays. */
  lock(holding: HoldingRow, amount: number): void {
    const locked = this.holdings.lockedAtoms.get(holding) + amount
    assert(locked >= 0 && locked <= largest, 'what is locked is never negative, and below 2^53')
    this.holdings.lockedAtoms.set(holding, locked)
  }

  /** Takes an amount out of a total until its withdrawal settles. */
  holdWithdrawal(account: AccountRow, asset: AssetRow, amount: number): void {
    const row = this.holdings.rowOf(account, asset)
    addExactly(this.holdings.totalAtoms, row, -amount)
    addExactly(this.holdings.pendingWithdrawalAtoms, row, amount)
  }

  /** Books a held amount to the outside world. */
  settleWithdrawal(account: AccountRow, external: AccountRow, asset: AssetRow, amount: number): void {
    addExactly(this.holdings.pendingWithdrawalAtoms, this.holdings.rowOf(account, asset), -amount)
    addExactly(this.holdings.totalAtoms, this.holdings.rowOf(external, asset), amount)
  }

  /** Adds an amount to the pending deposits, which changes no total. A negative amount takes it off them again. */
  expectDeposit(account: AccountRow, asset: AssetRow, amount: number): void {
    addExactly(this.holdings.pendingDepositAtoms, this.holdings.rowOf(account, asset), amount)
  }
}

function addExactly(column: Float64Field, row: number, change: number): void {
  const sum = column.get(row) + change
  assert(sum >= -largest && sum <= largest, exact)
  column.set(row, sum)
}

/**
 * The exposure that an account could come to, by asset (design 16, "Exposure in checks"): with v the position at the
 * mark and B and S the open buys and sells at their own prices, the exposure of an asset is max(|v + B|, |v - S|),
 * and the portfolio's is the sum.
 *
 * Values at the mark are kept with the version of the marks at which they were made, and brought up to date when they
 * are read. So an order costs O(1) while marks do not move, and O(assets) after one has moved. An account's totals
 * are the sums over its assets.
 */
export class ExposureTable {
  private readonly holdings: HoldingTable
  private readonly accounts: AccountTable
  private readonly assets: AssetTable
  private readonly marks: Float64Column
  private version = 1

  constructor(holdings: HoldingTable, accounts: AccountTable, assets: AssetTable, marks: Float64Column) {
    this.holdings = holdings
    this.accounts = accounts
    this.assets = assets
    this.marks = marks
  }

  /** Notes that a mark has moved, so that values at the mark are computed again when they are next read. */
  noteMarksMoved(): void {
    this.version = (this.version + 1) | 0
  }

  /** Revalues an account's asset after its total has changed. */
  noteTotalChanged(account: AccountRow, asset: AssetRow): void {
    this.changeFilled(account, this.holdings.rowOf(account, asset), asset, buy, 0, 0)
  }

  /** Counts an order or a quote that begins (1) or ends (-1). */
  countOpen(account: AnyAccountRow, asset: AnyAssetRow, change: 1 | -1): void {
    const { accounts, holdings } = this
    accounts.openOrders.set(account, accounts.openOrders.get(account) + change)
    const holding = holdings.rowOf(account, asset)
    holdings.openOrders.set(holding, holdings.openOrders.get(holding) + change)
  }

  /** Counts more (or less) open interest on one side, in USD atoms at its own price and in steps. */
  changeOpen(
    account: AccountRow,
    holding: HoldingRow,
    side: number,
    changeAtoms: number,
    changeSteps: number,
  ): void {
    const change = addOpen(this.holdings, holding, side, changeAtoms, changeSteps)
    if (this.accounts.valuedVersion.get(account) === this.version) this.addWorst(account, change)
  }

  /**
   * Counts more (or less) open interest on one side when the account's total of the asset has just changed as well.
   */
  changeFilled(
    account: AccountRow,
    holding: HoldingRow,
    asset: AssetRow,
    side: number,
    changeAtoms: number,
    changeSteps: number,
  ): void {
    const change = addOpen(this.holdings, holding, side, changeAtoms, changeSteps)
    if (this.accounts.valuedVersion.get(account) === this.version)
      this.revalue(account, holding, asset, change)
  }

  /** Returns the signed value of a position at the mark, half-even to the USD atom. */
  valueAtoms(account: AnyAccountRow, asset: AnyAssetRow): number {
    this.bringUpToDate(account)
    return this.holdings.valueAtoms.get(this.holdings.rowOf(account, asset))
  }

  /** Returns the sum of the signed values of all positions, USD atoms. */
  positionsAtoms(account: AnyAccountRow): number {
    this.bringUpToDate(account)
    return this.accounts.positionsAtoms.get(account)
  }

  /** Returns the worst case of the portfolio, the sum over its assets, USD atoms. */
  totalWorstAtoms(account: AnyAccountRow): number {
    this.bringUpToDate(account)
    return this.accounts.worstAtoms.get(account)
  }

  /** Values an account at the present marks; to be called before such a field is read from its table. */
  bringUpToDate(account: AnyAccountRow): void {
    if (this.accounts.valuedVersion.get(account) === this.version) return
    this.accounts.valuedVersion.set(account, this.version)
    this.accounts.positionsAtoms.set(account, 0)
    this.accounts.worstAtoms.set(account, 0)
    const { holdings } = this
    for (let asset = 1; asset < this.assets.count; asset += 1) {
      const holding = holdings.rowOf(account, asset)
      holdings.valueAtoms.set(holding, 0)
      const worst = worstCase(0, holdings.openBuyAtoms.get(holding), holdings.openSellAtoms.get(holding))
      this.revalue(account, holding, asset, worst)
    }
  }

  /**
   * Revalues an asset at its mark; `uncounted` is the part of its previous worst case that the account's sum does not
   * include yet.
   */
  private revalue(account: AnyAccountRow, holding: HoldingRow, asset: AnyAssetRow, uncounted: number): void {
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

  private addWorst(account: AnyAccountRow, change: number): void {
    const { worstAtoms } = this.accounts
    const sum = worstAtoms.get(account) + change
    worstAtoms.set(account, sum)
    // Beyond 2^53 a sum depends on the order of adding, so it is computed again at each read.
    if (sum > maximumExact) this.accounts.valuedVersion.set(account, 0)
  }
}

/** Adds to the open interest of a holding; returns by how much its worst case changes. */
function addOpen(
  holdings: HoldingTable,
  holding: HoldingRow,
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

/** Returns max(|v + B|, |v - S|), which is max(v + B, S - v), as B and S are not negative. */
export function worstCase(valueAtoms: number, buyAtoms: number, sellAtoms: number): number {
  return Math.max(valueAtoms + buyAtoms, sellAtoms - valueAtoms)
}

export interface Tables extends RecordsOfAccounts {
  readonly assets: AssetTable
  readonly feeSchedules: FeeSchedules
  /** What is kept by account and asset, in the row `rowOf(account, asset)`. */
  readonly holdings: HoldingTable
  readonly ledger: Ledger
  readonly exposures: ExposureTable
}
