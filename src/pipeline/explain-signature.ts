import { createHash, createHmac } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Problem } from '../api/errors.ts'
import { readJson } from '../api/input/read-body.ts'
import { withHint } from '../api/input-problem.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { ApiKey } from '../world/keys.ts'
import {
  type AuthDenial,
  computeSignature,
  hashSecret,
  readSecurityHeaders,
  type SignatureRules,
  type SignedParts,
  takeSignedParts,
} from './authenticate.ts'
import type { RawRequest } from './call.ts'

/**
 * Returns the problem of a request whose sender could not be established. Where its signature does not verify, a hint
 * says how it was made, or what should have been signed.
 */
export function explainDenial(
  { step, problem }: AuthDenial,
  request: RawRequest,
  key: ApiKey | null,
  readings: Readings,
): Problem {
  if (step !== 'signature' || key === null) return problem
  const { apiKey, apiSecret: secret } = key
  const { host = '', 'content-encoding': coding = '' } = request.headers
  const signer = { apiKey, secret, host, coding, rules: readings }
  const { timestamp, signature } = readSecurityHeaders(request)
  return withHint(problem, explainSignature(signer, takeSignedParts(request, timestamp), signature))
}

/** The largest body that is tried in other forms: a hint must not cost more than the answer. */
const maximumHintedBodyBytes = 16_384
/** The longest target that is repeated in a header, and the longest query that is tried in other forms. */
const maximumHintedTargetLength = 1000

/** The client that seems to have signed a request, and the rules that it should have followed. */
export interface Signer {
  readonly apiKey: string
  readonly secret: string
  /** The Host header, empty when there was none. */
  readonly host: string
  /** The Content-Encoding header, empty when there was none. */
  readonly coding: string
  readonly rules: SignatureRules
}

/**
 * Names the known mistake that explains a signature that does not verify, in words for the X-Sim-Hint header. Where no
 * mistake explains it, the hint says what should have been signed; null where that would be too long. The answer's body
 * never depends on it.
 */
export function explainSignature(signer: Signer, parts: SignedParts, signature: string): string | null {
  if (parts.body.length > maximumHintedBodyBytes) return null
  const rule = signer.rules['signature.key']
  const hashed = { ...signer, secret: hashSecret(signer.secret) }
  const expected = rule === 'sha256' ? hashed : signer
  const other = rule === 'sha256' ? signer : hashed
  const targets = [parts, { ...parts, path: parts.path + parts.query }]
  if (rule !== 'either' && targets.some((target) => signParts(other.secret, target) === signature))
    return otherKeyHints[rule]
  return findMistake(expected, parts, signature)
}

const otherKeyHints = {
  secret:
    'the HMAC was keyed with the SHA-256 of the secret; key it with the secret itself (reading signature.key=sha256 takes the hash)',
  sha256:
    'the HMAC was keyed with the secret itself; key it with the lower-case hex SHA-256 of the secret (reading signature.key)',
} as const

function findMistake(signer: Signer, parts: SignedParts, signature: string): string | null {
  const { secret } = signer
  const withQuery = { ...parts, path: parts.path + parts.query }
  if (parts.query !== '') {
    if (signParts(secret, withQuery) === signature) return 'the query string was signed; sign the path alone'
    if (signParts(secret, parts) === signature) return 'the query string was not signed; sign path and query'
  }
  for (const candidate of parts.query === '' ? [parts] : [withQuery, parts]) {
    const found = mistakes.find(({ digests }) => [digests(signer, candidate)].flat().includes(signature))
    if (found !== undefined) return found.hint
  }
  if (
    parts.query.length <= maximumHintedTargetLength &&
    encodeQueryOtherwise(parts.query).some(
      (query) => signParts(secret, parts, { path: parts.path + query }) === signature,
    )
  )
    return 'the query was signed in another encoding; sign the target as it is sent'
  if (!/^[0-9A-Fa-f]{64}$/.test(signature)) return 'a signature is 64 lower-case hexadecimal digits'
  return describeMessageToSign(signer, parts)
}

function describeMessageToSign(
  { rules }: Signer,
  { timestamp, method, path, query, body }: SignedParts,
): string | null {
  const target = rules['signature.query'] === 'exclude' ? path : path + query
  const key = rules['signature.key'] === 'sha256' ? 'hex SHA-256 of the secret' : 'secret'
  if (target.length > maximumHintedTargetLength) return null
  const rest =
    body.length === 0 ? 'and nothing more: no body came' : `and the ${body.length} bytes of the body`
  return `with the ${key} of this key, sign ${timestamp}${method}${target} ${rest}`
}

