import { switchInForce } from '../../market/path-override.ts'
import { millisPerHour } from '../../numeric/time-text.ts'
import { buy, none, oppositeOf, sell } from '../codes.ts'
import { setRecordingHalt } from '../commands/halts.ts'
import { eventType } from '../events.ts'
import { type AssetState, type State, stateOf } from '../state.ts'
import { matchLadder } from '../transitions/matching.ts'
import { isImpactFading } from '../transitions/price-impact.ts'
import { recordPrint } from '../transitions/trade.ts'
import { dynamicsOf } from './ladder-source.ts'
import { takeArrivals } from './takers.ts'
import { markTicksAt, unattendedMarkTicks } from './unattended.ts'

/*
 * What the market does at one instant of its grid: first every mark moves, then (after scripted actions) the ladders
 * are refreshed and take what they cross, then the synthetic takers of the interval arrive. Assets go in their order.
 */

/** Sets the first marks, and the ladders around them. */
export function openMarket(state: State): void {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    updateMark(state, asset)
    stateOf(state, asset).ladder.refresh(state.markTicks.get(asset), state.gridIndex)
  }
}

/** Moves the marks to the present grid index, and begins or ends the halts of a recording's gaps. */
export function stepMarks(state: State): void {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    followRecording(state, asset)
    if (!stateOf(state, asset).isStale) updateMark(state, asset)
  }
}

/** Refreshes every ladder and lets it take what it crosses. Stale books stay unchanged. */
export function refreshLadders(state: State): void {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const assetState = stateOf(state, asset)
    if (assetState.isStale) continue
    assetState.ladder.refresh(state.markTicks.get(asset), state.gridIndex)
    matchLadder(state, asset)
  }
}

/** The recording's prints and the synthetic takers of the interval that ends at the present grid index. */
export function runFlow(state: State): void {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    if (stateOf(state, asset).isStale) continue
    printAsset(state, asset)
    takeArrivals(state, asset)
  }
}

/** Begins or ends the halt of a gap in the recording that is in force. */
export function followRecording(state: State, asset: number): void {
  const { isHaltedByRecording, overrides } = stateOf(state, asset)
  const isHalted = state.market.isHaltedAt(asset - 1, state.gridIndex, switchInForce(overrides))
  if (isHalted !== isHaltedByRecording) setRecordingHalt(state, asset, isHalted)
}

function printRecorded(state: State): void {
  for (let asset = 1; asset < state.assets.count; asset += 1) printAsset(state, asset)
}

function printAsset(state: State, asset: number): void {
  const to = switchInForce(stateOf(state, asset).overrides)
  const prints = state.market.recordedPrints(asset - 1, state.gridIndex, to)
  for (const { price, quantity } of prints) recordExternalPrint(state, asset, price, quantity)
}

/** Sets the mark to that of the present grid index: the fundamental times the clients' impact, to the nearest tick. */
export function updateMark(state: State, asset: number): void {
  setMark(state, asset, markTicksAt(state, asset, state.gridIndex, state.nowMillis))
}

function setMark(state: State, asset: number, ticks: number): void {
  const assetState = stateOf(state, asset)
  if (ticks === state.markTicks.get(asset)) return
  state.markTicks.set(asset, ticks)
  state.priceUpdatedAtMillis.set(asset, state.nowMillis)
  state.exposures.marksMoved()
  assetState.marks.record(state.nowMillis, ticks)
  state.sink.emit(eventType.price, none, none, asset, ticks, 0, 0)
}

/**
 * The instant until which nothing will change except by a command or a due item: prices are constant, there is no flow,
 * no impact fades, and every refresh would make the same ladder. So the grid steps before it can be skipped. Infinity:
 * for ever; the present: something may change at the next step.
 */
export function stillUntilMillis(state: State): number {
  let untilMillis = Number.POSITIVE_INFINITY
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const spec = state.config.market.assets[asset - 1]
    const assetState = stateOf(state, asset)
    const model = switchInForce(assetState.overrides)?.model ?? spec?.model
    if (spec === undefined || model?.kind !== 'constant' || spec.flow.kind !== 'none') return state.nowMillis
    const newest = assetState.overrides.at(-1)
    if (newest?.kind === 'path' && newest.endIndex > state.gridIndex) return state.nowMillis
    if (newest?.kind === 'bend' && newest.drift !== 0) return state.nowMillis
    if (isImpactFading(state, asset) || assetState.ladder.isRecovering(state.nowMillis))
      return state.nowMillis
    const dynamics = dynamicsOf(state.assets.config(asset).liquidity)
    if (dynamics === null) continue
    // Sizes of levels wander, so one that a client's order reaches may appear at any step.
    if (isWithinReach(state, assetState)) return state.nowMillis
    if (dynamics.hasSeasons) untilMillis = (Math.floor(state.nowMillis / millisPerHour) + 1) * millisPerHour
  }
  return untilMillis
}

/** Goes over the grid up to an index, in an unattended market (see unattended.ts). */
export function stepUnattended(state: State, lastIndex: number): void {
  const { startMillis, gridMillis } = state.config
  const isSilent = isSilentMarket(state)
  while (state.gridIndex < lastIndex) {
    state.gridIndex += 1
    state.nowMillis = startMillis + state.gridIndex * gridMillis
    for (let asset = 1; asset < state.assets.count; asset += 1) {
      if (!isSilent) followRecording(state, asset)
      setMark(state, asset, unattendedMarkTicks(state, asset))
    }
    if (!isSilent) printRecorded(state)
  }
  passLadders(state)
}

/** Whether no recording in force has prints or gaps. */
function isSilentMarket(state: State): boolean {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const to = switchInForce(stateOf(state, asset).overrides)
    if (!state.market.isSilent(asset - 1, to)) return false
  }
  return true
}

/** Refreshes every ladder at the present grid index, after steps that were skipped. */
export function passLadders(state: State): void {
  for (let asset = 1; asset < state.assets.count; asset += 1) {
    const assetState = stateOf(state, asset)
    if (!assetState.isStale) assetState.ladder.refresh(state.markTicks.get(asset), state.gridIndex)
  }
}

function isWithinReach(state: State, { book, ladder }: AssetState): boolean {
  for (const clients of [buy, sell] as const) {
    const row = book.bestRow(clients)
    if (row !== none && ladder.mayEverReach(oppositeOf(clients), state.orders.priceTicks.get(row)))
      return true
  }
  return false
}

/** Records a print of the recording; one worth more than can be kept exact is split into several. */
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
