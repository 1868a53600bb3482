import {
  type Atoms,
  atoms,
  divideBigHalfEven,
  multiplyDivideCeil,
  notionalAtoms,
} from '../../numeric/units.ts'
import type { Candidate, SideFigures } from '../assessment.ts'
import type { ClientBook } from '../book/order-book.ts'
import { maximumAtoms } from '../check-config.ts'
import {
  type AnyAccountRow,
  type AnyAssetRow,
  type AnyOrderRow,
  type AnyQuoteRow,
  buy,
  cash,
  firstClientAccount,
  houseAccount,
  kindOrder,
  type NoRow,
  none,
  type OrderRow,
  oppositeOf,
  type SelfTradeMode,
  type Side,
} from '../codes.ts'
import type { Placement } from '../command.ts'
import type { PriceField, QuantityField, Rejection } from '../rejections.ts'
import { type AssetState, type State, stateOf } from '../state.ts'
import { type Asset, computeNotional } from '../tables/asset-table.ts'

/*
 * The checks before a command is carried out. Its guards against the tables and the pair each return the rejection,
 * or null. What an order would cost and reserve is then described as the candidate of an assessment. Only the
 * candidate is written.
 */

const unknownAccount: Rejection = { code: 'unknown-account' }
const unknownAsset: Rejection = { code: 'unknown-asset' }

export function checkAccount(state: State, account: AnyAccountRow): Rejection | null {
  const isClient = account >= firstClientAccount && account < state.accounts.count
  return isClient ? null : unknownAccount
}

export function checkTraded(state: State, asset: AnyAssetRow): Rejection | null {
  return asset > 0 && asset < state.assets.count ? null : unknownAsset
}

export function checkAsset(state: State, asset: AnyAssetRow): Rejection | null {
  return asset >= 0 && asset < state.assets.count ? null : { code: 'unknown-asset' }
}

/** Refuses a row that is not an order of this account; legs of quotes are none. */
export function checkOrder(state: State, account: AnyAccountRow, order: AnyOrderRow): Rejection | null {
  const { orders } = state
  const isOwn =
    order >= 0 &&
    order < orders.count &&
    orders.kind.get(order) === kindOrder &&
    orders.account.get(order) === account
  return isOwn ? null : { code: 'unknown-order' }
}

export function checkQuote(state: State, account: AnyAccountRow, quote: AnyQuoteRow): Rejection | null {
  const { quotes } = state
  const isOwn = quote >= 0 && quote < quotes.count && quotes.account.get(quote) === account
  return isOwn ? null : { code: 'unknown-quote' }
}

/** Refuses an inactive pair, one halted by a recording, and one halted in the mode that takes no new orders. */
export function checkActive(state: State, asset: AnyAssetRow): Rejection | null {
  const assetState = stateOf(state, asset)
  const isOpen =
    assetState.halt !== 'reject' &&
    !assetState.isHaltedByRecording &&
    state.assets.tradedAsset(asset).pair.isActive
  return isOpen ? null : { code: 'pair-inactive' }
}

export function checkPrice(asset: Asset, field: PriceField, ticks: number): Rejection | null {
  const { minimumTicks } = asset
  if (ticks < minimumTicks) return { code: 'price-below-minimum', field, minimumTicks }
  if (ticks > asset.maximumPriceTicks) return { code: 'price-out-of-range', field }
  return null
}

export function checkQuantity(asset: Asset, field: QuantityField, steps: number): Rejection | null {
  const { minimumSteps, maximumSteps } = asset
  if (steps < minimumSteps) return { code: 'quantity-below-minimum', field, minimumSteps }
  if (steps > maximumSteps) return { code: 'quantity-above-maximum', field, maximumSteps }
  return null
}

export function checkNotional(asset: Asset, field: QuantityField, valueAtoms: number): Rejection | null {
  const minimumAtoms = asset.pair.minNotionalAtoms
  return valueAtoms < minimumAtoms ? { code: 'notional-below-minimum', field, minimumAtoms } : null
}

export function checkRisk(state: State): Rejection | null {
  const { assessor, candidate } = state
  return assessor.assess(state, candidate) ? null : { code: 'risk', assessment: assessor.assessment() }
}

/**
 * Checks the limits on the number of open orders; only when an order is created, after the six checks (design 16).
 */
export function checkOpenOrders(state: State, account: AnyAccountRow, asset: AnyAssetRow): Rejection | null {
  const { accounts, holdings } = state
  const { maxOpenOrders, maxOpenOrdersInAsset } = accounts.limitsOf(account)
  if (accounts.openOrders.get(account) >= maxOpenOrders)
    return { code: 'open-orders-limit', limit: maxOpenOrders, asset: null }
  const open = holdings.openOrders.get(holdings.rowOf(account, asset))
  if (open >= maxOpenOrdersInAsset) return { code: 'open-orders-limit', limit: maxOpenOrdersInAsset, asset }
  return null
}

/*
 * Amounts are exact below 2^53. The bounds here are far enough below that for what changes of price and fees may add.
 */
