import type { Arrival, HawkesFlowSpec, PoissonFlowSpec } from '../../market/flow/flow-spec.ts'
import { computeFundamental, findModelChange } from '../../market/path-override.ts'
import type { PrintTable } from '../../market/recordings/print-table.ts'
import { bisectItems } from '../../numeric/columns.ts'
import { createStream } from '../../numeric/random.ts'
import { millisPerMinute } from '../../numeric/time-text.ts'
import { priceTicks, quantitySteps } from '../../numeric/units.ts'
import { type AssetRow, buy, none, type Side, sell } from '../codes.ts'
import { eventType } from '../events.ts'
import { matchFlow, matchLadder } from '../orders/matching.ts'
import { recordPrint } from '../orders/transitions.ts'
import { lastingImpactFactor } from '../price-impact.ts'
import type { RecordedLadder } from '../recorded/recorded-ladder.ts'
import { type State, stateOf } from '../state.ts'
import { setRecordingHalt } from './halts.ts'
import { updateMark } from './marks.ts'

/*
 * What the market does at one instant of its grid: first every mark moves, then (after scripted actions) the ladders
 * are refreshed and take what they cross, then the synthetic takers of the interval arrive. Assets go in their order.
 */

export function openMarket(state: State): void {
  for (const asset of state.assets.allTraded) {
    const { recorded } = stateOf(state, asset)
    if (recorded !== null) openBook(state, asset, recorded)
    updateMark(state, asset)
    refreshLadder(state, asset)
  }
}

/** Brings a recorded book to the start, with the last price before it. */
function openBook(state: State, asset: AssetRow, recorded: RecordedLadder): void {
  recorded.rows.passTo(state.nowMillis)
  if (state.config.market.assets[asset - 1]?.flow.kind === 'recorded')
    state.lastTicks.set(asset, recorded.touches.lastTradeTicks(state.nowMillis))
}

export function refreshLadder(state: State, asset: AssetRow): void {
  stateOf(state, asset).ladder.refresh(state.markTicks.get(asset), state.gridIndex)
}

/** Moves the marks to the present grid index, and begins or ends the halts of a recording's gaps. */
export function stepMarks(state: State): void {
  for (const asset of state.assets.allTraded) {
    followRecording(state, asset)
    if (!stateOf(state, asset).isStale) updateMark(state, asset)
  }
}

/** Refreshes every ladder and lets it take what it crosses. Stale books stay unchanged. */
export function refreshLadders(state: State): void {
  for (const asset of state.assets.allTraded) {
    if (stateOf(state, asset).isStale) continue
    refreshLadder(state, asset)
    matchLadder(state, asset)
  }
}

/**
 * Carries out the interval that ends at the present grid index: the recording's prints, then the synthetic takers.
 */
export function runFlow(state: State): void {
  for (const asset of state.assets.allTraded) {
    if (stateOf(state, asset).isStale) continue
    recordPrints(state, asset)
    takeArrivals(state, asset)
  }
}

/** Begins or ends the halt of a gap in the recording that is in force. */
export function followRecording(state: State, asset: AssetRow): void {
  const { isHaltedByRecording, overrides } = stateOf(state, asset)
  const isHalted = state.market.isHaltedAt(asset - 1, state.gridIndex, findModelChange(overrides))
  if (isHalted !== isHaltedByRecording) setRecordingHalt(state, asset, isHalted)
}

function recordPrints(state: State, asset: AssetRow): void {
  const prints = printsBetween(state, asset, state.gridIndex - 1, state.gridIndex)
  for (let row = 0; row < prints.count; row += 1)
    recordExternalPrint(state, asset, prints, row, state.nowMillis)
}

/** Returns what the recording in force prints after one grid index and up to another. */
export function printsBetween(
  state: State,
  asset: AssetRow,
  afterIndex: number,
  lastIndex: number,
): PrintTable {
  const to = findModelChange(stateOf(state, asset).overrides)
  return state.market.recordedPrints(asset - 1, afterIndex, lastIndex, to)
}

/**
 * Records one of the recording's prints; one worth more than can be kept exact is split into several. The statistics
 * are not read before `readMillis`.
 */
export function recordExternalPrint(
  state: State,
  asset: AssetRow,
  prints: PrintTable,
  row: number,
  readMillis: number,
): void {
  const { tickUsd, stepUnits, notionalNumerator, notionalDenominator } = state.assets.tradedAsset(asset)
  const ticks = priceTicks(Math.max(1, Math.round(prints.price.get(row) / tickUsd)))
  const most = Math.max(1, Math.floor(((4e15 / notionalNumerator) * notionalDenominator) / ticks))
  for (let left = Math.round(prints.quantity.get(row) / stepUnits); left >= 1; left -= most) {
    const steps = quantitySteps(Math.min(left, most))
    recordPrint(state, asset, ticks, steps, state.assets.notional(asset, ticks, steps), readMillis)
    state.sink.emit(eventType.print, none, none, asset, ticks, steps, buy)
  }
}

