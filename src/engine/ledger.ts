import { assert } from '../numeric/assert.ts'
import type { Float64Field } from '../numeric/records.ts'
import type { Atoms } from '../numeric/units.ts'
import { atoms } from '../numeric/units.ts'
import type { HoldingTable } from './tables/record-tables.ts'

const largest = Number.MAX_SAFE_INTEGER
const exact = 'balances stay below 2^53 atoms'

/*
 * Balances by account and asset, in atoms. Every change of a total is an entry from one account to another, so the
 * totals of an asset, and the withdrawals that are pending in between, sum to zero over all accounts, the outside
 * world included.
 *
 * Invariants: total = available + locked; locked is the sum of the reserves of live orders and legs.
 */
export class Ledger {
  readonly totals: Float64Field
  readonly lockeds: Float64Field
  private readonly holdings: HoldingTable

  constructor(holdings: HoldingTable) {
    this.holdings = holdings
    this.totals = holdings.totalAtoms
    this.lockeds = holdings.lockedAtoms
  }

  /** The row of an account's asset in the table of holdings. */
  index(account: number, asset: number): number {
    return this.holdings.rowOf(account, asset)
  }

  total(account: number, asset: number): Atoms {
    return atoms(this.totals.get(this.holdings.rowOf(account, asset)))
  }

  locked(account: number, asset: number): Atoms {
    return atoms(this.lockeds.get(this.holdings.rowOf(account, asset)))
  }

  /** What can be reserved or withdrawn; negative only on a margin account. */
  available(account: number, asset: number): Atoms {
    return this.availableOf(this.holdings.rowOf(account, asset))
  }

  /** The same by the row in the table of holdings. */
  availableOf(holding: number): Atoms {
    return atoms(this.totals.get(holding) - this.lockeds.get(holding))
  }

  pendingDeposit(account: number, asset: number): Atoms {
    return atoms(this.holdings.pendingDepositAtoms.get(this.holdings.rowOf(account, asset)))
  }

  pendingWithdrawal(account: number, asset: number): Atoms {
    return atoms(this.holdings.pendingWithdrawalAtoms.get(this.holdings.rowOf(account, asset)))
  }

  /** A double entry: books an amount from one account to another. Asserts that both totals stay safe integers. */
  move(from: number, to: number, asset: number, amount: number): void {
    addExactly(this.totals, this.holdings.rowOf(from, asset), -amount)
    addExactly(this.totals, this.holdings.rowOf(to, asset), amount)
  }

  /** Locks an amount more of a holding; a negative one is released. The total stays. */
  lock(holding: number, amount: number): void {
    const locked = this.lockeds.get(holding) + amount
    assert(locked >= 0 && locked <= largest, 'what is locked is never negative, and below 2^53')
    this.lockeds.set(holding, locked)
  }

  /** Takes an amount out of a total until its withdrawal settles. */
  holdWithdrawal(account: number, asset: number, amount: number): void {
    const index = this.holdings.rowOf(account, asset)
    addExactly(this.totals, index, -amount)
    addExactly(this.holdings.pendingWithdrawalAtoms, index, amount)
  }

  /** Books a held amount to the outside world. */
  settleWithdrawal(account: number, external: number, asset: number, amount: number): void {
    addExactly(this.holdings.pendingWithdrawalAtoms, this.holdings.rowOf(account, asset), -amount)
    addExactly(this.totals, this.holdings.rowOf(external, asset), amount)
  }

  /** Counts an amount as a pending deposit, which changes no total; a negative one is pending no more. */
  expectDeposit(account: number, asset: number, amount: number): void {
    addExactly(this.holdings.pendingDepositAtoms, this.holdings.rowOf(account, asset), amount)
  }
}

function addExactly(column: Float64Field, index: number, change: number): void {
  const sum = column.get(index) + change
  assert(sum >= -largest && sum <= largest, exact)
  column.set(index, sum)
}