const maximumValueAtoms = 4e15
const maximumReachAtoms = 8e15
/**
 * The most that all assets together may come to, in USD atoms, before every order is checked beside those in other
 * assets.
 */
const smallReachAtoms = 5e14

/**
 * Returns whether a price times a quantity can be valued: at most 4 * 10^15 USD atoms, which leaves room for the fee.
 */
export function isValuable(asset: Asset, ticks: number, steps: number): boolean {
  return (ticks * steps * asset.notionalNumerator) / asset.notionalDenominator <= maximumValueAtoms
}

/**
 * Returns whether what a market order would walk can be valued: at most 4 * 10^15 USD atoms, which leaves room for
 * the fee.
 */
export function isWalkValuable(asset: Asset, walk: ReachableLiquidity): boolean {
  return walk.tickSteps.approximately(asset.notionalNumerator, asset.notionalDenominator) <= maximumValueAtoms
}

/** Returns whether this much of an asset can be valued at a price: at most 4 * 10^15 USD atoms. */
export function isHoldingValuable(asset: Asset, ticks: number, amountAtoms: number): boolean {
  return (amountAtoms * ticks * asset.valueNumerator) / asset.valueDenominator <= maximumValueAtoms
}

/**
 * Returns whether balances and costs stay exact if the order (`steps`, worth `value` USD atoms) and all open interest
 * of the account fill: the account's own, their value at the mark, and the house's as the other side.
 */
export function isHoldable(
  state: State,
  account: AnyAccountRow,
  asset: AnyAssetRow,
  steps: number,
  value: number,
): boolean {
  const { holdings, assets } = state
  const cashRow = holdings.rowOf(account, cash)
  const houseCashRow = holdings.rowOf(houseAccount, cash)
  const row = holdings.rowOf(account, asset)
  const open = holdings.openBuySteps.get(row) + holdings.openSellSteps.get(row)
  const traded = assets.tradedAsset(asset)
  const quantity = (steps + open) * traded.stepAtoms
  const openBuys = holdings.openBuyAtoms.get(row)
  const paid = value + openBuys + holdings.openSellAtoms.get(row)
  const held = Math.abs(holdings.totalAtoms.get(row)) + quantity
  return (
    held <= maximumAtoms &&
    isHoldingValuable(traded, state.markTicks.get(asset), held) &&
    Math.abs(holdings.totalAtoms.get(houseCashRow + asset)) + quantity <= maximumReachAtoms &&
    Math.abs(holdings.totalAtoms.get(houseCashRow)) + paid <= maximumReachAtoms &&
    // Amounts that are small in every asset are small in total, so the others need not be looked at.
    ((Math.abs(holdings.totalAtoms.get(cashRow)) + paid) * assets.count <= smallReachAtoms ||
      isCashExact(state, account, value))
  )
}

/** Returns the USD atoms by which the cost of a position may still grow, besides what open interest may add. */
export function costRoomAtoms({ holdings }: State, account: AnyAccountRow, asset: AnyAssetRow): number {
  const row = holdings.rowOf(account, asset)
  const open = holdings.openBuyAtoms.get(row) + holdings.openSellAtoms.get(row)
  return Math.max(0, maximumReachAtoms - holdings.basisCostAtoms.get(row) - open)
}

/**
 * Returns whether an account's cash stays exact if all of its pending deposits settle, all of its open interest
 * fills, and `more` USD atoms come in or go out.
 */
export function isCashExact(state: State, account: AnyAccountRow, more: number): boolean {
  const { holdings, ledger, assets } = state
  let reach = Math.abs(ledger.total(account, cash)) + ledger.pendingDeposit(account, cash) + more
  for (let asset = 1; asset < assets.count; asset += 1) {
    const row = holdings.rowOf(account, asset)
    reach += holdings.openBuyAtoms.get(row) + holdings.openSellAtoms.get(row)
  }
  return reach <= maximumReachAtoms
}

/** Describes what a limit order (no walk) or a market order (with its walk) would add to its account. */
export function describePlacement(
  state: State,
  placement: Placement,
  asset: Asset,
  walk: ReachableLiquidity | null,
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
      computeNotional(asset, priceTicks, steps),
      reserveAtoms(asset, side, priceTicks, steps, rate),
    )
    into.sellTicks = Math.max(1, priceTicks)
  }
  into.setSizes(steps, steps, wanted.valueAtoms)
}

export function describeLive({ orders }: State, row: OrderRow, asset: Asset, into: SideFigures): void {
  const steps = orders.remainingSteps(row)
  const value = computeNotional(asset, orders.priceTicks.get(row), steps)
  into.set(steps, value, orders.reservedAtoms.get(row))
}

/** Describes what a market order would cost (half-even) and reserve. */
function describeWalk(
  asset: Asset,
  placement: Placement,
  walk: ReachableLiquidity,
  rate: number,
  into: SideFigures,
): void {
  const { side, quantitySteps: steps } = placement
  const value = walk.tickSteps.timesHalfEven(asset.notionalNumerator, asset.notionalDenominator)
  into.set(steps, value, walkReserveAtoms(asset, side, walk.tickSteps, steps, rate))
}

