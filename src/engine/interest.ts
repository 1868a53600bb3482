import type { Side } from './codes.ts'
import { buy, cash, sell } from './codes.ts'
import { eventType } from './events.ts'
import { reserveAtoms } from './reserve.ts'
import type { State } from './state.ts'

/* What a live row holds of its account: its reserve, and its part of the open interest. */

/** Holds a row's reserve and counts it among the open interest. The row is not filled beyond what it remains. */
export function holdInterest(state: State, row: number, reserve: number): void {
  const { orders } = state
  const account = orders.account.get(row)
  orders.reservedAtoms.set(row, reserve)
  if (reserve !== 0) {
    const held = orders.side.get(row) === buy ? cash : orders.asset.get(row)
    state.ledger.lock(account, held, reserve)
    state.sink.emit(eventType.reserved, row, account, held, reserve, 0, 0)
  }
  countInterest(state, row, 0, orders.remainingSteps(row))
  state.exposures.touchOpen(account, orders.asset.get(row))
}

/** Releases all that a row still holds and takes it out of the open interest. */
export function releaseInterest(state: State, row: number): void {
  const { orders } = state
  countInterest(state, row, orders.remainingSteps(row), 0)
  state.exposures.touchOpen(orders.account.get(row), orders.asset.get(row))
  release(state, row, state.orders.reservedAtoms.get(row))
}

/** Tells the open interest of the account that a row has `after` steps left instead of `before`; the caller touches. */
export function countInterest(state: State, row: number, before: number, after: number): void {
  const { orders, exposures, assets, ledger } = state
  const account = orders.account.get(row)
  const asset = orders.asset.get(row)
  const index = ledger.index(account, asset)
  const ticks = orders.priceTicks.get(row)
  const change = assets.notional(asset, ticks, after) - assets.notional(asset, ticks, before)
  if (orders.side.get(row) === buy) {
    exposures.openBuyAtoms.add(index, change)
    exposures.openBuySteps.add(index, after - before)
  } else {
    exposures.openSellAtoms.add(index, change)
    exposures.openSellSteps.add(index, after - before)
  }
}

export function release(state: State, row: number, amount: number): void {
  if (amount === 0) return
  const { orders } = state
  const account = orders.account.get(row)
  const held = orders.side.get(row) === buy ? cash : orders.asset.get(row)
  orders.reservedAtoms.add(row, -amount)
  state.ledger.lock(account, held, -amount)
  state.sink.emit(eventType.released, row, account, held, amount, 0, 0)
}

/** What a fill of `steps`, not yet counted in the row, frees of its reserve. */
export function freedBy(state: State, row: number, steps: number, costAtoms: number): number {
  const { orders, assets } = state
  const reserved = orders.reservedAtoms.get(row)
  const remaining = orders.remainingSteps(row) - steps
  if (remaining === 0) return reserved
  const asset = assets.traded(orders.asset.get(row))
  const ticks = orders.priceTicks.get(row)
  const side: Side = orders.side.get(row) === buy ? buy : sell
  if (side === buy && ticks === 0) return Math.min(reserved, costAtoms)
  return reserved - reserveAtoms(asset, side, ticks, remaining, reserveRate(state, row))
}

/** Rate on top of a buy's value: the dearer of its fees, none where the fee is paid in the asset. */
export function reserveRate(state: State, row: number): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.orders.feeSchedule.get(row)).reserveRate
}
