import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Problem, ProblemCode, Status } from '../api/errors.ts'
import { withHint } from '../api/input-problem.ts'
import type { Readings } from '../api/readings/readings.ts'
import { formatDuration, millisToIso } from '../numeric/time-text.ts'
import type { Millis } from '../numeric/units.ts'
import type { ApiKey } from '../world/keys.ts'
import { findRepeatedHeader, type RawRequest } from './call.ts'

/**
 * The parts of a request that its signature covers, as they came over the wire: nothing decoded, nothing normalised.
 */
export interface SignedParts {
  /** The X-API-Timestamp header's text. */
  readonly timestamp: string
  readonly method: string
  /** The raw path, without the query. */
  readonly path: string
  /** The raw query with its question mark, or empty. */
  readonly query: string
  readonly body: Uint8Array
}

/** The readings that say how signatures are made: what keys the HMAC, and whether it covers the query. */
export type SignatureRules = Pick<Readings, 'signature.key' | 'signature.query'>

/** Why the sender of a request could not be established, and at which step. */
export interface AuthDenial {
  readonly step: 'headers' | 'key' | 'age' | 'signature'
  readonly problem: Problem
}

/** The two clocks that reading `auth.clock` chooses between, in milliseconds since 1970. */
export interface AuthClocks {
  readonly wallMillis: number
  readonly worldMillis: number
  /**
   * The present and the latest timestamp of a world that follows its clients' clocks, and the machine's clock, which
   * explains what is later; null for any other world.
   */
  readonly follows: {
    readonly nowMillis: Millis
    readonly latestMillis: number
    readonly machineMillis: number
  } | null
}

/** The age beyond which a timestamp is refused. Spec: Authentication, older than 30 seconds. */
const oldestTimestampMillis = 30_000

/**
 * Establishes who sent a request, or says why it could not. Errors, in order: a missing, empty or repeated header (key,
 * timestamp, signature), a malformed timestamp; an unknown or revoked key, both alike; a timestamp too old or too far
 * ahead; a signature that does not verify. `isVerified` is whether the signature was verified before.
 */
export function authenticate(
  request: RawRequest,
  key: ApiKey | null,
  readings: Readings,
  clocks: AuthClocks,
  isVerified = false,
): ApiKey | AuthDenial {
  const given = readSecurityHeaders(request)
  const denial = checkHeaders(given, request.rawHeaders, readings)
  if (denial !== null) return denial
  const { apiKey, timestamp, signature } = given
  const parts = takeSignedParts(request, timestamp)
  if (key === null || key.isRevoked) {
    // Does as much work as for a known key, so that the time an answer takes reveals nothing.
    isSignedBy('nobody', parts, readings, signature)
    return denyUnknownKey(apiKey)
  }
  const stale = checkAge(timestamp, readings, clocks)
  if (stale !== null) return stale
  if (isVerified) return key
  const digest = readings['signature.hex'] === 'any' ? signature.toLowerCase() : signature
  if (isSignedBy(key.apiSecret, parts, readings, digest)) return key
  return { step: 'signature', problem: { code: 'invalid-signature' } }
}

/**
 * Returns the instant at which a request was signed, by its client's clock; null if its sender cannot be established.
 * Its age does not matter.
 */
export function readSignedInstant(
  request: RawRequest,
  key: ApiKey | null,
  readings: Readings,
): number | null {
  const given = readSecurityHeaders(request)
  if (key === null || key.isRevoked || checkHeaders(given, request.rawHeaders, readings) !== null) return null
  const { timestamp, signature } = given
  const digest = readings['signature.hex'] === 'any' ? signature.toLowerCase() : signature
  const isSigned = isSignedBy(key.apiSecret, takeSignedParts(request, timestamp), readings, digest)
  return isSigned ? Number(timestamp) : null
}

export function isDenial(outcome: ApiKey | AuthDenial): outcome is AuthDenial {
  return 'step' in outcome
}

/**
 * Returns whether a signature is the lower-case hex HMAC-SHA256 of timestamp, method, path and body under the secret.
 * The comparison takes constant time. Spec: Authentication. Choice: the specification is silent on the query string and
 * on hashing the secret, so readings decide.
 */
export function isSignedBy(
  secret: string,
  parts: SignedParts,
  rules: SignatureRules,
  signature: string,
): boolean {
  const rule = rules['signature.key']
  if (rule !== 'sha256' && hasSignature(secret, parts, rules, signature)) return true
  return rule !== 'secret' && hasSignature(hashSecret(secret), parts, rules, signature)
}

/** Computes the lower-case hex HMAC-SHA256 of a text followed by bytes. */
export function computeSignature(secret: string | Uint8Array, text: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(text).update(body).digest('hex')
}

/**
 * Hashes a secret to lower-case hex. Some venues key their HMAC with this, so that they need not keep the secret
 * itself.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Takes what the signature covers from a request with this text in its X-API-Timestamp header. */
export function takeSignedParts(request: RawRequest, timestamp: string): SignedParts {
  const { method, path, query, body } = request
  return { timestamp, method, path, query, body }
}

const securityHeaderNames = ['x-api-key', 'x-api-timestamp', 'x-api-signature'] as const

export function readSecurityHeaders({ headers }: RawRequest) {
  return {
    apiKey: readSingle(headers['x-api-key']),
    timestamp: readSingle(headers['x-api-timestamp']),
    signature: readSingle(headers['x-api-signature']),
  }
}

function hasSignature(secret: string, parts: SignedParts, rules: SignatureRules, signature: string): boolean {
  const { timestamp, method, path, query, body } = parts
  const rule = rules['signature.query']
  const covers = (target: string) =>
    isEqual(computeSignature(secret, timestamp + method + target, body), signature)
  if (query === '' || rule === 'exclude') return covers(path)
  return covers(path + query) || (rule === 'either' && covers(path))
}

