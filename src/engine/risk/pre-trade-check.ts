import { priceTicks, quantitySteps } from '../../numeric/units.ts'
import { type Assessment, Assessor, Candidate } from '../assessment.ts'
import { goodTillCancelled, limit, type Side } from '../codes.ts'
import { type Placement, unnamed } from '../command.ts'
import type { Rejection } from '../rejections.ts'
import type { State } from '../state.ts'
import {
  checkNotional,
  checkPrice,
  checkQuantity,
  checkTraded,
  describePlacement,
  isValuable,
} from './admission.ts'

/** The terms of a limit order that is only asked about. */
export interface OrderTerms {
  readonly account: number
  readonly asset: number
  readonly side: Side
  readonly priceTicks: number
  readonly quantitySteps: number
}

/**
 * Checks whether the terms of an order are possible, by the rules and in the order that hold for a real one. Returns
 * null when they are. That the pair is active, and that balances stay exact, is not asked. Errors: unknown-asset,
 * price-below-minimum, price-out-of-range, quantity-below-minimum, quantity-above-maximum, amount-out-of-range,
 * notional-below-minimum.
 */
export function checkOrderTerms(state: State, terms: OrderTerms): Rejection | null {
  const unknown = checkTraded(state, terms.asset)
  if (unknown !== null) return unknown
  const asset = state.assets.tradedAsset(terms.asset)
  const wrong =
    checkPrice(asset, 'price', terms.priceTicks) ?? checkQuantity(asset, 'quantity', terms.quantitySteps)
  if (wrong !== null) return wrong
  if (!isValuable(asset, terms.priceTicks, terms.quantitySteps)) return { code: 'amount-out-of-range' }
  const value = state.assets.notional(terms.asset, terms.priceTicks, terms.quantitySteps)
  return checkNotional(asset, 'quantity', value)
}

/** Makes the six checks on an order with possible terms, as its creation would make them. Nothing is reserved. */
export function assessOrder(state: State, terms: OrderTerms): Assessment {
  const assessor = new Assessor()
  const candidate = new Candidate()
  describePlacement(state, toPlacement(terms), state.assets.tradedAsset(terms.asset), null, candidate)
  assessor.assess(state, candidate)
  return assessor.assessment()
}

function toPlacement(terms: OrderTerms): Placement {
  return {
    account: terms.account,
    asset: terms.asset,
    side: terms.side,
    type: limit,
    timeInForce: goodTillCancelled,
    quantitySteps: quantitySteps(terms.quantitySteps),
    priceTicks: priceTicks(terms.priceTicks),
    ...unnamed,
  }
}

export type QuantityBound =
  | 'available_balance'
  | 'order_size_limit'
  | 'exposure_limit'
  | 'asset_exposure_limit'
  | 'daily_volume_limit'

/** The largest order that would be approved, and what each limit alone would allow, in quantity steps. */
export interface MaximumQuantity {
  /** The largest quantity that every check approves; 0 when that is below a minimum. */
  readonly maxQuantitySteps: number
  readonly limitingFactor: QuantityBound
  /** What the balance alone allows; `availableAtoms` is USD for a buy, the asset for a sell. */
  readonly byBalance: { readonly quantitySteps: number; readonly availableAtoms: number }
  /**
   * What the maximum size, the maximum value and the pair's maximum allow together; `limitSize` is the maximum size,
   * in 10^-8 units.
   */
  readonly byOrderSizeLimit: { readonly quantitySteps: number; readonly limitSize: number }
  readonly byExposureLimit: { readonly quantitySteps: number; readonly availableExposureAtoms: number }
  readonly byAssetExposureLimit: { readonly quantitySteps: number; readonly availableExposureAtoms: number }
  readonly byDailyVolumeLimit: { readonly quantitySteps: number; readonly availableAtoms: number }
}

/**
 * Finds the most that could be ordered at a price, which `checkPrice` must accept. It asks the checks themselves (by
 * bisection), so it is tight: the quantity is approved, and one step more is not. Spec: Maximum quantity. Ties go to
 * the first factor in the specification's list.
 */
