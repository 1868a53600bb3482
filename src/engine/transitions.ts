import { assert } from '../numeric/assert.ts'
import { linkActivity } from './account-lists.ts'
import type { OrderStatus, Side } from './codes.ts'
import {
  buy,
  cash,
  feeAccount,
  houseAccount,
  kindOrder,
  kindQuoteLeg,
  none,
  quoteCancelled,
  type quoteExpired,
  quoteFilled,
  quotePartiallyFilled,
  sell,
  statusCancelled,
  statusExpired,
  statusFilled,
  statusPartiallyFilled,
  statusRejected,
} from './codes.ts'
import { eventType } from './events.ts'
import { unlinkLiveOrder, unlinkLiveQuote } from './live-lists.ts'
import { feeAtoms, reserveAtoms } from './reserve.ts'
import type { State } from './state.ts'
import { stateOf } from './walk.ts'

/*
 * The only writers of orders, balances and positions. A transition is called when nothing can fail any more: it
 * asserts, it never refuses. Each emits what it did, in the order that events.ts promises.
 */

const dayMillis = 86_400_000

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

/** Ends a live order that is not filled: out of the book, nothing reserved, terminal. */
export function endOrder(state: State, row: number, status: OrderStatus): void {
  const { orders } = state
  leaveBook(state, row)
  releaseInterest(state, row)
  closeOrder(state, row, status)
  state.sink.emit(
    endEvent(status),
    row,
    orders.account.get(row),
    orders.asset.get(row),
    orders.filledSteps.get(row),
    orders.quantitySteps.get(row),
    0,
  )
}

/** Ends a live quote: both legs out of the book, nothing reserved, terminal. */
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

/** Ends whatever a row belongs to: an order, or the whole quote of a leg. */
export function cancelRow(state: State, row: number): void {
  if (state.orders.kind.get(row) === kindQuoteLeg)
    endQuote(state, state.orders.quote.get(row), quoteCancelled)
  else endOrder(state, row, statusCancelled)
}

/** Adds a live row to its asset's book, at the end of its price level. */
export function restInBook(state: State, row: number): void {
  state.priorityCount += 1
  state.orders.priority.set(row, state.priorityCount)
  rest(state, row)
}

/** Puts a live row into the book at its queue position, behind all that are there already. */
export function rest(state: State, row: number): void {
  const { orders } = state
  const { book } = stateOf(state, orders.asset.get(row))
  const side = orders.side.get(row) === buy ? buy : sell
  book.rest(row, side, orders.priceTicks.get(row), orders.remainingSteps(row))
}

/** Takes a row out of the book if it rests there. */
export function leaveBook(state: State, row: number): void {
  if (state.resting.isResting(row)) stateOf(state, state.orders.asset.get(row)).book.remove(row)
}

/**
 * One trade at the maker's price. `maker` is a row, or -1 for the venue's ladder; `taker` is a row, or -1 for the
 * venue's own flow; not both -1. `takerSide` is the taker's. The value rounds half-even to the USD atom, and both
 * sides book that same value.
 */
export function executeTrade(
  state: State,
  maker: number,
  taker: number,
  asset: number,
  takerSide: Side,
  ticks: number,
  steps: number,
): void {
  const { assets, orders, ledger, sink } = state
  const value = assets.notional(asset, ticks, steps)
  const quantity = steps * assets.traded(asset).stepAtoms
  const makerAccount = maker === none ? houseAccount : orders.account.get(maker)
  const takerAccount = taker === none ? houseAccount : orders.account.get(taker)
  const buyerAccount = takerSide === buy ? takerAccount : makerAccount
  const sellerAccount = takerSide === buy ? makerAccount : takerAccount
  const makerBefore = ledger.totals.get(ledger.index(makerAccount, asset))
  const takerBefore = ledger.totals.get(ledger.index(takerAccount, asset))
  state.tradeCount += 1
  recordPrint(state, asset, ticks, steps, value)
  sink.emit(eventType.trade, maker, taker, asset, ticks, steps, takerSide)
  ledger.move(sellerAccount, buyerAccount, asset, quantity)
  sink.emit(eventType.posted, sellerAccount, buyerAccount, asset, quantity, 0, 0)
  if (value !== 0) {
    ledger.move(buyerAccount, sellerAccount, cash, value)
    sink.emit(eventType.posted, buyerAccount, sellerAccount, cash, value, 0, 0)
  }
  const makerFill = maker === none ? none : bookFill(state, maker, true, makerBefore, ticks, steps, value)
  // A self-trade that is allowed passes through the position twice.
  const passed = makerFill !== none && makerAccount === takerAccount ? receivedAtoms(state, makerFill) : 0
  const takerFill =
    taker === none ? none : bookFill(state, taker, false, takerBefore + passed, ticks, steps, value)
  if (makerFill !== none) releaseFilled(state, maker, makerFill, steps)
  if (takerFill !== none) releaseFilled(state, taker, takerFill, steps)
  if (maker !== none) announceFill(state, maker)
  if (taker !== none) announceFill(state, taker)
}