function isEqual(expected: string, given: string): boolean {
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(Buffer.from(expected), bytes)
}

function readSingle(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : ''
}

function checkHeaders(
  { apiKey, timestamp, signature }: ReturnType<typeof readSecurityHeaders>,
  rawHeaders: readonly string[],
  readings: Readings,
): AuthDenial | null {
  const repeated = findRepeatedHeader(rawHeaders, securityHeaderNames)
  const denyMalformed = (field: string, code: ProblemCode, reason: string): AuthDenial =>
    denyHeader(field, code, readings['auth.malformed'] === '400' ? 400 : 401, reason)
  // Spec: 401 for an invalid or missing key, so no reading changes this status.
  if (repeated === 'x-api-key') return denyHeader('X-API-Key', 'invalid-key', 401, onlyOnce)
  if (apiKey === '') return denyHeader('X-API-Key', 'invalid-key', 401, isMissing)
  if (repeated === 'x-api-timestamp') return denyMalformed('X-API-Timestamp', 'timestamp-expired', onlyOnce)
  if (timestamp === '') return denyMalformed('X-API-Timestamp', 'timestamp-expired', isMissing)
  if (!/^[1-9][0-9]{0,15}$/.test(timestamp)) {
    const reason = 'is not a Unix time in milliseconds, in plain digits'
    return denyMalformed('X-API-Timestamp', 'timestamp-expired', reason)
  }
  if (repeated !== null) return denyMalformed('X-API-Signature', 'invalid-signature', onlyOnce)
  if (signature === '') return denyMalformed('X-API-Signature', 'invalid-signature', isMissing)
  return null
}

const isMissing = 'is missing'
const onlyOnce = 'must be given once'

function denyHeader(field: string, code: ProblemCode, status: Status, reason: string): AuthDenial {
  return { step: 'headers', problem: { code, field, reason, status } }
}

function denyUnknownKey(apiKey: string): AuthDenial {
  const hint = apiKey.startsWith('simk_') ? null : 'keys of a simulated venue usually begin with simk_'
  return { step: 'key', problem: withHint<Problem>({ code: 'invalid-key' }, hint) }
}

function checkAge(timestamp: string, readings: Readings, clocks: AuthClocks): AuthDenial | null {
  const clock = readings['auth.clock']
  const given = Number(timestamp)
  const { wallMillis, follows } = clocks
  if (follows !== null && given > follows.latestMillis) return denyAge(describeJump(given, follows))
  // Whoever only asks what the answer would be sees the world before the request has moved it.
  const jumpMillis = follows === null ? 0 : Math.max(0, given - follows.nowMillis)
  const worldMillis = clocks.worldMillis + jumpMillis
  const isFresh = (nowMillis: number) => isInWindow(nowMillis - given, readings['auth.futureMs'])
  if (clock !== 'world' && isFresh(wallMillis)) return null
  if (clock !== 'wall' && isFresh(worldMillis)) return null
  if (clock === 'wall' && isFresh(worldMillis)) return denyAge(worldTimeHint)
  const hint = describeAge(given, clock === 'world' ? worldMillis : wallMillis)
  return denyAge(follows === null ? hint : `${hint}, which follows its clients' clocks and does not go back`)
}

function denyAge(hint: string): AuthDenial {
  return { step: 'age', problem: { code: 'timestamp-expired', hint } }
}

const worldTimeHint =
  "the timestamp is the world's time, but wall time is checked (reading auth.clock=world or either takes the world's)"

/**
 * Returns whether a timestamp of this age is accepted. Both bounds are: 30,000 ms, and as far ahead as the reading
 * says.
 */
function isInWindow(ageMillis: number, futureMillis: string): boolean {
  if (ageMillis > oldestTimestampMillis) return false
  return futureMillis === 'unlimited' || -ageMillis <= Number(futureMillis)
}

/**
 * Describes a timestamp that is further ahead than a world follows its clients' clocks. Most often a test has not
 * replaced the clock of the program under test.
 */
function describeJump(
  given: number,
  { nowMillis, latestMillis, machineMillis }: NonNullable<AuthClocks['follows']>,
): string {
  const otherUnit = describeUnit(given, nowMillis) ?? describeUnit(given, machineMillis)
  if (otherUnit !== null) return otherUnit
  const jump = `the timestamp is ${formatDuration(given - nowMillis)} ahead of this world, and one request moves it by ${formatDuration(latestMillis - nowMillis)} at most (maxMs of its clock)`
  const start = `start the program's clock at ${millisToIso(nowMillis)}`
  const isWall = Math.abs(given - machineMillis) <= oldestTimestampMillis
  return isWall
    ? `this program seems to read the machine's clock: ${jump}; ${start}`
    : `${jump}; ${start}, and see that nothing in it reads the machine's clock`
}

/** Names the unit of a timestamp that is an instant near the present, but not in milliseconds; null for any other. */
function describeUnit(given: number, nowMillis: number): string | null {
  const isNear = (scaled: number) => Math.abs(scaled - nowMillis) < 86_400_000
  if (isNear(given * 1000)) return 'the timestamp is in seconds; send milliseconds'
  return isNear(given / 1000) ? 'the timestamp is in microseconds; send milliseconds' : null
}

function describeAge(given: number, nowMillis: number): string {
  const otherUnit = describeUnit(given, nowMillis)
  if (otherUnit !== null) return otherUnit
  const seconds = Math.abs(nowMillis - given) / 1000
  return `the timestamp is ${seconds} s ${given < nowMillis ? 'behind' : 'ahead of'} the server's clock`
}
