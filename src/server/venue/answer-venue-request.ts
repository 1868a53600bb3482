import type { Worlds } from '../../world/worlds.ts'
import type { Answer } from '../transport/answer.ts'
import type { Received } from '../transport/receive.ts'
import type { Report } from '../transport/report.ts'
import { answerUnderFaults } from './answer-under-faults.ts'
import { answerCall, callOf } from './venue-pipeline.ts'

/**
 * Answers one request, logs it in its world, and never throws. It answers at once, unless a fault delays it. A world
 * without fault rules costs one check.
 */
export function answerVenueRequest(
  worlds: Worlds,
  request: Received,
  report: Report,
): Answer | Promise<Answer> {
  const call = callOf(worlds, request)
  if (call.world.faults.isEmpty && call.preference.fault === null) return answerCall(call, report, null)
  return answerUnderFaults(call, report)
}
