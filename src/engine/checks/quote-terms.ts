import type { Candidate, Interest } from '../candidate.ts'
import type { Side } from '../codes.ts'
import { buy, sell } from '../codes.ts'
import type { QuantityField, Rejection } from '../rejections.ts'
import type { State } from '../state.ts'
import { checkNotional, checkPrice, checkQuantity, isHoldable, isValuable } from './checks.ts'
import { reserveAtoms } from './reserve.ts'

/** What a quote offers, or is to offer: prices and whole sizes of both sides, and what they have filled so far. */
export interface QuoteTerms {
  readonly account: number
  readonly asset: number
  readonly bidTicks: number
  readonly askTicks: number
  readonly bidSteps: number
  readonly askSteps: number
  readonly bidFilledSteps: number
  readonly askFilledSteps: number
  /** Fee rate on top of the bid's value. */
  readonly reserveRate: number
}

/**
 * Whether the terms are possible at all. Errors in order: prices, crossed, empty, sizes below what has filled, sizes
 * of the pair, minimum value.
 */
export function checkTerms(state: State, terms: QuoteTerms): Rejection | null {
  const asset = state.assets.traded(terms.asset)
  const basic = checkPrice(asset, 'bidPrice', terms.bidTicks) ?? checkPrice(asset, 'askPrice', terms.askTicks)
  if (basic !== null) return basic
  if (terms.bidTicks >= terms.askTicks) return { code: 'crossed-quote' }
  if (terms.bidSteps === 0 && terms.askSteps === 0) return { code: 'empty-quote' }
  return (
    checkSide(state, terms, 'bidSize', terms.bidTicks, terms.bidSteps, terms.bidFilledSteps) ??
    checkSide(state, terms, 'askSize', terms.askTicks, terms.askSteps, terms.askFilledSteps)
  )
}

/** Whether the terms leave anything in the market, and so anything to assess. */
export function isAssessable(terms: QuoteTerms): boolean {
  return terms.bidSteps > terms.bidFilledSteps || terms.askSteps > terms.askFilledSteps
}

/**
 * Writes the terms as a candidate for assessment: both sides' worst case, like two orders (design 16, Edges). A side
 * that is full counts for nothing. What the quote replaces is the caller's to write.
 */
export function describeTerms(state: State, terms: QuoteTerms, into: Candidate): void {
  into.start(terms.account, terms.asset)
  describeSide(state, terms, buy, into.buy)
  describeSide(state, terms, sell, into.sell)
  const hasBid = terms.bidSteps > terms.bidFilledSteps
  const hasAsk = terms.askSteps > terms.askFilledSteps
  const bidSteps = hasBid ? terms.bidSteps : terms.askSteps
  const askSteps = hasAsk ? terms.askSteps : terms.bidSteps
  const bidValue = hasBid ? state.assets.notional(terms.asset, terms.bidTicks, terms.bidSteps) : 0
  const askValue = hasAsk ? state.assets.notional(terms.asset, terms.askTicks, terms.askSteps) : 0
  into.size(Math.min(bidSteps, askSteps), Math.max(bidSteps, askSteps), Math.max(bidValue, askValue))
  into.sellTicks = terms.askTicks
}

function describeSide(state: State, terms: QuoteTerms, side: Side, into: Interest): void {
  const ticks = side === buy ? terms.bidTicks : terms.askTicks
  const steps = side === buy ? terms.bidSteps - terms.bidFilledSteps : terms.askSteps - terms.askFilledSteps
  if (steps === 0) return
  const reserve = reserveAtoms(state.assets.traded(terms.asset), side, ticks, steps, terms.reserveRate)
  into.set(steps, state.assets.notional(terms.asset, ticks, steps), reserve)
}

function checkSide(
  state: State,
  terms: QuoteTerms,
  field: QuantityField,
  ticks: number,
  steps: number,
  filledSteps: number,
): Rejection | null {
  const asset = state.assets.traded(terms.asset)
  if (steps < filledSteps) return { code: 'quantity-below-filled', field, filledSteps }
  if (steps === 0) return null
  const size = checkQuantity(asset, field, steps)
  if (size !== null) return size
  if (!isValuable(asset, ticks, steps)) return { code: 'amount-out-of-range' }
  const value = state.assets.notional(terms.asset, ticks, steps)
  if (!isHoldable(state, terms.account, terms.asset, steps, value)) return { code: 'amount-out-of-range' }
  return checkNotional(asset, field, value)
}
