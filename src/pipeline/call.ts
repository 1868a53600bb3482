import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { ApiResponse } from '../api/context.ts'
import { categoryOf, isServed, type Resolved, resolveOperation, splitTarget } from '../api/dispatch.ts'
import { errorBody, type Problem, statusOf } from '../api/errors.ts'
import type { FaultAnswer } from '../api/faults/fault-types.ts'
import type { FaultFacts } from '../api/faults/matches-fault.ts'
import { parseJson } from '../api/json.ts'
import type { OperationId } from '../api/operations/operations.ts'
import { defaultReadings, type Readings } from '../api/readings/readings.ts'
import { ifWritable } from '../journal/journal-file.ts'
import { millisToIso } from '../numeric/time-text.ts'
import { type FaultHit, type FaultPlan, faultAnswer, flawedBody } from '../world/faults/fault-book.ts'
import { factsOf } from '../world/faults/venue-faults.ts'
import type { ApiKey } from '../world/keys.ts'
import { noAnswer } from '../world/logs/request-log.ts'
import type { RateVerdict } from '../world/rate-limiter.ts'
import type { World } from '../world/world.ts'
import { noPreference, type Preference, readPreference } from './prefer.ts'

/** A complete request as its sender made it: nothing decoded, nothing normalised. */
export interface RawRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  /** By lower-case name. */
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn: here alone shows which came more than once. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

/** By name, as they are sent. */
export type AnswerHeaders = Readonly<Record<string, string>>

export interface Answer {
  /** `noAnswer` where a fault keeps the venue from answering. */
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: string
  /** The fault that shapes how it travels, or keeps it from arriving; null: none does. */
  readonly deliveryFault: FaultHit | null
}

export const jsonType = 'application/json; charset=utf-8'

/** A request from its parts, its headers as a list of names and values. */
export function toRawRequest(
  method: string,
  target: string,
  headers: readonly (readonly [name: string, value: string])[],
  body: Buffer,
): RawRequest {
  const byName: Record<string, string> = {}
  const rawHeaders: string[] = []
  for (const [name, value] of headers) {
    byName[name.toLowerCase()] = value
    rawHeaders.push(name, value)
  }
  return { method, target, ...splitTarget(target), headers: byName, rawHeaders, body }
}

/*
 * What is wrong with a request before anybody asks what it means. A world is not known yet, so no reading shapes
 * these answers.
 */

/** A request before its body has come. */
export interface RequestHead extends Omit<RawRequest, 'body' | 'path' | 'query'> {
  readonly httpVersion: string
}

/** Bodies are kept whole, so that a signature is checked over exactly the bytes that came. */
export const maximumBodyBytes = 1_048_576

/** What HTTP libraries let pass and we do not; null when there is nothing. */
export function findTransportProblem(head: RequestHead): Problem | null {
  const reason = findHttpViolation(head)
  if (reason !== null) return { code: 'invalid-http', reason }
  const { expect } = head.headers
  // Source: RFC 9110, section 10.1.1: an expectation in a request of HTTP/1.0 is ignored.
  const isKnown = expect === undefined || expect.toLowerCase() === '100-continue'
  return isKnown || head.httpVersion === '1.0' ? null : { code: 'expectation-failed' }
}

/** After a transport error, nothing else on the connection can be trusted. Spec: Errors, the four fields of an error body. */
export function refuseAtTransport(problem: Problem): Answer {
  return {
    status: statusOf(problem, defaultReadings),
    headers: { 'Content-Type': jsonType, Connection: 'close' },
    body: JSON.stringify(errorBody(problem, defaultReadings)),
    deliveryFault: null,
  }
}

/** For clients whose proxy settings name this address. */
export const notAProxy = 'This is the venue itself and no proxy: the request target must be a path'

