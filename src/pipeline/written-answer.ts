import type { ApiResponse } from '../api/context.ts'
import type { FaultAnswer } from '../api/faults/fault-types.ts'
import { parseJson } from '../api/json.ts'
import { ifWritable } from '../journal/journal-file.ts'
import { millisToIso } from '../numeric/time-text.ts'
import { type FaultHit, type FaultPlan, faultAnswer, flawedBody } from '../world/faults/fault-book.ts'
import type { ApiKey } from '../world/keys.ts'
import { noAnswer } from '../world/logs/request-log.ts'
import type { RateVerdict } from '../world/rate-limiter.ts'
import { type Answer, type AnswerHeaders, type Call, jsonType, rateClock, rateOf } from './call.ts'

/* What is decided about a request, as headers and text, and as the request log keeps it. */

/** What the steps before the operation have found out. */
interface Found {
  readonly rate: RateVerdict
  readonly key: ApiKey | null
  /** The methods of a path that has not the one that was asked for. */
  readonly allowed: readonly string[]
}

/** The venue's answer, which the request log now has. `plan` is what has struck the request; null: nothing. */
export function writtenAnswer(
  call: Call,
  { status, body, hint }: ApiResponse,
  { rate, key, allowed }: Found,
  plan: FaultPlan | null,
): Answer {
  const { world } = call
  const headers = usualHeaders(rate, call, key === null ? world.time.present : world.now, plan)
  if (hint !== null) headers['X-Sim-Hint'] = headerText(hint)
  if (allowed.length > 0) headers['Allow'] = allowed.join(', ')
  if (status === 429) headers['Retry-After'] = secondsToWait(call)
  const text = JSON.stringify(body)
  log(call, status, key, hint, text, plan)
  return { status, headers, body: text, travel: null }
}

/** The answer that a request gets instead of the venue's, logged as such; null when it gets none. */
export function answerInstead(call: Call, instead: FaultAnswer | null, plan: FaultPlan | null): Answer {
  const { world, key } = call
  const status = instead?.status ?? noAnswer
  const rate = rateOf(call)
  const shown = status === 429 ? { ...rate, remaining: 0 } : rate
  const usual = usualHeaders(shown, call, world.time.present, plan)
  const body = instead === null ? '' : bodyText(instead)
  log(call, status, key, null, body, plan)
  if (instead === null) return { status, headers: usual, body, travel: null }
  const headers = { ...usual, ...typeHeader(instead), ...retryHeader(call, status, instead.retryAfter) }
  return { status, headers, body, travel: null }
}

/** The request never reaches the venue: a fault answers it, or lets its connection end. */
export function endedBy(call: Call, plan: FaultPlan, strike: FaultHit): Answer {
  const instead = faultAnswer(strike, call.preference.readings)
  return { ...answerInstead(call, instead, plan), travel: instead === null ? strike : plan.shape }
}

/** What faults make of the venue's answer on its way. */
export function changedOnItsWay(call: Call, plan: FaultPlan, answer: Answer): Answer {
  const { replaces } = plan
  if (replaces === null) return { ...flawed(plan, answer), travel: plan.shape }
  const instead = faultAnswer(replaces, call.preference.readings)
  if (instead === null) return { ...answer, travel: replaces }
  // The venue's own answer may have been a 429.
  const { 'Retry-After': _own, ...usual } = answer.headers
  const headers = {
    ...usual,
    ...typeHeader(instead),
    ...retryHeader(call, instead.status, instead.retryAfter),
  }
  return { status: instead.status, headers, body: bodyText(instead), travel: plan.shape }
}

const bodyText = ({ text, body }: FaultAnswer): string => text ?? JSON.stringify(body)
const typeHeader = ({ type }: FaultAnswer): AnswerHeaders =>
  type === undefined ? {} : { 'Content-Type': type }

function flawed({ bodies }: FaultPlan, answer: Answer): Answer {
  let { headers, body } = answer
  for (const strike of bodies) {
    const { rule } = strike
    if (rule.type === 'truncated_json') body = body.slice(0, Math.floor(body.length / 2))
    else if (rule.type === 'wrong_content_type') headers = { ...headers, 'Content-Type': 'text/html' }
    else body = flawedText(strike, body)
  }
  return { ...answer, headers, body }
}

/** An earlier flaw may have left a body that is not JSON. */
function flawedText(strike: FaultHit, text: string): string {
  const body = parseJson(text)
  return typeof body === 'object' && body !== null ? JSON.stringify(flawedBody(strike, body)) : text
}

/** Spec: Limits, rate-limit headers. Choice: on every answer, errors included; the unit of the reset is a reading. */
function usualHeaders(
  rate: RateVerdict,
  call: Call,
  nowMillis: number,
  plan: FaultPlan | null,
): Record<string, string> {
  const { world, preference } = call
  const headers: Record<string, string> = {
    'Content-Type': jsonType,
    'X-RateLimit-Limit': String(rate.limit),
    'X-RateLimit-Remaining': String(rate.remaining),
    'X-RateLimit-Reset': String(resetOf(rate, call)),
    'X-Sim-Time': millisToIso(nowMillis),
    'X-Sim-World': headerText(world.id),
    'X-Sim-Request-Id': `req_${world.requests.nextSequence}`,
  }
  if (preference.applied !== null) headers['Preference-Applied'] = preference.applied
  if (plan !== null) headers['X-Sim-Fault'] = headerText(plan.label)
  return headers
}

/** Header values are printable ASCII; what goes into one may quote what a client sent. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

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

/**
 * Every 429 says when to try again, also one that a fault gives; other answers where a fault says so. Source: RFC 9110,
 * section 10.2.3: whole seconds. Choice: at least one, so that nobody tries again at once.
 */
function retryHeader(call: Call, status: number, seconds: number | undefined): AnswerHeaders {
  if (seconds === undefined && status !== 429) return {}
  return { 'Retry-After': seconds === undefined ? secondsToWait(call) : String(seconds) }
}

function secondsToWait(call: Call): string {
  return String(Math.max(1, Math.ceil((rateOf(call).retryMillis - rateClock(call)) / 1000)))
}

function log(
  call: Call,
  status: number,
  key: ApiKey | null,
  hint: string | null,
  responseBody: string,
  plan: FaultPlan | null,
): void {
  const { world, request, apiKey } = call
  const { method, path, query } = request
  const account = key?.accountId ?? null
  const wallMillis = world.wall.nowMillis()
  world.requests.add({
    atMillis: world.now,
    wallMillis,
    // The wall clock may have been set back.
    durationMillis: Math.max(0, wallMillis - call.beganMillis),
    worldSequence: world.sequence,
    method,
    path,
    query,
    account,
    apiKey,
    requestBody: request.body,
    status,
    responseBody,
    hint,
    fault: plan === null ? null : plan.label,
  })
  if (!world.running.script.watchesRequests) return
  const about = { atMillis: world.now, rateMillis: rateClock(call), method, path, apiKey, account, status }
  // The answer stands, whether or not the script can be told about it.
  ifWritable(() =>
    world.noteRequest({ ...about, body: request.body.toString('utf8'), fault: plan?.token ?? null }),
  )
}
