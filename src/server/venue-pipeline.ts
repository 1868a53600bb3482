import { errorBody, type Problem, statusOf } from '../api/errors.ts'
import type { Readings } from '../api/readings.ts'
import { routeOf } from '../api/routes/routes.ts'
import { millisToIso } from '../numeric/time-text.ts'
import type { ApiKey } from '../world/keys.ts'
import type { RateVerdict } from '../world/rate-limiter.ts'
import { categoryOf, resolveOperation, scopeProblem } from '../world/resolve-operation.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import type { Answer } from './answer.ts'
import { authenticate, isDenial } from './authenticate.ts'
import { mediaTypeProblem } from './media-type.ts'
import { readPreference } from './prefer.ts'
import type { Received } from './receive.ts'
import { type Report, reportFailure } from './report.ts'

/*
 * One venue request, from the moment its last byte is there to the text of its answer. The order of the steps is a
 * promise (design, section 8): where several things are wrong, the first step that finds one answers. The content of
 * the body, ids and risk come after these, in `src/api`.
 */

/** Answers one request, logs it in its world, and never throws. */
export function answerVenueRequest(worlds: Worlds, request: Received, report: Report): Answer {
  const given = request.headers['x-api-key']
  const apiKey = typeof given === 'string' ? given : ''
  const found = worlds.find(apiKey)
  const world = found?.world ?? worlds.default
  const preference = readPreference(textOf(request.headers['prefer']), world.readings)
  const call: Call = {
    world,
    request,
    apiKey,
    key: found?.key ?? null,
    readings: preference.readings,
    preferenceProblem: preference.problem,
  }
  const verdict = decide(call, report)
  const requestId = `req_${world.requests.lastSequence + 1}`
  const headers: Record<string, string> = {
    ...rateHeaders(verdict.rate, world),
    'X-Sim-Time': millisToIso(verdict.key === null ? world.present : world.now),
    'X-Sim-World': world.id,
    'X-Sim-Request-Id': requestId,
  }
  if (verdict.hint !== null) headers['X-Sim-Hint'] = headerText(verdict.hint)
  if (preference.applied !== null) headers['Preference-Applied'] = preference.applied
  if (verdict.allowed.length > 0) headers['Allow'] = verdict.allowed.join(', ')
  const body = JSON.stringify(verdict.body)
  log(call, verdict, requestId, body)
  return { status: verdict.status, headers, body }
}

/** One request with whatever is known before the first step. */
interface Call {
  readonly world: World
  readonly request: Received
  readonly apiKey: string
  readonly key: ApiKey | null
  readonly readings: Readings
  readonly preferenceProblem: Problem | null
}

interface Verdict {
  readonly status: number
  readonly body: object
  readonly hint: string | null
  readonly rate: RateVerdict
  /** Null until the caller has proved to hold it. */
  readonly key: ApiKey | null
  readonly allowed: readonly string[]
}

function decide(call: Call, report: Report): Verdict {
  const { world, request, readings } = call
  const resolved = resolveOperation(request.method, request.path, readings)
  const category = categoryOf(resolved, request.path)
  const rateMillis = rateClock(world)
  const untouched = world.limiter.untouched(category, rateMillis)
  if (!resolved.ok) return { ...refusal(call, resolved.problem, untouched, null), allowed: resolved.allowed }

  const clocks = { wallMillis: world.wall.nowMillis(), worldMillis: world.present }
  const caller = authenticate(request, call.key, readings, clocks)
  if (isDenial(caller)) return refusal(call, caller.problem, untouched, null)

  const rate = world.limiter.take(call.apiKey, category, world.readings['rate.algorithm'], rateMillis)
  const { operation, parameter } = resolved
  const problem = rate.isAllowed
    ? (scopeProblem(caller.scopes, operation, readings) ?? call.preferenceProblem)
    : tooMany(rate, rateMillis)
  if (problem !== null) return refusal(call, problem, rate, caller)

  const readsBody = routeOf(operation).body !== null
  const unreadable = readsBody ? mediaTypeProblem(request) : null
  if (unreadable !== null) return refusal(call, unreadable, rate, caller)
  const body = readsBody ? request.body.toString('utf8') : ''
  try {
    const response = world.handle(
      caller.account,
      { operation, parameter, query: request.query, body },
      readings,
    )
    return { ...response, rate, key: caller, allowed: [] }
  } catch (failure) {
    reportFailure(report, failure, world)
    return refusal(call, { code: 'internal' }, rate, caller)
  }
}

function refusal(call: Call, problem: Problem, rate: RateVerdict, key: ApiKey | null): Verdict {
  return {
    status: statusOf(problem, call.readings),
    body: errorBody(problem, call.readings),
    hint: problem.hint ?? null,
    rate,
    key,
    allowed: [],
  }
}

function tooMany(rate: RateVerdict, nowMillis: number): Problem {
  return { code: 'rate-limited', hint: `the window resets in ${rate.resetMillis - nowMillis} ms` }
}

function rateClock(world: World): number {
  return world.readings['rate.clock'] === 'world' ? world.present : world.wall.nowMillis()
}

/** Spec: Limits, rate-limit headers. Choice: on every answer, errors too; the unit of the reset is a reading. */
function rateHeaders({ limit, remaining, resetMillis }: RateVerdict, world: World): Record<string, string> {
  const unit = world.readings['rate.resetUnit']
  const seconds = (millis: number) => Math.ceil(millis / 1000)
  const reset =
    unit === 'milliseconds'
      ? resetMillis
      : seconds(unit === 'delta' ? resetMillis - rateClock(world) : resetMillis)
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(reset),
  }
}

function log(call: Call, verdict: Verdict, requestId: string, responseBody: string): void {
  const { world, request, apiKey } = call
  world.requests.add({
    requestId,
    atMillis: world.now,
    wallMillis: world.wall.nowMillis(),
    method: request.method,
    path: request.path,
    query: request.query,
    account: verdict.key?.accountId ?? null,
    apiKey,
    requestBody: request.body,
    status: verdict.status,
    responseBody,
    hint: verdict.hint,
  })
}

/** Header values are printable ASCII; a hint may quote what a client sent. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
