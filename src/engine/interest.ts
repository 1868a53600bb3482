import type { Interest } from './candidate.ts'
import { buy, cash } from './codes.ts'
import { eventType } from './events.ts'
import { reserveAtoms } from './reserve.ts'
import type { State } from './state.ts'

/* What a live row holds of its account: its reserve, and its part of the open interest. */

/** Holds a row's reserve and counts it among the open interest. */
export function holdInterest(state: State, row: number, wanted: Interest): void {
  const { orders, exposures, ledger } = state
  const account = orders.account.get(row)
  const asset = orders.asset.get(row)
  const side = orders.side.get(row)
  const reserve = wanted.reserveAtoms
  orders.reservedAtoms.set(row, reserve)
  if (reserve !== 0) {
    const held = side === buy ? cash : asset
    ledger.lock(account, held, reserve)
    state.sink.emit(eventType.reserved, row, account, held, reserve, 0, 0)
  }
  // A market order has no price at which it could be open.
  const value = orders.priceTicks.get(row) === 0 ? 0 : wanted.valueAtoms
  exposures.changeOpen(account, asset, side, value, wanted.steps)
}

/** Releases all that a row still holds and takes it out of the open interest. */
export function releaseInterest(state: State, row: number): void {
  const { orders, assets, exposures } = state
  const asset = orders.asset.get(row)
  const steps = orders.quantitySteps.get(row) - orders.filledSteps.get(row)
  const value = assets.notional(asset, orders.priceTicks.get(row), steps)
  exposures.changeOpen(orders.account.get(row), asset, orders.side.get(row), -value, -steps)
  release(state, row, orders.reservedAtoms.get(row))
}

/** Releases what a row holds and holds what it is to hold instead, in one step; the events are those of two. */
export function exchangeInterest(state: State, row: number, replaced: Interest, wanted: Interest): void {
  const { orders, exposures, ledger, sink } = state
  const account = orders.account.get(row)
  const asset = orders.asset.get(row)
  const side = orders.side.get(row)
  const held = side === buy ? cash : asset
  const before = replaced.reserveAtoms
  const after = wanted.reserveAtoms
  orders.reservedAtoms.set(row, after)
  ledger.lock(account, held, after - before)
  if (before !== 0) sink.emit(eventType.released, row, account, held, before, 0, 0)
  if (after !== 0) sink.emit(eventType.reserved, row, account, held, after, 0, 0)
  const change = wanted.valueAtoms - replaced.valueAtoms
  exposures.changeOpen(account, asset, side, change, wanted.steps - replaced.steps)
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
  const side = orders.side.get(row)
  if (side === buy && ticks === 0) return Math.min(reserved, costAtoms)
  return reserved - reserveAtoms(asset, side, ticks, remaining, reserveRate(state, row))
}

/** Rate on top of a buy's value: the dearer of its fees, none where the fee is paid in the asset. */
export function reserveRate(state: State, row: number): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.orders.feeSchedule.get(row)).reserveRate
}
