import type { ApiRequest, ApiResponse } from '../../api/context.ts'
import { problemResponse } from '../../api/dispatch.ts'
import type { Problem } from '../../api/errors.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { routeOf } from '../../api/routes/routes.ts'
import { ifWritable } from '../../journal/journal-file.ts'
import { millisToIso } from '../../numeric/time-text.ts'
import type { FaultAnswer } from '../../world/faults/fault-answer.ts'
import type { ApiKey } from '../../world/keys.ts'
import { noAnswer } from '../../world/logs/request-log.ts'
import type { RateVerdict } from '../../world/rate-limiter.ts'
import { categoryOf, resolveOperation, scopeProblem } from '../../world/resolve-operation.ts'
import type { World } from '../../world/world.ts'
import type { Worlds } from '../../world/worlds.ts'
import type { Answer } from '../transport/answer.ts'
import { mediaTypeProblem } from '../transport/media-type.ts'
import type { Received } from '../transport/receive.ts'
import { problemOfFailure, type Report } from '../transport/report.ts'
import { authenticate, isDenial } from './authenticate.ts'
import { type Preference, readPreference } from './prefer.ts'

/*
 * One venue request, from the arrival of its last byte to the text of its answer. The order of the steps is a promise
 * (design, section 8): where several things are wrong, the first step that finds one answers. The content of the
 * body, ids and risk come after these steps, in `src/api`.
 */

/** The steps in their order. `operation` stands for everything that `src/api` checks itself. */
export const steps = [
  'route',
  'headers',
  'key',
  'age',
  'signature',
  'rate',
  'scope',
  'preference',
  'content-type',
  'operation',
] as const
export type Step = (typeof steps)[number]

/** What is different while faults strike a request. */
export interface Under {
  /** Which faults, for a header and the log. */
  readonly label: string
  readonly token: string | null
  /** Added to the clock by which timestamps are checked. */
  readonly skewMillis: number
  readonly perform: (account: number, request: ApiRequest, readings: Readings) => ApiResponse
}

/** Answers one request, logs it in its world, and never throws. `under` is null when no fault strikes it. */
export function answerCall(call: Call, report: Report, under: Under | null): Answer {
  const { world, preference } = call
  const verdict = decide(call, report, under)
  const { hint, allowed } = verdict
  const now = verdict.key === null ? world.time.present : world.now
  const lines = usualLines(verdict.rate, call, now)
  const headers: string[] = []
  if (preference.applied !== null) headers.push('Preference-Applied', preference.applied)
  if (hint !== null) headers.push('X-Sim-Hint', headerText(hint))
  if (allowed.length > 0) headers.push('Allow', allowed.join(', '))
  headers.push(...retryHeader(call, verdict.status, null))
  if (under !== null) headers.push('X-Sim-Fault', headerText(under.label))
  const body = JSON.stringify(verdict.body)
  log(call, verdict, body, under)
  return { status: verdict.status, lines, headers, body }
}

/**
 * The answer that is given instead of the venue's, logged as such; null when there is none. `struck` are the faults that
 * give it.
 */
export function answerInstead(
  call: Call,
  instead: FaultAnswer | null,
  struck: Pick<Under, 'label' | 'token'> | null,
): Answer {
  const { world, key, preference } = call
  const rate = rateOf(call)
  const status = instead?.status ?? noAnswer
  const shown = status === 429 ? { ...rate, remaining: 0 } : rate
  const lines = usualLines(shown, call, world.time.present)
  const headers: string[] = []
  if (preference.applied !== null) headers.push('Preference-Applied', preference.applied)
  if (struck !== null) headers.push('X-Sim-Fault', headerText(struck.label))
  if (instead !== null) headers.push(...retryHeader(call, instead.status, instead.retryAfter))
  const body = instead === null ? '' : (instead.text ?? JSON.stringify(instead.body))
  log(call, { status, key, hint: null }, body, struck)
  const type = instead?.type ?? null
  return { status, lines, headers, body, ...(type === null ? {} : { type }) }
}

/** The answer when something around an operation fails: most often, the journal cannot be written. */
export function answerFailure(call: Call, report: Report, failure: unknown): Answer {
  const problem = problemOfFailure(report, failure, call.world)
  const { status, body } = problemResponse(problem, call.preference.readings)
  return answerInstead(call, { status, body, text: null, type: null, retryAfter: null }, null)
}

/**
 * Every 429 says when to try again, also one that a fault gives; other answers where a fault says so. Source: RFC 9110,
 * section 10.2.3: whole seconds. Choice: at least one, so that nobody tries again at once.
 */
