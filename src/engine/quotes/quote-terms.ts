import type { Candidate, SideFigures } from '../assessment.ts'
import { type AnyAccountRow, type AnyAssetRow, buy, type Side, sell } from '../codes.ts'
import type { QuantityField, Rejection } from '../rejections.ts'
import {
  checkNotional,
  checkPrice,
  checkQuantity,
  isHoldable,
  isValuable,
  reserveAtoms,
} from '../risk/admission.ts'
import type { State } from '../state.ts'

export interface QuoteTerms {
  readonly account: AnyAccountRow
  readonly asset: AnyAssetRow
  readonly bidPriceTicks: number
  readonly askPriceTicks: number
  readonly bidSteps: number
  readonly askSteps: number
  readonly bidFilledSteps: number
  readonly askFilledSteps: number
  /** The rate that the bid reserves on top of its value, parts per million. */
  readonly reserveRate: number
}

/**
 * Checks whether the terms of a quote are possible at all, apart from its account. Errors in order:
 * price-below-minimum and price-out-of-range (bid, then ask), crossed-quote, empty-quote; then of the bid and after
 * it of the ask: quantity-below-filled, quantity-below-minimum, quantity-above-maximum, amount-out-of-range,
 * notional-below-minimum. A side of size 0 is not held to minima.
 */
export function checkTerms(state: State, terms: QuoteTerms): Rejection | null {
  const asset = state.assets.tradedAsset(terms.asset)
  const basic =
    checkPrice(asset, 'bidPrice', terms.bidPriceTicks) ?? checkPrice(asset, 'askPrice', terms.askPriceTicks)
  if (basic !== null) return basic
  if (terms.bidPriceTicks >= terms.askPriceTicks) return { code: 'crossed-quote' }
  if (terms.bidSteps === 0 && terms.askSteps === 0) return { code: 'empty-quote' }
  return (
    checkSide(state, terms, 'bidSize', terms.bidPriceTicks, terms.bidSteps, terms.bidFilledSteps) ??
    checkSide(state, terms, 'askSize', terms.askPriceTicks, terms.askSteps, terms.askFilledSteps)
  )
}

export function isAssessable(terms: QuoteTerms): boolean {
  return terms.bidSteps > terms.bidFilledSteps || terms.askSteps > terms.askFilledSteps
}

/**
 * Describes the terms as a candidate for assessment: both sides, like two orders (design 16, Edges). A side that is
 * full does not count. The caller adds what the quote replaces.
 */
export function describeTerms(state: State, terms: QuoteTerms, into: Candidate): void {
  into.start(state.holdings, terms.account, terms.asset)
  describeSide(state, terms, buy, into.buy)
  describeSide(state, terms, sell, into.sell)
  const hasBid = terms.bidSteps > terms.bidFilledSteps
  const hasAsk = terms.askSteps > terms.askFilledSteps
  const bidSteps = hasBid ? terms.bidSteps : terms.askSteps
  const askSteps = hasAsk ? terms.askSteps : terms.bidSteps
  const bidValue = hasBid ? state.assets.notional(terms.asset, terms.bidPriceTicks, terms.bidSteps) : 0
  const askValue = hasAsk ? state.assets.notional(terms.asset, terms.askPriceTicks, terms.askSteps) : 0
  into.setSizes(Math.min(bidSteps, askSteps), Math.max(bidSteps, askSteps), Math.max(bidValue, askValue))
  into.sellTicks = terms.askPriceTicks
}

function describeSide(state: State, terms: QuoteTerms, side: Side, into: SideFigures): void {
  const ticks = side === buy ? terms.bidPriceTicks : terms.askPriceTicks
  const steps = side === buy ? terms.bidSteps - terms.bidFilledSteps : terms.askSteps - terms.askFilledSteps
  if (steps === 0) return
  const reserve = reserveAtoms(state.assets.tradedAsset(terms.asset), side, ticks, steps, terms.reserveRate)
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
  const asset = state.assets.tradedAsset(terms.asset)
  if (steps < filledSteps) return { code: 'quantity-below-filled', field, filledSteps }
  if (steps === 0) return null
  const size = checkQuantity(asset, field, steps)
  if (size !== null) return size
  if (!isValuable(asset, ticks, steps)) return { code: 'amount-out-of-range' }
  const value = state.assets.notional(terms.asset, ticks, steps)
  if (!isHoldable(state, terms.account, terms.asset, steps, value)) return { code: 'amount-out-of-range' }
  return checkNotional(asset, field, value)
}
