import type { Arrival } from '../market/flow-spec.ts'
import { fundamentalWithOverrides } from '../market/path-override.ts'
import type { Side } from './codes.ts'
import { buy, none, sell } from './codes.ts'
import { eventType } from './events.ts'
import { setRecordingHalt } from './halts.ts'
import { matchFlow, matchLadder } from './matching.ts'
import type { State } from './state.ts'
import { recordPrint } from './trade.ts'
import { stateOf } from './walk.ts'

/*
 * What the market does at one instant of its grid: first every mark moves, then (after scripted actions) the ladders
 * are refreshed and hit what they cross, then the synthetic takers of the interval arrive. Assets in their order.
 */

const minuteMillis = 60_000
/** Choice: a synthetic taker pays at most 1 % beyond the mark, so that a thin book does not fill at any price. */
const collarRate = 0.01

/** Moves the marks to the present grid index and opens or closes a recording's gaps. */
export function stepMarks(state: State): void {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const assetState = stateOf(state, asset)
    const isHalted = state.market.isHaltedAt(asset - 1, state.gridIndex)
    if (isHalted !== assetState.isHaltedByRecording) setRecordingHalt(state, asset, isHalted)
    if (!assetState.isStale) updateMark(state, asset)
  }
}

/** Refreshes every ladder and lets it hit what it crosses. Stale books stand still. */
export function refreshLadders(state: State): void {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const assetState = stateOf(state, asset)
    if (assetState.isStale) continue
    assetState.ladder.refresh()
    matchLadder(state, asset)
  }
}

/** The recording's prints and the synthetic takers of the interval that ends at the present grid index. */
export function runFlow(state: State): void {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    if (stateOf(state, asset).isStale) continue
    for (const print of state.market.recordedPrints(asset - 1, state.gridIndex))
      recordExternalPrint(state, asset, print.price, print.quantity)
    if (state.config.market.assets[asset - 1]?.flow.kind !== 'none') takeArrivals(state, asset)
  }
}

/** Sets the mark of the present grid index: the fundamental in ticks, to the nearest. */
export function updateMark(state: State, asset: number): void {
  const assetState = stateOf(state, asset)
  const traded = state.assets.traded(asset)
  const price = fundamentalWithOverrides(state.market, asset - 1, assetState.overrides, state.gridIndex)
  const nearest = Math.round(price / traded.tickUsd)
  const ticks = Math.min(Math.max(nearest, 1), traded.largestPriceTicks)
  if (ticks === state.markTicks.get(asset)) return
  state.markTicks.set(asset, ticks)
  state.priceUpdatedAtMillis.set(asset, state.nowMillis)
  state.exposures.marksMoved()
  assetState.marks.record(state.nowMillis, ticks)
  state.sink.emit(eventType.price, none, none, asset, ticks, 0, 0)
}

/**
 * Whether nothing will move before a command or a due item does: constant prices, no flow, and ladders that stand as
 * they were refreshed, so that the next grid steps would do nothing and can be passed over.
 */
export function isMarketStill(state: State): boolean {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const spec = state.config.market.assets[asset - 1]
    if (spec === undefined || spec.model.kind !== 'constant' || spec.flow.kind !== 'none') return false
    if (stateOf(state, asset).ladder.isConsumed) return false
    const newest = stateOf(state, asset).overrides.at(-1)
    if (newest?.kind === 'path' && newest.endIndex > state.gridIndex) return false
  }
  return true
}

function takeArrivals(state: State, asset: number): void {
  const { gridMillis } = state.config
  const untilMillis = state.gridIndex * gridMillis
  const afterMillis = untilMillis - gridMillis
  for (
    let minute = Math.floor(afterMillis / minuteMillis);
    minute * minuteMillis < untilMillis;
    minute += 1
  ) {
    for (const arrival of state.market.arrivalsInMinute(asset - 1, minute)) {
      const atMillis = minute * minuteMillis + arrival.offsetMillis
      if (atMillis > afterMillis && atMillis <= untilMillis) takeArrival(state, asset, arrival)
    }
  }
}

function takeArrival(state: State, asset: number, arrival: Arrival): void {
  const traded = state.assets.traded(asset)
  const side: Side = arrival.side === 'buy' ? buy : sell
  const markTicks = state.markTicks.get(asset)
  const stepUsd = markTicks * traded.tickUsd * traded.stepUnits
  const steps = Math.min(Math.floor(arrival.valueUsd / stepUsd), traded.pair.maxQuantitySteps)
  if (steps < Math.max(1, traded.pair.minQuantitySteps)) return
  const collarTicks = Math.ceil(markTicks * collarRate)
  matchFlow(state, asset, side, steps, side === buy ? markTicks + collarTicks : markTicks - collarTicks)
}

/** A print worth more than can be exact counts as several. */
function recordExternalPrint(state: State, asset: number, price: number, quantity: number): void {
  const { tickUsd, stepUnits, notionalNumerator, notionalDenominator } = state.assets.traded(asset)
  const ticks = Math.max(1, Math.round(price / tickUsd))
  const most = Math.max(1, Math.floor(((4e15 / notionalNumerator) * notionalDenominator) / ticks))
  for (let left = Math.round(quantity / stepUnits); left >= 1; left -= most) {
    const steps = Math.min(left, most)
    recordPrint(state, asset, ticks, steps, state.assets.notional(asset, ticks, steps))
    state.sink.emit(eventType.print, none, none, asset, ticks, steps, buy)
  }
}