/*
 * The synthetic takers of an asset at one grid step. The market draws who comes, when and for how much; what depends on
 * the book is decided here. Only the snipers are drawn here.
 */

/**
 * How far beyond the mark a synthetic taker pays, as a share of it. Choice: 1 %, so that it does not take a thin book
 * at any price.
 */
const collarRate = 0.01
const bps = 10_000
/**
 * The most that a taker's order is worth. Choice: low enough that trades well beyond the mark still have values below
 * 2^53 atoms.
 */
const maximumUsd = 4e9

/** Lets those takers act that arrived in the interval which ends at the present grid index. */
function takeArrivals(state: State, asset: AssetRow): void {
  const flow = state.config.market.assets[asset - 1]?.flow
  if (flow === undefined || flow.kind === 'none' || flow.kind === 'recorded') return
  if (flow.kind === 'hawkes' && flow.snipers > 0) snipe(state, asset, flow)
  const { gridMillis } = state.config
  const untilMillis = state.gridIndex * gridMillis
  const afterMillis = untilMillis - gridMillis
  const to = findModelChange(stateOf(state, asset).overrides)
  const lastMinute = Math.ceil(untilMillis / millisPerMinute) - 1
  let sight: TakerView | null = null
  for (let minute = Math.floor(afterMillis / millisPerMinute); minute <= lastMinute; minute += 1) {
    const arrivals = state.market.arrivalsInMinute(asset - 1, minute, to)
    const minuteAtMillis = minute * millisPerMinute
    for (
      let place = findFirstAfter(arrivals, afterMillis - minuteAtMillis);
      place < arrivals.length;
      place += 1
    ) {
      const arrival = arrivals[place]
      if (arrival === undefined || minuteAtMillis + arrival.offsetMillis > untilMillis) break
      sight ??= createTakerView(state, asset, flow)
      const isPlain = arrival.patienceBps === null && arrival.horizonMillis === 0
      if (isPlain || flow.kind !== 'hawkes') takeWithinCollar(state, asset, arrival, sight)
      else takeHawkes(state, asset, flow, arrival, sight)
    }
  }
}

function findFirstAfter(arrivals: readonly Arrival[], offsetMillis: number): number {
  return offsetMillis <= 0 ? 0 : bisectItems(arrivals, (arrival) => arrival.offsetMillis > offsetMillis)
}

/** What all takers of one step see: none of them changes it. */
interface TakerView {
  /** The value of one quantity step at the mark. */
  readonly stepUsd: number
  /** The factor on fundamental prices that clients' takers leave for ever. */
  readonly lastingFactor: number
  /** The price without the clients' transient impact, in ticks, not rounded. */
  readonly fairTicks: number
  readonly touchBps: number
}

function createTakerView(state: State, asset: AssetRow, flow: HawkesFlowSpec | PoissonFlowSpec): TakerView {
  const { tickUsd, stepUnits } = state.assets.tradedAsset(asset)
  const lastingFactor = lastingImpactFactor(state, asset)
  const isHawkes = flow.kind === 'hawkes'
  return {
    stepUsd: state.markTicks.get(asset) * tickUsd * stepUnits,
    lastingFactor,
    fairTicks: isHawkes ? lastingTicks(state, asset, state.gridIndex, lastingFactor) : 0,
    touchBps: isHawkes ? touchBps(state, asset, flow) : 0,
  }
}

function takeWithinCollar(state: State, asset: AssetRow, arrival: Arrival, sight: TakerView): void {
  const steps = toSteps(state, asset, arrival.valueUsd, sight)
  const markTicks = state.markTicks.get(asset)
  const collarTicks = Math.ceil(markTicks * collarRate)
  const side: Side = arrival.side === 'buy' ? buy : sell
  state.venueTaker = 'flow'
  matchFlow(state, asset, side, steps, side === buy ? markTicks + collarTicks : markTicks - collarTicks)
}

function takeHawkes(
  state: State,
  asset: AssetRow,
  flow: HawkesFlowSpec,
  arrival: Arrival,
  sight: TakerView,
): void {
  const steps = toSteps(state, asset, arrival.valueUsd, sight)
  if (steps === 0) return
  if (arrival.horizonMillis > 0) takeInformed(state, asset, flow, arrival, steps, sight)
  else takeUninformed(state, asset, arrival, steps, sight)
}

/**
 * Lets an uninformed taker take as far as the venue's touch, and beyond it as far as its patience goes. The touch is
 * measured from the fair price, so where clients have pushed the price up or down, fewer takers follow.
 */
