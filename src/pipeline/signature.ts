import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Readings } from '../api/readings/readings.ts'

/** What a client signs, as it came over the wire: nothing decoded, nothing normalised. */
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

/** How signatures are made here: readings `signature.key` and `signature.query`. */
export type SignatureRules = Pick<Readings, 'signature.key' | 'signature.query'>

/**
 * Whether a signature is the lower-case hex HMAC-SHA256 of timestamp, method, path and body under the secret.
 * Compared in constant time.
 * Spec: Authentication. Choice: spec silent on the query string and on a hash of the secret, readings decide.
 */
export function isSignedBy(
  secret: string,
  parts: SignedParts,
  rules: SignatureRules,
  signature: string,
): boolean {
  const rule = rules['signature.key']
  if (rule !== 'sha256' && verifies(secret, parts, rules, signature)) return true
  return rule !== 'secret' && verifies(hashedSecret(secret), parts, rules, signature)
}

/** The lower-case hex HMAC-SHA256 of a text and the bytes after it. */
export function signed(secret: string | Uint8Array, text: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(text).update(body).digest('hex')
}

/** With this some venues key their HMAC instead, so that they need not keep the secret itself. */
export function hashedSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function verifies(secret: string, parts: SignedParts, rules: SignatureRules, signature: string): boolean {
  const { timestamp, method, path, query, body } = parts
  const rule = rules['signature.query']
  const covers = (target: string) => isSame(signed(secret, timestamp + method + target, body), signature)
  if (query === '' || rule === 'exclude') return covers(path)
  return covers(path + query) || (rule === 'either' && covers(path))
}

function isSame(expected: string, given: string): boolean {
  const bytes = Buffer.from(given)
  return bytes.length === expected.length && timingSafeEqual(Buffer.from(expected), bytes)
}
