import { type Problem, problems, statusOf } from '../api/errors.ts'
import type { Readings } from '../api/readings.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Received } from './receive.ts'
import { callOf, pass, type Step, steps } from './venue-pipeline.ts'

/** What a request would come to, and why. */
export interface Explanation {
  readonly world: string
  /** The step that answers. */
  readonly step: Step
  /** The steps before it, which found nothing wrong. */
  readonly passed: readonly Step[]
  readonly status: number
  readonly type: string | null
  readonly message: string | null
  readonly hint: string | null
  /** What the operation would answer, found out on a copy of the world; null when it is not reached. */
  readonly body: object | null
}

/** Explains a request without carrying it out: nothing is counted, logged or changed. */
export function explain(worlds: Worlds, request: Received): Explanation {
  const call = callOf(worlds, request)
  const { world, preference } = call
  const passage = pass(call, false)
  if (!passage.isThrough) {
    return {
      world: world.id,
      step: passage.step,
      passed: steps.slice(0, steps.indexOf(passage.step)),
      ...described(passage.problem, preference.readings),
      body: null,
    }
  }
  const response = world.rehearse(passage.key.account, passage.request, preference.readings)
  return {
    world: world.id,
    step: 'operation',
    passed: steps.slice(0, -1),
    status: response.status,
    type: null,
    message: null,
    hint: response.hint,
    body: response.body,
  }
}

function described(problem: Problem, readings: Readings) {
  const { type, message } = problems[problem.code]
  const reason =
    problem.field === undefined ? problem.reason : `${problem.field} ${problem.reason ?? message}`
  return { status: statusOf(problem, readings), type, message: reason ?? message, hint: problem.hint ?? null }
}
