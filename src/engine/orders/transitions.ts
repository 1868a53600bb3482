import { assert } from '../../numeric/assert.ts'
import { type Atoms, atoms, type PriceTicks, type QuantitySteps } from '../../numeric/units.ts'
import { dayVolumeAtoms, utcDay } from '../assessment.ts'
import {
  type AccountRow,
  type AssetRow,
  buy,
  cash,
  type FillRow,
  feeAccount,
  houseAccount,
  kindOrder,
  kindQuoteLeg,
  type NoRow,
  none,
  type OrderRow,
  type OrderStatus,
  type QuoteRow,
  quoteCancelled,
  type quoteExpired,
  quoteFilled,
  quotePartiallyFilled,
  type Side,
  sell,
  statusCancelled,
  statusExpired,
  statusFilled,
  statusPartiallyFilled,
  statusRejected,
} from '../codes.ts'
import { eventType } from '../events.ts'
import { feeAtoms, reserveAtoms, reserveRateOfRow } from '../risk/admission.ts'
import { type State, stateOf } from '../state.ts'
import { linkActivity } from '../tables/account-table.ts'
import { computeNotional } from '../tables/asset-table.ts'

/*
 * The ends of orders and quotes, their resting and their reserves, and the trade: the only writers of live orders,
 * balances and positions, apart from what commands record. A transition is called when nothing can fail any more: it
 * asserts, it never refuses. Each transition emits what it did, in the order that events.ts promises.
 */

/** Ends a live order that is not filled: it leaves the book, its reserve is released, its status becomes terminal. */
export function endOrder(state: State, row: OrderRow, status: OrderStatus): void {
  leaveBook(state, row)
  releaseInterest(state, row)
  closeOrder(state, row, status)
  emitFilled(state, row, endEventType(status))
}

