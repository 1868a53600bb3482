import type { ApiRequest } from '../api/context.ts'
import { isServed, resolveOperation, splitTarget } from '../api/dispatch.ts'
import { errorBody, type Problem, problemStatus } from '../api/errors.ts'
import type { FaultRequest } from '../api/faults/matches-fault.ts'
import { plainBody } from '../api/input/read-body.ts'
import { nearestWord } from '../api/nearest-word.ts'
import { routeOf } from '../api/operations/operations.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { TransportRequest } from '../client/transport.ts'
import { ConnectionError } from '../client/venue-error.ts'
import { firstClientAccount } from '../engine/codes.ts'
import type { State } from '../engine/state.ts'
import type { ClockSettings } from '../journal/world-snapshot.ts'
import type { Millis } from '../numeric/units.ts'
import type { SeenRequest } from '../scenario/actions/requests.ts'
import { type RunningScenario, readingsForRequest, type WallClock } from './clock.ts'
import { type CommandRunner, describeRequest, handleWithFaults } from './faults/apply-venue-faults.ts'
import {
  distortBody,
  type FaultBook,
  type FaultDelay,
  type FaultPlan,
  type FiredFault,
  faultAnswer,
  instantAfterDelay,
  planFaults,
} from './faults/fire-faults.ts'
import type { KeyRing } from './keys.ts'
import { noAnswer } from './logs/request-log.ts'
import type { WorldWatch } from './world-watch.ts'

/*
 * Requests without HTTP, with the world's faults. Where no answer would arrive over HTTP, or one that is not JSON, the
 * caller gets the ConnectionError that the client library throws there. Faults that only change how bytes travel, and
 * delays on the wall clock, have no effect.
 */

interface InProcessWorld extends CommandRunner {
  advanceTo(atMillis: Millis): void
  readonly wall: WallClock
  readonly clock: ClockSettings
  readonly readings: Readings
  readonly watch: WorldWatch | null
  readonly keys: KeyRing
  readonly faults: FaultBook
  readonly running: RunningScenario
  fireFaults(facts: FaultRequest): FiredFault[]
  noteRequest(request: SeenRequest): void
}

export interface InProcessAnswer {
  readonly status: number
  readonly body: object
}

/** Finds the row of a client's account. Throws a RangeError that suggests the nearest id when there is none. */
export function findAccount({ accounts }: State, world: string, id: string): number {
  const row = accounts.rowOf(id)
  if (row >= firstClientAccount) return row
  const nearest = nearestWord(String(id), accounts.ids.slice(firstClientAccount))
  const hint = nearest === null ? '' : `; did you mean "${nearest}"?`
  throw new RangeError(`world ${world} has no account "${id}"${hint}`)
}

/**
 * Answers a request for an account: with the operation's result if there is such an operation and the scopes of the
 * account's keys allow it, else with the error that HTTP would give.
 */
export function answerInProcess(
  world: InProcessWorld,
  account: number,
  method: string,
  target: string,
  body: unknown,
): InProcessAnswer {
  if (typeof target !== 'string')
    throw new TypeError(`request takes a path such as /api/sdk/orders, found ${String(target)}`)
  const readings = readingsForRequest(world)
  const resolved = resolveOperation(method, splitTarget(target).path, readings)
  world.watch?.countRequest(resolved.ok)
  if (!resolved.ok) return toProblemAnswer(readings, resolved.problem)
  const { operation, parameter } = resolved
  return answerOperation(world, account, { operation, parameter, method, target, body })
}

type OperationRequest = Omit<TransportRequest, 'method' | 'signal'> & { readonly method: string }

/** Answers a request of the client library, which already states its operation. */
export function answerRequest(
  world: InProcessWorld,
  account: number,
  request: TransportRequest,
): InProcessAnswer {
  const { body, method, operation, target } = request
  if (!isServed(operation, readingsForRequest(world)))
    return answerInProcess(world, account, method, target, body)
  world.watch?.countRequest(true)
  return answerOperation(world, account, request)
}

