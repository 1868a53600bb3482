import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { ApiResponse } from '../api/context.ts'
import {
  isServed,
  type ResolvedOperation,
  rateCategory,
  resolveOperation,
  splitTarget,
} from '../api/dispatch.ts'
import { errorBody, type Problem, problemStatus } from '../api/errors.ts'
import type { FaultAnswer } from '../api/faults/fault-types.ts'
import type { FaultRequest } from '../api/faults/matches-fault.ts'
import { parseJson } from '../api/json.ts'
import type { OperationId } from '../api/operations/operations.ts'
import { defaultReadings, type Readings } from '../api/readings/readings.ts'
import { ignoreUnwritable } from '../journal/journal-file.ts'
import { millisToIso } from '../numeric/time-text.ts'
import { readingsForRequest, readingsInForceOf } from '../world/clock.ts'
import { describeRequest } from '../world/faults/apply-venue-faults.ts'
import {
  distortBody,
  type FaultPlan,
  type FiredFault,
  faultAnswer,
  findLoss,
  findPassingAnswer,
} from '../world/faults/fire-faults.ts'
import type { ApiKey } from '../world/keys.ts'
import { noAnswer } from '../world/logs/request-log.ts'
import type { RateVerdict } from '../world/rate-limiter.ts'
import type { World } from '../world/world.ts'
import { noPreference, type Preference, readPreference } from './prefer.ts'

/** A complete request as its sender made it: nothing decoded, nothing normalised. */
export interface RawRequest {
  readonly method: string
  /** The path and the query. */
  readonly target: string
  readonly path: string
  /** The query with its question mark, or empty. */
  readonly query: string
  /** The headers by lower-case name. */
  readonly headers: IncomingHttpHeaders
  /** The headers' names and values in turn. Only here does a header that was sent twice show. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
}

/** The headers of an answer by name, spelt as they are sent. */
export type AnswerHeaders = Readonly<Record<string, string>>

/** The answer to one request, before anything has carried it to its caller. */
export interface Answer {
  /** `noAnswer` where a fault keeps the venue from answering. */
  readonly status: number
  readonly headers: AnswerHeaders
  readonly body: string
  /** The fault that shapes how the answer is delivered, or keeps it from arriving; null for none. */
  readonly deliveryFault: FiredFault | null
}

/** The media type of JSON, which has no charset. Source: RFC 8259, section 11. */
export const jsonType = 'application/json'

/** Builds a request from its parts, where `headers` is a list of names and values. */
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
 * What can be wrong with a request before it is known what it means. The request's world is not known yet either, so no
 * reading shapes these answers.
 */

/** A request whose body has not arrived yet. */
export interface RequestHead extends Omit<RawRequest, 'body' | 'path' | 'query'> {
  readonly httpVersion: string
}

/**
 * The largest body that is accepted. Bodies are kept whole, so that a signature is checked over exactly the bytes that
 * came.
 */
export const maximumBodyBytes = 1_048_576

/** Finds what Node's HTTP parser accepts in a request and the venue does not; null when there is nothing. */
export function findTransportProblem(head: RequestHead): Problem | null {
  const reason = findHttpViolation(head)
  if (reason !== null) return { code: 'invalid-http', reason }
  const { expect } = head.headers
  // Source: RFC 9110, section 10.1.1: an expectation in a request of HTTP/1.0 is ignored.
  const isKnown = expect === undefined || expect.toLowerCase() === '100-continue'
  return isKnown || head.httpVersion === '1.0' ? null : { code: 'expectation-failed' }
}

/** Answers a transport problem (spec: Errors) and closes the connection, because nothing else on it can be trusted. */
export function refuseAtTransport(problem: Problem): Answer {
  return {
    status: problemStatus(problem, defaultReadings),
    headers: { 'Content-Type': jsonType, Connection: 'close' },
    body: JSON.stringify(errorBody(problem, defaultReadings)),
    deliveryFault: null,
  }
}

/** The message to clients whose proxy settings name this address. */
export const notAProxy =
  'This is the venue itself and no proxy: the request target must be a path, or an address of this server'

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

/** Finds the first of the named headers that was sent more than once, which Node's joined values would hide. */
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
 * Finds why a body can't be read as JSON; null when it can, and when there is no body. Errors, in order: a content
 * coding (nothing is decompressed), another content type or charset, bytes that are not UTF-8. Source: RFC 8259,
 * section 11: JSON's media type has no parameters, and an unknown one has no meaning.
 */
export function findMediaTypeProblem({ headers, body }: RawRequest): Problem | null {
  if (body.length === 0) return null
  const problem = findTypeProblem(headers)
  if (problem !== null || isUtf8(body)) return problem
  return { code: 'invalid-parameter', field: 'body', reason: 'is not valid UTF-8' }
}

/** Finds why no body with these headers can be read as JSON; null when one can. */
export function findTypeProblem(headers: IncomingHttpHeaders): Problem | null {
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity') {
    return { code: 'unsupported-media-type', reason: `A body must be sent as it is, not in ${coding}` }
  }
  const type = headers['content-type'] ?? ''
  if (!/^application\/json[ \t]*(;|$)/i.test(type) || otherCharset.test(type)) {
    return { code: 'unsupported-media-type' }
  }
  return null
}

