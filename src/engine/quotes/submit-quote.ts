import {
  accountRow,
  assetRow,
  buy,
  goodTillCancelled,
  isLiveQuote,
  isTerminal,
  kindQuoteLeg,
  limit,
  type OrderRow,
  type QuoteRow,
  quoteActive,
  type Side,
  sell,
  statusFilled,
  statusOpen,
} from '../codes.ts'
import type { SubmitQuoteCommand } from '../command.ts'
import { eventType } from '../events.ts'
import { matchTaker } from '../orders/matching.ts'
import { holdInterest } from '../orders/transitions.ts'
import type { CommandResult } from '../rejections.ts'
import {
  checkAccount,
  checkActive,
  checkOpenOrders,
  checkRisk,
  checkTraded,
  reserveRateOfAccount,
} from '../risk/admission.ts'
import type { State } from '../state.ts'

import { dueQuoteExpiry } from '../timeline.ts'
import { checkTerms, describeTerms, type QuoteTerms } from './quote-terms.ts'

/**
 * Submits a two-sided quote: both sides are reserved, and each rests in the book as a leg that is filled by itself; a
 * side that crosses first trades as taker. The quote expires at now + validity, before anything else of that instant.
 * Spec: Quotes / Submit quote. Errors: unknown-account, unknown-asset, duplicate-client-id (after those of
 * `checkTerms`), pair-inactive, those of `checkTerms`, risk, open-orders-limit.
 */
export function submitQuote(state: State, command: SubmitQuoteCommand): CommandResult {
  const unknown = checkAccount(state, command.account) ?? checkTraded(state, command.asset)
  if (unknown !== null) return unknown
  const lists = state.accounts.findOrAddLists(command.account)
  const terms = toTerms(state, command)
  if (command.clientQuoteId !== null && !command.allowsDuplicateId) {
    const row = lists.clientQuoteIds.get(command.clientQuoteId)
    if (row !== undefined)
      return checkTerms(state, terms) ?? { code: 'duplicate-client-id', field: 'clientQuoteId', row }
  }
  const impossible = checkActive(state, command.asset) ?? checkTerms(state, terms)
  if (impossible !== null) return impossible
  describeTerms(state, terms, state.candidate)
  const refusal = checkRisk(state) ?? checkOpenOrders(state, command.account, command.asset)
  if (refusal !== null) return refusal
  const quote = openQuote(state, command)
  holdInterest(state, state.quotes.bidLeg.get(quote), buy)
  holdInterest(state, state.quotes.askLeg.get(quote), sell)
  enterMarket(state, quote, state.quotes.bidLeg.get(quote))
  enterMarket(state, quote, state.quotes.askLeg.get(quote))
  return quote
}

function toTerms(state: State, command: SubmitQuoteCommand): QuoteTerms {
  return {
    account: command.account,
    asset: command.asset,
    bidPriceTicks: command.bidPriceTicks,
    askPriceTicks: command.askPriceTicks,
    bidSteps: command.bidSteps,
    askSteps: command.askSteps,
    bidFilledSteps: 0,
    askFilledSteps: 0,
    reserveRate: reserveRateOfAccount(state, command.account),
  }
}

function openQuote(state: State, command: SubmitQuoteCommand): QuoteRow {
  const { quotes, accounts, nowMillis } = state
  const quote = quotes.append()
  quotes.account.set(quote, accountRow(command.account))
  quotes.asset.set(quote, assetRow(command.asset))
  quotes.status.set(quote, quoteActive)
  quotes.validForMillis.set(quote, command.validForMillis)
  quotes.expiresAtMillis.set(quote, nowMillis + command.validForMillis)
  quotes.createdAtMillis.set(quote, nowMillis)
  quotes.updatedAtMillis.set(quote, nowMillis)
  quotes.bidLeg.set(quote, openLeg(state, command, quote, buy))
  quotes.askLeg.set(quote, openLeg(state, command, quote, sell))
  if (command.metadata !== null) quotes.metadata.set(quote, command.metadata)
  quotes.previousOfAccount.set(quote, accounts.lastQuote.get(command.account))
  accounts.lastQuote.set(command.account, quote)
  if (command.clientQuoteId !== null) {
    quotes.clientIds.set(quote, command.clientQuoteId)
    accounts.findOrAddLists(command.account).clientQuoteIds.set(command.clientQuoteId, quote)
  }
  state.exposures.countOpen(command.account, command.asset, 1)
  state.timeline.push(nowMillis + command.validForMillis, dueQuoteExpiry, quote)
  const expiresAtMillis = quotes.expiresAtMillis.get(quote)
  state.sink.emit(eventType['quote-accepted'], quote, command.account, command.asset, expiresAtMillis, 0, 0)
  return quote
}

/** Opens one leg; a side of size 0 is filled from the start. */
function openLeg(state: State, command: SubmitQuoteCommand, quote: QuoteRow, side: Side): OrderRow {
  const { orders } = state
  const steps = side === buy ? command.bidSteps : command.askSteps
  const leg = orders.append()
  orders.kind.set(leg, kindQuoteLeg)
  orders.account.set(leg, accountRow(command.account))
  orders.asset.set(leg, assetRow(command.asset))
  orders.side.set(leg, side)
  orders.type.set(leg, limit)
  orders.timeInForce.set(leg, goodTillCancelled)
  orders.status.set(leg, steps === 0 ? statusFilled : statusOpen)
  orders.priceTicks.set(leg, side === buy ? command.bidPriceTicks : command.askPriceTicks)
  orders.quantitySteps.set(leg, steps)
  orders.feeSchedule.set(leg, state.accounts.feeSchedule.get(command.account))
  orders.createdAtMillis.set(leg, state.nowMillis)
  orders.updatedAtMillis.set(leg, state.nowMillis)
  orders.quote.set(leg, quote)
  return leg
}

/** Lets a leg that does not rest trade with what it crosses, and rests what is left, if its quote is still live. */
export function enterMarket(state: State, quote: QuoteRow, leg: OrderRow): void {
  const { orders, quotes } = state
  if (!isLiveQuote(quotes.status.get(quote)) || isTerminal(orders.status.get(leg))) return
  matchTaker(state, leg, true)
}