export function retryHeader(call: Call, status: number, seconds: number | null): readonly string[] {
  if (seconds === null && status !== 429) return []
  const wait = () => Math.max(1, Math.ceil((rateOf(call).retryMillis - rateClock(call)) / 1000))
  return ['Retry-After', String(seconds ?? wait())]
}

/** What the limit would say to one more request, which is not counted. */
function rateOf(call: Call): RateVerdict {
  const { world, request, apiKey, preference } = call
  const resolved = resolveOperation(request.method, request.path, preference.readings)
  const category = categoryOf(resolved, request.path)
  return world.limiter.peek(apiKey, category, world.readings['rate.algorithm'], rateClock(call))
}

/** Spec: Limits, rate-limit headers. Choice: on every answer, errors included; the unit of the reset is a reading. */
function usualLines(rate: RateVerdict, call: Call, now: number): string {
  const { world } = call
  const { limit, remaining } = rate
  const reset = resetOf(rate, call)
  const isAsBefore = limit === latest.limit && remaining === latest.remaining && reset === latest.reset
  if (!isAsBefore || world.id !== latest.world) {
    latest.limit = limit
    latest.remaining = remaining
    latest.reset = reset
    latest.world = world.id
    latest.rate = `\r\nX-RateLimit-Limit: ${limit}\r\nX-RateLimit-Remaining: ${remaining}\r\nX-RateLimit-Reset: ${reset}`
    latest.name = `\r\nX-Sim-World: ${headerText(world.id)}\r\nX-Sim-Request-Id: req_`
  }
  return `${latest.rate}\r\nX-Sim-Time: ${millisToIso(now)}${latest.name}${world.requests.nextSequence}`
}

/** What answers in quick succession share. */
const latest = { limit: -1, remaining: -1, reset: -1, world: '', rate: '', name: '' }

function resetOf({ resetMillis }: RateVerdict, call: Call): number {
  switch (call.world.readings['rate.resetUnit']) {
    case 'milliseconds':
      return resetMillis
    case 'delta':
      return Math.ceil((resetMillis - rateClock(call)) / 1000)
    case 'seconds':
      return Math.ceil(resetMillis / 1000)
  }
}

/** A request with what is known before the first step. */
export interface Call {
  readonly worlds: Worlds
  readonly world: World
  readonly request: Received
  readonly apiKey: string
  readonly key: ApiKey | null
  readonly preference: Preference
  /** How long it has waited for its turn; authentication and limits judge it as if it had not waited. */
  readonly waitedMillis: number
}

/**
 * The world is that of the key; a request without a key of ours is answered in the name of the default world. Choice:
 * a revoked key still selects its world. Unknown and revoked keys are answered alike, but a revoked one still says
 * which venue its client talks to, and the limits in the headers, the readings and the request log must not become
 * another venue's for it.
 */
export function callOf(worlds: Worlds, request: Received, waitedMillis = 0): Call {
  const apiKey = textOf(request.headers['x-api-key']) ?? ''
  const found = worlds.find(apiKey)
  const world = found?.world ?? worlds.default
  const preference = readPreference(textOf(request.headers['prefer']), world.readings)
  return { worlds, world, request, apiKey, key: found?.key ?? null, preference, waitedMillis }
}

/** What to do when a call's turn comes: `act` is then given the call with the time that it has waited since now. */
export function inItsTurn<Result>(call: Call, act: (late: Call) => Result): () => Result {
  const { wall } = call.world
  const sinceMillis = wall.nowMillis()
  return () => act({ ...call, waitedMillis: call.waitedMillis + wall.nowMillis() - sinceMillis })
}

/** Stopped at a step, or let through to an operation. */
export type Passage =
  | {
      readonly isThrough: false
      readonly step: Step
      readonly problem: Problem
      readonly rate: RateVerdict
      /** Null until the caller has proved to hold it. */
      readonly key: ApiKey | null
      readonly allowed: readonly string[]
    }
  | {
      readonly isThrough: true
      readonly key: ApiKey
      readonly rate: RateVerdict
      readonly request: ApiRequest
    }

