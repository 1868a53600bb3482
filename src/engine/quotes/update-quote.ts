import {
  type AnyAccountRow,
  buy,
  isLiveQuote,
  isTerminal,
  type OrderRow,
  quoteExpired,
  quoteRow,
  sell,
  statusFilled,
  statusOpen,
  statusPartiallyFilled,
} from '../codes.ts'
import type { QuoteChange } from '../command.ts'
import { eventType } from '../events.ts'
import {
  emitQuote,
  endQuote,
  holdInterest,
  leaveBook,
  releaseInterest,
  settleQuoteStatus,
} from '../orders/transitions.ts'
import type { CommandResult, CommandResults } from '../rejections.ts'
import {
  checkAccount,
  checkActive,
  checkQuote,
  checkRisk,
  describeLive,
  reserveRateOfRow,
} from '../risk/admission.ts'
import { type State, stateOf } from '../state.ts'
import { dueQuoteExpiry } from '../timeline.ts'
import { checkTerms, describeTerms, isAssessable, type QuoteTerms } from './quote-terms.ts'
import { enterMarket } from './submit-quote.ts'

/**
 * Changes prices, sizes or validity of a live quote, all or nothing: a refused update changes nothing. A side keeps its
 * place in the book when its price stays and its size does not grow; a side that crosses trades as taker. The quote
 * keeps its fee rates. As with orders, an update to what the quote is changes nothing, not even `updatedAt`.
 * Spec: Quotes / Update quote. Errors: unknown-account, unknown-quote, terminal (after those of `checkTerms`),
 * pair-inactive, those of `checkTerms`, risk.
 */
export function updateQuote(state: State, account: AnyAccountRow, update: QuoteChange): CommandResult {
  const { quotes } = state
  const quote = quoteRow(update.quote)
  const unknown = checkAccount(state, account) ?? checkQuote(state, account, quote)
  if (unknown !== null) return unknown
  const status = quotes.status.get(quote)
  const terms = mergeTerms(state, update)
  if (!isLiveQuote(status)) {
    // An ended quote's sizes are not held to what has filled.
    const asked = { ...terms, bidFilledSteps: 0, askFilledSteps: 0 }
    return checkTerms(state, asked) ?? { code: 'terminal', status }
  }
  const impossible = checkActive(state, terms.asset) ?? checkTerms(state, terms)
  if (impossible !== null) return impossible
  const { candidate, orders } = state
  const bidLeg = quotes.bidLeg.get(quote)
  const askLeg = quotes.askLeg.get(quote)
  const isSame =
    hasTerms(state, bidLeg, terms.bidPriceTicks, terms.bidSteps) &&
    hasTerms(state, askLeg, terms.askPriceTicks, terms.askSteps)
  if (isSame && update.validForMillis === null) return quote
  describeTerms(state, terms, candidate)
  const asset = state.assets.tradedAsset(terms.asset)
  if (!isTerminal(orders.status.get(bidLeg))) describeLive(state, bidLeg, asset, candidate.replacedBuy)
  if (!isTerminal(orders.status.get(askLeg))) describeLive(state, askLeg, asset, candidate.replacedSell)
  const refusal = isAssessable(terms) ? checkRisk(state) : null
  if (refusal !== null) return refusal
  applyUpdate(state, update, terms)
  return quote
}

/** Updates the quotes in order, each on its own. Spec: Quotes / Bulk update quotes. Errors: unknown-account. */
export function updateQuotes(
  state: State,
  account: AnyAccountRow,
  updates: readonly QuoteChange[],
): CommandResults {
  const unknown = checkAccount(state, account)
  if (unknown !== null) return unknown
  return updates.map((update) => updateQuote(state, account, update))
}

function mergeTerms(state: State, update: QuoteChange): QuoteTerms {
  const { quotes, orders } = state
  const bidLeg = quotes.bidLeg.get(update.quote)
  const askLeg = quotes.askLeg.get(update.quote)
  return {
    account: quotes.account.get(update.quote),
    asset: quotes.asset.get(update.quote),
    bidPriceTicks: update.bidPriceTicks ?? orders.priceTicks.get(bidLeg),
    askPriceTicks: update.askPriceTicks ?? orders.priceTicks.get(askLeg),
    bidSteps: update.bidSteps ?? orders.quantitySteps.get(bidLeg),
    askSteps: update.askSteps ?? orders.quantitySteps.get(askLeg),
    bidFilledSteps: orders.filledSteps.get(bidLeg),
    askFilledSteps: orders.filledSteps.get(askLeg),
    reserveRate: reserveRateOfRow(state, bidLeg),
  }
}