/** Ends a live quote: both legs leave the book, their reserves are released, its status becomes terminal. */
export function endQuote(
  state: State,
  quote: QuoteRow,
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
export function cancelRow(state: State, row: OrderRow): void {
  if (state.orders.kind.get(row) === kindQuoteLeg)
    endQuote(state, state.orders.quoteOfLeg(row), quoteCancelled)
  else endOrder(state, row, statusCancelled)
}

/** Takes a row that is filled to its (perhaps amended) quantity out of the book and marks it as filled. */
export function completeOrder(state: State, row: OrderRow): void {
  leaveBook(state, row)
  const { orders } = state
  if (orders.kind.get(row) === kindOrder) closeOrder(state, row, statusFilled)
  else orders.status.set(row, statusFilled)
}

export function announceCompletion(state: State, row: OrderRow): void {
  emitFilled(state, row, eventType['order-filled'])
}

function emitFilled(state: State, row: OrderRow, type: number): void {
  const { orders } = state
  const account = orders.account.get(row)
  const asset = orders.asset.get(row)
  const filled = orders.filledSteps.get(row)
  const quantity = orders.quantitySteps.get(row)
  state.sink.emit(type, row, account, asset, filled, quantity, 0)
}

export function emitQuote(state: State, quote: QuoteRow, type: number): void {
  const { orders, quotes } = state
  const bidFilled = orders.filledSteps.get(quotes.bidLeg.get(quote))
  const askFilled = orders.filledSteps.get(quotes.askLeg.get(quote))
  state.sink.emit(type, quote, quotes.account.get(quote), quotes.asset.get(quote), bidFilled, askFilled, 0)
}

/** Brings a quote's status up to date with the fills of its legs. Returns whether both sides are full. */
export function settleQuoteStatus(state: State, quote: QuoteRow): boolean {
  const { orders, quotes } = state
  const bidLeg = quotes.bidLeg.get(quote)
  const askLeg = quotes.askLeg.get(quote)
  const isFull = orders.remainingSteps(bidLeg) === 0 && orders.remainingSteps(askLeg) === 0
  if (isFull) closeQuote(state, quote, quoteFilled)
  else if (orders.filledSteps.get(bidLeg) > 0 || orders.filledSteps.get(askLeg) > 0)
    quotes.status.set(quote, quotePartiallyFilled)
  return isFull
}

function closeOrder(state: State, row: OrderRow, status: OrderStatus): void {
  const { orders } = state
  orders.status.set(row, status)
  orders.updatedAtMillis.set(row, state.nowMillis)
  state.exposures.countOpen(orders.account.get(row), orders.asset.get(row), -1)
}

function closeQuote(state: State, quote: QuoteRow, status: number): void {
  const { orders, quotes } = state
  quotes.status.set(quote, status)
  for (const leg of [quotes.bidLeg, quotes.askLeg]) orders.updatedAtMillis.note(leg.get(quote))
  quotes.updatedAtMillis.set(quote, state.nowMillis)
  state.exposures.countOpen(quotes.account.get(quote), quotes.asset.get(quote), -1)
}

function endEventType(status: OrderStatus): number {
  if (status === statusCancelled) return eventType['order-cancelled']
  if (status === statusExpired) return eventType['order-expired']
  assert(status === statusRejected, 'an order ends as cancelled, expired or rejected')
  return eventType['order-rejected']
}

/** Adds a live row to the book, behind all that are there; for rows in the order of their queue positions. */
export function restOrder(state: State, row: OrderRow): void {
  const { orders } = state
  const { book } = stateOf(state, orders.asset.get(row))
  const side = orders.side.get(row) === buy ? buy : sell
  book.rest(row, side, orders.priceTicks.get(row), orders.remainingSteps(row))
}

export function leaveBook(state: State, row: OrderRow): void {
  if (state.orders.resting.isResting(row)) stateOf(state, state.orders.asset.get(row)).book.remove(row)
}

/* What a live row holds in its account: its reserve, and its part of the open interest. */

/** Locks the reserve that the venue's candidate wants on a row's side, and counts the row in the open interest. */
export function holdInterest(state: State, row: OrderRow, side: Side): void {
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
export function releaseInterest(state: State, row: OrderRow): void {
  const { orders } = state
  const account = orders.account.get(row)
  const asset = orders.asset.get(row)
  const side = orders.side.get(row)
  const steps = orders.remainingSteps(row)
  const value = computeNotional(state.assets.tradedAsset(asset), orders.priceTicks.get(row), steps)
  state.exposures.changeOpen(account, state.holdings.rowOf(account, asset), side, -value, -steps)
  release(state, row, account, side === buy ? cash : asset, orders.reservedAtoms.get(row))
}

/**
 * Replaces what a row holds by what the venue's candidate wants on its side, in one step; the events are those of a
 * release and a new reserve. There is always something to release: a live order's reserve is rounded up.
 */
export function exchangeInterest(state: State, row: OrderRow, side: Side): void {
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
function release(state: State, row: OrderRow, account: AccountRow, held: AssetRow, amount: number): void {
  if (amount === 0) return
  const { reservedAtoms } = state.orders
  reservedAtoms.set(row, reservedAtoms.get(row) - amount)
  state.ledger.lock(state.holdings.rowOf(account, held), -amount)
  state.sink.emit(eventType.released, row, account, held, amount, 0, 0)
}

/**
 * Computes what a fill of `steps`, not yet counted in the row, frees of its reserve: all of it for the last fill,
 * else what is more than the rest needs. A market buy, whose rest has no price, frees the fill's cost (value and
 * fee).
 */
function computeFreed(state: State, row: OrderRow, steps: number, costAtoms: number): number {
  const { orders, assets } = state
  const reserved = orders.reservedAtoms.get(row)
  const remaining = orders.remainingSteps(row) - steps
  if (remaining === 0) return reserved
  const asset = assets.tradedAsset(orders.asset.get(row))
  const ticks = orders.priceTicks.get(row)
  const side = orders.side.get(row)
  if (side === buy && ticks === 0) return Math.min(reserved, costAtoms)
  return reserved - reserveAtoms(asset, side, ticks, remaining, reserveRateOfRow(state, row))
}

/* The trade: the one transition in which money and assets change hands. */

/**
 * Carries out one trade of `steps` at `ticks`, the maker's price. `maker` and `taker` are rows of the order table, or
 * -1 for the venue: its ladder, or its own taker; one of them is a client. Both sides book the same value in USD
 * atoms (half-even, see `computeBookedValue`), each pays its own fee, and the fills, positions, statistics, book, open
 * interest and reserves are brought up to date. Events in the order of events.ts.
 */
export function executeTrade(
  state: State,
  maker: OrderRow | NoRow,
  taker: OrderRow | NoRow,
  asset: AssetRow,
  takerSide: Side,
  ticks: PriceTicks,
  steps: QuantitySteps,
): void {
  const { assets, orders, ledger, sink } = state
  const value = computeBookedValue(state, takerSide === buy ? taker : maker, asset, ticks, steps)
  const quantity = steps * assets.tradedAsset(asset).stepAtoms
  const makerAccount = maker === none ? houseAccount : orders.account.get(maker)
  const takerAccount = taker === none ? houseAccount : orders.account.get(taker)
  const buyerAccount = takerSide === buy ? takerAccount : makerAccount
  const sellerAccount = takerSide === buy ? makerAccount : takerAccount
  const makerBefore = ledger.total(makerAccount, asset)
  const takerBefore = ledger.total(takerAccount, asset)
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
  // In a self-trade (where they are allowed) the maker's side has changed the position before the taker's.
  const passed = makerFill !== none && makerAccount === takerAccount ? receivedAtoms(state, makerFill) : 0
  const takerFill =
    taker === none ? none : bookFill(state, taker, false, atoms(takerBefore + passed), ticks, steps, value)
  if (makerFill !== none) releaseFilled(state, makerFill, steps)
  if (takerFill !== none) releaseFilled(state, takerFill, steps)
  if (maker !== none) announceFill(state, maker)
  if (taker !== none) announceFill(state, taker)
}

/** Records a trade or print in the statistics, which are not read before `readMillis`, and as the last price. */
export function recordPrint(
  state: State,
  asset: AssetRow,
  ticks: PriceTicks,
  steps: QuantitySteps,
  value: Atoms,
  readMillis = state.nowMillis,
): void {
  stateOf(state, asset).statistics.record(state.nowMillis, ticks, steps, value, readMillis)
  state.lastTicks.set(asset, ticks)
  state.priceUpdatedAtMillis.set(asset, state.nowMillis)
}

/** Returns by how much a fill changed the account's total of the asset, net of a fee in kind; signed atoms. */
export function receivedAtoms(state: State, fill: FillRow): number {
  const { fills, assets } = state
  const asset = fills.asset.get(fill)
  const quantity = fills.quantitySteps.get(fill) * assets.tradedAsset(asset).stepAtoms
  if (fills.side.get(fill) !== buy) return -quantity
  return fills.feeAsset.get(fill) === cash ? quantity : quantity - fills.feeAtoms.get(fill)
}

/**
 * Computes the value of a trade: half-even to the USD atom, but never more than a buyer with a cash account has.
 * Where one tick times one step of a pair is worth less than an atom, many small fills that each round up can come to
 * more than the reserve, which was rounded up once. Choice: such a trade books up to an atom less, on both sides, and
 * no account is overdrawn.
 */
function computeBookedValue(
  state: State,
  buyer: OrderRow | NoRow,
  asset: AssetRow,
  ticks: PriceTicks,
  steps: QuantitySteps,
): Atoms {
  const { accounts, assets, ledger, orders } = state
  const traded = assets.tradedAsset(asset)
  const value = computeNotional(traded, ticks, steps)
  if (buyer === none || traded.notionalDenominator === 1) return value
  const account = orders.account.get(buyer)
  if (accounts.isMargin.get(account) === 1) return value
  const isMarket = orders.priceTicks.get(buyer) === 0
  const freed = isMarket ? orders.reservedAtoms.get(buyer) : computeFreed(state, buyer, steps, value)
  return atoms(Math.min(value, ledger.available(account, cash) + freed))
}

/**
 * Books one client's side of a trade: fee (`feeAtoms`), position, row of the fill table, day volume. `before` is what
 * the account held of the asset before the trade, signed atoms. Returns the fill's row.
 */
function bookFill(
  state: State,
  row: OrderRow,
  isMaker: boolean,
  before: Atoms,
  ticks: PriceTicks,
  steps: QuantitySteps,
  value: Atoms,
): FillRow {
  const { orders, fills, config } = state
  const account = orders.account.get(row)
  const asset = orders.asset.get(row)
  const side = orders.side.get(row)
  const quantity = steps * state.assets.tradedAsset(asset).stepAtoms
  const paysInAsset = side === buy && config.fees.currency === 'received'
  const schedule = state.feeSchedules.at(orders.feeSchedule.get(row))
  const rate = isMaker ? schedule.makerRate : schedule.takerRate
  let fee = feeAtoms(paysInAsset ? quantity : value, rate)
  if (side === buy && fee > 0 && !paysInAsset) fee = capFee(state, row, account, steps, value, fee)
  if (fee !== 0) chargeFee(state, account, paysInAsset ? asset : cash, fee)
  const received = side === buy ? quantity - (paysInAsset ? fee : 0) : -quantity
  const realized = state.holdings.moveBasis(state.holdings.rowOf(account, asset), before, received, value)
  addDayVolume(state, account, value)
  const fill = fills.append()
  fills.priceTicks.set(fill, ticks)
  fills.quantitySteps.set(fill, steps)
  fills.notionalAtoms.set(fill, value)
  fills.feeAtoms.set(fill, fee)
  fills.realizedAtoms.set(fill, realized)
  fills.atMillis.set(fill, state.nowMillis)
  fills.order.set(fill, row)
  fills.previousOfOrder.set(fill, orders.lastFill.get(row))
  fills.account.set(fill, account)
  fills.asset.set(fill, asset)
  fills.feeAsset.set(fill, paysInAsset ? asset : cash)
  fills.previousActivity.set(fill, linkActivity(state, account, fill * 2))
  fills.side.set(fill, side)
  fills.isMaker.set(fill, isMaker ? 1 : 0)
  orders.lastFill.set(row, fill)
  return fill
}

/**
 * Caps the fee of a buy, which on a cash account never takes more than the account has: where a pair's steps are
 * worth less than a USD atom, the rounding of many small fills can add up to an atom or two more than was reserved
 * for them. Choice: the fee gives way, not the price, so that both sides still book the same value.
 */
function capFee(
  state: State,
  row: OrderRow,
  account: AccountRow,
  steps: number,
  value: number,
  fee: number,
): number {
  const { accounts, ledger } = state
  if (accounts.isMargin.get(account) === 1) return fee
  // The value has left the total already, but what the fill frees is still locked.
  const available = ledger.available(account, cash)
  return available >= fee ? fee : Math.min(fee, available + computeFreed(state, row, steps, value + fee))
}

/** Counts a fill in its row, the book and the open interest, and releases what it frees of the reserve. */
function releaseFilled(state: State, fill: FillRow, steps: QuantitySteps): void {
  const { orders, exposures } = state
  const row = state.fills.order.get(fill)
  const asset = orders.asset.get(row)
  const traded = state.assets.tradedAsset(asset)
  const account = orders.account.get(row)
  const side = orders.side.get(row)
  const ticks = orders.priceTicks.get(row)
  const freed = computeFreed(state, row, steps, costAtoms(state, fill))
  const filled = orders.filledSteps.get(row)
  const remaining = orders.quantitySteps.get(row) - filled
  const left = remaining - steps
  const change = computeNotional(traded, ticks, left) - computeNotional(traded, ticks, remaining)
  exposures.changeFilled(account, state.holdings.rowOf(account, asset), asset, side, change, -steps)
  orders.filledSteps.set(row, filled + steps)
  orders.updatedAtMillis.set(row, state.nowMillis)
  release(state, row, account, side === buy ? cash : asset, freed)
  if (left === 0) {
    completeOrder(state, row)
    return
  }
  if (orders.resting.isResting(row)) stateOf(state, asset).book.reduce(row, steps)
  orders.status.set(row, statusPartiallyFilled)
}

/**
 * Returns the value of a fill, and its fee unless that is paid in the asset: what a buy took from the account's cash.
 */
function costAtoms({ fills }: State, fill: FillRow): number {
  return fills.notionalAtoms.get(fill) + (fills.feeAsset.get(fill) === cash ? fills.feeAtoms.get(fill) : 0)
}

/** Emits the order's or quote's own event of a fill, after bringing the quote's status up to date. */
function announceFill(state: State, row: OrderRow): void {
  const { orders, quotes } = state
  if (orders.kind.get(row) === kindQuoteLeg) {
    const quote = orders.quoteOfLeg(row)
    quotes.updatedAtMillis.set(quote, state.nowMillis)
    const isFull = settleQuoteStatus(state, quote)
    emitQuote(state, quote, isFull ? eventType['quote-filled'] : eventType['quote-partially-filled'])
  } else if (orders.remainingSteps(row) === 0) announceCompletion(state, row)
  else emitFilled(state, row, eventType['order-partially-filled'])
}

function chargeFee(state: State, account: AccountRow, asset: AssetRow, fee: number): void {
  const from = fee > 0 ? account : feeAccount
  const to = fee > 0 ? feeAccount : account
  state.ledger.move(from, to, asset, Math.abs(fee))
  state.sink.emit(eventType.posted, from, to, asset, Math.abs(fee), 0, 0)
}

function addDayVolume(state: State, account: AccountRow, value: number): void {
  const { accounts } = state
  accounts.dayVolumeAtoms.set(account, dayVolumeAtoms(state, account) + value)
  accounts.volumeDay.set(account, utcDay(state))
}
