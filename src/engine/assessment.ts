import type { Atoms } from '../numeric/units.ts'
import { cash } from './codes.ts'
import type { HoldingTable } from './tables/holdings.ts'

/*
 * The result of an assessment: all six checks (none is skipped because another failed) and the amount to reserve. Order
 * creation, quotes, the pre-trade check, maximum quantity and simulation all read this one result (design: the engine's
 * shape).
 */
export interface Assessment {
  readonly isApproved: boolean
  /** USD: quantity times price; for a market order the cost of its walk, for a quote its larger side. Half-even. */
  readonly orderValueAtoms: Atoms
  /** USD for a buy (rounded up), the asset for a sell; of a quote, the side that `availableBalance` shows. */
  readonly reserveAtoms: Atoms
  readonly checks: Pick<Checks, CheckName>
}

/** Spec: Pre-trade check result, in its order. */
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

/** Sizes in 10^-8 units. `limit` is the maximum, or the minimum when that is what failed. */
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

/** USD for a buy, the asset for a sell. A quote shows its bid, unless only its ask fails or it has no bid. */
export interface BalanceCheck {
  readonly passed: boolean
  readonly asset: number
  readonly requiredAtoms: Atoms
  readonly availableAtoms: Atoms
}

/** Assesses candidates. The last result is kept as numbers, so that an order that passes allocates nothing. */
export interface RiskCheck<VenueState> {
  approves(state: VenueState, candidate: Candidate): boolean
  /** The last result as data. */
  assessment(): Assessment
}

/*
 * Amounts are NaN until they are described, so V8 stores them as doubles from the start. If they began as small
 * integers, the first amount too large for one would change the layout of the class, and every later read would check
 * which of the two it got.
 */

/** What one side has in the market, or is to have: quantity, value at its own price (USD atoms), and reserve. */
export class Interest {
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
 * What is to be assessed: an order has one side, a quote both. What it replaces (the order being amended, the quote
 * being updated) is kept beside it, because the old reservation is released before the check.
 *
 * A venue reuses one instance for all its commands, so that assessing an order allocates nothing.
 */
export class Candidate {
  account = 0
  asset = 0
  /** Rows of the account's asset and of its cash in the table of holdings. */
  holding = 0
  cashHolding = 0
  readonly buy = new Interest()
  readonly sell = new Interest()
  readonly replacedBuy = new Interest()
  readonly replacedSell = new Interest()
  /** Smallest and largest total size, filled parts included, of the sides that have something left. */
  smallestSteps = Number.NaN
  largestSteps = Number.NaN
  /** Total value of the larger side, filled part included. */
  orderValueAtoms = Number.NaN
  /** Price at which a margin account's capacity is turned into a quantity that it may sell. */
  sellTicks = Number.NaN

  /** Begins a candidate with nothing on either side. */
  start(holdings: HoldingTable, account: number, asset: number): void {
    this.account = account
    this.asset = asset
    this.holding = holdings.rowOf(account, asset)
    this.cashHolding = holdings.rowOf(account, cash)
    this.buy.set(0, 0, 0)
    this.sell.set(0, 0, 0)
    this.replacedBuy.set(0, 0, 0)
    this.replacedSell.set(0, 0, 0)
    this.sellTicks = 1
  }

  /** Sets the total sizes and value for the size and value checks. */
  size(smallestSteps: number, largestSteps: number, orderValueAtoms: number): void {
    this.smallestSteps = smallestSteps
    this.largestSteps = largestSteps
    this.orderValueAtoms = orderValueAtoms
  }
}