function findHttpViolation({ headers, httpVersion, target, rawHeaders }: RequestHead): string | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Only HTTP/1.1 and HTTP/1.0 are spoken here'
  if (headers.host === undefined && httpVersion === '1.1') return 'The Host header is missing'
  if (!target.startsWith('/'))
    return /^https?:/i.test(target) ? notAProxy : 'The request target must be a path'
  if (!/^[\x21\x22\x24-\x7e]*$/.test(target)) return 'The request target has characters that must be escaped'
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'Only the chunked transfer coding is known'
  const repeated = findRepeatedHeader(rawHeaders, ['host', 'content-type', 'content-encoding'])
  return repeated === null ? null : `The ${repeated} header was sent more than once`
}

/** The first of these headers that was sent more than once; Node's joined values would hide that. */
export function findRepeatedHeader<Name extends string>(
  rawHeaders: readonly string[],
  names: readonly Name[],
): Name | null {
  return names.find((name) => countHeader(rawHeaders, name) > 1) ?? null
}

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at] ?? ''
    if (header.length === name.length && header.toLowerCase() === name) count += 1
  }
  return count
}

/**
 * Why a body cannot be read as JSON; null when it can, and when there is no body. Errors, in order: a content coding
 * (nothing is inflated here), another content type or charset, bytes that are not UTF-8.
 * Source: RFC 8259, section 11: JSON's media type has no parameters, and an unknown one has no meaning.
 */
export function findMediaTypeProblem({ headers, body }: RawRequest): Problem | null {
  if (body.length === 0) return null
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity') {
    return { code: 'unsupported-media-type', reason: `A body must be sent as it is, not in ${coding}` }
  }
  const type = headers['content-type'] ?? ''
  if (!/^application\/json[ \t]*(;|$)/i.test(type) || otherCharset.test(type)) {
    return { code: 'unsupported-media-type' }
  }
  return isUtf8(body) ? null : { code: 'invalid-parameter', field: 'body', reason: 'is not valid UTF-8' }
}

const otherCharset = /;[ \t]*charset=(?!("utf-8"|utf-8)[ \t]*(;|$))/i

/** Finds the world of an API key: among a server's worlds, or in a world that is alone. */
export interface WorldLookup {
  find(apiKey: string): { readonly world: World; readonly key: ApiKey } | null
  /** Answers requests whose key belongs to no world. */
  readonly default: World
}

/** The operation that a router has found in a method and path, and the text of the path's parameter, not decoded. */
export interface MatchedRoute {
  readonly operation: OperationId
  /** Empty for a path without a parameter. */
  readonly parameter: string
}

/** A request together with the world, the key, the preferences and the operation that it means. */
export interface Call {
  readonly worlds: WorldLookup
  readonly world: World
  readonly request: RawRequest
  readonly apiKey: string
  readonly key: ApiKey | null
  readonly preference: Preference
  readonly resolved: Resolved
  /** How long the request has waited for its turn. Authentication and limits judge it as if it had not waited. */
  readonly waitedMillis: number
  readonly beganMillis: number
}

/** Finds what a request means. `route` is what a router has found; null makes the pipeline match method and path itself. */
export function resolveCall(
  worlds: WorldLookup,
  request: RawRequest,
  route: MatchedRoute | null,
  waitedMillis: number,
): Call {
  const { apiKey, world, key } = findWorld(worlds, request)
  const prefer = readSingle(request.headers['prefer'])
  const preference =
    prefer === undefined
      ? { readings: world.readings, ...noPreference }
      : readPreference(prefer, world.readings)
  const resolved = resolveRoute(request, route, preference.readings)
  const beganMillis = world.wall.nowMillis() - waitedMillis
  return { worlds, world, request, apiKey, key, preference, resolved, waitedMillis, beganMillis }
}

/** Readings decide which of the routes are served, and the pipeline's own matcher says what is wrong with any other. */
function resolveRoute(
  { method, path }: RawRequest,
  route: MatchedRoute | null,
  readings: Readings,
): Resolved {
  if (route !== null && isServed(route.operation, readings)) return { ok: true, ...route }
  return resolveOperation(method, path, readings)
}