const otherCharset = /;[ \t]*charset=(?!("utf-8"|utf-8)[ \t]*(;|$))/i

/** Finds the world of an API key: among a server's worlds, or in a world that is alone. */
export interface WorldLookup {
  find(apiKey: string): { readonly world: World; readonly key: ApiKey } | null
  /** The world that answers requests whose key belongs to none. */
  readonly default: World
}

/** The operation that a router has found in a method and path, and the text of the path's parameter, not decoded. */
export interface MatchedRoute {
  readonly operation: OperationId
  /** The text of the path's parameter, not decoded; empty for a path without one. */
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
  readonly resolved: ResolvedOperation
  /** How long the request has waited for its turn. Authentication and limits judge it as if it had not waited. */
  readonly waitedMillis: number
  readonly beganMillis: number
}

/**
 * Finds what a request means. `route` is what a router has found; null makes the pipeline match method and path itself.
 */
export function resolveCall(
  worlds: WorldLookup,
  request: RawRequest,
  route: MatchedRoute | null,
  waitedMillis: number,
): Call {
  const { apiKey, world, key } = findWorld(worlds, request)
  const prefer = readSingle(request.headers['prefer'])
  const inForce = readingsInForceOf(world)
  const asked =
    prefer === undefined ? { readings: inForce, ...noPreference } : readPreference(prefer, inForce)
  const preference = world.watch === null ? asked : { ...asked, readings: world.watch.watch(asked.readings) }
  const resolved = resolveRoute(request, route, preference.readings)
  const beganMillis = world.wall.nowMillis() - waitedMillis
  return { worlds, world, request, apiKey, key, preference, resolved, waitedMillis, beganMillis }
}

/**
 * Resolves the operation of a request: by the router's route where the readings serve that, else by the pipeline's own
 * matcher, which says what is wrong.
 */
