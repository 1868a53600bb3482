import type { Problem, ProblemCode, Status } from '../api/errors.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { ApiKey } from '../world/keys.ts'
import { type RawRequest, repeatedHeader } from './raw-request.ts'
import { isSignedBy, type SignedParts } from './signature.ts'
import { signatureHint } from './signature-hints.ts'

/** Why a request is not let in, and at which step. */
export interface AuthDenial {
  readonly step: 'headers' | 'key' | 'age' | 'signature'
  readonly problem: Problem
}

/** The clocks by which a timestamp may be checked. */
export interface AuthClocks {
  readonly wallMillis: number
  readonly worldMillis: number
}

/** Spec: Authentication, older than 30 seconds. */
const oldestTimestampMillis = 30_000

/**
 * Who sent a request, or why that could not be established. Errors, in order: a missing, empty or repeated header (key,
 * timestamp, signature), a malformed timestamp; an unknown or revoked key, both alike; a timestamp too old or too far
 * ahead; a signature that does not verify.
 */
export function authenticate(
  request: RawRequest,
  key: ApiKey | null,
  readings: Readings,
  clocks: AuthClocks,
): ApiKey | AuthDenial {
  const given = securityHeaders(request)
  const flaw = flawOfHeaders(given, request.rawHeaders, readings)
  if (flaw !== null) return flaw
  const { apiKey, timestamp, signature } = given
  const { method, path, query, body } = request
  const parts: SignedParts = { timestamp, method, path, query, body }
  if (key === null || key.isRevoked) {
    // As much work as for a known key, so that the time an answer takes reveals nothing.
    isSignedBy('nobody', parts, readings, signature)
    return unknownKey(apiKey)
  }
  const stale = flawOfAge(timestamp, readings, clocks)
  if (stale !== null) return stale
  const digest = readings['signature.hex'] === 'any' ? signature.toLowerCase() : signature
  if (isSignedBy(key.apiSecret, parts, readings, digest)) return key
  const host = request.headers.host ?? ''
  const signer = { apiKey, secret: key.apiSecret, host, rules: readings }
  const hint = signatureHint(signer, parts, signature)
  return { step: 'signature', problem: withHint({ code: 'invalid-signature' }, hint) }
}

export function isDenial(outcome: ApiKey | AuthDenial): outcome is AuthDenial {
  return 'step' in outcome
}

const securityHeaderNames = ['x-api-key', 'x-api-timestamp', 'x-api-signature'] as const

interface SecurityHeaders {
  readonly apiKey: string
  readonly timestamp: string
  readonly signature: string
}

function securityHeaders({ headers }: RawRequest): SecurityHeaders {
  return {
    apiKey: singleText(headers['x-api-key']),
    timestamp: singleText(headers['x-api-timestamp']),
    signature: singleText(headers['x-api-signature']),
  }
}

function singleText(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : ''
}

function flawOfHeaders(
  { apiKey, timestamp, signature }: SecurityHeaders,
  rawHeaders: readonly string[],
  readings: Readings,
): AuthDenial | null {
  const repeated = repeatedHeader(rawHeaders, securityHeaderNames)
  const status = readings['auth.malformed'] === '400' ? 400 : 401
  // Spec: 401 for an invalid or missing key, so no reading changes this one.
  if (repeated === 'x-api-key') return headerFlaw('X-API-Key', 'invalid-key', 401, onlyOnce)
  if (apiKey === '') return headerFlaw('X-API-Key', 'invalid-key', 401, isMissing)
  if (repeated === 'x-api-timestamp')
    return headerFlaw('X-API-Timestamp', 'timestamp-expired', status, onlyOnce)
  if (timestamp === '') return headerFlaw('X-API-Timestamp', 'timestamp-expired', status, isMissing)
  if (!/^[1-9][0-9]{0,15}$/.test(timestamp)) {
    const reason = 'is not a Unix time in milliseconds, in plain digits'
    return headerFlaw('X-API-Timestamp', 'timestamp-expired', status, reason)
  }
  if (repeated !== null) return headerFlaw('X-API-Signature', 'invalid-signature', status, onlyOnce)
  if (signature === '') return headerFlaw('X-API-Signature', 'invalid-signature', status, isMissing)
  return null
}

const isMissing = 'is missing'
const onlyOnce = 'must be given once'

function headerFlaw(field: string, code: ProblemCode, status: Status, reason: string): AuthDenial {
  return { step: 'headers', problem: { code, field, reason, status } }
}

function unknownKey(apiKey: string): AuthDenial {
  const hint = apiKey.startsWith('simk_') ? null : 'keys of a simulated venue usually begin with simk_'
  return { step: 'key', problem: withHint({ code: 'invalid-key' }, hint) }
}

function flawOfAge(timestamp: string, readings: Readings, clocks: AuthClocks): AuthDenial | null {
  const clock = readings['auth.clock']
  const given = Number(timestamp)
  const isFresh = (nowMillis: number) => isInWindow(nowMillis - given, readings['auth.futureMs'])
  if (clock !== 'world' && isFresh(clocks.wallMillis)) return null
  if (clock !== 'wall' && isFresh(clocks.worldMillis)) return null
  const now = clock === 'world' ? clocks.worldMillis : clocks.wallMillis
  return { step: 'age', problem: { code: 'timestamp-expired', hint: ageHint(given, now) } }
}

function withHint(problem: Problem, hint: string | null): Problem {
  return hint === null ? problem : { ...problem, hint }
}

/** An age of exactly 30,000 ms passes, and so does a timestamp exactly as far ahead as the reading allows. */
function isInWindow(ageMillis: number, futureMillis: string): boolean {
  if (ageMillis > oldestTimestampMillis) return false
  return futureMillis === 'unlimited' || -ageMillis <= Number(futureMillis)
}

function ageHint(given: number, nowMillis: number): string {
  const isNear = (scaled: number) => Math.abs(scaled - nowMillis) < 86_400_000
  if (isNear(given * 1000)) return 'the timestamp is in seconds; send milliseconds'
  if (isNear(given / 1000)) return 'the timestamp is in microseconds; send milliseconds'
  const seconds = Math.abs(nowMillis - given) / 1000
  return `the timestamp is ${seconds} s ${given < nowMillis ? 'behind' : 'ahead of'} the server's clock`
}
