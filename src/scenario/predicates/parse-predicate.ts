import { nearestWord } from '../../api/flaw.ts'
import { nowhere, type Place } from '../file/tree.ts'
import {
  absoluteExact,
  type Comparison,
  compareExact,
  exactFromText,
  exactToText,
  negateExact,
} from './exact.ts'
import {
  conjunctsOf,
  type Expression,
  type Predicate,
  type PredicatePart,
  readoutsOf,
  typeOf,
} from './predicate.ts'
import { type Misread, type PathStep, type Token, tokenize } from './predicate-tokens.ts'
import {
  isTextWord,
  type Names,
  notYet,
  resolveReadout,
  type Wildcard,
  wildcardOf,
  wordsOf,
} from './readouts.ts'

export type ParsedPredicate =
  | { readonly ok: true; readonly predicate: Predicate }
  | ({ readonly ok: false } & Misread)

/** The longest predicate, and the deepest nesting of brackets in it. */
const maximumLength = 2000
const maximumNesting = 32

/**
 * Parses a predicate such as `price.BTC.mid >= 49500 and order[bid].status in ['open', 'filled']`. From the loosest
 * binding: or, and, not, comparison, + and -, *. Types are checked: whatever parses can be evaluated.
 */
export function parsePredicate(
  text: string,
  names: Names,
  placeAt: (offset: number) => Place = () => nowhere,
): ParsedPredicate {
  if (text.length > maximumLength) return mistake(0, `longer than ${maximumLength} characters`)
  const scanned = tokenize(text)
  if (!scanned.ok) return scanned
  const cursor: Cursor = { tokens: scanned.tokens, index: 0, nesting: 0, names, starts: new Map() }
  const root = parseOr(cursor)
  if ('reason' in root) return { ok: false, ...root }
  const rest = current(cursor)
  if (rest.kind !== 'end') return { ok: false, ...strayToken(rest) }
  if (typeOf(root) !== 'boolean') return mistake(0, 'this is a value; compare it with something')
  const parts = [...conjunctsOf(root)].map((expression) => ({
    expression,
    place: placeAt(cursor.starts.get(expression) ?? 0),
  }))
  return predicateOf(parts, text)
}

/** Checked expressions as a predicate. It runs over at most one kind of thing. */
export function predicateOf(parts: readonly PredicatePart[], text: string): ParsedPredicate {
  const wildcards = new Set<Wildcard>()
  for (const { expression } of parts)
    for (const { readout } of readoutsOf(expression)) {
      const wildcard = wildcardOf(readout)
      if (wildcard !== null) wildcards.add(wildcard)
    }
  const [wildcard = null, second] = wildcards
  if (second !== undefined)
    return mistake(0, 'a predicate runs over orders, quotes or fills, not over two of them')
  return { ok: true, predicate: { parts, text, wildcard } }
}

/** Parses the path of a single read-out, as in the object form of `that`. */
export function parseReadout(text: string, names: Names): { readonly expression: Expression } | Misread {
  const scanned = tokenize(text)
  if (!scanned.ok) return scanned
  const [token, end] = scanned.tokens
  if (token?.kind !== 'path' || end?.kind !== 'end') {
    return { offset: 0, reason: 'a read-out is expected, such as price.BTC.mid', nearest: null }
  }
  const expression = readoutOf(token.steps, names)
  return 'reason' in expression ? expression : { expression }
}

/** Why two sides cannot be compared, and the word that may have been meant. */
export interface Incomparable {
  readonly reason: string
  readonly nearest: string | null
}

/** A comparison whose sides have fitting types, and fitting words, or why they do not fit. */
export function comparison(
  operator: Comparison,
  left: Expression,
  right: Expression,
  names: Names,
): Expression | Incomparable {
  const [leftType, rightType] = [typeOf(left), typeOf(right)]
  if (leftType !== rightType) return incomparable(`a ${leftType} cannot be compared with a ${rightType}`)
  const isEquality = operator === '==' || operator === '!='
  if (leftType !== 'number' && !isEquality) return incomparable(`a ${leftType} has no order; use == or !=`)
  return (
    unknownWord(left, right, names) ??
    unknownWord(right, left, names) ?? { kind: 'compare', operator, left, right }
  )
}

