import { element } from '../../numeric/columns.ts'
import { buy, cash } from '../codes.ts'
import { type State, stateOf } from '../state.ts'
import { listActivity } from '../tables/account-table.ts'
import {
  activityAsset,
  activityMillis,
  assetChangeAtoms,
  cashChangeAtoms,
  countOpenings,
  feeValueAtoms,
  isFill,
  placeAfter,
  rowOf,
  signedFlowAtoms,
} from './activity.ts'
import { percentE4, scaledRatio } from './ratios.ts'

/** The profit and loss of one account over (from, to]. Money in USD atoms. */
export interface ProfitAndLossFigures {
  /** The window's start, not before the account was made. */
  readonly fromMillis: number
  readonly toMillis: number
  readonly startValueAtoms: number
  readonly endValueAtoms: number
  /** The deposits less the withdrawals in the window, at their value when they changed the total. */
  readonly netFlowsAtoms: number
  /** The fees paid less rebates; a fee in kind counts at the price of its fill. */
  readonly feesAtoms: number
  /** The profit after fees: end less start less flows. */
  readonly netPnlAtoms: number
  /** The profit before fees: realized + unrealized. */
  readonly totalPnlAtoms: number
  /**
   * The profit before fees in 10^-4 percent of the start value plus each flow weighted by its share of the window
   * (modified Dietz); 0 where that is not positive.
   */
  readonly totalPnlPercentE4: number
  /** The profit after fees in 10^-4 percent of the capital that `totalPnlPercentE4` refers to. */
  readonly netPnlPercentE4: number
  /** What fills and withdrawals in the window realised. */
  readonly realizedPnlAtoms: number
  /**
   * The total profit less the realised one: the change of the unrealised profit, and fees in kind, which are part of
   * a position's cost.
   */
  readonly unrealizedPnlAtoms: number
  /**
   * The assets held at either end or moved in between, in the order of the configuration; they add up to totalPnl.
   */
  readonly byAsset: readonly AssetProfit[]
}

export interface AssetProfit {
  readonly asset: number
  readonly pnlAtoms: number
  /** The profit in 10^-4 percent of the value at the start plus what was opened or deposited since; 0 without any. */
  readonly pnlPercentE4: number
  readonly trades: number
}

/**
 * Computes profit and loss over the window (from, to], `to` not later than now. Positions at both ends are valued at
 * the marks of those instants, half-even per asset. A window that begins before the account was made starts with the
 * value of its opening balances: at their stated average, else at the mark (design 16, Money matters). Spec: Profit
 * and loss; formulas of market.md, section 7.
 */
export function profitAndLoss(
  state: State,
  account: number,
  fromMillis: number,
  toMillis: number,
): ProfitAndLossFigures {
  const windowMillis = toMillis - Math.max(fromMillis, accountStart(state, account))
  return computeProfit(state, account, fromMillis, toMillis, windowMillis)
}

/**
 * Computes profit and loss over the window [from, to]: what happened at the very instant `from` is included, fills
 * and changes of the mark alike, except opening balances. Used for days, because worlds begin at midnight, and the
 * daily volume counts that instant, too.
 */
export function profitAndLossSince(
  state: State,
  account: number,
  fromMillis: number,
  toMillis: number,
): ProfitAndLossFigures {
  const windowMillis = toMillis - Math.max(fromMillis, accountStart(state, account))
  return computeProfit(state, account, fromMillis - 1, toMillis, windowMillis)
}

function accountStart(state: State, account: number): number {
  return state.accounts.createdAtMillis.get(account)
}

function computeProfit(
  state: State,
  account: number,
  afterMillis: number,
  toMillis: number,
  windowMillis: number,
): ProfitAndLossFigures {
  const first = Math.max(countOpenings(state, account), placeAfter(state, account, afterMillis))
  const end = Math.max(first, placeAfter(state, account, toMillis))
  const start = totalsAfter(state, account, first)
  const startValues =
    afterMillis < accountStart(state, account)
      ? openingValues(state, account, first)
      : valuesAt(state, start, afterMillis)
  const endValues = valuesAt(state, totalsAfter(state, account, end), toMillis)
  const walk = new WindowWalk(state, start, toMillis)
  const activity = listActivity(state, account)
  for (let place = first; place < end; place += 1) walk.add(activity.at(place))
  return toFigures(walk, startValues, endValues, windowMillis)
}

/** Adds up what happened in a window, in order. Money in USD atoms, by asset row. */
class WindowWalk {
  netFlows = 0
  fees = 0
  realized = 0
  /** The sum of each flow times the milliseconds that were left of the window when it came. */
  weightedFlows = 0n
  readonly toMillis: number
  readonly bought: Float64Array
  readonly assetFlows: Float64Array
  readonly feesInKind: Float64Array
  /** The value of fills and deposits that opened or enlarged positions. */
  readonly opened: Float64Array
  readonly trades: Float64Array
  private readonly state: State
  private readonly totals: Float64Array

  constructor(state: State, startTotals: Float64Array, toMillis: number) {
    const { count } = state.assets
    this.state = state
    this.toMillis = toMillis
    this.totals = startTotals
    this.bought = new Float64Array(count)
    this.assetFlows = new Float64Array(count)
    this.feesInKind = new Float64Array(count)
    this.opened = new Float64Array(count)
    this.trades = new Float64Array(count)
  }

  add(entry: number): void {
    const asset = activityAsset(this.state, entry)
    const change = assetChangeAtoms(this.state, entry)
    if (isFill(entry)) this.addFill(rowOf(entry), asset, change)
    else this.addTransfer(rowOf(entry), asset, activityMillis(this.state, entry))
    increase(this.totals, asset, change)
  }

