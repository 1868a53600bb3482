import { type Atoms, atoms } from '../../numeric/units.ts'
import { divideBigHalfEven, multiplyDivideCeil, notionalAtoms } from '../../numeric/wide.ts'
import type { Candidate, Interest } from '../assessment.ts'
import type { ClientBook } from '../book/order-book.ts'
import { buy, none, oppositeOf, type SelfTradeMode, type Side } from '../codes.ts'
import type { Placement } from '../command.ts'
import { type AssetState, type State, stateOf } from '../state.ts'
import { type Asset, notionalOf } from '../tables/asset-table.ts'

/* Describes orders as candidates for assessment. Only the candidate is written. */

/** Describes what a limit order (no walk) or a market order (with its walk) would add to its account. */
export function describePlacement(
  state: State,
  placement: Placement,
  asset: Asset,
  walk: Walk | null,
  into: Candidate,
): void {
  const { account, side, priceTicks, quantitySteps: steps } = placement
  const rate = reserveRateOfAccount(state, account)
  into.start(state.holdings, account, placement.asset)
  const wanted = side === buy ? into.buy : into.sell
  if (walk !== null) {
    describeWalk(asset, placement, walk, rate, wanted)
    into.sellTicks = Math.max(1, walk.lastTicks)
  } else {
    wanted.set(
      steps,
      notionalOf(asset, priceTicks, steps),
      reserveAtoms(asset, side, priceTicks, steps, rate),
    )
    into.sellTicks = Math.max(1, priceTicks)
  }
  into.size(steps, steps, wanted.valueAtoms)
}

/** Describes what a live row still has in the market. */
export function describeLive({ orders }: State, row: number, asset: Asset, into: Interest): void {
  const steps = orders.remainingSteps(row)
  const value = notionalOf(asset, orders.priceTicks.get(row), steps)
  into.set(steps, value, orders.reservedAtoms.get(row))
}

/** Describes what a market order would cost (half-even) and reserve. */
function describeWalk(asset: Asset, placement: Placement, walk: Walk, rate: number, into: Interest): void {
  const { side, quantitySteps: steps } = placement
  const value = walk.tickSteps.timesHalfEven(asset.notionalNumerator, asset.notionalDenominator)
  into.set(steps, value, walkReserveAtoms(asset, side, walk.tickSteps, steps, rate))
}

const million = 1_000_000

/**
 * What a live order reserves for `steps` at `ticks`: a buy its exact value times (1 + rate), rounded up once to the USD
 * atom; a sell the quantity, in atoms of the asset. `rate` is in parts per million (see `reserveRateOfRow`).
 * Design section 5, Reserves.
 */
export function reserveAtoms(asset: Asset, side: number, ticks: number, steps: number, rate: number): Atoms {
  if (side !== buy) return atoms(steps * asset.stepAtoms)
  const value = ticks * steps * asset.notionalNumerator
  // The value is a whole number of atoms, so only the fee has to be rounded.
  if (asset.notionalDenominator === 1 && value <= Number.MAX_SAFE_INTEGER)
    return atoms(value + feeAtoms(value, rate))
  return wideReserveAtoms(asset, ticks, steps, rate)
}

/** The same for a market order, given the sum of ticks times steps of its walk. */
function walkReserveAtoms(
  asset: Asset,
  side: number,
  tickSteps: TickSteps,
  steps: number,
  rate: number,
): Atoms {
  if (side !== buy) return atoms(steps * asset.stepAtoms)
  const { notionalNumerator, notionalDenominator } = asset
  return atoms(tickSteps.timesCeil(notionalNumerator, notionalDenominator, million + rate, million))
}

/** Fee on an amount, in its atoms, for a rate in parts per million: rounded up, a rebate (negative) toward zero. */
export function feeAtoms(amount: number, rate: number): number {
  const product = amount * rate
  // Below 2^53 no quotient by a million that is not whole rounds to a whole number.
  return product <= Number.MAX_SAFE_INTEGER && product >= -Number.MAX_SAFE_INTEGER
    ? Math.ceil(product / million) + 0
    : multiplyDivideCeil(amount, rate, million)
}

function wideReserveAtoms(asset: Asset, ticks: number, steps: number, rate: number): Atoms {
  const scaled = ticks * steps * asset.notionalNumerator
  const divisor = asset.notionalDenominator * million
  if (scaled <= Number.MAX_SAFE_INTEGER && divisor <= Number.MAX_SAFE_INTEGER)
    return atoms(multiplyDivideCeil(scaled, million + rate, divisor))
  const exact = BigInt(ticks) * BigInt(steps) * BigInt(asset.notionalNumerator) * BigInt(million + rate)
  const wide = BigInt(asset.notionalDenominator) * BigInt(million)
  return atoms(Number((exact + wide - 1n) / wide))
}

/** Rate that a new buy of an account reserves on top of its value, parts per million (see `reserveRateOfRow`). */
export function reserveRateOfAccount(state: State, account: number): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.accounts.feeSchedule.get(account)).reserveRate
}

/** Rate that a row's buy reserves on top of its value: its higher fee rate; 0 where the fee is paid in the asset. */
export function reserveRateOfRow(state: State, row: number): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.orders.feeSchedule.get(row)).reserveRate
}

/**
 * A sum of ticks times steps, exact however large: a number as long as that is safe, a BigInt beyond. With fine steps
 * that is soon: 18 units in steps of 10^-8 at 50,000.00 come to 9 * 10^15.
 */
