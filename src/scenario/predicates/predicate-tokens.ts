import { type ReadResult, success } from '../file/mistake.ts'

/** A word of a predicate. Its offset counts UTF-16 code units from the start of the text. */
export type Token =
  | { readonly kind: 'number'; readonly offset: number; readonly text: string }
  | { readonly kind: 'text'; readonly offset: number; readonly text: string }
  /** The path of a read-out, or a bare word. A `label` in brackets directly follows its name. */
  | { readonly kind: 'path'; readonly offset: number; readonly steps: readonly PathStep[] }
  | { readonly kind: 'sign'; readonly offset: number; readonly text: string }
  | { readonly kind: 'end'; readonly offset: number }

export interface PathStep {
  readonly name: string
  readonly label: string | null
  readonly offset: number
}

/** Why a word of a predicate cannot stand where it stands, and the nearest word that could; null when none is near. */
export interface WordMistake {
  readonly reason: string
  readonly nearest: string | null
}

/** The first mistake in the text of a predicate, and where it is, in UTF-16 code units from the start of the text. */
export interface TextMistake extends WordMistake {
  readonly offset: number
}

const signs = ['==', '!=', '<=', '>=', '<', '>', '+', '-', '*', '(', ')', '[', ']', ',']

/** Operators from other languages, each with the one that is meant here. */
const foreignSigns: readonly (readonly [string, string])[] = [
  ['&&', 'and'],
  ['||', 'or'],
  ['===', '=='],
  ['!==', '!='],
  ['<>', '!='],
  ['=', '=='],
  ['!', 'not'],
]

export function tokenize(text: string): ReadResult<readonly Token[], TextMistake> {
  const tokens: Token[] = []
  let offset = 0
  while (offset < text.length) {
    const character = text[offset] ?? ''
    if (character === ' ' || character === '\t' || character === '\n' || character === '\r') {
      offset++
      continue
    }
    const token =
      numberAt(text, offset) ?? pathAt(text, offset) ?? textAt(text, offset) ?? signAt(text, offset)
    if ('reason' in token) return { ok: false, ...token }
    tokens.push(token.token)
    offset = token.next
  }
  tokens.push({ kind: 'end', offset: text.length })
  return success(tokens)
}

type Scanned = { readonly token: Token; readonly next: number }

function numberAt(text: string, offset: number): Scanned | TextMistake | null {
  const match = matchAt(/\d+(\.\d+)?([eE][+-]?\d+)?/y, text, offset)
  if (match === null) return null
  const next = offset + match.length
  if (/[A-Za-z0-9_.%]/.test(text[next] ?? '')) {
    return { offset, reason: 'numbers have no unit here; write a plain decimal', nearest: null }
  }
  return { token: { kind: 'number', offset, text: match }, next }
}

function textAt(text: string, offset: number): Scanned | TextMistake | null {
  const quote = text[offset]
  if (quote !== "'" && quote !== '"') return null
  const end = text.indexOf(quote, offset + 1)
  if (end === -1)
    return { offset, reason: `the text that begins here has no closing ${quote}`, nearest: null }
  return { token: { kind: 'text', offset, text: text.slice(offset + 1, end) }, next: end + 1 }
}

function pathAt(text: string, start: number): Scanned | TextMistake | null {
  const steps: PathStep[] = []
  let offset = start
  for (;;) {
    const name = matchAt(steps.length === 0 ? /[A-Za-z_][A-Za-z0-9_]*/y : /[A-Za-z0-9_]+/y, text, offset)
    if (name === null) {
      if (steps.length === 0) return null
      return { offset, reason: 'a name must follow the dot', nearest: null }
    }
    const nameOffset = offset
    offset += name.length
    let label: string | null = null
    if (text[offset] === '[' && name !== 'in' && name !== 'between') {
      const end = text.indexOf(']', offset)
      if (end === -1) return { offset, reason: 'the bracket that opens here is not closed', nearest: null }
      label = text.slice(offset + 1, end).trim()
      offset = end + 1
    }
    steps.push({ name, label, offset: nameOffset })
    if (text[offset] !== '.') return { token: { kind: 'path', offset: start, steps }, next: offset }
    offset++
  }
}

function signAt(text: string, offset: number): Scanned | TextMistake {
  for (const [foreign, own] of foreignSigns) {
    const isOwn = signs.some((sign) => sign.length > foreign.length && text.startsWith(sign, offset))
    if (!isOwn && text.startsWith(foreign, offset)) {
      return { offset, reason: `"${foreign}" is not known here`, nearest: own }
    }
  }
  const sign = signs.find((candidate) => text.startsWith(candidate, offset))
  if (sign !== undefined) return { token: { kind: 'sign', offset, text: sign }, next: offset + sign.length }
  const character = text[offset] ?? ''
  if (character === '/') {
    return {
      offset,
      reason: 'there is no division, so that results are exact; multiply the other side',
      nearest: null,
    }
  }
  return { offset, reason: `"${character}" is not known here`, nearest: null }
}

function matchAt(pattern: RegExp, text: string, offset: number): string | null {
  pattern.lastIndex = offset
  return pattern.exec(text)?.[0] ?? null
}
