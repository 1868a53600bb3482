import type { Side } from '../codes.ts'
import { buy, cash } from '../codes.ts'
import { eventType } from '../events.ts'
import { reserveAtoms, reserveRateOfRow } from '../risk/reserve.ts'
import type { State } from '../state.ts'
import { notionalOf } from '../tables/asset-table.ts'

/* What a live row holds in its account: its reserve, and its part of the open interest. */

/** Locks the reserve that the venue's candidate wants on a row's side, and counts the row in the open interest. */
export function holdInterest(state: State, row: number, side: Side): void {
  const { orders } = state
  const { account, asset, holding, cashHolding, buy: bid, sell: ask } = state.candidate
  const wanted = side === buy ? bid : ask
  const reserve = wanted.reserveAtoms
  orders.reservedAtoms.set(row, reserve)
  if (reserve !== 0) {
    const held = side === buy ? cash : asset
    state.ledger.lock(side === buy ? cashHolding : holding, reserve)
    state.sink.emit(eventType.reserved, row, account, held, reserve, 0, 0)
  }
  // A market order has no price of its own at which it could count as open.
  const isMarket = orders.priceTicks.get(row) === 0
  state.exposures.changeOpen(account, holding, side, isMarket ? 0 : wanted.valueAtoms, wanted.steps)
}

/** Releases all that a row still holds, and takes it out of the open interest. */
export function releaseInterest(state: State, row: number): void {
  const { orders } = state
  const account = orders.account.get(row)
  const asset = orders.asset.get(row)
  const side = orders.side.get(row)
  const steps = orders.remainingSteps(row)
  const value = notionalOf(state.assets.traded(asset), orders.priceTicks.get(row), steps)
  state.exposures.changeOpen(account, state.holdings.rowOf(account, asset), side, -value, -steps)
  release(state, row, account, side === buy ? cash : asset, orders.reservedAtoms.get(row))
}

/**
 * Replaces what a row holds by what the venue's candidate wants on its side, in one step; the events are those of a
 * release and a new reserve. There is always something to release: a live order's reserve is rounded up.
 */
export function exchangeInterest(state: State, row: number, side: Side): void {
  const { candidate, exposures, ledger, sink } = state
  const { orders } = state
  const { account, asset, holding, cashHolding } = candidate
  const replaced = side === buy ? candidate.replacedBuy : candidate.replacedSell
  const wanted = side === buy ? candidate.buy : candidate.sell
  const held = side === buy ? cash : asset
  const before = replaced.reserveAtoms
  const after = wanted.reserveAtoms
  orders.reservedAtoms.set(row, after)
  ledger.lock(side === buy ? cashHolding : holding, after - before)
  sink.emit(eventType.released, row, account, held, before, 0, 0)
  if (after !== 0) sink.emit(eventType.reserved, row, account, held, after, 0, 0)
  const change = wanted.valueAtoms - replaced.valueAtoms
  exposures.changeOpen(account, holding, side, change, wanted.steps - replaced.steps)
}

/** Releases a part of what a row holds of the asset `held` in its account; nothing, and no event, for 0. */
export function release(state: State, row: number, account: number, held: number, amount: number): void {
  if (amount === 0) return
  const { reservedAtoms } = state.orders
  reservedAtoms.set(row, reservedAtoms.get(row) - amount)
  state.ledger.lock(state.holdings.rowOf(account, held), -amount)
  state.sink.emit(eventType.released, row, account, held, amount, 0, 0)
}

/**
 * What a fill of `steps`, not yet counted in the row, frees of its reserve: all of it for the last fill, else what is
 * more than the rest needs. A market buy, whose rest has no price, frees the fill's cost (value and fee).
 */
export function freedBy(state: State, row: number, steps: number, costAtoms: number): number {
  const { orders, assets } = state
  const reserved = orders.reservedAtoms.get(row)
  const remaining = orders.remainingSteps(row) - steps
  if (remaining === 0) return reserved
  const asset = assets.traded(orders.asset.get(row))
  const ticks = orders.priceTicks.get(row)
  const side = orders.side.get(row)
  if (side === buy && ticks === 0) return Math.min(reserved, costAtoms)
  return reserved - reserveAtoms(asset, side, ticks, remaining, reserveRateOfRow(state, row))
}
