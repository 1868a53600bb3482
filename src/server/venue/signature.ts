import type { HmacKey } from '../../numeric/hmac.ts'

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

export type QueryRule = 'either' | 'include' | 'exclude'

/**
 * Whether a signature is the lower-case hex HMAC-SHA256 of timestamp, method, path and body under the key.
 * Compared in constant time over its 64 characters.
 * Spec: Authentication. Choice: spec silent on the query string, the reading `signature.query` decides.
 */
export function isSignedBy(key: HmacKey, parts: SignedParts, rule: QueryRule, signature: string): boolean {
  const { timestamp, method, path, query, body } = parts
  const verifies = (target: string) => key.verifies(timestamp + method + target, body, signature)
  if (query === '' || rule === 'exclude') return verifies(path)
  return verifies(path + query) || (rule === 'either' && verifies(path))
}
