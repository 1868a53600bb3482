import { equityAtoms } from '../engine/assessment.ts'
import { cash } from '../engine/codes.ts'
import { isFill, rowOf, signedFlowAtoms } from '../engine/reports/activity.ts'
import { type State, stateOf } from '../engine/state.ts'
import { listAccountOrders, listActivity } from '../engine/tables/account-table.ts'
import { element, Float64Column } from '../numeric/columns.ts'
import { millisPerHour } from '../numeric/time-text.ts'
import { ArrivalTicks } from './arrival-ticks.ts'
import { markoutMillis } from './records.ts'
import type { SampleTimes } from './sample-times.ts'
import type { TradeRecorder } from './trade-recorder.ts'

/**
 * The longest time between two samples or refreshes of an `AccountRecorder`. The venue's history of marks, from which it
 * reads the marks after a fill, is exact for one day only.
 */
export const longestRefreshGapMillis = 12 * millisPerHour
const longestMarkoutMillis = Math.max(...markoutMillis)

/**
 * Samples one account at the instants of a grid and keeps what its figures need. Fills and orders stay in the venue's tables,
 * so nothing needs to be done between two samples, except that one or a `refresh` is due every twelve hours.
 */
export class AccountRecorder {
  /** The points of the grid, and the last one. */
  readonly points: EquityPoints
  /** The points at midnights (UTC) that the grid does not have. */
  readonly midnights: EquityPoints
  /** The account's rows of the fill table, oldest first. */
  readonly fills: number[] = []
  /** The account's rows of the transfer table, oldest first. */
  readonly transfers: number[] = []
  private readonly account: number
  private readonly trades: TradeRecorder
  private readonly marksAfter = markoutMillis.map(() => new Float64Column())
  private readonly resolved = markoutMillis.map(() => 0)
  private readonly arrivals = new ArrivalTicks()
  private seenActivity: number
  private seenOrders: number
  private correctedFills = 0

  /** Begins to record now. `expectedPoints` is how many samples there will be, if known, for which it reserves memory. */
  constructor(state: State, account: number, trades: TradeRecorder, expectedPoints = 0) {
    this.account = account
    this.trades = trades
    this.points = new EquityPoints(state.assets.count - 1, expectedPoints)
    this.midnights = new EquityPoints(state.assets.count - 1, 0)
    this.seenActivity = listActivity(state, account).count
    this.seenOrders = listAccountOrders(state, account).count
  }

  /**
   * Adds a point at the present instant, to the grid or to the midnights: equity, cash, and the mark and position of every
   * asset.
   */
  sample(state: State, points = this.points): void {
    const { account } = this
    this.refresh(state)
    points.add(state.nowMillis, equityAtoms(state, account), state.ledger.total(account, cash))
    for (let asset = 1; asset < state.assets.count; asset += 1)
      points.setAsset(asset - 1, state.markTicks.get(asset), state.ledger.total(account, asset))
  }

  /** Adds the last point of a run. It replaces a point of the same instant, which was taken before the last trades. */
  sampleEnd(state: State): void {
    const { midnights, points } = this
    // The first point is never replaced: profit counts from it.
    if (points.count > 1 && points.newestMillis === state.nowMillis) points.removeNewest()
    if (midnights.count > 0 && midnights.newestMillis === state.nowMillis) midnights.removeNewest()
    this.sample(state)
  }

  /** Reads what the venue will have forgotten by the next sample, without adding a point. */
  refresh(state: State): void {
    this.readActivity(state)
    this.readOrders(state)
    if (this.resolved.at(-1) === this.fills.length) return
    for (const [horizon, span] of markoutMillis.entries()) this.resolveMarks(state, horizon, span)
  }

  /** Returns the instant at which the marks after the last fill are all known; infinity if they are known already. */
  refreshDueMillis(state: State): number {
    const last = this.fills.at(-1)
    if (last === undefined || this.resolved.at(-1) === this.fills.length) return Number.POSITIVE_INFINITY
    return state.fills.atMillis.get(last) + longestMarkoutMillis
  }

  /**
   * Adds the points at `times` over a time in which nothing but marks changes, and moves `times` on. `pass` lets that time
   * pass, and the marks come from its events. The account must have been sampled or refreshed just before.
   */
  sampleIdle(state: State, times: SampleTimes, untilMillis: number, pass: () => void): void {
    const { account, trades } = this
    const { assets, ledger } = state
    if (times.nextMillis > untilMillis) {
      pass()
      return
    }
    const cashAtoms = ledger.total(account, cash)
    const held = new Float64Array(assets.count)
    for (let asset = 1; asset < assets.count; asset += 1) held[asset] = ledger.total(account, asset)
    const ticks = state.markTicks.slice(assets.count)
    const sampleBefore = (endMillis: number): void => {
      for (; times.nextMillis < endMillis; times.skipNext()) {
        const points = times.isOnGrid ? this.points : this.midnights
        let equity: number = cashAtoms
        for (let asset = 1; asset < held.length; asset += 1) {
          const own = element(held, asset)
          if (own !== 0) equity += assets.value(asset, element(ticks, asset), own)
        }
        points.add(times.nextMillis, equity, cashAtoms)
        for (let asset = 1; asset < held.length; asset += 1)
          points.setAsset(asset - 1, element(ticks, asset), element(held, asset))
      }
    }
    trades.follow((asset, mark) => {
      if (times.nextMillis < state.nowMillis) sampleBefore(state.nowMillis)
      ticks[asset] = mark
    })
    pass()
    trades.follow(null)
    sampleBefore(untilMillis + 1)
  }

