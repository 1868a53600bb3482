import { timingSafeEqual } from 'node:crypto'
import type { HmacKey } from '../numeric/hmac.ts'

/** What a client signs, as it came over the wire: nothing decoded, nothing normalised. */
export interface SignedParts {
  /** The X-API-Timestamp header's text. */
  readonly timestamp: string
  readonly method: string
  /** The raw path, without the query. */
  readonly path: string
  /** The raw query with its question mark, or nothing. */
  readonly query: string
  readonly body: Uint8Array
}

export type QueryRule = 'either' | 'include' | 'exclude'

/**
 * Whether a signature is the lower-case hex HMAC-SHA256 of timestamp, method, path and body under the key.
 * Compared in constant time over its fixed 64 characters.
 * Spec: Authentication. Choice: spec silent on the query string, the reading `signature.query` decides.
 */
export function isSignedBy(key: HmacKey, parts: SignedParts, rule: QueryRule, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  const given = Buffer.from(signature, 'latin1')
  for (const path of signedPaths(parts, rule)) {
    const expected = key.sign(parts.timestamp + parts.method + path, parts.body)
    if (timingSafeEqual(Buffer.from(expected, 'latin1'), given)) return true
  }
  return false
}

/** The forms of the path that a rule lets be signed, the likelier first. */
function signedPaths(parts: SignedParts, rule: QueryRule): string[] {
  const { path, query } = parts
  if (query === '' || rule === 'exclude') return [path]
  return rule === 'include' ? [path + query] : [path + query, path]
}
