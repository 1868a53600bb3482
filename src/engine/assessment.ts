import { element, type Float64Column } from '../numeric/columns.ts'
import { millisPerDay } from '../numeric/time-text.ts'
import { type Atoms, atoms, multiplyDivideFloor } from '../numeric/units.ts'
import {
  type AnyAccountRow,
  type AnyAssetRow,
  accountRow,
  assetRow,
  cash,
  externalAccount,
  holdingRow,
} from './codes.ts'
import type { CompiledLimits } from './tables/account-table.ts'
import { type HoldingTable, type Tables, worstCase } from './tables/holdings.ts'

/**
 * The result of an assessment: all six checks (none is skipped because another failed) and the amount to reserve.
 * Order creation, quotes, the pre-trade check, maximum quantity and simulation all read this one result.
 */
export interface Assessment {
  readonly isApproved: boolean
  /**
   * The order's value in USD atoms, half-even: quantity times price; for a market order what the walked levels cost,
   * for a quote its larger side.
   */
  readonly orderValueAtoms: Atoms
  /**
   * The amount to reserve: USD for a buy (rounded up), the asset for a sell; for a quote, that of the side which
   * `availableBalance` shows.
   */
  readonly reserveAtoms: Atoms
  readonly checks: Pick<Checks, CheckName>
}

/** The names of the six checks, in the order of the specification. Spec: Pre-trade check result. */
export const checkNames = [
  'orderSize',
  'orderValue',
  'exposure',
  'assetExposure',
  'availableBalance',
  'dailyVolume',
] as const
export type CheckName = (typeof checkNames)[number]

interface Checks {
  readonly orderSize: SizeCheck
  readonly orderValue: ValueCheck
  readonly exposure: AfterCheck
  readonly assetExposure: AfterCheck
  readonly availableBalance: BalanceCheck
  readonly dailyVolume: AfterCheck
}

/**
 * The check of an order's size. Sizes are in 10^-8 units. `limit` is the maximum, or the minimum when that is what
 * failed.
 */
export interface SizeCheck {
  readonly passed: boolean
  readonly limit: number
  readonly minimum: number
  readonly maximum: number
  readonly value: number
}

export interface ValueCheck {
  readonly passed: boolean
  readonly limitAtoms: Atoms
  readonly valueAtoms: Atoms
}

export interface AfterCheck {
  readonly passed: boolean
  readonly limitAtoms: Atoms
  readonly currentAtoms: Atoms
  readonly afterAtoms: Atoms
}

/**
 * The check of what is available: USD for a buy, the asset for a sell. A quote shows its bid, unless only its ask
 * fails or it has no bid.
 */
export interface BalanceCheck {
  readonly passed: boolean
  readonly asset: number
  readonly requiredAtoms: Atoms
  readonly availableAtoms: Atoms
}

/*
 * Amounts are NaN until they are described, so V8 stores them as doubles from the start. If they began as small
 * integers, the first amount too large for one would change the layout of the class, and every later read would check
 * which of the two it got.
 */

/**
 * The figures of one side that is in the market or is to be: quantity in steps, value at its own price in USD atoms,
 * and reserve.
 */
export class SideFigures {
  steps = Number.NaN
  valueAtoms = Number.NaN
  reserveAtoms = Number.NaN

  set(steps: number, valueAtoms: number, reserveAtoms: number): void {
    this.steps = steps
    this.valueAtoms = valueAtoms
    this.reserveAtoms = reserveAtoms
  }
}

/**
 * The orders to be assessed: an order has one side, a quote both. What it replaces (the order being amended, the
 * quote being updated) is kept beside it, because the old reservation is released before the check.
 *
 * A venue reuses one instance for all its commands, so that assessing an order allocates nothing.
 */
export class Candidate {
  account = externalAccount
  asset = cash
  /** The rows of the account's asset and of its cash in the table of holdings. */
  holding = holdingRow(0)
  cashHolding = holdingRow(0)
  readonly buy = new SideFigures()
  readonly sell = new SideFigures()
  readonly replacedBuy = new SideFigures()
  readonly replacedSell = new SideFigures()
  /** The smallest and largest total size, filled parts included, of the sides that have something left. */
  smallestSteps = Number.NaN
  largestSteps = Number.NaN
  /** The total value of the larger side in USD atoms, filled part included. */
  orderValueAtoms = Number.NaN
  /** The price at which a margin account's capacity is turned into a quantity that it may sell. */
  sellTicks = Number.NaN

  /** Begins a candidate with nothing on either side. */
  start(holdings: HoldingTable, account: AnyAccountRow, asset: AnyAssetRow): void {
    this.account = accountRow(account)
    this.asset = assetRow(asset)
    this.holding = holdings.rowOf(account, asset)
    this.cashHolding = holdings.rowOf(account, cash)
    this.buy.set(0, 0, 0)
    this.sell.set(0, 0, 0)
    this.replacedBuy.set(0, 0, 0)
    this.replacedSell.set(0, 0, 0)
    this.sellTicks = 1
  }