  private addFill(row: number, asset: number, change: number): void {
    const { fills } = this.state
    const value = fills.notionalAtoms.get(row)
    const feeValue = feeValueAtoms(this.state, row)
    this.fees += feeValue
    if (fills.feeAsset.get(row) !== cash) increase(this.feesInKind, asset, feeValue)
    this.realized += fills.realizedAtoms.get(row)
    increase(this.bought, asset, fills.side.get(row) === buy ? value : -value)
    increase(this.opened, asset, openedValue(valueIn(this.totals, asset), change, value))
    increase(this.trades, asset, 1)
  }

  private addTransfer(row: number, asset: number, millis: number): void {
    const flow = signedFlowAtoms(this.state, row)
    this.netFlows += flow
    this.realized += this.state.transfers.realizedAtoms.get(row)
    this.weightedFlows += BigInt(flow) * BigInt(this.toMillis - millis)
    if (asset === cash) return
    increase(this.assetFlows, asset, flow)
    increase(this.opened, asset, Math.max(0, flow))
  }
}

function toFigures(
  walk: WindowWalk,
  startValues: Float64Array,
  endValues: Float64Array,
  windowMillis: number,
): ProfitAndLossFigures {
  const startValueAtoms = sum(startValues)
  const endValueAtoms = sum(endValues)
  const netPnlAtoms = endValueAtoms - startValueAtoms - walk.netFlows
  const totalPnlAtoms = netPnlAtoms + walk.fees
  const length = BigInt(Math.max(1, windowMillis))
  const capital = BigInt(startValueAtoms) * length + walk.weightedFlows
  const percentOfCapital = (profit: number) =>
    capital > 0n ? scaledRatio(BigInt(profit) * length, capital, 1_000_000n) : 0
  return {
    fromMillis: walk.toMillis - windowMillis,
    toMillis: walk.toMillis,
    startValueAtoms,
    endValueAtoms,
    netFlowsAtoms: walk.netFlows,
    feesAtoms: walk.fees,
    netPnlAtoms,
    totalPnlAtoms,
    totalPnlPercentE4: percentOfCapital(totalPnlAtoms),
    netPnlPercentE4: percentOfCapital(netPnlAtoms),
    realizedPnlAtoms: walk.realized,
    unrealizedPnlAtoms: totalPnlAtoms - walk.realized,
    byAsset: profitByAsset(walk, startValues, endValues),
  }
}

function profitByAsset(
  walk: WindowWalk,
  startValues: Float64Array,
  endValues: Float64Array,
): readonly AssetProfit[] {
  const found: AssetProfit[] = []
  for (let asset = 1; asset < startValues.length; asset += 1) {
    const start = valueIn(startValues, asset)
    const end = valueIn(endValues, asset)
    const flow = valueIn(walk.assetFlows, asset)
    const trades = valueIn(walk.trades, asset)
    const opened = valueIn(walk.opened, asset)
    if (start === 0 && end === 0 && flow === 0 && trades === 0 && opened === 0) continue
    const pnlAtoms = end - start - valueIn(walk.bought, asset) - flow + valueIn(walk.feesInKind, asset)
    found.push({ asset, pnlAtoms, pnlPercentE4: percentE4(pnlAtoms, Math.abs(start) + opened), trades })
  }
  return found
}

function openingValues(state: State, account: number, count: number): Float64Array {
  const activity = listActivity(state, account)
  const values = new Float64Array(state.assets.count)
  for (let place = 0; place < count; place += 1) {
    const entry = activity.at(place)
    increase(values, activityAsset(state, entry), signedFlowAtoms(state, rowOf(entry)))
  }
  return values
}

/**
 * Returns the part of a fill's value that opened or enlarged a position of `held`. `held` and `change` are signed
 * atoms.
 */
function openedValue(held: number, change: number, value: number): number {
  if (held === 0 || held > 0 === change > 0) return value
  const size = Math.abs(change)
  const opening = Math.max(0, size - Math.abs(held))
  return opening === 0 ? 0 : scaledRatio(BigInt(value), BigInt(size), BigInt(opening))
}

function valueIn(values: Float64Array, asset: number): number {
  return element(values, asset)
}

function increase(values: Float64Array, asset: number, change: number): void {
  values[asset] = valueIn(values, asset) + change
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0)
}

/*
 * What an account held in the past: what it holds now, less what has happened since. This needs nothing but the
 * activity and the history of the marks.
 */

/** Returns the totals by asset row after the first `place` entries of the account's activity. */
function totalsAfter(state: State, account: number, place: number): Float64Array {
  const activity = listActivity(state, account)
  const totals = new Float64Array(state.assets.count)
  for (let asset = 0; asset < totals.length; asset += 1) totals[asset] = state.ledger.total(account, asset)
  for (let later = activity.count - 1; later >= place; later -= 1) {
    const entry = activity.at(later)
    const asset = activityAsset(state, entry)
    totals[cash] = element(totals, cash) - cashChangeAtoms(state, entry)
    if (asset !== cash) totals[asset] = element(totals, asset) - assetChangeAtoms(state, entry)
  }
  return totals
}

/** Returns the value of each total in USD atoms at the marks of an instant not later than now; each half-even. */
function valuesAt(state: State, totals: Float64Array, millis: number): Float64Array {
  return totals.map((total, asset) => {
    if (asset === cash || total === 0) return total
    const ticks =
      millis === state.nowMillis ? state.markTicks.get(asset) : stateOf(state, asset).marks.at(millis)
    return state.assets.value(asset, ticks, total)
  })
}