/**
 * Finds the world of a request's key; a request whose key belongs to no world is answered by the default world. Choice:
 * a revoked key still selects its world. Unknown and revoked keys are answered alike, but a revoked one still says
 * which venue its client talks to, and the limits in the headers, the readings and the request log must not become
 * another venue's for it.
 */
export function findWorld(worlds: WorldLookup, { headers }: RawRequest) {
  const apiKey = readSingle(headers['x-api-key']) ?? ''
  const found = worlds.find(apiKey)
  return { apiKey, world: found?.world ?? worlds.default, key: found?.key ?? null }
}

const readSingle = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

/** The clock by which rate limits count. */
export function readRateClock({ world, waitedMillis }: Call): number {
  if (world.readings['rate.clock'] === 'world') return world.time.present
  return world.wall.nowMillis() - waitedMillis
}

/** Returns what the limit would say to one more request, which is not counted. */
function peekRate(call: Call): RateVerdict {
  const { world, request, apiKey, resolved } = call
  const category = categoryOf(resolved, request.path)
  return world.limiter.peek(apiKey, category, world.readings['rate.algorithm'], readRateClock(call))
}

/** The faults that match a call, and what their rules know of it. */
export interface MatchedFaults {
  readonly plan: FaultPlan
  readonly facts: FaultFacts
}

/** Describes a call as fault rules match it. */
export function describeForFaults({ world, request, apiKey, key }: Call): FaultFacts {
  const { method, path, query } = request
  const body = request.body.toString('utf8')
  return factsOf(world, { method, path, query, body, apiKey, account: key?.accountId ?? null })
}

/* What is decided about a request, as headers and text, and as the request log keeps it. */

interface AnswerContext {
  readonly rate: RateVerdict
  readonly key: ApiKey | null
  /** The methods of a path that has not the one that was asked for. */
  readonly allowed: readonly string[]
}

/** The venue's answer, which the request log now has. `plan` is what has struck the request; null: nothing. */
export function writeAnswer(
  call: Call,
  { status, body, hint }: ApiResponse,
  { rate, key, allowed }: AnswerContext,
  plan: FaultPlan | null,
): Answer {
  const { world } = call
  const headers = buildHeaders(rate, call, key === null ? world.time.present : world.now, plan)
  if (hint !== null) headers['X-Sim-Hint'] = toHeaderText(hint)
  if (allowed.length > 0) headers['Allow'] = allowed.join(', ')
  if (status === 429) headers['Retry-After'] = computeRetrySeconds(call)
  const text = JSON.stringify(body)
  logRequest(call, status, key, hint, text, plan)
  return { status, headers, body: text, deliveryFault: null }
}

/** The answer that a request gets instead of the venue's, logged as such; null when it gets none. */
export function answerInstead(call: Call, instead: FaultAnswer | null, plan: FaultPlan | null): Answer {
  const { world, key } = call
  const status = instead?.status ?? noAnswer
  const rate = peekRate(call)
  const shown = status === 429 ? { ...rate, remaining: 0 } : rate
  const usual = buildHeaders(shown, call, world.time.present, plan)
  const body = instead === null ? '' : toBodyText(instead)
  logRequest(call, status, key, null, body, plan)
  if (instead === null) return { status, headers: usual, body, deliveryFault: null }
  const headers = {
    ...usual,
    ...buildTypeHeader(instead),
    ...buildRetryHeader(call, status, instead.retryAfter),
  }
  return { status, headers, body, deliveryFault: null }
}

/** The request never reaches the venue: a fault answers it, or lets its connection end. */
export function answerByFault(call: Call, plan: FaultPlan, hit: FaultHit): Answer {
  const instead = faultAnswer(hit, call.preference.readings)
  return { ...answerInstead(call, instead, plan), deliveryFault: instead === null ? hit : plan.shape }
}