/** Why no number is between two bounds; null where one may be. */
export function reasonOfEmpty(low: Expression, high: Expression): string | null {
  if (low.kind !== 'number' || high.kind !== 'number' || compareExact(low.value, high.value) <= 0) return null
  return `nothing is between ${exactToText(low.value)} and ${exactToText(high.value)}; the lower bound comes first`
}

const incomparable = (reason: string, nearest: string | null = null): Incomparable => ({ reason, nearest })

/** A text that the read-out beside it never is. */
function unknownWord(readout: Expression, text: Expression, names: Names): Incomparable | null {
  if (readout.kind !== 'readout' || text.kind !== 'text') return null
  const words = wordsOf(readout.readout, names)
  if (words === null || words.includes(text.value)) return null
  const nearest = nearestWord(text.value, words)
  const list =
    nearest === null && words.length <= maximumListedWords ? `; it is one of ${words.join(', ')}` : ''
  return incomparable(`${readout.name} is never "${text.value}"${list}`, nearest)
}

const maximumListedWords = 10

type Parse = Expression | Misread

interface Cursor {
  readonly tokens: readonly Token[]
  index: number
  nesting: number
  readonly names: Names
  /** Where the parts begin that "and" may join. */
  readonly starts: Map<Expression, number>
}

const endToken: Token = { kind: 'end', offset: 0 }
const current = (cursor: Cursor): Token => cursor.tokens[cursor.index] ?? endToken

const mistake = (offset: number, reason: string, nearest: string | null = null) =>
  ({ ok: false, offset, reason, nearest }) as const

const isSign = (token: Token, text: string): boolean => token.kind === 'sign' && token.text === text

function isWord(token: Token, word: string): boolean {
  return token.kind === 'path' && token.steps.length === 1 && token.steps[0]?.name === word
}

function parseOr(cursor: Cursor): Parse {
  return parseJoined(cursor, 'or', (inner) => parseJoined(inner, 'and', parseNot))
}

function parseJoined(cursor: Cursor, word: 'and' | 'or', parseSide: (cursor: Cursor) => Parse): Parse {
  const start = current(cursor).offset
  let left = parseSide(cursor)
  while (!('reason' in left) && isWord(current(cursor), word)) {
    if (typeOf(left) !== 'boolean') return mistake(start, `"${word}" joins comparisons, and this is a value`)
    cursor.index++
    const sideStart = current(cursor).offset
    const right = parseSide(cursor)
    if ('reason' in right) return right
    if (typeOf(right) !== 'boolean')
      return mistake(sideStart, `"${word}" joins comparisons, and this is a value`)
    left = { kind: word, left, right }
  }
  return left
}

function parseNot(cursor: Cursor): Parse {
  const start = current(cursor).offset
  const parsed = parseNegated(cursor)
  if (!('reason' in parsed) && !cursor.starts.has(parsed)) cursor.starts.set(parsed, start)
  return parsed
}

function parseNegated(cursor: Cursor): Parse {
  let negations = 0
  while (isWord(current(cursor), 'not')) {
    negations++
    cursor.index++
  }
  const start = current(cursor).offset
  const operand = parseComparison(cursor)
  if (negations === 0 || 'reason' in operand) return operand
  if (typeOf(operand) !== 'boolean') return mistake(start, '"not" turns a comparison, and this is a value')
  return negations % 2 === 0 ? operand : { kind: 'not', operand }
}

const comparisons: readonly Comparison[] = ['==', '!=', '<', '<=', '>', '>=']

