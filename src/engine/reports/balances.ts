import { buy, cash, none, type Side, sell } from '../codes.ts'
import { affordableSteps } from '../risk/pre-trade-check.ts'
import type { State } from '../state.ts'
import { topOfBook } from './top-of-book.ts'

/** One account's balance of one asset, in its atoms; total = available + locked. */
export interface BalanceFigures {
  readonly asset: number
  readonly totalAtoms: number
  /** The total less what is locked; negative only on a margin account. */
  readonly availableAtoms: number
  readonly lockedAtoms: number
  readonly pendingDepositAtoms: number
  readonly pendingWithdrawalAtoms: number
  /** The total at the mark, USD atoms, half-even. */
  readonly usdValueAtoms: number
}

/**
 * Computes an account's balance of one asset. A pending withdrawal has left the total already (design 16, Money
 * matters). Spec: Balance.
 */
export function computeBalance(state: State, account: number, asset: number): BalanceFigures {
  const { ledger, assets, markTicks } = state
  const totalAtoms = ledger.total(account, asset)
  return {
    asset,
    totalAtoms,
    availableAtoms: ledger.available(account, asset),
    lockedAtoms: ledger.lockedAtoms(account, asset),
    pendingDepositAtoms: ledger.pendingDeposit(account, asset),
    pendingWithdrawalAtoms: ledger.pendingWithdrawal(account, asset),
    usdValueAtoms: assets.value(asset, markTicks.get(asset), totalAtoms),
  }
}

/** What an account could trade of one asset, in its atoms. */
export interface AvailableForTrading {
  readonly asset: number
  readonly availableAtoms: number
  readonly lockedAtoms: number
  /** What waits for settlement: always 0. Choice: trades settle at once. */
  readonly pendingSettlementAtoms: number
  /**
   * What can be bought at the best ask, fee included, with leverage on a margin account; at most the pair's maximum.
   */
  readonly availableForBuyAtoms: number
  /** What can be sold at the best bid, on a margin account short as well; for cash what is available. */
  readonly availableForSellAtoms: number
}

/**
 * Returns what an account could trade of one asset. Where a side of the book is empty, the price of the last trade
 * stands in for it, or the mark before the first trade. A quantity below the pair's minima counts as 0. Spec:
 * Available for trading.
 */
export function availableForTrading(state: State, account: number, asset: number): AvailableForTrading {
  const { ledger } = state
  const availableAtoms = ledger.available(account, asset)
  return {
    asset,
    availableAtoms,
    lockedAtoms: ledger.lockedAtoms(account, asset),
    pendingSettlementAtoms: 0,
    availableForBuyAtoms: asset === cash ? 0 : tradableAtoms(state, account, asset, buy),
    availableForSellAtoms:
      asset === cash ? Math.max(0, availableAtoms) : tradableAtoms(state, account, asset, sell),
  }
}

function tradableAtoms(state: State, account: number, asset: number, side: Side): number {
  const { pair, stepAtoms } = state.assets.tradedAsset(asset)
  const { askTicks, bidTicks } = topOfBook(state, asset)
  const bookTicks = side === buy ? askTicks : bidTicks
  const lastTicks = state.lastTicks.get(asset)
  const standInTicks = lastTicks === 0 ? state.markTicks.get(asset) : lastTicks
  const ticks = bookTicks === none ? standInTicks : bookTicks
  const affordable = affordableSteps(state, account, asset, side, ticks)
  const steps = side === buy ? Math.min(affordable, pair.maxQuantitySteps) : affordable
  const isTradable =
    steps >= pair.minQuantitySteps && state.assets.notional(asset, ticks, steps) >= pair.minNotionalAtoms
  return isTradable ? steps * stepAtoms : 0
}