  /** Sets the total sizes and value for the size and value checks. */
  setSizes(smallestSteps: number, largestSteps: number, orderValueAtoms: number): void {
    this.smallestSteps = smallestSteps
    this.largestSteps = largestSteps
    this.orderValueAtoms = orderValueAtoms
  }
}

interface AssessedState extends Tables {
  readonly nowMillis: number
  readonly markTicks: Float64Column
}

const million = 1_000_000

/**
 * The six checks: all are evaluated, and none writes to the state. The figures of the last assessment stay in fields,
 * so that an order that passes allocates nothing; `assessment` makes an object of them when asked.
 *
 * Units: sizes in 10^-8, money in USD atoms, `sellRequired` and `sellAvailable` in atoms of the asset. What the
 * candidate replaces counts as released. Errors: none; that a candidate fails is an answer.
 */
export class Assessor {
  private sizeLimit = 0
  private sizeMinimum = 0
  private smallestSize = 0
  private largestSize = 0
  private orderValue = 0
  private valueLimit = 0
  private exposureLimit = 0
  private exposureCurrent = 0
  private exposureAfter = 0
  private assetLimit = 0
  private assetCurrent = 0
  private assetAfter = 0
  private buyRoom = 0
  private sellRoom = 0
  private isReducing = false
  private isBuyFunded = true
  private isSellFunded = true
  private buyRequired = 0
  private buyAvailable = 0
  private sellRequired = 0
  private sellAvailable = 0
  private volumeLimit = 0
  private volumeCurrent = 0
  private volumeAfter = 0
  private asset = 0

  assess(state: AssessedState, candidate: Candidate): boolean {
    const { asset } = candidate
    const limits = state.accounts.limitsOf(candidate.account)
    this.asset = asset
    const isSized = this.checkSize(candidate, limits, state.assets.tradedAsset(asset).stepSize)
    const isWithinExposure = this.checkExposure(state, candidate, limits)
    const isFunded = this.checkBalance(state, candidate)
    return this.checkVolume(state, candidate, limits) && isSized && isWithinExposure && isFunded
  }

  /** Returns the last assessment as data; its figures are those of the moment of `assess`. */
  assessment(): Assessment {
    const isTooSmall = this.smallestSize < this.sizeMinimum
    const isValuePassed = this.orderValue <= this.valueLimit
    const isVolumePassed = this.volumeAfter <= this.volumeLimit
    const isFunded = this.isBuyFunded && this.isSellFunded
    const showsSell = this.isBuyFunded && (!this.isSellFunded || this.buyRequired === 0)
    const checks: Assessment['checks'] = {
      orderSize: {
        passed: this.isSizePassed(),
        limit: isTooSmall ? this.sizeMinimum : this.sizeLimit,
        minimum: this.sizeMinimum,
        maximum: this.sizeLimit,
        value: isTooSmall ? this.smallestSize : this.largestSize,
      },
      orderValue: {
        passed: isValuePassed,
        limitAtoms: capToExact(this.valueLimit),
        valueAtoms: capToExact(this.orderValue),
      },
      exposure: {
        passed: this.isExposurePassed(),
        limitAtoms: capToExact(this.exposureLimit),
        currentAtoms: capToExact(this.exposureCurrent),
        afterAtoms: capToExact(this.exposureAfter),
      },
      assetExposure: {
        passed: this.isAssetPassed(),
        limitAtoms: capToExact(this.assetLimit),
        currentAtoms: capToExact(this.assetCurrent),
        afterAtoms: capToExact(this.assetAfter),
      },
      availableBalance: {
        passed: isFunded,
        asset: showsSell ? this.asset : cash,
        requiredAtoms: capToExact(showsSell ? this.sellRequired : this.buyRequired),
        availableAtoms: capToExact(showsSell ? this.sellAvailable : this.buyAvailable),
      },
      dailyVolume: {
        passed: isVolumePassed,
        limitAtoms: capToExact(this.volumeLimit),
        currentAtoms: capToExact(this.volumeCurrent),
        afterAtoms: capToExact(this.volumeAfter),
      },
    }
    return {
      isApproved: Object.values(checks).every(({ passed }) => passed),
      orderValueAtoms: capToExact(this.orderValue),
      reserveAtoms: capToExact(showsSell ? this.sellRequired : this.buyRequired),
      checks,
    }
  }

  private isSizePassed(): boolean {
    return this.largestSize <= this.sizeLimit && this.smallestSize >= this.sizeMinimum
  }