function answerOperation(
  world: InProcessWorld,
  account: number,
  { operation, parameter, method, target, body }: OperationRequest,
): InProcessAnswer {
  const { keys, faults, running } = world
  const readings = readingsForRequest(world)
  const scopeProblem = keys.findScopeProblem(account, operation, readings)
  if (scopeProblem !== null) return toProblemAnswer(readings, scopeProblem)
  const { path, query } = splitTarget(target)
  if (faults.rules.length > 0 || running.script.watchesRequests) {
    const request = { operation, parameter, query, body: toJsonText(body) }
    return answerWithFaults(world, account, method, path, request)
  }
  const sent = plainBody(routeOf(operation), body) ?? toJsonText(body)
  const request = { operation, parameter, query, body: sent }
  const { status, body: answered } = world.handle(account, request, readings)
  return { status, body: answered }
}

function toJsonText(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body)
}

function toProblemAnswer(readings: Readings, problem: Problem): InProcessAnswer {
  return { status: problemStatus(problem, readings), body: errorBody(problem, readings) }
}

function answerWithFaults(
  world: InProcessWorld,
  account: number,
  method: string,
  path: string,
  request: ApiRequest & { readonly body: string },
): InProcessAnswer {
  const accountId = world.venue.state.accounts.id(account)
  const { query, body } = request
  const about = { method, path, body, apiKey: '', account: accountId }
  const facts = describeRequest(world, { ...about, query })
  const plan = planFaults(world.fireFaults(facts))
  const note = (status: number) => {
    const clocks = { atMillis: world.now, rateMillis: world.wall.nowMillis() }
    world.noteRequest({ ...about, ...clocks, status, fault: plan.token })
  }
  passTime(world, plan.before)
  if (plan.instead !== null) {
    note(faultAnswer(plan.instead, readingsForRequest(world))?.status ?? noAnswer)
    return answerFromFault(world, plan.instead, method, path)
  }
  const { status, body: answered } = handleWithFaults(
    world,
    plan,
    { account, request, facts },
    readingsForRequest(world),
  )
  note(status)
  passTime(world, plan.after)
  if (plan.replaces !== null) return answerFromFault(world, plan.replaces, method, path)
  return applyAnswerFaults(plan, { status, body: answered }, method, path)
}

/** Advances the world by a delay in world time, as if the request had been under way for that long. */
function passTime(world: InProcessWorld, delay: FaultDelay): void {
  if (delay.worldMillis > 0) world.advanceTo(instantAfterDelay(world.now, delay))
}

function answerFromFault(
  world: InProcessWorld,
  fault: FiredFault,
  method: string,
  path: string,
): InProcessAnswer {
  const answer = faultAnswer(fault, readingsForRequest(world))
  if (answer === null) throw createLostError(fault, method, path)
  if (answer.type !== undefined) throw createUnreadableError(fault, method, path)
  return { status: answer.status, body: answer.body }
}

function applyAnswerFaults(
  plan: FaultPlan,
  answer: InProcessAnswer,
  method: string,
  path: string,
): InProcessAnswer {
  let { body } = answer
  for (const fault of plan.bodies) {
    if (fault.rule.type === 'truncated_json') throw createUnreadableError(fault, method, path)
    body = distortBody(fault, body)
  }
  if (plan.shape?.rule.type === 'limit_data') throw createLostError(plan.shape, method, path)
  return { ...answer, body }
}

function createLostError({ id, rule }: FiredFault, method: string, path: string): ConnectionError {
  const reason = rule.type === 'timeout' ? 'timeout' : 'network'
  return new ConnectionError(reason, `${method} ${path}: the connection failed (fault ${id}: ${rule.type})`)
}

function createUnreadableError({ id, rule }: FiredFault, method: string, path: string): ConnectionError {
  return new ConnectionError(
    'unreadable',
    `${method} ${path}: the answer is not JSON (fault ${id}: ${rule.type})`,
  )
}