const million = 1_000_000

/**
 * Returns what a live order reserves for `steps` at `ticks`: a buy its exact value times (1 + rate), rounded up once
 * to the USD atom; a sell the quantity, in atoms of the asset. `rate` is in parts per million (see
 * `reserveRateOfRow`). Design section 5, Reserves.
 */
export function reserveAtoms(asset: Asset, side: number, ticks: number, steps: number, rate: number): Atoms {
  if (side !== buy) return atoms(steps * asset.stepAtoms)
  const value = ticks * steps * asset.notionalNumerator
  // The value is a whole number of atoms, so only the fee has to be rounded.
  if (asset.notionalDenominator === 1 && value <= Number.MAX_SAFE_INTEGER)
    return atoms(value + feeAtoms(value, rate))
  return wideReserveAtoms(asset, ticks, steps, rate)
}

/** Returns what a market order reserves, given the sum of ticks times steps of its walk. */
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

/**
 * Returns the fee on an amount, in its atoms, for a rate in parts per million: rounded up, a rebate (negative) toward
 * zero.
 */
export function feeAtoms(amount: number, rate: number): number {
  const product = amount * rate
  // Below 2^53, a quotient by a million that is not whole never rounds to a whole number.
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

/**
 * Returns the rate that a new buy of an account reserves on top of its value, parts per million (see
 * `reserveRateOfRow`).
 */
export function reserveRateOfAccount(state: State, account: AnyAccountRow): number {
  if (state.config.fees.currency === 'received') return 0
  return state.feeSchedules.at(state.accounts.feeSchedule.get(account)).reserveRate
}

/**
 * Returns the rate that a row's buy reserves on top of its value: its higher fee rate; 0 where the fee is paid in the
 * asset.
 */
export function reserveRateOfRow(state: State, row: OrderRow): number {
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

  /** Returns the sum times a fraction, off by a few last places of a double: good enough to compare with bounds. */
  approximately(numerator: number, denominator: number): number {
    return ((Number(this.large) + this.small) * numerator) / denominator
  }

  /** Returns the sum times a fraction, half-even. The result must be safe. */
  timesHalfEven(numerator: number, denominator: number): number {
    if (this.large === 0n) return notionalAtoms(this.small, 1, numerator, denominator)
    return Number(divideBigHalfEven(this.exact() * BigInt(numerator), BigInt(denominator)))
  }

  /**
   * Returns the sum times a fraction and `factor / divisor`, rounded up once. Safe integers; the result must be safe.
   */
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

/** What a taker would meet on the opposite side, computed without touching it. */
export interface ReachableLiquidity {
  /**
   * The sum of ticks times steps over what the taker meets; what the book cannot fill is valued at the last level
   * walked.
   */
  tickSteps: TickSteps
  fillableSteps: number
  /** The price of the last level walked, in ticks; the mark when there is none. */
  lastTicks: number
}

/**
 * Walks the opposite side for `steps`, best price first and at one price clients before the ladder, as far as
 * `limitTicks` (null: to the end). The account's own interest is passed over; where meeting it would end the taker,
 * what lies behind it is walked for the value but does not count as fillable.
 */
export function walkBook(
  state: State,
  account: AnyAccountRow,
  asset: AnyAssetRow,
  side: Side,
  steps: number,
  limitTicks: number | null,
): ReachableLiquidity {
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
 * Takes the levels from the `skip`th on that are strictly better than a price (null: all). Returns how many are taken
 * now.
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

class Walker implements ReachableLiquidity {
  readonly tickSteps = new TickSteps()
  fillableSteps = 0
  lastTicks = none
  private left: number
  private isEnded = false
  private readonly state: State
  private readonly account: AnyAccountRow
  private readonly side: Side
  private readonly limitTicks: number | null
  private readonly mode: SelfTradeMode

  constructor(state: State, account: AnyAccountRow, side: Side, steps: number, limitTicks: number | null) {
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
  takeLevel(book: ClientBook, ticks: number, head: OrderRow | NoRow): boolean {
    const { orders } = this.state
    for (let row = head; row !== none; row = book.rowAfter(row)) {
      const isOwn = this.mode !== 'allow' && orders.account.get(row) === this.account
      if (isOwn) this.isEnded ||= this.mode !== 'cancel_maker'
      else if (!this.take(ticks, book.stepsOf(row))) return false
    }
    return this.left > 0 && this.reaches(ticks)
  }

  finish(markTicks: number): ReachableLiquidity {
    const lastTicks = this.lastTicks === none ? markTicks : this.lastTicks
    this.tickSteps.add(lastTicks, this.left)
    return { tickSteps: this.tickSteps, fillableSteps: this.fillableSteps, lastTicks }
  }

  private reaches(ticks: number): boolean {
    if (this.limitTicks === null) return true
    return this.side === buy ? ticks <= this.limitTicks : ticks >= this.limitTicks
  }
}