function parseComparison(cursor: Cursor): Parse {
  const left = parseSum(cursor)
  if ('reason' in left) return left
  const token = current(cursor)
  if (isWord(token, 'in')) return parseIn(cursor, left)
  if (isWord(token, 'between')) return parseBetween(cursor, left)
  const operator =
    token.kind === 'sign' ? comparisons.find((candidate) => candidate === token.text) : undefined
  if (operator === undefined) return left
  cursor.index++
  const right = parseSum(cursor)
  if ('reason' in right) return right
  const compared = comparison(operator, left, right, cursor.names)
  if ('reason' in compared) return mistake(token.offset, compared.reason, compared.nearest)
  const next = current(cursor)
  if (next.kind === 'sign' && comparisons.some((candidate) => candidate === next.text)) {
    return mistake(next.offset, 'comparisons do not chain; join two with "and"')
  }
  return compared
}

function parseIn(cursor: Cursor, operand: Expression): Parse {
  const wordOffset = current(cursor).offset
  cursor.index++
  const options = parseList(cursor)
  if ('reason' in options) return options
  if (options.items.length === 0) return mistake(wordOffset, 'the list after "in" is empty')
  for (const option of options.items) {
    const compared = comparison('==', operand, option, cursor.names)
    if ('reason' in compared) return mistake(wordOffset, compared.reason, compared.nearest)
  }
  return { kind: 'in', operand, options: options.items }
}

function parseBetween(cursor: Cursor, operand: Expression): Parse {
  const wordOffset = current(cursor).offset
  cursor.index++
  const bounds = parseList(cursor)
  if ('reason' in bounds) return bounds
  const [low, high] = bounds.items
  const [lowOffset = 0, highOffset = 0] = bounds.offsets
  if (low === undefined || high === undefined || bounds.items.length !== 2) {
    return mistake(wordOffset, '"between" takes two bounds, as in between [1, 2]')
  }
  const left = comparison('>=', operand, low, cursor.names)
  const right = comparison('<=', operand, high, cursor.names)
  if ('reason' in left) return mistake(wordOffset, left.reason)
  if ('reason' in right) return mistake(wordOffset, right.reason)
  const reason = reasonOfEmpty(low, high)
  if (reason !== null) return mistake(wordOffset, reason)
  cursor.starts.set(left, lowOffset).set(right, highOffset)
  return { kind: 'and', left, right }
}

function parseList(
  cursor: Cursor,
): { readonly items: readonly Expression[]; readonly offsets: readonly number[] } | Misread {
  if (!isSign(current(cursor), '['))
    return mistake(current(cursor).offset, 'a list is expected, as in [1, 2]')
  cursor.index++
  const items: Expression[] = []
  const offsets: number[] = []
  while (!isSign(current(cursor), ']')) {
    if (items.length > 0) {
      if (!isSign(current(cursor), ',')) return mistake(current(cursor).offset, 'a comma or "]" is expected')
      cursor.index++
    }
    offsets.push(current(cursor).offset)
    const item = parseSum(cursor)
    if ('reason' in item) return item
    items.push(item)
  }
  cursor.index++
  return { items, offsets }
}

function parseSum(cursor: Cursor): Parse {
  return parseArithmetic(cursor, ['+', '-'], (inner) => parseArithmetic(inner, ['*'], parseSigned))
}

function parseArithmetic(
  cursor: Cursor,
  operators: readonly ('+' | '-' | '*')[],
  parseSide: (cursor: Cursor) => Parse,
): Parse {
  let left = parseSide(cursor)
  for (;;) {
    if ('reason' in left) return left
    const token = current(cursor)
    const operator =
      token.kind === 'sign' ? operators.find((candidate) => candidate === token.text) : undefined
    if (operator === undefined) return left
    cursor.index++
    const right = parseSide(cursor)
    if ('reason' in right) return right
    if (typeOf(left) !== 'number' || typeOf(right) !== 'number') {
      return mistake(token.offset, `"${operator}" needs a number on both sides`)
    }
    left = { kind: 'arithmetic', operator, left, right }
  }
}