interface SigningMistake {
  readonly hint: string
  /** Returns the signatures that a caller who makes this mistake would send. */
  readonly digests: (signer: Signer, parts: SignedParts) => string | string[]
}

const noBytes = new Uint8Array()

const mistakes: readonly SigningMistake[] = [
  {
    hint: 'the digest is right but in upper case; send it in lower case',
    digests: ({ secret }, parts) => signParts(secret, parts).toUpperCase(),
  },
  {
    hint: 'the digest is right but in base64; send it in lower-case hex',
    digests: ({ secret }, parts) => Buffer.from(signParts(secret, parts), 'hex').toString('base64'),
  },
  {
    hint: 'the method was signed in lower case; sign it in upper case',
    digests: ({ secret }, parts) => signParts(secret, parts, { method: parts.method.toLowerCase() }),
  },
  {
    hint: 'the timestamp was signed in seconds; sign exactly the text of X-API-Timestamp, in milliseconds',
    digests: ({ secret }, parts) => signParts(secret, parts, { timestamp: parts.timestamp.slice(0, -3) }),
  },
  {
    hint: 'the API key was used as the secret; the HMAC is keyed with the API secret',
    digests: ({ apiKey }, parts) => signParts(apiKey, parts),
  },
  {
    hint: 'the secret was used with a line end after it; leave that out',
    digests: ({ secret }, parts) => ['\n', '\r\n'].map((end) => signParts(secret + end, parts)),
  },
  {
    hint: 'the secret was decoded from base64; use its text as it is',
    digests: ({ secret }, parts) => signParts(Buffer.from(secret, 'base64'), parts),
  },
  {
    hint: 'the body was signed as empty; sign the exact bytes that are sent',
    digests: ({ secret }, parts) =>
      parts.body.length === 0 ? [] : signParts(secret, parts, { body: noBytes }),
  },
  {
    hint: 'an empty body was signed as {} or null; sign the empty text when no body is sent',
    digests: ({ secret }, parts) =>
      ['{}', 'null'].flatMap((body) =>
        parts.body.length > 0 ? [] : signParts(secret, parts, { body: Buffer.from(body) }),
      ),
  },
  {
    hint: 'the body was serialised twice and differs; sign the exact text that is sent',
    digests: ({ secret }, parts) =>
      encodeBodyOtherwise(parts.body).map((body) => signParts(secret, parts, { body: Buffer.from(body) })),
  },
  {
    hint: 'the body was signed before it was compressed; the signature covers the bytes that are sent, and the venue takes no compressed body: send it as it was signed',
    digests: ({ secret, coding }, parts) => {
      const body = decompress(coding, parts.body)
      return body === null ? [] : signParts(secret, parts, { body })
    },
  },
  {
    hint: 'the path was signed without /api/sdk; sign the whole path',
    digests: ({ secret }, parts) => signParts(secret, parts, { path: parts.path.replace(/^\/api\/sdk/, '') }),
  },
  {
    hint: 'the whole address was signed; sign the path, which begins with /api',
    digests: ({ secret, host }, parts) =>
      ['http://', 'https://'].map((scheme) =>
        signParts(secret, parts, { path: `${scheme}${host}${parts.path}` }),
      ),
  },
  {
    hint: 'the path was signed without its first slash; sign the whole path',
    digests: ({ secret }, parts) => signParts(secret, parts, { path: parts.path.slice(1) }),
  },
  {
    hint: 'the path was signed decoded; sign it as it is sent',
    digests: ({ secret }, parts) => {
      const path = decodePath(parts.path)
      return path === null ? [] : signParts(secret, parts, { path })
    },
  },
  {
    hint: 'separators were signed between the parts; put nothing between them',
    digests: ({ secret }, parts) =>
      computeSignature(secret, `${parts.timestamp}\n${parts.method}\n${parts.path}\n`, parts.body),
  },
  {
    hint: 'a plain SHA-256 was sent; the signature is an HMAC keyed with the API secret',
    digests: (_signer, parts) =>
      createHash('sha256')
        .update(parts.timestamp + parts.method + parts.path)
        .update(parts.body)
        .digest('hex'),
  },
  {
    hint: 'the digest is an HMAC-SHA512; the signature is an HMAC-SHA256',
    digests: ({ secret }, parts) =>
      createHmac('sha512', secret)
        .update(parts.timestamp + parts.method + parts.path)
        .update(parts.body)
        .digest('hex'),
  },
]

/** Signs the right message, or one in which `changed` replaces some of the parts. */
function signParts(secret: string | Buffer, parts: SignedParts, changed: Partial<SignedParts> = {}): string {
  const { timestamp, method, path, body } = { ...parts, ...changed }
  return computeSignature(secret, timestamp + method + path, body)
}

