import type { Worlds } from '../../world/worlds.ts'
import type { Answer } from '../transport/answer.ts'
import type { Received } from '../transport/receive.ts'
import type { Report } from '../transport/report.ts'
import { answerUnderFaults } from './answer-under-faults.ts'
import { answerCall, answerFailure, callOf, inItsTurn } from './venue-pipeline.ts'

/**
 * Answers one request, logs it in its world, and never throws. It answers at once, unless a fault delays it or its
 * world is being advanced; then its key, its signature and its limits are judged as of when it came. A world without
 * fault rules costs one check.
 */
export function answerVenueRequest(
  worlds: Worlds,
  request: Received,
  report: Report,
  waitedMillis = 0,
): Answer | Promise<Answer> {
  const call = callOf(worlds, request, waitedMillis)
  const { turns } = call.world
  // By then the key may have been revoked, so the call is resolved again.
  if (call.world.mustWait())
    return turns.wait(
      inItsTurn(call, (late) => answerVenueRequest(worlds, request, report, late.waitedMillis)),
    )
  try {
    if (call.world.faults.isEmpty && call.preference.fault === null) return answerCall(call, report, null)
    const answer = answerUnderFaults(call, report, ({ waitedMillis: waited }) =>
      answerVenueRequest(worlds, request, report, waited),
    )
    return answer instanceof Promise
      ? answer.catch((failure) => answerFailure(call, report, failure))
      : answer
  } catch (failure) {
    return answerFailure(call, report, failure)
  }
}