function parseSigned(cursor: Cursor): Parse {
  const token = current(cursor)
  if (!isSign(token, '-')) return parsePrimary(cursor)
  cursor.index++
  const operand = parsePrimary(cursor)
  if ('reason' in operand) return operand
  if (typeOf(operand) !== 'number') return mistake(token.offset, '"-" needs a number behind it')
  return operand.kind === 'number'
    ? { kind: 'number', value: negateExact(operand.value) }
    : { kind: 'negate', operand }
}

function parsePrimary(cursor: Cursor): Parse {
  const token = current(cursor)
  cursor.index++
  switch (token.kind) {
    case 'number': {
      const value = exactFromText(token.text)
      return value === null ? mistake(token.offset, 'the number is out of range') : { kind: 'number', value }
    }
    case 'text':
      return { kind: 'text', value: token.text }
    case 'path':
      return parsePath(cursor, token.steps, token.offset)
    case 'sign':
      if (token.text === '(') return parseBracketed(cursor, token.offset)
      return strayToken(token)
    case 'end':
      return mistake(token.offset, 'a value is missing at the end')
  }
}

function parseBracketed(cursor: Cursor, offset: number): Parse {
  if (++cursor.nesting > maximumNesting) return mistake(offset, 'too many nested brackets')
  const inner = parseOr(cursor)
  if ('reason' in inner) return inner
  if (!isSign(current(cursor), ')')) return mistake(current(cursor).offset, 'a ")" is missing')
  cursor.index++
  cursor.nesting--
  return inner
}

function parsePath(cursor: Cursor, steps: readonly PathStep[], offset: number): Parse {
  const [first] = steps
  if (steps.length === 1 && first !== undefined && first.label === null) {
    if (first.name === 'true' || first.name === 'false')
      return { kind: 'boolean', value: first.name === 'true' }
    if (isSign(current(cursor), '(')) return parseCall(cursor, first.name, offset)
    if (['and', 'or', 'in', 'not', 'between'].includes(first.name)) {
      return mistake(offset, `a value is missing before "${first.name}"`)
    }
  }
  return readoutOf(steps, cursor.names)
}

function parseCall(cursor: Cursor, name: string, offset: number): Parse {
  if (name !== 'abs') return mistake(offset, `unknown function "${name}"`, nearestWord(name, ['abs']))
  const bracket = current(cursor).offset
  cursor.index++
  const operand = parseBracketed(cursor, bracket)
  if ('reason' in operand) return operand
  if (typeOf(operand) !== 'number') return mistake(offset, '"abs" needs a number')
  if (operand.kind === 'number') return { kind: 'number', value: absoluteExact(operand.value) }
  return { kind: 'absolute', operand }
}

function readoutOf(steps: readonly PathStep[], names: Names): Parse {
  const misplaced = steps.find((step, index) => index > 0 && step.label !== null)
  if (misplaced !== undefined) return mistake(misplaced.offset, 'only the first name takes brackets')
  const resolved = resolveReadout(steps, names)
  if (resolved.ok) {
    const name = steps
      .map((step) => (step.label === null ? step.name : `${step.name}[${step.label}]`))
      .join('.')
    return { kind: 'readout', readout: resolved.readout, type: resolved.type, name }
  }
  const step: PathStep | undefined = steps[resolved.step] ?? steps.at(-1)
  const [lone] = steps
  const isText =
    steps.length === 1 && lone?.label === null && (resolved.nearest === null || isTextWord(lone.name))
  if (isText && resolved.step === 0)
    return mistake(lone.offset, `${resolved.reason}; a text stands in quotes, '${lone.name}'`)
  return mistake(step?.offset ?? 0, resolved.reason, resolved.nearest)
}

function strayToken(token: Token): Misread {
  switch (token.kind) {
    case 'end':
      return mistake(token.offset, 'a value is missing at the end')
    case 'path': {
      const name = token.steps[0]?.name ?? ''
      if (name === 'until' || name === 'matches') return mistake(token.offset, notYet(name))
      return mistake(
        token.offset,
        `"${name}" does not belong here`,
        nearestWord(name, ['and', 'or', 'in', 'between']),
      )
    }
    default:
      return mistake(token.offset, `"${token.text}" does not belong here`)
  }
}