function takeUninformed(
  state: State,
  asset: AssetRow,
  arrival: Arrival,
  steps: number,
  { fairTicks, touchBps }: TakerView,
): void {
  const side: Side = arrival.side === 'buy' ? buy : sell
  const beyondBps = touchBps + Number(arrival.patienceBps)
  const reach = (fairTicks * Math.min(beyondBps, bps)) / bps
  // The touch is rounded away from the mid, so the limit is too.
  const limitTicks = side === buy ? Math.ceil(fairTicks + reach) : Math.floor(fairTicks - reach)
  state.venueTaker = 'flow'
  matchFlow(state, asset, side, steps, limitTicks)
}

/**
 * Lets an informed taker trade, which knows a later price: it buys below that price by more than its cost, or else
 * sells as much above it.
 */
function takeInformed(
  state: State,
  asset: AssetRow,
  flow: HawkesFlowSpec,
  arrival: Arrival,
  steps: number,
  { lastingFactor }: TakerView,
): void {
  const { gridMillis } = state.config
  const laterIndex = state.gridIndex + Math.ceil(arrival.horizonMillis / gridMillis)
  const laterTicks = lastingTicks(state, asset, laterIndex, lastingFactor)
  const cost = flow.informed.costBps / bps
  const highestTicks = Math.ceil(laterTicks * (1 - cost)) - 1
  state.venueTaker = 'informed'
  if (matchFlow(state, asset, buy, steps, highestTicks) > 0) return
  matchFlow(state, asset, sell, steps, Math.floor(laterTicks * (1 + cost)) + 1)
}

/**
 * Takes clients' orders that the market has left behind, each in full: those more than one and a half half-spreads on
 * the wrong side of the mark, both now and 250 milliseconds ago. Choice: whether a sniper is there is drawn per minute.
 */
function snipe(state: State, asset: AssetRow, flow: HawkesFlowSpec): void {
  const { book } = stateOf(state, asset)
  if (book.bestRow(buy) === none && book.bestRow(sell) === none) return
  const reachTicks = (state.markTicks.get(asset) * 1.5 * touchBps(state, asset, flow)) / bps
  snipeSide(state, asset, flow, buy, reachTicks)
  snipeSide(state, asset, flow, sell, reachTicks)
}

const sniperDelayMillis = 250

function snipeSide(
  state: State,
  asset: AssetRow,
  flow: HawkesFlowSpec,
  clients: Side,
  reachTicks: number,
): void {
  const { orders } = state
  const { book, marks } = stateOf(state, asset)
  const direction = clients === buy ? 1 : -1
  for (let row = book.bestRow(clients); row !== none; row = book.bestRow(clients)) {
    const ticks = orders.priceTicks.get(row)
    const beforeMillis = state.nowMillis - sniperDelayMillis
    const isBehindNow = direction * (ticks - state.markTicks.get(asset)) > reachTicks
    if (!isBehindNow || orders.updatedAtMillis.get(row) > beforeMillis) return
    if (direction * (ticks - marks.at(beforeMillis)) <= reachTicks) return
    if (!isSniperThere(state, asset, flow)) return
    state.venueTaker = 'sniper'
    const taken = matchFlow(state, asset, clients === buy ? sell : buy, orders.remainingSteps(row), ticks)
    // On a halted pair nothing is taken, and the loop would not end.
    if (taken === 0) return
  }
}

function isSniperThere(state: State, asset: AssetRow, flow: HawkesFlowSpec): boolean {
  const { gridMillis, market } = state.config
  const minute = Math.floor((state.gridIndex * gridMillis) / millisPerMinute)
  return createStream(market.seed, 'snipers', state.assets.symbol(asset), minute).uniform() < flow.snipers
}

/** Returns the half-spread that takers expect, basis points: the ladder's, but no less than the flow's own. */
function touchBps(state: State, asset: AssetRow, flow: HawkesFlowSpec): number {
  const { ladder } = stateOf(state, asset)
  return Math.max(ladder.halfSpreadBps, flow.touchBps)
}

/** Returns the price at a grid index without the clients' transient impact, in ticks, not rounded. */
function lastingTicks(state: State, asset: AssetRow, gridIndex: number, lastingFactor: number): number {
  const { overrides } = stateOf(state, asset)
  const price = computeFundamental(state.market, asset - 1, overrides, gridIndex)
  return (price * lastingFactor) / state.assets.tradedAsset(asset).tickUsd
}

/**
 * Returns the steps that a value buys at the mark, at most the pair's maximum and what can be counted; 0 below its
 * minimum.
 */
function toSteps(state: State, asset: AssetRow, valueUsd: number, { stepUsd }: TakerView): number {
  const { pair } = state.assets.tradedAsset(asset)
  const steps = Math.min(Math.floor(Math.min(valueUsd, maximumUsd) / stepUsd), pair.maxQuantitySteps)
  return steps < Math.max(1, pair.minQuantitySteps) ? 0 : steps
}
