import { createHmac, timingSafeEqual } from 'node:crypto'

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
 * Whether a signature is the lower-case hex HMAC-SHA256 of timestamp, method, path and body under the secret.
 * Compared in constant time over its fixed 64 characters.
 * Spec: Authentication. Choice: spec silent on the query string, the reading `signature.query` decides.
 */
export function isSignedBy(secret: string, parts: SignedParts, rule: QueryRule, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false
  const given = Buffer.from(signature, 'latin1')
  for (const path of signedPaths(parts, rule)) {
    const expected = sign(secret, parts.timestamp + parts.method + path, parts.body)
    if (timingSafeEqual(Buffer.from(expected, 'latin1'), given)) return true
  }
  return false
}

/** The digest of a message's text and the body's bytes, in lower-case hex. */
export function sign(secret: string, text: string, body: Uint8Array): string {
  const hmac = createHmac('sha256', secret).update(text, 'utf8')
  if (body.length > 0) hmac.update(body)
  return hmac.digest('hex')
}

/** The forms of the path that a rule lets be signed, the likelier first. */
function signedPaths(parts: SignedParts, rule: QueryRule): string[] {
  const { path, query } = parts
  if (query === '' || rule === 'exclude') return [path]
  return rule === 'include' ? [path + query] : [path + query, path]
}
