import { isLiveQuote } from './codes.ts'
import { type State, stateOf } from './state.ts'
import { dueQuoteExpiry, dueResume, dueTransfer } from './timeline.ts'

/**
 * Instant of the next item of the timeline that applies; infinity when there is none. Those before it, which would do
 * nothing, are dropped: the timeline of a restored venue has never had them.
 */
export function nextItemMillis(state: State): number {
  const { timeline } = state
  while (timeline.nextAtMillis !== Number.POSITIVE_INFINITY && !nextApplies(state)) timeline.pop()
  return timeline.nextAtMillis
}

function nextApplies(state: State): boolean {
  const { quotes, transfers } = state
  const { nextAtMillis, nextKind, nextRow } = state.timeline
  if (nextKind === dueQuoteExpiry)
    return isLiveQuote(quotes.status.get(nextRow)) && quotes.expiresAtMillis.get(nextRow) === nextAtMillis
  if (nextKind === dueTransfer) return transfers.isSettled.get(nextRow) === 0
  const { haltEndsAtMillis, conditionsEndAtMillis } = stateOf(state, nextRow)
  return nextAtMillis === (nextKind === dueResume ? haltEndsAtMillis : conditionsEndAtMillis)
}