/** Tells the statistics of a trade or print. */
export function recordPrint(state: State, asset: number, ticks: number, steps: number, value: number): void {
  stateOf(state, asset).statistics.record(state.nowMillis, ticks, steps, value)
  state.lastTicks.set(asset, ticks)
  state.priceUpdatedAtMillis.set(asset, state.nowMillis)
}

/** Marks an order that is filled to its (perhaps amended) quantity as done. */
export function completeOrder(state: State, row: number): void {
  leaveBook(state, row)
  const { orders } = state
  if (orders.kind.get(row) === kindOrder) closeOrder(state, row, statusFilled)
  else orders.status.set(row, statusFilled)
}

/** Emits a quote's event of the given type with what its sides have filled. */
export function emitQuote(state: State, quote: number, type: number): void {
  const { orders, quotes } = state
  const bidFilled = orders.filledSteps.get(quotes.bidLeg.get(quote))
  const askFilled = orders.filledSteps.get(quotes.askLeg.get(quote))
  state.sink.emit(type, quote, quotes.account.get(quote), quotes.asset.get(quote), bidFilled, askFilled, 0)
}

/** Sets a quote's status from its legs; true when both sides are full. */
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

/** What a fill changed in the account's holding of the asset, net of a fee in kind; signed atoms. */
export function receivedAtoms(state: State, fill: number): number {
  const { fills, assets } = state
  const asset = fills.asset.get(fill)
  const quantity = fills.quantitySteps.get(fill) * assets.traded(asset).stepAtoms
  if (fills.side.get(fill) !== buy) return -quantity
  return fills.feeAsset.get(fill) === cash ? quantity : quantity - fills.feeAtoms.get(fill)
}

/**
 * Books one client's side of a trade: fees, position, fill row, day volume. `before` is what the account held of the
 * asset, signed atoms. Returns the fill's row.
 */
function bookFill(
  state: State,
  row: number,
  isMaker: boolean,
  before: number,
  ticks: number,
  steps: number,
  value: number,
): number {
  const { orders, fills, config } = state
  const account = orders.account.get(row)
  const asset = orders.asset.get(row)
  const side = orders.side.get(row)
  const quantity = steps * state.assets.traded(asset).stepAtoms
  const paysInAsset = config.fees.currency === 'received' && side === buy
  const schedule = state.feeSchedules.at(orders.feeSchedule.get(row))
  const rate = isMaker ? schedule.makerRate : schedule.takerRate
  let fee = feeAtoms(paysInAsset ? quantity : value, rate)
  if (side === buy && !paysInAsset) fee = affordableFee(state, row, steps, value, fee)
  if (fee !== 0) chargeFee(state, account, paysInAsset ? asset : cash, fee)
  const received = side === buy ? quantity - (paysInAsset ? fee : 0) : -quantity
  const realized = state.positions.apply(state.ledger.index(account, asset), before, received, value)
  const fill = fills.append()
  fills.order.set(fill, row)
  fills.account.set(fill, account)
  fills.asset.set(fill, asset)
  fills.side.set(fill, side)
  fills.isMaker.set(fill, isMaker ? 1 : 0)
  fills.priceTicks.set(fill, ticks)
  fills.quantitySteps.set(fill, steps)
  fills.notionalAtoms.set(fill, value)
  fills.feeAtoms.set(fill, fee)
  fills.feeAsset.set(fill, paysInAsset ? asset : cash)
  fills.realizedAtoms.set(fill, realized)
  fills.atMillis.set(fill, state.nowMillis)
  fills.previousOfOrder.set(fill, orders.lastFill.get(row))
  orders.lastFill.set(row, fill)
  fills.previousActivity.set(fill, linkActivity(state, account, fill * 2))
  addDayVolume(state, account, value)
  return fill
}

/**
 * A cash buyer's fee never takes more than the account has: where a pair's steps are finer than a USD atom, the
 * rounding of many small fills can add up to an atom or two more than was reserved for them.
 * Choice: the fee, not the price, gives way; so both sides still book the same value.
 */