export class TickSteps {
  private small = 0
  private large = 0n

  add(ticks: number, steps: number): void {
    const sum = this.small + ticks * steps
    if (sum <= Number.MAX_SAFE_INTEGER) {
      this.small = sum
      return
    }
    this.large += BigInt(this.small) + BigInt(ticks) * BigInt(steps)
    this.small = 0
  }

  /** The sum times a fraction, off by a few last places of a double: good enough to compare with bounds. */
  approximately(numerator: number, denominator: number): number {
    return ((Number(this.large) + this.small) * numerator) / denominator
  }

  /** The sum times a fraction, half-even. The result must be safe. */
  timesHalfEven(numerator: number, denominator: number): number {
    if (this.large === 0n) return notionalAtoms(this.small, 1, numerator, denominator)
    return Number(divideBigHalfEven(this.exact() * BigInt(numerator), BigInt(denominator)))
  }

  /** The sum times a fraction and `factor / divisor`, rounded up once. Safe integers; the result must be safe. */
  timesCeil(numerator: number, denominator: number, factor: number, divisor: number): number {
    const over = numerator * factor
    const under = denominator * divisor
    if (this.large === 0n && Number.isSafeInteger(over) && Number.isSafeInteger(under))
      return multiplyDivideCeil(this.small, over, under)
    const wideUnder = BigInt(denominator) * BigInt(divisor)
    const product = this.exact() * BigInt(numerator) * BigInt(factor)
    return Number((product + wideUnder - 1n) / wideUnder)
  }

  private exact(): bigint {
    return this.large + BigInt(this.small)
  }
}

/** What a taker would meet, without touching it. */
export interface Walk {
  /** Sum of ticks times steps over what it meets; what the book cannot fill is valued at the last level walked. */
  tickSteps: TickSteps
  fillableSteps: number
  /** Price of the last level walked; the mark when there is none. */
  lastTicks: number
}

/**
 * Walks the opposite side for `steps`, best price first and at one price clients before the ladder, as far as
 * `limitTicks` (null: to the end). The account's own interest is passed over; where meeting it would end the taker,
 * what lies behind it is walked for the value but does not count as fillable.
 */
export function walkBook(
  state: State,
  account: number,
  asset: number,
  side: Side,
  steps: number,
  limitTicks: number | null,
): Walk {
  const assetState = stateOf(state, asset)
  const walker = new Walker(state, account, side, steps, limitTicks)
  const opposite = oppositeOf(side)
  const { book, ladder } = assetState
  let ladderTaken = 0
  book.visitLevels(opposite, (levelTicks, _levelSteps, head) => {
    ladderTaken = walkLadder(ladder, opposite, ladderTaken, walker, levelTicks)
    return walker.takeLevel(book, levelTicks, head)
  })
  walkLadder(ladder, opposite, ladderTaken, walker, null)
  return walker.finish(state.markTicks.get(asset))
}

/**
 * Takes the ladder's levels from the `skip`th on that are strictly better than a price (null: all). How many are
 * taken now.
 */
function walkLadder(
  ladder: AssetState['ladder'],
  side: Side,
  skip: number,
  walker: Walker,
  beforeTicks: number | null,
): number {
  let place = 0
  ladder.visit(side, (ticks, steps) => {
    if (place >= skip) {
      const isBetter = beforeTicks === null || (side === buy ? ticks > beforeTicks : ticks < beforeTicks)
      if (!isBetter || !walker.take(ticks, steps)) return false
    }
    place += 1
    return true
  })
  return place
}

class Walker implements Walk {
  readonly tickSteps = new TickSteps()
  fillableSteps = 0
  lastTicks = none
  private left: number
  private isEnded = false
  private readonly state: State
  private readonly account: number
  private readonly side: Side
  private readonly limitTicks: number | null
  private readonly mode: SelfTradeMode

  constructor(state: State, account: number, side: Side, steps: number, limitTicks: number | null) {
    this.state = state
    this.account = account
    this.side = side
    this.left = steps
    this.limitTicks = limitTicks
    this.mode = state.config.selfTrade
  }

  take(ticks: number, steps: number): boolean {
    if (this.left === 0 || !this.reaches(ticks)) return false
    const taken = Math.min(this.left, steps)
    this.tickSteps.add(ticks, taken)
    this.left -= taken
    this.lastTicks = ticks
    if (!this.isEnded) this.fillableSteps += taken
    return this.left > 0
  }

  /** Takes from a client level, row by row, because some may be the account's own. */
  takeLevel(book: ClientBook, ticks: number, head: number): boolean {
    const { orders } = this.state
    for (let row = head; row !== none; row = book.rowAfter(row)) {
      const isOwn = this.mode !== 'allow' && orders.account.get(row) === this.account
      if (isOwn) this.isEnded ||= this.mode !== 'cancel_maker'
      else if (!this.take(ticks, book.stepsOf(row))) return false
    }
    return this.left > 0 && this.reaches(ticks)
  }

  finish(markTicks: number): Walk {
    const lastTicks = this.lastTicks === none ? markTicks : this.lastTicks
    this.tickSteps.add(lastTicks, this.left)
    return { tickSteps: this.tickSteps, fillableSteps: this.fillableSteps, lastTicks }
  }

  private reaches(ticks: number): boolean {
    if (this.limitTicks === null) return true
    return this.side === buy ? ticks <= this.limitTicks : ticks >= this.limitTicks
  }
}
