import { readJson } from '../../api/input/json-scan.ts'

/*
 * Other forms in which a query or a body may have been signed: libraries encode again what they send, each in its own
 * way, but a signature must cover the bytes that were sent.
 */

/** The query, with its question mark, as other encoders write it; none when it has none or cannot be decoded. */
export function otherQueries(query: string): string[] {
  const pairs = query.length > 1 ? query.slice(1).split('&') : []
  const decoded = pairs.map(decodedPair)
  if (decoded.length === 0 || !decoded.every((pair) => pair !== null)) return []
  const written = encoders.map((encode) => decoded.map((pair) => pair.map(encode).join('=')).join('&'))
  const others = [...written, [...pairs].sort().join('&')].map((text) => `?${text}`)
  return [...new Set(others)].filter((other) => other !== query)
}

/** A JSON body as other encoders write it, digits of numbers kept; none for a body that is refused anyway. */
export function otherBodies(body: Uint8Array): string[] {
  const text = Buffer.from(body).toString('utf8')
  const json = readJson(text, 'doubles')
  if (!json.ok) return []
  const layouts = [text, ...[compact, spaced].map((layout) => rewritten(text, layout, asItIs))]
  const written = layouts.flatMap((layout) => [
    layout,
    rewritten(layout, asItIs, escaped),
    rewritten(layout, asItIs, unescaped),
  ])
  const others = [JSON.stringify(json.value), ...written].flatMap((other) => [other, `${other}\n`])
  return [...new Set(others)].filter((other) => other !== text)
}

type Rewrite = (text: string) => string

const asItIs: Rewrite = (text) => text

function decodedPair(pair: string): string[] | null {
  const equals = pair.indexOf('=')
  const parts = equals < 0 ? [pair] : [pair.slice(0, equals), pair.slice(equals + 1)]
  try {
    return parts.map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
  } catch {
    return null
  }
}

/** What encoders leave as it is, besides letters, digits, `-`, `_` and `.`. */
const lenient = [
  '~',
  // encodeURIComponent of JavaScript.
  "~!*'()",
  // quote of Python.
  '~/',
  // Forms: URLSearchParams, URLEncoder of Java.
  '*',
  // Libraries that escape only what a query cannot hold.
  "~!*'(),;:@/?$",
]

const encoders: readonly Rewrite[] = [
  ...lenient.flatMap((kept) => {
    const encode: Rewrite = (text) => percentEncoded(text, kept)
    const asForm: Rewrite = (text) => encode(text).replaceAll('%20', '+')
    const inLowerCase: Rewrite = (text) => encode(text).replace(/%../g, (triplet) => triplet.toLowerCase())
    return [encode, asForm, inLowerCase]
  }),
  asItIs,
]

function percentEncoded(text: string, kept: string): string {
  let encoded = ''
  for (const byte of Buffer.from(text)) {
    const letter = String.fromCharCode(byte)
    const isKept = /[A-Za-z0-9_.-]/.test(letter) || kept.includes(letter)
    encoded += isKept ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

/** JSON text with what stands between its strings, and the strings, rewritten. */
function rewritten(json: string, between: Rewrite, string: Rewrite): string {
  return json.replace(/"(?:[^"\\]|\\.)*"|[^"]+/g, (part) =>
    part.startsWith('"') ? string(part) : between(part),
  )
}

function compact(text: string): string {
  return text.replace(/[ \t\r\n]+/g, '')
}

/** As `json.dumps` of Python does. */
function spaced(text: string): string {
  return compact(text).replace(/[,:]/g, '$& ')
}

function escaped(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function unescaped(text: string): string {
  return text.replace(
    /(\\\\)|\\u([0-9a-fA-F]{4})/g,
    (whole, backslash: string | undefined, digits: string) => {
      const unit = backslash === undefined ? Number.parseInt(digits, 16) : 0
      return unit > 0x7f ? String.fromCharCode(unit) : whole
    },
  )
}