function affordableFee(state: State, row: number, steps: number, value: number, fee: number): number {
  const { accounts, ledger, orders } = state
  const account = orders.account.get(row)
  if (accounts.isMargin.get(account) === 1) return fee
  // The value has left the total already; what the fill frees has not left the reserve yet.
  const available = ledger.available(account, cash)
  return available >= fee ? fee : Math.min(fee, available + freedBy(state, row, steps, value + fee))
}

/** What a fill of `steps`, not yet counted in the row, frees of its reserve. */
function freedBy(state: State, row: number, steps: number, costAtoms: number): number {
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

/** Counts a fill in its row, the book and the open interest, and releases what it frees. */
function releaseFilled(state: State, row: number, fill: number, steps: number): void {
  const { orders, fills } = state
  const fee = fills.feeAsset.get(fill) === cash ? fills.feeAtoms.get(fill) : 0
  const freed = freedBy(state, row, steps, fills.notionalAtoms.get(fill) + fee)
  const remaining = orders.remainingSteps(row)
  countInterest(state, row, remaining, remaining - steps)
  state.exposures.touch(orders.account.get(row), orders.asset.get(row))
  orders.filledSteps.add(row, steps)
  orders.updatedAtMillis.set(row, state.nowMillis)
  if (state.resting.isResting(row)) stateOf(state, orders.asset.get(row)).book.reduce(row, steps)
  release(state, row, freed)
  if (remaining === steps) completeOrder(state, row)
  else orders.status.set(row, statusPartiallyFilled)
}

function announceFill(state: State, row: number): void {
  const { orders, quotes } = state
  if (orders.kind.get(row) === kindQuoteLeg) {
    const quote = orders.quote.get(row)
    quotes.updatedAtMillis.set(quote, state.nowMillis)
    const isFull = settleQuoteStatus(state, quote)
    emitQuote(state, quote, isFull ? eventType['quote-filled'] : eventType['quote-partially-filled'])
  } else if (orders.remainingSteps(row) === 0) announceCompletion(state, row)
  else emitFilled(state, row, eventType['order-partially-filled'])
}

/** Emits that an order is filled. */
export function announceCompletion(state: State, row: number): void {
  emitFilled(state, row, eventType['order-filled'])
}

function emitFilled(state: State, row: number, type: number): void {
  const { orders } = state
  const filled = orders.filledSteps.get(row)
  const quantity = orders.quantitySteps.get(row)
  state.sink.emit(type, row, orders.account.get(row), orders.asset.get(row), filled, quantity, 0)
}

function release(state: State, row: number, amount: number): void {
  if (amount === 0) return
  const { orders } = state
  const account = orders.account.get(row)
  const held = orders.side.get(row) === buy ? cash : orders.asset.get(row)
  orders.reservedAtoms.add(row, -amount)
  state.ledger.lock(account, held, -amount)
  state.sink.emit(eventType.released, row, account, held, amount, 0, 0)
}

/** Tells the open interest of the account that a row has `after` steps left instead of `before`; the caller touches. */
function countInterest(state: State, row: number, before: number, after: number): void {
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

function chargeFee(state: State, account: number, asset: number, fee: number): void {
  const from = fee > 0 ? account : feeAccount
  const to = fee > 0 ? feeAccount : account
  state.ledger.move(from, to, asset, Math.abs(fee))
  state.sink.emit(eventType.posted, from, to, asset, Math.abs(fee), 0, 0)
}

function addDayVolume(state: State, account: number, value: number): void {
  const { accounts } = state
  const today = Math.floor(state.nowMillis / dayMillis)
  const before = accounts.volumeDay.get(account) === today ? accounts.dayVolumeAtoms.get(account) : 0
  accounts.volumeDay.set(account, today)
  accounts.dayVolumeAtoms.set(account, before + value)
}

function closeOrder(state: State, row: number, status: OrderStatus): void {
  const { orders } = state
  orders.status.set(row, status)
  orders.updatedAtMillis.set(row, state.nowMillis)
  unlinkLiveOrder(state, row)
}

function closeQuote(state: State, quote: number, status: number): void {
  state.quotes.status.set(quote, status)
  state.quotes.updatedAtMillis.set(quote, state.nowMillis)
  unlinkLiveQuote(state, quote)
}

function endEvent(status: OrderStatus): number {
  if (status === statusCancelled) return eventType['order-cancelled']
  if (status === statusExpired) return eventType['order-expired']
  assert(status === statusRejected, 'an order ends as cancelled, expired or rejected')
  return eventType['order-rejected']
}