/** Takes a request through every step before the operation. `isCounted`: whether it counts against the rate limit. */
export function pass(call: Call, isCounted: boolean, skewMillis = 0): Passage {
  const { world, request, preference } = call
  const { readings } = preference
  const resolved = resolveOperation(request.method, request.path, readings)
  const category = categoryOf(resolved, request.path)
  const wallMillis = world.wall.nowMillis() - call.waitedMillis
  const rateMillis = world.readings['rate.clock'] === 'world' ? world.time.present : wallMillis
  if (!resolved.ok) {
    const untouched = world.limiter.untouched(category, rateMillis)
    return { ...stopped('route', resolved.problem, untouched, null), allowed: resolved.allowed }
  }

  const skew = skewMillis + world.scripted.skewMillis
  // Finding out where a world's clock stands costs time, and is rarely needed.
  const worldMillis = readings['auth.clock'] === 'wall' ? wallMillis : world.time.present
  const clocks = { wallMillis: wallMillis + skew, worldMillis: worldMillis + skew }
  const key = authenticate(request, call.key, readings, clocks)
  if (isDenial(key)) {
    return stopped(key.step, key.problem, world.limiter.untouched(category, rateMillis), null)
  }

  const algorithm = world.readings['rate.algorithm']
  const rate = isCounted
    ? world.limiter.take(call.apiKey, category, algorithm, rateMillis)
    : world.limiter.peek(call.apiKey, category, algorithm, rateMillis)
  if (!rate.isAllowed) return stopped('rate', tooMany(rate, rateMillis), rate, key)

  const { operation, parameter } = resolved
  const unscoped = scopeProblem(key.scopes, operation, readings)
  if (unscoped !== null) return stopped('scope', unscoped, rate, key)
  if (preference.problem !== null) return stopped('preference', preference.problem, rate, key)

  const readsBody = routeOf(operation).body !== null
  const unreadable = readsBody ? mediaTypeProblem(request) : null
  if (unreadable !== null) return stopped('content-type', unreadable, rate, key)
  const body = readsBody ? request.body.toString('utf8') : ''
  return { isThrough: true, key, rate, request: { operation, parameter, query: request.query, body } }
}

function stopped(step: Step, problem: Problem, rate: RateVerdict, key: ApiKey | null) {
  return { isThrough: false as const, step, problem, rate, key, allowed: [] }
}

interface Verdict {
  readonly status: number
  readonly body: object
  readonly hint: string | null
  readonly rate: RateVerdict
  readonly key: ApiKey | null
  readonly allowed: readonly string[]
}

function decide(call: Call, report: Report, under: Under | null): Verdict {
  const passage = pass(call, true, under?.skewMillis)
  const { readings } = call.preference
  if (!passage.isThrough) {
    return verdictOf(problemResponse(passage.problem, readings), passage, passage.allowed)
  }
  try {
    const { request, key } = passage
    const response =
      under === null
        ? call.world.handle(key.account, request, readings)
        : under.perform(key.account, request, readings)
    return verdictOf(response, passage, [])
  } catch (failure) {
    return verdictOf(problemResponse(problemOfFailure(report, failure, call.world), readings), passage, [])
  }
}

function verdictOf(response: ApiResponse, { rate, key }: Passage, allowed: readonly string[]): Verdict {
  return { status: response.status, body: response.body, hint: response.hint, rate, key, allowed }
}

function tooMany(rate: RateVerdict, nowMillis: number): Problem {
  return { code: 'rate-limited', hint: `the window resets in ${rate.resetMillis - nowMillis} ms` }
}

function rateClock({ world, waitedMillis }: Call): number {
  if (world.readings['rate.clock'] === 'world') return world.time.present
  return world.wall.nowMillis() - waitedMillis
}

function log(
  call: Call,
  { status, key, hint }: Pick<Verdict, 'status' | 'key' | 'hint'>,
  responseBody: string,
  struck: Pick<Under, 'label' | 'token'> | null,
): void {
  const { world, request, apiKey } = call
  const { method, path } = request
  const account = key?.accountId ?? null
  world.requests.add({
    atMillis: world.now,
    wallMillis: world.wall.nowMillis(),
    worldSequence: world.sequence,
    method,
    path,
    query: request.query,
    account,
    apiKey,
    requestBody: request.body,
    status,
    responseBody,
    hint,
    fault: struck === null ? null : struck.label,
  })
  if (!world.running.script.watchesRequests) return
  const about = { atMillis: world.now, rateMillis: rateClock(call), method, path, apiKey, account, status }
  // The answer stands, whether or not the script can be told about it.
  ifWritable(() =>
    world.noteRequest({ ...about, body: request.body.toString('utf8'), fault: struck?.token ?? null }),
  )
}

/** Header values are printable ASCII; a hint may quote what a client sent. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

function textOf(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
