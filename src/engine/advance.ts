import { carryOutDue } from './due-items.ts'
import { refreshLadders, runFlow, stepMarks } from './house/market-step.ts'
import { workOffRows } from './house/work-off-rows.ts'
import { skipIdleTime } from './idle/idle-market.ts'
import type { State } from './state.ts'
import { dueConditionsEnd, lastKindBeforeMarket } from './timeline.ts'

/** A script's actions, which an advance carries out in their turn, at the instant that the clock then shows. */
export interface ScriptedActions {
  readonly nextAtMillis: number
  runDue(): void
}

/**
 * Carries out everything that is due up to and including an instant, in the order (time, class, sequence): expiries and
 * transfers, the market's step, ends of halts and conditions, scripted actions, the refresh of the ladders and the
 * trades that it causes, synthetic takers. The outcome is the same however a span is split into advances.
 * Design section 5, Time.
 */
export function advanceTo(state: State, atMillis: number, work: ScriptedActions = noWork): void {
  const { startMillis, gridMillis } = state.config
  for (;;) {
    const gridAtMillis = startMillis + (state.gridIndex + 1) * gridMillis
    const nextMillis = Math.min(gridAtMillis, state.timeline.nextAtMillis, work.nextAtMillis)
    if (state.recordedAssets.length > 0 && workOffRows(state, Math.min(nextMillis, atMillis))) continue
    if (nextMillis > atMillis) break
    state.nowMillis = Math.max(state.nowMillis, nextMillis)
    const isOnGrid = gridAtMillis <= state.nowMillis
    carryOutDue(state, lastKindBeforeMarket)
    if (isOnGrid) {
      state.gridIndex += 1
      stepMarks(state)
    }
    carryOutDue(state, dueConditionsEnd)
    if (work.nextAtMillis <= state.nowMillis) work.runDue()
    if (!isOnGrid) continue
    refreshLadders(state)
    runFlow(state)
    skipIdleSteps(state, atMillis, work)
  }
  state.nowMillis = atMillis
}

const noWork: ScriptedActions = { nextAtMillis: Number.POSITIVE_INFINITY, runDue: () => undefined }

/** Goes over the steps of an idle market: up to the end of the advance, or to the last one before anything is due. */
function skipIdleSteps(state: State, atMillis: number, work: ScriptedActions): void {
  const { startMillis, gridMillis } = state.config
  const dueMillis = Math.min(state.timeline.nextAtMillis, work.nextAtMillis)
  const beforeDue = Math.ceil((dueMillis - startMillis) / gridMillis) - 1
  const lastIndex = Math.min(Math.floor((atMillis - startMillis) / gridMillis), beforeDue)
  if (lastIndex > state.gridIndex) skipIdleTime(state, lastIndex)
}
