import type { Side } from '../codes.ts'
import { buy, cash } from '../codes.ts'
import { eventType } from '../events.ts'
import { reserveAtoms, reserveRateOfRow } from '../risk/reserve.ts'
import type { State } from '../state.ts'
import { notionalOf } from '../tables/asset-table.ts'
import * as orderAt from '../tables/order-fields.ts'

/* What a live row holds in its account: its reserve, and its part of the open interest. */

/** Locks the reserve that the venue's candidate wants on a row's side, and counts the row in the open interest. */
export function holdInterest(state: State, row: number, side: Side): void {
  const { store } = state.orders
  const { account, asset, holding, cashHolding, buy: bid, sell: ask } = state.candidate
  const wanted = side === buy ? bid : ask
  const reserve = wanted.reserveAtoms
  store.doubles[(row << 4) | orderAt.reservedAtoms] = reserve
  if (reserve !== 0) {
    const held = side === buy ? cash : asset
    state.ledger.lock(side === buy ? cashHolding : holding, reserve)
    state.sink.emit(eventType.reserved, row, account, held, reserve, 0, 0)
  }
  // A market order has no price of its own at which it could count as open.
  const isMarket = store.doubles[(row << 4) | orderAt.priceTicks] === 0
  state.exposures.changeOpen(account, holding, side, isMarket ? 0 : wanted.valueAtoms, wanted.steps)
}

/** Releases all that a row still holds, and takes it out of the open interest. */
export function releaseInterest(state: State, row: number): void {
  const { store } = state.orders
  const at = row << 4
  const account = Number(store.integers[(row << 5) | orderAt.account])
  const asset = Number(store.integers[(row << 5) | orderAt.asset])
  const side = Number(store.bytes[(row << 7) | orderAt.side])
  const steps =
    Number(store.doubles[at | orderAt.quantitySteps]) - Number(store.doubles[at | orderAt.filledSteps])
  const value = notionalOf(state.assets.traded(asset), Number(store.doubles[at | orderAt.priceTicks]), steps)
  state.exposures.changeOpen(account, state.holdings.rowOf(account, asset), side, -value, -steps)
  release(state, row, account, side === buy ? cash : asset, Number(store.doubles[at | orderAt.reservedAtoms]))
}

/**
 * Replaces what a row holds by what the venue's candidate wants on its side, in one step; the events are those of a
 * release and a new reserve. There is always something to release: a live order's reserve is rounded up.
 */
export function exchangeInterest(state: State, row: number, side: Side): void {
  const { candidate, exposures, ledger, sink } = state
  const { store } = state.orders
  const { account, asset, holding, cashHolding } = candidate
  const replaced = side === buy ? candidate.replacedBuy : candidate.replacedSell
  const wanted = side === buy ? candidate.buy : candidate.sell
  const held = side === buy ? cash : asset
  const before = replaced.reserveAtoms
  const after = wanted.reserveAtoms
  store.doubles[(row << 4) | orderAt.reservedAtoms] = after
  ledger.lock(side === buy ? cashHolding : holding, after - before)
  sink.emit(eventType.released, row, account, held, before, 0, 0)
  if (after !== 0) sink.emit(eventType.reserved, row, account, held, after, 0, 0)
  const change = wanted.valueAtoms - replaced.valueAtoms
  exposures.changeOpen(account, holding, side, change, wanted.steps - replaced.steps)
}

/** Releases a part of what a row holds of the asset `held` in its account; nothing, and no event, for 0. */
export function release(state: State, row: number, account: number, held: number, amount: number): void {
  if (amount === 0) return
  const { doubles } = state.orders.store
  const at = (row << 4) | orderAt.reservedAtoms
  doubles[at] = Number(doubles[at]) - amount
  state.ledger.lock(state.holdings.rowOf(account, held), -amount)
  state.sink.emit(eventType.released, row, account, held, amount, 0, 0)
}

/**
 * What a fill of `steps`, not yet counted in the row, frees of its reserve: all of it for the last fill, else what is
 * more than the rest needs. A market buy, whose rest has no price, frees the fill's cost (value and fee).
 */
export function freedBy(state: State, row: number, steps: number, costAtoms: number): number {
  const { orders, assets } = state
  const { store } = orders
  const reserved = Number(store.doubles[(row << 4) | orderAt.reservedAtoms])
  const remaining = orders.remainingSteps(row) - steps
  if (remaining === 0) return reserved
  const asset = assets.traded(Number(store.integers[(row << 5) | orderAt.asset]))
  const ticks = Number(store.doubles[(row << 4) | orderAt.priceTicks])
  const side = Number(store.bytes[(row << 7) | orderAt.side])
  if (side === buy && ticks === 0) return Math.min(reserved, costAtoms)
  return reserved - reserveAtoms(asset, side, ticks, remaining, reserveRateOfRow(state, row))
}
