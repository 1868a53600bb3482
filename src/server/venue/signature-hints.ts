import { createHash, createHmac } from 'node:crypto'
import type { SignedParts } from './signature.ts'

/** Larger bodies are not tried in other forms: a hint must not cost more than the answer. */
const maximumBody = 65_536

/**
 * Which known mistake explains a signature that does not verify, in words for the X-Sim-Hint header; null when none
 * does. The answer's body never changes because of it.
 */
export function signatureHint(
  apiKey: string,
  secret: string,
  parts: SignedParts,
  signature: string,
): string | null {
  if (parts.body.length > maximumBody) return null
  const withQuery = { ...parts, path: parts.path + parts.query }
  if (parts.query !== '') {
    if (hexOf(secret, withQuery) === signature) return 'the query string was signed; sign the path alone'
    if (hexOf(secret, parts) === signature) return 'the query string was not signed; sign path and query'
  }
  for (const candidate of parts.query === '' ? [parts] : [withQuery, parts]) {
    const found = mistakes.find(({ digest }) => digest(secret, candidate, apiKey) === signature)
    if (found !== undefined) return found.hint
  }
  if (/^[0-9A-Fa-f]{64}$/.test(signature)) return null
  return 'a signature is 64 lower-case hexadecimal digits'
}

interface Mistake {
  readonly hint: string
  readonly digest: (secret: string, parts: SignedParts, apiKey: string) => string | null
}

const nothing = new Uint8Array()

const mistakes: readonly Mistake[] = [
  {
    hint: 'the digest is right but in upper case; send it in lower case',
    digest: (secret, parts) => hexOf(secret, parts).toUpperCase(),
  },
  {
    hint: 'the digest is right but in base64; send it in lower-case hex',
    digest: (secret, parts) => Buffer.from(hexOf(secret, parts), 'hex').toString('base64'),
  },
  {
    hint: 'the method was signed in lower case; sign it in upper case',
    digest: (secret, parts) => hexOf(secret, parts, { method: parts.method.toLowerCase() }),
  },
  {
    hint: 'the timestamp was signed in seconds; sign exactly the text of X-API-Timestamp, in milliseconds',
    digest: (secret, parts) => hexOf(secret, parts, { timestamp: parts.timestamp.slice(0, -3) }),
  },
  {
    hint: 'the API key was used as the secret; the HMAC is keyed with the API secret',
    digest: (_secret, parts, apiKey) => hexOf(apiKey, parts),
  },
  {
    hint: 'the body was signed as empty; sign the exact bytes that are sent',
    digest: (secret, parts) => (parts.body.length === 0 ? null : hexOf(secret, parts, { body: nothing })),
  },
  {
    hint: 'an empty body was signed as {}; sign the empty text when no body is sent',
    digest: (secret, parts) =>
      parts.body.length > 0 ? null : hexOf(secret, parts, { body: Buffer.from('{}') }),
  },
  {
    hint: 'the body was serialised twice and differs; sign the exact text that is sent',
    digest: (secret, parts) => {
      const body = reserialised(parts.body)
      return body === null ? null : hexOf(secret, parts, { body })
    },
  },
  {
    hint: 'the path was signed without /api/sdk; sign the whole path',
    digest: (secret, parts) => hexOf(secret, parts, { path: parts.path.replace(/^\/api\/sdk/, '') }),
  },
  {
    hint: 'the path was signed decoded; sign it as it is sent',
    digest: (secret, parts) => {
      const path = decoded(parts.path)
      return path === null ? null : hexOf(secret, parts, { path })
    },
  },
  {
    hint: 'separators were signed between the parts; put nothing between them',
    digest: (secret, parts) =>
      sign(secret, `${parts.timestamp}\n${parts.method}\n${parts.path}\n`, parts.body),
  },
  {
    hint: 'a plain SHA-256 was sent; the signature is an HMAC keyed with the API secret',
    digest: (_secret, parts) =>
      createHash('sha256')
        .update(parts.timestamp + parts.method + parts.path)
        .update(parts.body)
        .digest('hex'),
  },
  {
    hint: 'the digest is an HMAC-SHA512; the signature is an HMAC-SHA256',
    digest: (secret, parts) =>
      createHmac('sha512', secret)
        .update(parts.timestamp + parts.method + parts.path)
        .update(parts.body)
        .digest('hex'),
  },
]

/** The digest of the right message, changed by `changed`. */
function hexOf(secret: string, parts: SignedParts, changed: Partial<SignedParts> = {}): string {
  const { timestamp, method, path, body } = { ...parts, ...changed }
  return sign(secret, timestamp + method + path, body)
}

function sign(secret: string, text: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(text).update(body).digest('hex')
}

function reserialised(body: Uint8Array): Buffer | null {
  try {
    return Buffer.from(JSON.stringify(JSON.parse(Buffer.from(body).toString('utf8'))))
  } catch {
    return null
  }
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
