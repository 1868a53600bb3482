import { assert } from '../numeric/assert.ts'
import { Float64Column } from '../numeric/columns.ts'
import type { Atoms } from '../numeric/units.ts'
import { atoms } from '../numeric/units.ts'

/*
 * Balances by account and asset, in atoms. Every change of a total is a `move` from one account to another, so the
 * totals of an asset (with what is pending) sum to zero over all accounts, the outside world among them.
 *
 * Invariants: total = available + locked; locked is the sum of the reserves of live orders and legs.
 */
export class Ledger {
  readonly totals = new Float64Column()
  readonly lockeds = new Float64Column()
  readonly pendingDeposits = new Float64Column()
  readonly pendingWithdrawals = new Float64Column()
  private readonly assetCount: number

  constructor(assetCount: number) {
    this.assetCount = assetCount
  }

  reserveAccounts(accounts: number): void {
    for (const column of this.columns()) column.reserve(accounts * this.assetCount)
  }

  /** Place of an account's asset in every column of this kind. */
  index(account: number, asset: number): number {
    return account * this.assetCount + asset
  }

  total(account: number, asset: number): Atoms {
    return atoms(this.totals.get(this.index(account, asset)))
  }

  locked(account: number, asset: number): Atoms {
    return atoms(this.lockeds.get(this.index(account, asset)))
  }

  /** What can be reserved or withdrawn; negative only on a margin account. */
  available(account: number, asset: number): Atoms {
    const index = this.index(account, asset)
    return atoms(this.totals.get(index) - this.lockeds.get(index))
  }

  pendingDeposit(account: number, asset: number): Atoms {
    return atoms(this.pendingDeposits.get(this.index(account, asset)))
  }

  pendingWithdrawal(account: number, asset: number): Atoms {
    return atoms(this.pendingWithdrawals.get(this.index(account, asset)))
  }

  /** One double entry. */
  move(from: number, to: number, asset: number, amount: number): void {
    addExactly(this.totals, this.index(from, asset), -amount)
    addExactly(this.totals, this.index(to, asset), amount)
  }

  /** Changes what is locked: more with a positive amount. */
  lock(account: number, asset: number, amount: number): void {
    const index = this.index(account, asset)
    addExactly(this.lockeds, index, amount)
    assert(this.lockeds.get(index) >= 0, 'what is locked is never negative')
  }

  /** Takes an amount out of a total until its withdrawal settles. */
  holdWithdrawal(account: number, asset: number, amount: number): void {
    const index = this.index(account, asset)
    addExactly(this.totals, index, -amount)
    addExactly(this.pendingWithdrawals, index, amount)
  }

  /** The held amount is gone to the outside world. */
  settleWithdrawal(account: number, external: number, asset: number, amount: number): void {
    addExactly(this.pendingWithdrawals, this.index(account, asset), -amount)
    addExactly(this.totals, this.index(external, asset), amount)
  }

  expectDeposit(account: number, asset: number, amount: number): void {
    addExactly(this.pendingDeposits, this.index(account, asset), amount)
  }

  columns(): readonly Float64Column[] {
    return [this.totals, this.lockeds, this.pendingDeposits, this.pendingWithdrawals]
  }
}

function addExactly(column: Float64Column, index: number, change: number): void {
  const sum = column.get(index) + change
  assert(Number.isSafeInteger(sum), 'balances stay below 2^53 atoms')
  column.set(index, sum)
}