function hasTerms({ orders }: State, leg: OrderRow, ticks: number, steps: number): boolean {
  return orders.priceTicks.get(leg) === ticks && orders.quantitySteps.get(leg) === steps
}

function applyUpdate(state: State, update: QuoteChange, terms: QuoteTerms): void {
  const { quotes } = state
  const quote = quoteRow(update.quote)
  const bidLeg = quotes.bidLeg.get(quote)
  const askLeg = quotes.askLeg.get(quote)
  const bidStays = prepareLeg(state, bidLeg, terms.bidPriceTicks, terms.bidSteps)
  const askStays = prepareLeg(state, askLeg, terms.askPriceTicks, terms.askSteps)
  changeLeg(state, bidLeg, terms.bidPriceTicks, terms.bidSteps)
  changeLeg(state, askLeg, terms.askPriceTicks, terms.askSteps)
  if (!isTerminal(state.orders.status.get(bidLeg))) holdInterest(state, bidLeg, buy)
  if (!isTerminal(state.orders.status.get(askLeg))) holdInterest(state, askLeg, sell)
  extendValidity(state, update)
  quotes.updatedAtMillis.set(quote, state.nowMillis)
  const expiresAtMillis = quotes.expiresAtMillis.get(quote)
  state.sink.emit(eventType['quote-updated'], quote, terms.account, terms.asset, expiresAtMillis, 0, 0)
  if (settleQuoteStatus(state, quote)) {
    emitQuote(state, quote, eventType['quote-filled'])
    return
  }
  if (expiresAtMillis <= state.nowMillis) {
    endQuote(state, quote, quoteExpired)
    return
  }
  if (!bidStays) enterMarket(state, quote, bidLeg)
  if (!askStays) enterMarket(state, quote, askLeg)
}

/**
 * Releases a live leg, and takes it out of the book unless it keeps its place. Returns whether it keeps its place.
 */
function prepareLeg(state: State, leg: OrderRow, ticks: number, steps: number): boolean {
  const { orders } = state
  if (isTerminal(orders.status.get(leg))) return false
  const oldSteps = orders.quantitySteps.get(leg)
  const keepsPlace =
    state.orders.resting.isResting(leg) &&
    ticks === orders.priceTicks.get(leg) &&
    steps <= oldSteps &&
    steps > orders.filledSteps.get(leg)
  if (keepsPlace) stateOf(state, orders.asset.get(leg)).book.reduce(leg, oldSteps - steps)
  else leaveBook(state, leg)
  releaseInterest(state, leg)
  return keepsPlace
}

/** Gives a leg its new terms; a side that was full is live again when it grows. */
function changeLeg(state: State, leg: OrderRow, ticks: number, steps: number): void {
  const { orders } = state
  const filled = orders.filledSteps.get(leg)
  orders.priceTicks.set(leg, ticks)
  orders.quantitySteps.set(leg, steps)
  orders.updatedAtMillis.set(leg, state.nowMillis)
  if (steps === filled) orders.status.set(leg, statusFilled)
  else orders.status.set(leg, filled === 0 ? statusOpen : statusPartiallyFilled)
}

/**
 * Gives a quote a new validity, if the update has one. Choice: a validity counts from now (other readings of
 * `quotes.extend`: from the creation, or the present expiry).
 */
function extendValidity(state: State, update: QuoteChange): void {
  if (update.validForMillis === null) return
  const { quotes } = state
  const quote = quoteRow(update.quote)
  const fromMillis = {
    now: state.nowMillis,
    created: quotes.createdAtMillis.get(quote),
    expiry: quotes.expiresAtMillis.get(quote),
  }[update.validFrom]
  quotes.validForMillis.set(quote, update.validForMillis)
  quotes.expiresAtMillis.set(quote, fromMillis + update.validForMillis)
  state.timeline.push(fromMillis + update.validForMillis, dueQuoteExpiry, quote)
}
