import { quantitySteps } from '../../numeric/units.ts'
import { type AssetRow, assetRow, buy, none, type Side, sell } from '../codes.ts'
import type { HaltCommand, ResumeCommand } from '../command.ts'
import { eventType } from '../events.ts'
import { isHalted, isSelfTrade, matchLadder, preventSelfTrade } from '../orders/matching.ts'
import { executeTrade } from '../orders/transitions.ts'
import type { CommandResult } from '../rejections.ts'
import { checkTraded } from '../risk/admission.ts'
import { type State, stateOf } from '../state.ts'
import { dueResume } from '../timeline.ts'

/**
 * Stops all matching of an asset; in the mode `reject` new orders are refused, in `rest` they wait in the book. Halting
 * an asset that is halted replaces mode and end. Errors: unknown-asset.
 */
export function halt(state: State, command: HaltCommand): CommandResult {
  const unknown = checkTraded(state, command.asset)
  if (unknown !== null) return unknown
  const assetState = stateOf(state, command.asset)
  assetState.halt = command.mode
  assetState.haltEndsAtMillis = command.forMillis === 0 ? 0 : state.nowMillis + command.forMillis
  if (command.forMillis > 0) state.timeline.push(assetState.haltEndsAtMillis, dueResume, command.asset)
  emitHaltState(state, assetRow(command.asset))
  return command.asset
}

/**
 * Ends a halt; orders that crossed during it match. Nothing happens where there is no halt. Errors: unknown-asset.
 */
export function resume(state: State, command: ResumeCommand): CommandResult {
  const unknown = checkTraded(state, command.asset)
  if (unknown !== null) return unknown
  resumeAsset(state, assetRow(command.asset))
  return command.asset
}

export function resumeAsset(state: State, asset: AssetRow): void {
  const assetState = stateOf(state, asset)
  if (assetState.halt === 'none') return
  assetState.halt = 'none'
  assetState.haltEndsAtMillis = 0
  emitHaltState(state, asset)
  matchCrossed(state, asset)
}

/** Begins or ends a halt because of a gap in the recording, in which nobody could trade. */
export function setRecordingHalt(state: State, asset: AssetRow, isHaltedByRecording: boolean): void {
  const assetState = stateOf(state, asset)
  assetState.isHaltedByRecording = isHaltedByRecording
  emitHaltState(state, asset)
  if (!isHaltedByRecording) matchCrossed(state, asset)
}

/** Emits what the pair now is: one that a command resumes during a gap of its recording is still halted, and vice versa. */
function emitHaltState(state: State, asset: AssetRow): void {
  const { halt: mode, isHaltedByRecording } = stateOf(state, asset)
  const isResumed = mode === 'none' && !isHaltedByRecording
  const type = isResumed ? eventType['pair-resumed'] : eventType['pair-halted']
  const waits = mode === 'rest' && !isHaltedByRecording
  state.sink.emit(type, none, none, asset, waits ? 1 : 0, 0, 0)
}

/**
 * Matches what crossed while nothing could match: of the oldest rows at the two best prices, the older one is the
 * maker; what is left of either keeps its place. Choice: clients trade among themselves first, then with the ladder.
 */
function matchCrossed(state: State, asset: AssetRow): void {
  const { orders } = state
  const assetState = stateOf(state, asset)
  if (isHalted(assetState)) return
  const { book } = assetState
  for (;;) {
    const bid = book.bestRow(buy)
    const ask = book.bestRow(sell)
    if (bid === none || ask === none || orders.priceTicks.get(bid) < orders.priceTicks.get(ask)) break
    const isBidTaker = orders.priority.get(bid) > orders.priority.get(ask)
    const takerSide: Side = isBidTaker ? buy : sell
    const maker = isBidTaker ? ask : bid
    const taker = isBidTaker ? bid : ask
    if (isSelfTrade(state, maker, taker)) {
      preventSelfTrade(state, maker, taker)
      continue
    }
    const steps = quantitySteps(Math.min(orders.remainingSteps(bid), orders.remainingSteps(ask)))
    executeTrade(state, maker, taker, asset, takerSide, orders.priceTicks.get(maker), steps)
  }
  matchLadder(state, asset)
}