  /**
   * Returns the mark in ticks after the fill at index `place`, at the horizon with that index in `markoutMillis`; null while
   * it is not known.
   */
  markAfter(place: number, horizon: number): number | null {
    const column = this.marksAfter[horizon]
    return column === undefined || place >= this.countResolved(horizon) ? null : column.get(place)
  }

  /** Returns the mark in ticks when an order arrived, before its own trades; null for an order before the recording. */
  arrivalTicks(order: number): number | null {
    return this.arrivals.get(order)
  }

  private readActivity(state: State): void {
    const activity = listActivity(state, this.account)
    for (; this.seenActivity < activity.count; this.seenActivity += 1) {
      const entry = activity.at(this.seenActivity)
      if (isFill(entry)) this.fills.push(rowOf(entry))
      else {
        this.transfers.push(rowOf(entry))
        const flowAtoms = signedFlowAtoms(state, rowOf(entry))
        this.points.unsampledFlow += flowAtoms
        this.midnights.unsampledFlow += flowAtoms
      }
    }
  }

  private readOrders(state: State): void {
    const { orders } = state
    const list = listAccountOrders(state, this.account)
    for (; this.seenOrders < list.count; this.seenOrders += 1) {
      const row = list.at(this.seenOrders)
      const asset = orders.asset.get(row)
      this.arrivals.add(row, stateOf(state, asset).marks.at(orders.createdAtMillis.get(row)))
    }
    if (this.correctedFills === this.fills.length) return
    // The mark may have moved at the order's own instant, after its trades: the mark at its first trade is the arrival.
    const { fills } = state
    for (const fill of this.fills.slice(this.correctedFills).reverse()) {
      const order = fills.order.get(fill)
      const isAtOnce = fills.atMillis.get(fill) === orders.createdAtMillis.get(order)
      const mark = isAtOnce ? this.trades.markTicks(fill) : null
      if (mark !== null) this.arrivals.replace(order, mark)
    }
    this.correctedFills = this.fills.length
  }

  private resolveMarks(state: State, horizon: number, span: number): void {
    const column = this.marksAfter[horizon]
    if (column === undefined) return
    let done = this.countResolved(horizon)
    for (let fill = this.fills[done]; fill !== undefined; fill = this.fills[done]) {
      const dueMillis = state.fills.atMillis.get(fill) + span
      if (dueMillis > state.nowMillis) break
      column.reserve(done + 1)
      column.set(done, stateOf(state, state.fills.asset.get(fill)).marks.at(dueMillis))
      done += 1
    }
    this.resolved[horizon] = done
  }

  /** Returns for how many fills the mark after a horizon is known. */
  private countResolved(horizon: number): number {
    return this.resolved[horizon] ?? 0
  }
}

/** The most points for which memory is reserved in advance: a run may end long before its time. */
const maximumReservedPoints = 1_048_576

/** The points of the equity grid by column. The first `count` rows are in use. */
class EquityPoints {
  count = 0
  /** Deposits less withdrawals since the newest point, in cash atoms. */
  unsampledFlow = 0
  readonly atMillis = new Float64Column()
  readonly equityAtoms = new Float64Column()
  readonly flowAtoms = new Float64Column()
  readonly cashAtoms = new Float64Column()
  /** The marks by asset row, without cash: index 0 is row 1. */
  readonly markTicks: readonly Float64Column[]
  readonly positionAtoms: readonly Float64Column[]
  private readonly columns: readonly Float64Column[]
  private capacity = 0

  constructor(assetCount: number, expectedPoints: number) {
    this.markTicks = Array.from({ length: assetCount }, () => new Float64Column())
    this.positionAtoms = Array.from({ length: assetCount }, () => new Float64Column())
    const { atMillis, cashAtoms, equityAtoms, flowAtoms, markTicks, positionAtoms } = this
    this.columns = [atMillis, equityAtoms, flowAtoms, cashAtoms, ...markTicks, ...positionAtoms]
    this.reserve(Math.min(expectedPoints, maximumReservedPoints))
  }

  /** Adds a point. Its assets are set afterwards, by `setAsset`. */
  add(atMillis: number, equityAtoms: number, cashAtoms: number): void {
    const row = this.count
    this.count += 1
    if (this.count > this.capacity) this.reserve(2 * this.count)
    this.atMillis.set(row, atMillis)
    this.equityAtoms.set(row, equityAtoms)
    this.flowAtoms.set(row, this.unsampledFlow)
    this.cashAtoms.set(row, cashAtoms)
    this.unsampledFlow = 0
  }

  setAsset(place: number, markTicks: number, positionAtoms: number): void {
    this.markTicks[place]?.set(this.count - 1, markTicks)
    this.positionAtoms[place]?.set(this.count - 1, positionAtoms)
  }

  get newestMillis(): number {
    return this.atMillis.get(this.count - 1)
  }

  removeNewest(): void {
    this.count -= 1
    this.unsampledFlow += this.flowAtoms.get(this.count)
  }

  private reserve(points: number): void {
    this.capacity = points
    for (const column of this.columns) column.reserve(points)
  }
}