/** What faults make of the venue's answer on its way. */
export function changeAnswer(call: Call, plan: FaultPlan, answer: Answer): Answer {
  const { replaces } = plan
  if (replaces === null) return { ...changeBody(plan, answer), deliveryFault: plan.shape }
  const instead = faultAnswer(replaces, call.preference.readings)
  if (instead === null) return { ...answer, deliveryFault: replaces }
  // The venue's own answer may have been a 429.
  const { 'Retry-After': _own, ...usual } = answer.headers
  const headers = {
    ...usual,
    ...buildTypeHeader(instead),
    ...buildRetryHeader(call, instead.status, instead.retryAfter),
  }
  return { status: instead.status, headers, body: toBodyText(instead), deliveryFault: plan.shape }
}

const toBodyText = ({ text, body }: FaultAnswer): string => text ?? JSON.stringify(body)
const buildTypeHeader = ({ type }: FaultAnswer): AnswerHeaders =>
  type === undefined ? {} : { 'Content-Type': type }

function changeBody({ bodies }: FaultPlan, answer: Answer): Answer {
  let { headers, body } = answer
  for (const strike of bodies) {
    const { rule } = strike
    if (rule.type === 'truncated_json') body = body.slice(0, Math.floor(body.length / 2))
    else if (rule.type === 'wrong_content_type') headers = { ...headers, 'Content-Type': 'text/html' }
    else body = changeJsonText(strike, body)
  }
  return { ...answer, headers, body }
}

/** An earlier flaw may have left a body that is not JSON. */
function changeJsonText(strike: FaultHit, text: string): string {
  const body = parseJson(text)
  return typeof body === 'object' && body !== null ? JSON.stringify(flawedBody(strike, body)) : text
}

/** Spec: Limits, rate-limit headers. Choice: on every answer, errors included; the unit of the reset is a reading. */
function buildHeaders(
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
    'X-RateLimit-Reset': String(computeReset(rate, call)),
    'X-Sim-Time': millisToIso(nowMillis),
    'X-Sim-World': toHeaderText(world.id),
    'X-Sim-Request-Id': `req_${world.requests.nextSequence}`,
  }
  if (preference.applied !== null) headers['Preference-Applied'] = preference.applied
  if (plan !== null) headers['X-Sim-Fault'] = toHeaderText(plan.label)
  return headers
}

/** Header values are printable ASCII; what goes into one may quote what a client sent. */
function toHeaderText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

function computeReset({ resetMillis }: RateVerdict, call: Call): number {
  switch (call.world.readings['rate.resetUnit']) {
    case 'milliseconds':
      return resetMillis
    case 'delta':
      return Math.ceil((resetMillis - readRateClock(call)) / 1000)
    case 'seconds':
      return Math.ceil(resetMillis / 1000)
  }
}

/**
 * Every 429 says when to try again, also one that a fault gives; other answers where a fault says so. Source: RFC 9110,
 * section 10.2.3: whole seconds. Choice: at least one, so that nobody tries again at once.
 */
function buildRetryHeader(call: Call, status: number, seconds: number | undefined): AnswerHeaders {
  if (seconds === undefined && status !== 429) return {}
  return { 'Retry-After': seconds === undefined ? computeRetrySeconds(call) : String(seconds) }
}

function computeRetrySeconds(call: Call): string {
  return String(Math.max(1, Math.ceil((peekRate(call).retryMillis - readRateClock(call)) / 1000)))
}

function logRequest(
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
  const about = {
    atMillis: world.now,
    rateMillis: readRateClock(call),
    method,
    path,
    apiKey,
    account,
    status,
  }
  // The answer stands, whether or not the script can be told about it.
  ifWritable(() =>
    world.noteRequest({ ...about, body: request.body.toString('utf8'), fault: plan?.token ?? null }),
  )
}
