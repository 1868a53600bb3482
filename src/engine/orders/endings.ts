import { assert } from '../../numeric/assert.ts'
import type { OrderStatus, Side } from '../codes.ts'
import {
  buy,
  cash,
  kindOrder,
  kindQuoteLeg,
  quoteCancelled,
  type quoteExpired,
  quoteFilled,
  quotePartiallyFilled,
  sell,
  statusCancelled,
  statusExpired,
  statusFilled,
  statusRejected,
} from '../codes.ts'
import { eventType } from '../events.ts'
import { reserveAtoms, reserveRateOfRow } from '../risk/order-cost.ts'
import type { State } from '../state.ts'
import { stateOf } from '../state.ts'
import { countOpen } from '../tables/account-lists.ts'
import { notionalOf } from '../tables/asset-table.ts'

/*
 * The ends of orders and quotes. Together with trade, interest and resting these are the only writers of live orders,
 * balances and positions, apart from what commands record. A transition is called when nothing can fail any more: it
 * asserts, it never refuses. Each emits what it did, in the order that events.ts promises.
 */

/** Ends a live order that is not filled: it leaves the book, its reserve is released, its status becomes terminal. */
export function endOrder(state: State, row: number, status: OrderStatus): void {
  leaveBook(state, row)
  releaseInterest(state, row)
  closeOrder(state, row, status)
  emitFilled(state, row, endEvent(status))
}

/** Ends a live quote: both legs leave the book, their reserves are released, its status becomes terminal. */
export function endQuote(
  state: State,
  quote: number,
  status: typeof quoteCancelled | typeof quoteExpired,
): void {
  const { orders, quotes } = state
  const legStatus = status === quoteCancelled ? statusCancelled : statusExpired
  for (const leg of [quotes.bidLeg.get(quote), quotes.askLeg.get(quote)]) {
    if (orders.status.get(leg) >= statusFilled) continue
    leaveBook(state, leg)
    releaseInterest(state, leg)
    orders.status.set(leg, legStatus)
    orders.updatedAtMillis.set(leg, state.nowMillis)
  }
  closeQuote(state, quote, status)
  emitQuote(
    state,
    quote,
    status === quoteCancelled ? eventType['quote-cancelled'] : eventType['quote-expired'],
  )
}

/** Cancels what a row belongs to: an order, or the whole quote of a leg. */
export function cancelRow(state: State, row: number): void {
  if (state.orders.kind.get(row) === kindQuoteLeg)
    endQuote(state, state.orders.quote.get(row), quoteCancelled)
  else endOrder(state, row, statusCancelled)
}

/** Takes a row that is filled to its (perhaps amended) quantity out of the book and marks it as filled. */
export function completeOrder(state: State, row: number): void {
  leaveBook(state, row)
  const { orders } = state
  if (orders.kind.get(row) === kindOrder) closeOrder(state, row, statusFilled)
  else orders.status.set(row, statusFilled)
}

export function announceCompletion(state: State, row: number): void {
  emitFilled(state, row, eventType['order-filled'])
}

/** Emits an order's event of the given type, with what is filled. */
export function emitFilled(state: State, row: number, type: number): void {
  const { orders } = state
  const account = orders.account.get(row)
  const asset = orders.asset.get(row)
  const filled = orders.filledSteps.get(row)
  const quantity = orders.quantitySteps.get(row)
  state.sink.emit(type, row, account, asset, filled, quantity, 0)
}

/** Emits a quote's event of the given type, with what is filled of each side. */
export function emitQuote(state: State, quote: number, type: number): void {
  const { orders, quotes } = state
  const bidFilled = orders.filledSteps.get(quotes.bidLeg.get(quote))
  const askFilled = orders.filledSteps.get(quotes.askLeg.get(quote))
  state.sink.emit(type, quote, quotes.account.get(quote), quotes.asset.get(quote), bidFilled, askFilled, 0)
}

/** Brings a quote's status up to date with the fills of its legs; true when both sides are full. */
export function settleQuoteStatus(state: State, quote: number): boolean {
  const { orders, quotes } = state
  const bidLeg = quotes.bidLeg.get(quote)
  const askLeg = quotes.askLeg.get(quote)
  const isFull = orders.remainingSteps(bidLeg) === 0 && orders.remainingSteps(askLeg) === 0
  if (isFull) closeQuote(state, quote, quoteFilled)
  else if (orders.filledSteps.get(bidLeg) > 0 || orders.filledSteps.get(askLeg) > 0)
    quotes.status.set(quote, quotePartiallyFilled)
  return isFull
}

function closeOrder(state: State, row: number, status: OrderStatus): void {
  const { orders } = state
  orders.status.set(row, status)
  orders.updatedAtMillis.set(row, state.nowMillis)
  countOpen(state, orders.account.get(row), orders.asset.get(row), -1)
}

function closeQuote(state: State, quote: number, status: number): void {
  const { quotes } = state
  quotes.status.set(quote, status)
  quotes.updatedAtMillis.set(quote, state.nowMillis)
  countOpen(state, quotes.account.get(quote), quotes.asset.get(quote), -1)
}

function endEvent(status: OrderStatus): number {
  if (status === statusCancelled) return eventType['order-cancelled']
  if (status === statusExpired) return eventType['order-expired']
  assert(status === statusRejected, 'an order ends as cancelled, expired or rejected')
  return eventType['order-rejected']
}

/** Adds a live row to the book, behind all that are there; for rows in the order of their queue positions. */
export function rest(state: State, row: number): void {
  const { orders } = state
  const { book } = stateOf(state, orders.asset.get(row))
  const side = orders.side.get(row) === buy ? buy : sell
  book.rest(row, side, orders.priceTicks.get(row), orders.remainingSteps(row))
}

export function leaveBook(state: State, row: number): void {
  if (state.orders.resting.isResting(row)) stateOf(state, state.orders.asset.get(row)).book.remove(row)
}

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