/** The codings in which clients and proxies compress bodies, by their names. Source: RFC 9110, section 8.4.1. */
const decompressors = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
])

/** Decompresses a body, up to the size for which hints are given; null where it is not compressed as its header says. */
function decompress(coding: string, body: Uint8Array): Uint8Array | null {
  try {
    const work = decompressors.get(coding.trim().toLowerCase())
    return work?.(body, { maxOutputLength: maximumHintedBodyBytes }) ?? null
  } catch {
    return null
  }
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}

/*
 * Other forms in which a query or a body may have been signed. Many libraries encode what they send a second time, each
 * in its own way, but a signature must cover the bytes that were sent.
 */

/**
 * Lists a query, with its question mark, as other encoders write it; empty without a query or where it can't be
 * decoded.
 */
function encodeQueryOtherwise(query: string): string[] {
  const pairs = query.length > 1 ? query.slice(1).split('&') : []
  const decoded = pairs.map(decodePair)
  if (decoded.length === 0 || !decoded.every((pair) => pair !== null)) return []
  const written = encoders.map((encode) => decoded.map((pair) => pair.map(encode).join('=')).join('&'))
  const others = [...written, [...pairs].sort().join('&')].map((text) => `?${text}`)
  return [...new Set(others)].filter((other) => other !== query)
}

/**
 * Lists a JSON body as other encoders write it, with the digits of numbers kept; empty for a body that is refused
 * anyway.
 */
function encodeBodyOtherwise(body: Uint8Array): string[] {
  const text = Buffer.from(body).toString('utf8')
  const json = readJson(text, 'doubles')
  if (!json.ok) return []
  const layouts = [text, ...[compact, spaceOut].map((layout) => rewriteJson(text, layout, keepAsIs))]
  const written = layouts.flatMap((layout) => [
    layout,
    rewriteJson(layout, keepAsIs, escapeNonAscii),
    rewriteJson(layout, keepAsIs, unescapeNonAscii),
  ])
  const others = [JSON.stringify(json.value), ...written].flatMap((other) => [other, `${other}\n`])
  return [...new Set(others)].filter((other) => other !== text)
}

type Rewrite = (text: string) => string

const keepAsIs: Rewrite = (text) => text

function decodePair(pair: string): string[] | null {
  const equals = pair.indexOf('=')
  const parts = equals < 0 ? [pair] : [pair.slice(0, equals), pair.slice(equals + 1)]
  try {
    return parts.map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
  } catch {
    return null
  }
}

/** The characters that common encoders leave as they are, besides letters, digits, `-`, `_` and `.`. */
const unescapedCharacters = [
  '~',
  // JavaScript: encodeURIComponent.
  "~!*'()",
  // Python: quote.
  '~/',
  // Forms: URLSearchParams, Java's URLEncoder.
  '*',
  // Libraries that escape only what a query can't contain.
  "~!*'(),;:@/?$",
]

const encoders: readonly Rewrite[] = [
  ...unescapedCharacters.flatMap((kept) => {
    const encode: Rewrite = (text) => percentEncode(text, kept)
    const asForm: Rewrite = (text) => encode(text).replaceAll('%20', '+')
    const inLowerCase: Rewrite = (text) => encode(text).replace(/%../g, (triplet) => triplet.toLowerCase())
    return [encode, asForm, inLowerCase]
  }),
  keepAsIs,
]

function percentEncode(text: string, kept: string): string {
  let encoded = ''
  for (const byte of Buffer.from(text)) {
    const letter = String.fromCharCode(byte)
    const isKept = /[A-Za-z0-9_.-]/.test(letter) || kept.includes(letter)
    encoded += isKept ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

/** Rewrites JSON text: its strings with `string`, and everything between them with `between`. */
function rewriteJson(json: string, between: Rewrite, string: Rewrite): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[^"]+/g, (part) =>
    part.startsWith('"') ? string(part) : between(part),
  )
}

function compact(text: string): string {
  return text.replace(/[ \t\r\n]+/g, '')
}

/** Writes JSON with a space after each comma and colon, which is the default of Python's `json.dumps`. */
function spaceOut(text: string): string {
  return compact(text).replace(/[,:]/g, '$& ')
}

function escapeNonAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function unescapeNonAscii(text: string): string {
  return text.replace(
    /(\\\\)|\\u([0-9a-fA-F]{4})/g,
    (whole, backslash: string | undefined, digits: string) => {
      const unit = backslash === undefined ? Number.parseInt(digits, 16) : 0
      return unit > 0x7f ? String.fromCharCode(unit) : whole
    },
  )
}