  private isExposurePassed(): boolean {
    return this.isReducing || this.exposureAfter <= this.exposureLimit
  }

  private isAssetPassed(): boolean {
    return this.isReducing || this.assetAfter <= this.assetLimit
  }

  private checkSize(candidate: Candidate, limits: CompiledLimits, stepSize: number): boolean {
    const { asset, orderValueAtoms } = candidate
    this.sizeLimit = element(limits.maxOrderSize, asset)
    this.sizeMinimum = element(limits.minOrderSize, asset)
    this.smallestSize = candidate.smallestSteps * stepSize
    this.largestSize = candidate.largestSteps * stepSize
    this.orderValue = orderValueAtoms
    this.valueLimit = limits.maxOrderValue
    return this.isSizePassed() && orderValueAtoms <= limits.maxOrderValue
  }

  /**
   * Checks the exposure of the asset and of the portfolio before and after, as the worst case of `ExposureTable`. An
   * order that only reduces passes both checks whatever the limits are (design 16). Leverage is part of a margin
   * account's check: its limit is the smaller of maxExposure and equity * maxLeverage. Choice: not of a cash
   * account's, which pays for all that it buys, so that where it lacks money only its balance fails
   * (INSUFFICIENT_BALANCE, not RISK_LIMIT_EXCEEDED).
   */
  private checkExposure(state: AssessedState, candidate: Candidate, limits: CompiledLimits): boolean {
    const { accounts, exposures, holdings } = state
    const { account, holding, buy, sell, replacedBuy, replacedSell } = candidate
    exposures.bringUpToDate(account)
    const value = holdings.valueAtoms.get(holding)
    const openBuys = holdings.openBuyAtoms.get(holding)
    const openSells = holdings.openSellAtoms.get(holding)
    const openBuy = openBuys - replacedBuy.valueAtoms
    const openSell = openSells - replacedSell.valueAtoms
    const worst = accounts.worstAtoms.get(account)
    const others = worst - worstCase(value, openBuys, openSells)
    const current = worstCase(value, openBuy, openSell)
    const after = worstCase(value, openBuy + buy.valueAtoms, openSell + sell.valueAtoms)
    let limit = limits.maxExposure
    if (accounts.isMargin.get(account) === 1) {
      const leveraged = leveragedEquityAtoms(state, account)
      limit = Math.min(limit, leveraged)
      this.buyRoom = Math.max(0, leveraged - others - Math.max(0, value + openBuy))
      this.sellRoom = Math.max(0, leveraged - others - Math.max(0, openSell - value))
    }
    const assetLimit = element(limits.maxAssetExposure, candidate.asset)
    this.assetLimit = assetLimit
    this.assetCurrent = current
    this.assetAfter = after
    this.exposureLimit = limit
    this.exposureCurrent = others + current
    this.exposureAfter = others + after
    const isOver = others + after > limit || after > assetLimit
    this.isReducing =
      isOver &&
      buy.steps <= this.reducibleSteps(state, candidate, -1) &&
      sell.steps <= this.reducibleSteps(state, candidate, 1)
    return !isOver || this.isReducing
  }

  /**
   * Returns how many steps can only reduce the position: a long one (sign 1) less the other open sells, a short one
   * (-1) less the other open buys.
   */
  private reducibleSteps(state: AssessedState, candidate: Candidate, sign: 1 | -1): number {
    const { assets, holdings } = state
    const { stepAtoms } = assets.tradedAsset(candidate.asset)
    const held = Math.floor((sign * holdings.totalAtoms.get(candidate.holding)) / stepAtoms)
    const open =
      sign === 1
        ? holdings.openSellSteps.get(candidate.holding) - candidate.replacedSell.steps
        : holdings.openBuySteps.get(candidate.holding) - candidate.replacedBuy.steps
    return Math.max(0, held - open)
  }

  /**
   * Checks the balance. A cash account pays from what is available, a margin account from what its leverage leaves.
   */
  private checkBalance(state: AssessedState, candidate: Candidate): boolean {
    const { accounts, ledger } = state
    const { account, buy, sell, replacedBuy, replacedSell } = candidate
    this.buyRequired = buy.reserveAtoms
    this.sellRequired = sell.reserveAtoms
    this.buyAvailable = ledger.availableIn(candidate.cashHolding) + replacedBuy.reserveAtoms
    this.sellAvailable = ledger.availableIn(candidate.holding) + replacedSell.reserveAtoms
    if (accounts.isMargin.get(account) === 1) this.addLeverage(state, candidate)
    this.isBuyFunded = this.buyRequired <= this.buyAvailable
    this.isSellFunded = this.sellRequired <= this.sellAvailable
    return this.isBuyFunded && this.isSellFunded
  }