export function maximumQuantity(
  state: State,
  account: number,
  asset: number,
  side: Side,
  priceTicks: number,
): MaximumQuantity {
  const search = new Search(state, account, asset, side, priceTicks)
  const { exposure, assetExposure, dailyVolume, orderSize } = search.assess(1).checks
  const byBalance = search.largest('availableBalance')
  const byOrderSize = search.largestSize(orderSize.maximum)
  const byExposure = search.largest('exposure')
  const byAssetExposure = search.largest('assetExposure')
  const byDailyVolume = search.largest('dailyVolume')
  const factors: readonly (readonly [QuantityBound, number])[] = [
    ['available_balance', byBalance],
    ['order_size_limit', byOrderSize],
    ['exposure_limit', byExposure],
    ['asset_exposure_limit', byAssetExposure],
    ['daily_volume_limit', byDailyVolume],
  ]
  const [limitingFactor, smallest] = factors.reduce((least, factor) =>
    factor[1] < least[1] ? factor : least,
  )
  return {
    maxQuantitySteps: search.isAboveMinima(smallest) ? smallest : 0,
    limitingFactor,
    byBalance: {
      quantitySteps: byBalance,
      availableAtoms: search.assess(Math.max(1, byBalance)).checks.availableBalance.availableAtoms,
    },
    byOrderSizeLimit: { quantitySteps: byOrderSize, limitSize: orderSize.maximum },
    byExposureLimit: { quantitySteps: byExposure, availableExposureAtoms: room(exposure) },
    byAssetExposureLimit: { quantitySteps: byAssetExposure, availableExposureAtoms: room(assetExposure) },
    byDailyVolumeLimit: { quantitySteps: byDailyVolume, availableAtoms: room(dailyVolume) },
  }
}

/** Finds the most that the balance check by itself approves at a price; leverage counts on a margin account. */
export function affordableSteps(
  state: State,
  account: number,
  asset: number,
  side: Side,
  priceTicks: number,
): number {
  return new Search(state, account, asset, side, priceTicks).largest('availableBalance')
}

/** Assesses orders of one account, asset, side and price by their quantity. */
class Search {
  private readonly state: State
  private readonly terms: OrderTerms
  /** The largest quantity that can be valued exactly. */
  private readonly bound: number

  constructor(state: State, account: number, asset: number, side: Side, priceTicks: number) {
    this.state = state
    this.terms = { account, asset, side, priceTicks, quantitySteps: 1 }
    const traded = state.assets.tradedAsset(asset)
    this.bound = largestWhere(traded.maximumQuantitySteps, (steps) => isValuable(traded, priceTicks, steps))
  }

  assess(quantitySteps: number): Assessment {
    return assessOrder(this.state, { ...this.terms, quantitySteps })
  }

  /**
   * Finds the largest quantity that passes a check. Every check but that of a minimum fails from some quantity on.
   */
  largest(check: keyof Assessment['checks']): number {
    return largestWhere(this.bound, (steps) => this.assess(steps).checks[check].passed)
  }

  largestSize(limitSize: number): number {
    const { pair, stepSize } = this.state.assets.tradedAsset(this.terms.asset)
    return Math.min(Math.floor(limitSize / stepSize), pair.maxQuantitySteps, this.largest('orderValue'))
  }

  isAboveMinima(steps: number): boolean {
    if (steps < 1) return false
    const { pair } = this.state.assets.tradedAsset(this.terms.asset)
    const { orderValueAtoms, checks } = this.assess(steps)
    const { minimum, value } = checks.orderSize
    return steps >= pair.minQuantitySteps && orderValueAtoms >= pair.minNotionalAtoms && value >= minimum
  }
}

/** Finds the largest integer from 0 to `bound` for which the test holds; it must hold for all smaller ones. */
function largestWhere(bound: number, holds: (value: number) => boolean): number {
  if (holds(bound)) return bound
  let low = 0
  let high = bound
  while (high - low > 1) {
    const middle = low + Math.floor((high - low) / 2)
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}

function room(check: { readonly limitAtoms: number; readonly currentAtoms: number }): number {
  return Math.max(0, check.limitAtoms - check.currentAtoms)
}