function resolveRoute(
  { method, path }: RawRequest,
  route: MatchedRoute | null,
  readings: Readings,
): ResolvedOperation {
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

/** Returns the present, in milliseconds, of the clock by which rate limits count. */
export function readRateClock({ world, waitedMillis }: Call): number {
  if (readingsForRequest(world)['rate.clock'] === 'world') return world.time.presentMillis
  return world.wall.nowMillis() - waitedMillis
}

/** Returns what the limit would say to one more request, which is not counted. */
function peekRate(call: Call): RateVerdict {
  const { world, request, apiKey, resolved } = call
  const category = rateCategory(resolved, request.path)
  return world.limiter.peek(
    apiKey,
    category,
    readingsForRequest(world)['rate.algorithm'],
    readRateClock(call),
  )
}

/** The faults that match a call, and what their rules know of it. */
export interface MatchedFaults {
  readonly plan: FaultPlan
  readonly facts: FaultRequest
}

/** Describes a call as fault rules match it. */
export function describeForFaults({ world, request, apiKey, key }: Call): FaultRequest {
  const { method, path, query } = request
  const body = request.body.toString('utf8')
  return describeRequest(world, { method, path, query, body, apiKey, account: key?.accountId ?? null })
}

/* Answers as headers and text, and as entries of the request log. */

/** What is known about a request once its answer is decided. */
interface AnswerContext {
  readonly rate: RateVerdict
  readonly key: ApiKey | null
  /** The methods of a path that does not have the request's, for an Allow header. */
  readonly allowed: readonly string[]
}

/** Writes the venue's answer and logs it. `plan` holds the faults that match the request; null for none. */
export function writeAnswer(
  call: Call,
  { status, body, hint }: ApiResponse,
  { rate, key, allowed }: AnswerContext,
  plan: FaultPlan | null,
): Answer {
  const { world } = call
  const headers = buildHeaders(rate, call, key === null ? world.time.presentMillis : world.now, plan)
  if (hint !== null) headers['X-Sim-Hint'] = toHeaderText(hint)
  if (allowed.length > 0) headers['Allow'] = formatAllow(allowed)
  if (status === 429) headers['Retry-After'] = computeRetrySeconds(call)
  const text = JSON.stringify(body)
  const told = plan === null ? null : findPassingAnswer(plan, call.preference.readings)
  if (told === null) logRequest(call, status, key, hint, text, plan)
  else logRequest(call, told.status, key, hint, toBodyText(told), plan)
  return { status, headers, body: text, deliveryFault: null }
}

/**
 * Writes the answer that a request gets instead of the venue's, and logs it. `instead` is null when it gets none at
 * all.
 */
export function answerInstead(call: Call, instead: FaultAnswer | null, plan: FaultPlan | null): Answer {
  const { world, key } = call
  const status = instead?.status ?? noAnswer
  const rate = peekRate(call)
  const shown = status === 429 ? { ...rate, remaining: 0 } : rate
  const usual = buildHeaders(shown, call, world.time.presentMillis, plan)
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

/** Lets a fault answer a request that never reaches the venue, or end its connection. */
export function answerByFault(call: Call, plan: FaultPlan, hit: FiredFault): Answer {
  const instead = faultAnswer(hit, call.preference.readings)
  return { ...answerInstead(call, instead, plan), deliveryFault: instead === null ? hit : plan.shape }
}

/** Changes the venue's answer as the matched faults say: its body, its headers, or all of it. */
export function changeAnswer(call: Call, plan: FaultPlan, answer: Answer): Answer {
  const { replaces } = plan
  if (replaces === null) return { ...changeBody(plan, answer), deliveryFault: plan.shape }
  const instead = faultAnswer(replaces, call.preference.readings)
  if (instead === null) return { ...answer, deliveryFault: replaces }
  // The header is dropped because the venue's own answer may have been a 429.
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
  for (const hit of bodies) {
    const { rule } = hit
    if (rule.type === 'truncated_json') body = body.slice(0, Math.floor(body.length / 2))
    else if (rule.type === 'wrong_content_type') headers = { ...headers, 'Content-Type': 'text/html' }
    else body = changeJsonText(hit, body)
  }
  return { ...answer, headers, body }
}

/** Changes a JSON body as a fault says. Text that is no JSON object stays: an earlier fault may have broken it. */
function changeJsonText(hit: FiredFault, text: string): string {
  const body = parseJson(text)
  return typeof body === 'object' && body !== null ? JSON.stringify(distortBody(hit, body)) : text
}

/**
 * Builds the headers that every answer has. Spec: Limits, rate-limit headers. Choice: errors have them too, and the
 * unit of the reset is a reading.
 */
function buildHeaders(
  rate: RateVerdict,
  call: Call,
  nowMillis: number,
  plan: FaultPlan | null,
): Record<string, string> {
  const { world, preference } = call
  const skewMillis = (plan?.skewMillis ?? 0) + world.scripted.skewMillis
  const headers: Record<string, string> = {
    'Content-Type': jsonType,
    Date: formatDate(readAuthClock(call, nowMillis) + skewMillis),
    'X-RateLimit-Limit': String(rate.limit),
    'X-RateLimit-Remaining': String(rate.remaining),
    'X-RateLimit-Reset': String(computeReset(rate, call, skewMillis)),
    'X-Sim-Time': millisToIso(nowMillis),
    'X-Sim-World': toHeaderText(world.id),
    'X-Sim-Request-Id': `req_${world.requests.nextSequence}`,
  }
  const applied = listApplied(preference, plan)
  if (applied.length > 0) headers['Preference-Applied'] = toHeaderText(applied.join(', '))
  if (plan !== null) headers['X-Sim-Fault'] = toHeaderText(plan.label)
  return headers
}

/** Lists the preferences that were honoured: every reading, and each fault that has an effect. */
function listApplied({ applied, faults }: Preference, plan: FaultPlan | null): readonly string[] {
  const effective = faults.filter(({ rule }) => plan?.effective.includes(rule) === true)
  return [...applied, ...effective.map((fault) => fault.applied)]
}

/** Formats an Allow header of the methods that a path has. Where GET is, HEAD is, too. */
function formatAllow(methods: readonly string[]): string {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
}

/** Replaces what a header can't hold: values are printable ASCII, and the text may quote what a client sent. */
function toHeaderText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}

/**
 * Returns the present, in milliseconds, of the clock that timestamps are compared with, before any clock skew. The
 * Date header states it, so that a client which follows that header is let in.
 */
function readAuthClock({ world, preference }: Call, worldMillis: number): number {
  return preference.readings['auth.clock'] === 'world' ? worldMillis : world.wall.nowMillis()
}

/** Formats an instant for a Date header. Source: RFC 9110, section 5.6.7: the preferred form. */
export function formatDate(atMillis: number): string {
  return new Date(atMillis).toUTCString()
}

/** Computes the reset of a rate limit. A skewed clock states it in its own time, so that clients wait long enough. */
function computeReset({ resetMillis: trueMillis }: RateVerdict, call: Call, skewMillis: number): number {
  const resetMillis = trueMillis + skewMillis
  switch (readingsForRequest(call.world)['rate.resetUnit']) {
    case 'milliseconds':
      return resetMillis
    case 'delta':
      return Math.ceil((trueMillis - readRateClock(call)) / 1000)
    case 'seconds':
      return Math.ceil(resetMillis / 1000)
  }
}

/**
 * Builds the Retry-After header, which is on every 429, including those of faults, and wherever a fault asks for it.
 * Source: RFC 9110, section 10.2.3: whole seconds. Choice: at least one second, so that no client retries at once.
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
  world.watch?.countRequest(call.resolved.ok)
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
    lost: plan === null ? null : findLoss(plan, responseBody),
  })
  if (!world.running.script.watchesRequests) return
  const clocks = { atMillis: world.now, rateMillis: readRateClock(call) }
  const about = { ...clocks, method, path, apiKey, account, status }
  // The answer is final, even if the journal can't record that the script has seen the request.
  ignoreUnwritable(() =>
    world.noteRequest({ ...about, body: request.body.toString('utf8'), fault: plan?.token ?? null }),
  )
}