  /**
   * Adds to the available amounts what leverage lets a margin account buy, and sell beyond what it has: equity *
   * maxLeverage less the worst case of the other assets, and of this one when all open orders of the candidate's side
   * fill; those of the other side take nothing, as in the exposure. What only covers a short is paid for beside that.
   */
  private addLeverage(state: AssessedState, candidate: Candidate): void {
    const { asset, buy, sell } = candidate
    const covering = Math.min(buy.steps, this.reducibleSteps(state, candidate, -1))
    const covered = covering === 0 ? 0 : multiplyDivideFloor(buy.reserveAtoms, covering, buy.steps)
    this.buyAvailable = this.buyRoom + covered
    const { valueNumerator, valueDenominator } = state.assets.tradedAsset(asset)
    const shortable =
      sell.steps === 0
        ? 0
        : multiplyDivideCapped(this.sellRoom, valueDenominator, candidate.sellTicks * valueNumerator)
    this.sellAvailable = Math.max(0, this.sellAvailable) + shortable
  }

  /** Checks the value traded on this UTC day as it would be if both sides of the candidate filled. */
  private checkVolume(state: AssessedState, candidate: Candidate, limits: CompiledLimits): boolean {
    this.volumeLimit = limits.maxDailyVolume
    this.volumeCurrent = dayVolumeAtoms(state, candidate.account)
    this.volumeAfter = this.volumeCurrent + candidate.buy.valueAtoms + candidate.sell.valueAtoms
    return this.volumeAfter <= this.volumeLimit
  }
}

/**
 * Returns the equity (cash and positions at the mark) times the account's leverage, rounded down; never negative. USD
 * atoms.
 */
export function leveragedEquityAtoms(state: AssessedState, account: AnyAccountRow): number {
  return leveragedAtoms(state, account, equityAtoms(state, account))
}

function leveragedAtoms(state: AssessedState, account: AnyAccountRow, equity: number): number {
  if (equity <= 0) return 0
  const { maxLeverage } = state.accounts.limitsOf(account)
  const whole = equity * (maxLeverage / million)
  return maxLeverage % million === 0 && whole <= Number.MAX_SAFE_INTEGER
    ? whole
    : multiplyDivideCapped(equity, maxLeverage, million)
}

/**
 * Returns whether, without this much of an asset, the account's worst case would exceed what its leverage allows.
 * Choice: this binds margin accounts only, because their cash may come from a short sale; a cash account owns all
 * that it sells.
 */
export function exceedsLeverageWithout(
  state: AssessedState,
  account: AnyAccountRow,
  asset: AnyAssetRow,
  amount: number,
): boolean {
  const { accounts, assets, exposures, holdings, markTicks } = state
  if (accounts.isMargin.get(account) === 0) return false
  const worst = exposures.totalWorstAtoms(account)
  const equity = equityAtoms(state, account)
  if (asset === cash) return worst > leveragedAtoms(state, account, equity - amount)
  const holding = holdings.rowOf(account, asset)
  const buys = holdings.openBuyAtoms.get(holding)
  const sells = holdings.openSellAtoms.get(holding)
  const value = exposures.valueAtoms(account, asset)
  const total = holdings.totalAtoms.get(holding) - amount
  const valueAfter = assets.value(asset, markTicks.get(asset), total)
  const worstAfter = worst - worstCase(value, buys, sells) + worstCase(valueAfter, buys, sells)
  return worstAfter > leveragedAtoms(state, account, equity - value + valueAfter)
}

/** Returns an account's equity in USD atoms: cash and positions at the mark. */
export function equityAtoms(state: AssessedState, account: AnyAccountRow): number {
  return state.ledger.total(account, cash) + state.exposures.positionsAtoms(account)
}

/** Returns the value that the account has traded since 00:00Z, in USD atoms. */
export function dayVolumeAtoms(state: AssessedState, account: AnyAccountRow): number {
  const { accounts } = state
  return accounts.volumeDay.get(account) === utcDay(state) ? accounts.dayVolumeAtoms.get(account) : 0
}

export function utcDay(state: AssessedState): number {
  return Math.floor(state.nowMillis / millisPerDay)
}

/** Caps an amount at the largest safe integer: leverage may allow more, as for a cheap asset in a rich account. */
function capToExact(amount: number): Atoms {
  return atoms(Math.min(amount, Number.MAX_SAFE_INTEGER))
}

/**
 * Returns `left * right / divisor`, rounded down. Where that would come near the largest safe integer it returns that
 * integer, because the results are only bounds.
 */
function multiplyDivideCapped(left: number, right: number, divisor: number): number {
  if ((left / divisor) * right >= Number.MAX_SAFE_INTEGER / 2) return Number.MAX_SAFE_INTEGER
  return multiplyDivideFloor(left, right, divisor)
}
