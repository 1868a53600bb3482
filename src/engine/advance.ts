import { isLiveQuote, quoteExpired } from './codes.ts'
import { endDueHalt } from './commands/halts.ts'
import { settleDueTransfer } from './commands/transfers.ts'
import { endDueConditions } from './house/market-moves.ts'
import {
  passLadders,
  refreshLadders,
  runFlow,
  stepMarks,
  stepUnattended,
  stillUntilMillis,
} from './house/market-step.ts'
import { isUnattended } from './house/unattended.ts'
import type { State } from './state.ts'
import { dueConditionsEnd, dueQuoteExpiry, dueResume, dueTransfer, lastKindBeforeMarket } from './timeline.ts'
import { endQuote } from './transitions/endings.ts'

/** Actions that a script takes in their turn of an advance: commands at the instant that they find. */
export interface ScriptedWork {
  /** Instant of the next action; infinity after the last. */
  readonly nextAtMillis: number
  /** Carries out every action that is due now. */
  runDue(): void
}

/**
 * Lets everything happen that is due up to an instant, in the order (time, class, sequence): expiries, the market's
 * step, timed and scripted actions, the refresh of the ladders and what they cross, synthetic takers. However a span
 * is cut into advances, the same happens.
 */
export function advanceTo(state: State, atMillis: number, work: ScriptedWork = noWork): void {
  const { startMillis, gridMillis } = state.config
  for (;;) {
    const gridAtMillis = startMillis + (state.gridIndex + 1) * gridMillis
    const nextMillis = Math.min(gridAtMillis, state.timeline.nextAtMillis, work.nextAtMillis)
    if (nextMillis > atMillis) break
    state.nowMillis = Math.max(state.nowMillis, nextMillis)
    const isOnGrid = gridAtMillis <= state.nowMillis
    workOffDue(state, lastKindBeforeMarket)
    if (isOnGrid) {
      state.gridIndex += 1
      stepMarks(state)
    }
    workOffDue(state, dueConditionsEnd)
    if (work.nextAtMillis <= state.nowMillis) work.runDue()
    if (!isOnGrid) continue
    refreshLadders(state)
    runFlow(state)
    passOver(state, atMillis, work)
  }
  state.nowMillis = atMillis
}

const noWork: ScriptedWork = { nextAtMillis: Number.POSITIVE_INFINITY, runDue: () => undefined }

/**
 * Passes over grid steps that would do nothing, and hurries over those that only move marks: up to the last one, but not
 * to one at which anything is due.
 */
function passOver(state: State, atMillis: number, work: ScriptedWork): void {
  const { startMillis, gridMillis } = state.config
  const indexBefore = (millis: number): number => Math.ceil((millis - startMillis) / gridMillis) - 1
  const lastIndex = Math.floor((atMillis - startMillis) / gridMillis)
  if (lastIndex <= state.gridIndex) return
  const beforeDue = indexBefore(Math.min(state.timeline.nextAtMillis, work.nextAtMillis))
  const stillIndex = Math.min(lastIndex, beforeDue, indexBefore(stillUntilMillis(state)))
  if (stillIndex > state.gridIndex) {
    state.gridIndex = stillIndex
    passLadders(state)
    return
  }
  const index = Math.min(lastIndex, beforeDue)
  if (index > state.gridIndex && isUnattended(state)) stepUnattended(state, index)
}

/** Works off what is due now, up to a kind. What has changed since it was planned is dropped. */
function workOffDue(state: State, lastKind: number): void {
  const { timeline } = state
  while (timeline.nextAtMillis <= state.nowMillis && timeline.nextKind <= lastKind) {
    const kind = timeline.nextKind
    const row = timeline.nextRow
    const dueMillis = timeline.nextAtMillis
    timeline.pop()
    if (kind === dueQuoteExpiry) expireQuote(state, row, dueMillis)
    else if (kind === dueTransfer) settleDueTransfer(state, row)
    else if (kind === dueResume) endDueHalt(state, row)
    else endDueConditions(state, row)
  }
}

/** A quote expires at `expiresAt`, before anything else of that instant. */
function expireQuote(state: State, quote: number, dueMillis: number): void {
  const { quotes } = state
  const isDue = isLiveQuote(quotes.status.get(quote)) && quotes.expiresAtMillis.get(quote) === dueMillis
  if (isDue) endQuote(state, quote, quoteExpired)
}
