import type { State } from '../state.ts'

/** One account's balance of one asset, in its atoms; total = available + locked. */
export interface BalanceFigures {
  readonly asset: number
  readonly totalAtoms: number
  /** Negative only on a margin account. */
  readonly availableAtoms: number
  readonly lockedAtoms: number
  readonly pendingDepositAtoms: number
  readonly pendingWithdrawalAtoms: number
  /** The total at the mark, USD atoms, half-even. */
  readonly usdValueAtoms: number
}

/** A pending withdrawal has left the total already (design 16, Money matters). Spec: Balance. */
export function balanceOf(state: State, account: number, asset: number): BalanceFigures {
  const { ledger, assets, markTicks } = state
  const totalAtoms = ledger.total(account, asset)
  return {
    asset,
    totalAtoms,
    availableAtoms: ledger.available(account, asset),
    lockedAtoms: ledger.locked(account, asset),
    pendingDepositAtoms: ledger.pendingDeposit(account, asset),
    pendingWithdrawalAtoms: ledger.pendingWithdrawal(account, asset),
    usdValueAtoms: assets.value(asset, markTicks.get(asset), totalAtoms),
  }
}
