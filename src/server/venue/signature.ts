import type { Readings } from '../../api/readings/readings.ts'
import { HmacKey, hashedSecret } from '../../numeric/hmac.ts'
import type { ApiKey } from '../../world/keys.ts'

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
 * Whether a signature is the lower-case hex HMAC-SHA256 of timestamp, method, path and body under the key.
 * Compared in constant time over its 64 characters.
 * Spec: Authentication. Choice: spec silent on the query string and on a hash of the secret, readings decide.
 */
export function isSignedBy(
  key: ApiKey,
  parts: SignedParts,
  rules: SignatureRules,
  signature: string,
): boolean {
  const rule = rules['signature.key']
  if (rule !== 'sha256' && verifies(key.signer, parts, rules, signature)) return true
  return rule !== 'secret' && verifies(hashedSigner(key), parts, rules, signature)
}

/** Made when first needed: few worlds key their signatures so. */
function hashedSigner(key: ApiKey): HmacKey {
  const known = hashedSigners.get(key)
  if (known !== undefined) return known
  const made = new HmacKey(hashedSecret(key.apiSecret))
  hashedSigners.set(key, made)
  return made
}

const hashedSigners = new WeakMap<ApiKey, HmacKey>()

function verifies(signer: HmacKey, parts: SignedParts, rules: SignatureRules, signature: string): boolean {
  const { timestamp, method, path, query, body } = parts
  const rule = rules['signature.query']
  const covers = (target: string) => signer.verifies(timestamp + method + target, body, signature)
  if (query === '' || rule === 'exclude') return covers(path)
  return covers(path + query) || (rule === 'either' && covers(path))
}
