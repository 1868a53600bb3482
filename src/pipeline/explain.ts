import type { explanation } from '../api/admin-answers.ts'
import { type ApiRequest, type ApiResponse, steps } from '../api/context.ts'
import { dispatch } from '../api/dispatch.ts'
import { findErrorType } from '../api/error-types.ts'
import { type Problem, problemStatus, problems } from '../api/errors.ts'
import { isObject } from '../api/json.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { RecordOf } from '../shape/shape.ts'
import { FaultBook, planFaults } from '../world/faults/fire-faults.ts'
import type { World } from '../world/world.ts'
import { admit } from './answer-request.ts'
import { type Call, describeForFaults, type RawRequest, resolveCall, type WorldLookup } from './call.ts'

export type Explanation = RecordOf<typeof explanation>

/** Says which step would answer a request and how, without carrying it out: nothing is counted, logged or changed. */
export function explain(worlds: WorldLookup, request: RawRequest): Explanation | Promise<Explanation> {
  const call = resolveCall(worlds, request, null, 0)
  // The request's key may belong to another world than the one in the admin API's path.
  const { workQueue } = call.world
  if (workQueue.isTaken) return workQueue.wait(() => explain(worlds, request))
  const { world, preference } = call
  const admission = admit(call, false)
  const fault = findFaultLabel(call)
  if (!admission.isAdmitted) {
    return {
      world: world.id,
      step: admission.step,
      passed: steps.slice(0, steps.indexOf(admission.step)),
      ...describeProblem(admission.problem, preference.readings),
      fault,
      body: null,
    }
  }
  const { status, body, hint } = dryRun(world, admission.key.account, admission.request, preference.readings)
  return {
    world: world.id,
    step: 'operation',
    passed: steps.slice(0, -1),
    status,
    type: findErrorType(status, JSON.stringify(body)),
    message: status < 400 ? null : readMessage(body),
    hint,
    fault,
    body,
  }
}

/** Reads the message of an error body, which reading `error.message` may have made a list. */
function readMessage(body: object): string | null {
  if (!isObject(body)) return null
  const [message] = [body['message']].flat()
  return typeof message === 'string' ? message : null
}

/**
 * Returns the label of the faults that would match a call. They are tried on a copy of the rules, so nothing is
 * counted.
 */
function findFaultLabel(call: Call): string | null {
  const { world } = call
  if (world.faults.rules.length === 0) return null
  const book = new FaultBook()
  book.restore(world.faults.capture(world.now))
  const hits = book.fire(describeForFaults(call), world.seed, world.now, () => undefined)
  return hits.length === 0 ? null : planFaults(hits).label
}

function describeProblem(problem: Problem, readings: Readings) {
  const { type, message } = problems[problem.code]
  const reason =
    problem.field === undefined ? problem.reason : `${problem.field} ${problem.reason ?? message}`
  return {
    status: problemStatus(problem, readings),
    type,
    message: reason ?? message,
    hint: problem.hint ?? null,
  }
}

/** Carries an operation out on a copy of the venue, so that nothing happens in the world. */
function dryRun(world: World, account: number, request: ApiRequest, readings: Readings): ApiResponse {
  const copy = world.running.copy()
  const { state, now } = copy
  return dispatch({ state, account, readings, now, execute: (command) => copy.execute(command) }, request)
}
