import type { ApiRequest } from '../api/context.ts'
import { isServed, resolveOperation, splitTarget } from '../api/dispatch.ts'
import { errorBody, type Problem, statusOf } from '../api/errors.ts'
import type { FaultFacts } from '../api/faults/matches-fault.ts'
import { plainBody } from '../api/input/read-body.ts'
import { routeOf } from '../api/operations/operations.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { TransportRequest } from '../client/transport.ts'
import { ConnectionError } from '../client/venue-error.ts'
import type { Millis } from '../numeric/units.ts'
import type { SeenRequest } from '../scenario/actions/requests.ts'
import type { RunningScenario, WallClock } from './clock.ts'
import {
  type FaultBook,
  type FaultDelay,
  type FaultHit,
  type FaultPlan,
  faultAnswer,
  flawedBody,
  instantAfterDelay,
  planOf,
} from './faults/fault-book.ts'
import { factsOf, type Performer, performUnder } from './faults/venue-faults.ts'
import type { KeyRing } from './keys.ts'
import { noAnswer } from './logs/request-log.ts'

/*
 * A world's faults for callers without a wire. Where no answer would arrive, or one that is not JSON, the caller gets
 * a ConnectionError, as the client library has it over HTTP. Faults that only change how bytes travel, and delays on
 * the wall clock, have no effect.
 */

interface Asked extends Performer {
  advanceTo(atMillis: Millis): void
  readonly wall: WallClock
  readonly readings: Readings
  readonly keys: KeyRing
  readonly faults: FaultBook
  readonly running: RunningScenario
  considerFaults(facts: FaultFacts): FaultHit[]
  noteRequest(request: SeenRequest): void
}

export interface InProcessAnswer {
  readonly status: number
  readonly body: object
}

/** An operation, if one is meant and the account's keys allow it; else the answer that the wire would have given. */
export function answerInProcess(
  world: Asked,
  account: number,
  method: string,
  target: string,
  body: unknown,
): InProcessAnswer {
  if (typeof target !== 'string')
    throw new TypeError(`request takes a path such as /api/sdk/orders, found ${String(target)}`)
  const { readings } = world
  const resolved = resolveOperation(method, splitTarget(target).path, readings)
  if (!resolved.ok) return problemAnswer(readings, resolved.problem)
  const { operation, parameter } = resolved
  return answerOperation(world, account, { operation, parameter, method, target, body })
}

type OperationRequest = Omit<TransportRequest, 'method' | 'signal'> & { readonly method: string }

/** The same for a request of the client library, which knows what it means. */
export function answerRequest(world: Asked, account: number, request: TransportRequest): InProcessAnswer {
  const { body, method, operation, target } = request
  return isServed(operation, world.readings)
    ? answerOperation(world, account, request)
    : answerInProcess(world, account, method, target, body)
}

function answerOperation(
  world: Asked,
  account: number,
  { operation, parameter, method, target, body }: OperationRequest,
): InProcessAnswer {
  const { readings, keys, faults, running } = world
  const unscoped = keys.scopeProblem(account, operation, readings)
  if (unscoped !== null) return problemAnswer(readings, unscoped)
  const { path, query } = splitTarget(target)
  if (faults.rules.length > 0 || running.script.watchesRequests) {
    const request = { operation, parameter, query, body: jsonText(body) }
    return answerUnderFaults(world, account, method, path, request)
  }
  const sent = plainBody(routeOf(operation), body) ?? jsonText(body)
  const request = { operation, parameter, query, body: sent }
  const { status, body: answered } = world.handle(account, request, readings)
  return { status, body: answered }
}

function jsonText(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body)
}

function problemAnswer(readings: Readings, problem: Problem): InProcessAnswer {
  return { status: statusOf(problem, readings), body: errorBody(problem, readings) }
}

function answerUnderFaults(
  world: Asked,
  account: number,
  method: string,
  path: string,
  request: ApiRequest & { readonly body: string },
): InProcessAnswer {
  const accountId = world.venue.state.accounts.id(account)
  const { query, body } = request
  const about = { method, path, body, apiKey: '', account: accountId }
  const facts = factsOf(world, { ...about, query })
  const plan = planOf(world.considerFaults(facts))
  const note = (status: number) => {
    const clocks = { atMillis: world.now, rateMillis: world.wall.nowMillis() }
    world.noteRequest({ ...about, ...clocks, status, fault: plan.token })
  }
  passTime(world, plan.before)
  if (plan.instead !== null) {
    note(faultAnswer(plan.instead, world.readings)?.status ?? noAnswer)
    return endOf(world, plan.instead, method, path)
  }
  const { status, body: answered } = performUnder(world, plan, { account, request, facts }, world.readings)
  note(status)
  passTime(world, plan.after)
  if (plan.replaces !== null) return endOf(world, plan.replaces, method, path)
  return flawed(plan, { status, body: answered }, method, path)
}

/** Moves the world's clock on, as if the request had been under way for that long. */
function passTime(world: Asked, delay: FaultDelay): void {
  if (delay.worldMillis > 0) world.advanceTo(instantAfterDelay(world.now, delay))
}

function endOf(world: Asked, strike: FaultHit, method: string, path: string): InProcessAnswer {
  const answer = faultAnswer(strike, world.readings)
  if (answer === null) throw lost(strike, method, path)
  if (answer.type !== undefined) throw unreadable(strike, method, path)
  return { status: answer.status, body: answer.body }
}

function flawed(plan: FaultPlan, answer: InProcessAnswer, method: string, path: string): InProcessAnswer {
  let { body } = answer
  for (const strike of plan.bodies) {
    if (strike.rule.type === 'truncated_json') throw unreadable(strike, method, path)
    body = flawedBody(strike, body)
  }
  if (plan.shape?.rule.type === 'limit_data') throw lost(plan.shape, method, path)
  return { ...answer, body }
}

function lost({ id, rule }: FaultHit, method: string, path: string): ConnectionError {
  const reason = rule.type === 'timeout' ? 'timeout' : 'network'
  return new ConnectionError(reason, `${method} ${path}: the connection failed (fault ${id}: ${rule.type})`)
}

function unreadable({ id, rule }: FaultHit, method: string, path: string): ConnectionError {
  return new ConnectionError(
    'unreadable',
    `${method} ${path}: the answer is not JSON (fault ${id}: ${rule.type})`,
  )
}
