import { nearestWord } from '../../api/nearest-word.ts'
import { type ReadResult, success } from '../file/mistake.ts'
import { nowhere, type SourceLocation } from '../file/tree.ts'
import {
  absoluteExact,
  type Comparison,
  compareExact,
  exactFromText,
  exactToText,
  negateExact,
} from './exact.ts'
import {
  type Expression,
  listConjuncts,
  listReadouts,
  type Predicate,
  type PredicatePart,
  typeOf,
} from './predicate.ts'
import {
  type PathStep,
  type TextMistake,
  type Token,
  tokenize,
  type WordMistake,
} from './predicate-tokens.ts'
import { findWildcard, isTextWord, listWords, type Names, resolveReadout, type Wildcard } from './readouts.ts'

const maximumLength = 2000
const maximumNesting = 32

/**
 * Parses a predicate such as `price.BTC.mid >= 49500 and order[bid].status in ['open', 'filled']`. From the loosest
 * binding: or, and, not, comparison, + and -, *. Types are checked, so whatever parses can be evaluated.
 */
export function parsePredicate(
  text: string,
  names: Names,
  placeAt: (offset: number) => SourceLocation = () => nowhere,
): ReadResult<Predicate, TextMistake> {
  if (text.length > maximumLength) return mistake(`longer than ${maximumLength} characters`)
  const scanned = tokenize(text)
  if (!scanned.ok) return scanned
  const cursor = createCursor(scanned.value, names)
  const root = parseOr(cursor)
  const rest = currentToken(cursor)
  if (rest.kind !== 'end') failAt(cursor, rest)
  else if (typeOf(root) !== 'boolean') fail(cursor, 0, 'this is a value; compare it with something')
  if (cursor.mistake !== null) return { ok: false, ...cursor.mistake }
  const parts = [...listConjuncts(root)].map((expression) => ({
    expression,
    place: placeAt(cursor.starts.get(expression) ?? 0),
  }))
  return createPredicate(parts, text)
}

/** Joins checked expressions to a predicate. It may have wildcards over only one kind of thing. */
export function createPredicate(
  parts: readonly PredicatePart[],
  text: string,
): ReadResult<Predicate, TextMistake> {
  const wildcards = new Set<Wildcard>()
  for (const { expression } of parts)
    for (const { readout } of listReadouts(expression)) {
      const wildcard = findWildcard(readout)
      if (wildcard !== null) wildcards.add(wildcard)
    }
  const [wildcard = null, second] = wildcards
  if (second !== undefined)
    return mistake('a predicate runs over orders, quotes or fills, not over two of them')
  return success({ parts, text, wildcard })
}

/** Parses the path of a single read-out, as in the mapping form of `that`. */
export function parseReadout(text: string, names: Names): ReadResult<Expression, TextMistake> {
  const scanned = tokenize(text)
  if (!scanned.ok) return scanned
  const [token, end] = scanned.value
  if (token?.kind !== 'path' || end?.kind !== 'end') {
    return mistake('a read-out is expected, such as price.BTC.mid')
  }
  const cursor = createCursor(scanned.value, names)
  const expression = parseReadoutPath(cursor, token.steps)
  return cursor.mistake === null ? success(expression) : { ok: false, ...cursor.mistake }
}

/** Creates a comparison, or says why the types or words of its sides do not fit. */
export function createComparison(
  operator: Comparison,
  left: Expression,
  right: Expression,
  names: Names,
): ReadResult<Expression, WordMistake> {
  const [leftType, rightType] = [typeOf(left), typeOf(right)]
  if (leftType !== rightType) return incomparable(`a ${leftType} cannot be compared with a ${rightType}`)
  const isEquality = operator === '==' || operator === '!='
  if (leftType !== 'number' && !isEquality) return incomparable(`a ${leftType} has no order; use == or !=`)
  return (
    findUnknownWord(left, right, names) ??
    findUnknownWord(right, left, names) ??
    success({ kind: 'compare', operator, left, right })
  )
}

/** Returns why no number is between two bounds; null where one may be. */
export function findEmptyRangeReason(low: Expression, high: Expression): string | null {
  if (low.kind !== 'number' || high.kind !== 'number' || compareExact(low.value, high.value) <= 0) return null
  return `nothing is between ${exactToText(low.value)} and ${exactToText(high.value)}; the lower bound comes first`
}

const incomparable = (reason: string, nearest: string | null = null): Incomparable => ({
  ok: false,
  reason,
  nearest,
})

type Incomparable = { readonly ok: false } & WordMistake

/** Returns the mistake of comparing a read-out with a text that it can never be; null when the text fits. */
function findUnknownWord(readout: Expression, text: Expression, names: Names): Incomparable | null {
  if (readout.kind !== 'readout' || text.kind !== 'text') return null
  const words = listWords(readout.readout, names)
  if (words === null || words.includes(text.value)) return null
  const nearest = nearestWord(text.value, words)
  const list =
    nearest === null && words.length <= maximumListedWords ? `; it is one of ${words.join(', ')}` : ''
  return incomparable(`${readout.name} is never "${text.value}"${list}`, nearest)
}

const maximumListedWords = 10

const mistake = (reason: string) => ({ ok: false, offset: 0, reason, nearest: null }) as const

interface Cursor {
  readonly tokens: readonly Token[]
  index: number
  nesting: number
  readonly names: Names
  /** The offsets at which the parts begin that "and" may join. */
  readonly starts: Map<Expression, number>
  /** The first mistake. After it, nothing more is read. */
  mistake: TextMistake | null
}

const createCursor = (tokens: readonly Token[], names: Names): Cursor => ({
  tokens,
  index: 0,
  nesting: 0,
  names,
  starts: new Map(),
  mistake: null,
})

const endToken: Token = { kind: 'end', offset: 0 }
const currentToken = (cursor: Cursor): Token => cursor.tokens[cursor.index] ?? endToken

/**
 * Records a mistake, unless there is one already, and skips the remaining words so that all parsing functions end.
 */
function fail(cursor: Cursor, offset: number, reason: string, nearest: string | null = null): Expression {
  cursor.mistake ??= { offset, reason, nearest }
  cursor.index = cursor.tokens.length - 1
  return unread
}

const unread: Expression = { kind: 'boolean', value: false }

const isSign = (token: Token, text: string): boolean => token.kind === 'sign' && token.text === text

function isWord(token: Token, word: string): boolean {
  return token.kind === 'path' && token.steps.length === 1 && token.steps[0]?.name === word
}

function parseOr(cursor: Cursor): Expression {
  return parseJoined(cursor, 'or', (inner) => parseJoined(inner, 'and', parseNot))
}

function parseJoined(
  cursor: Cursor,
  word: 'and' | 'or',
  parseSide: (cursor: Cursor) => Expression,
): Expression {
  const start = currentToken(cursor).offset
  let left = parseSide(cursor)
  while (isWord(currentToken(cursor), word)) {
    const reason = `"${word}" joins comparisons, and this is a value`
    if (typeOf(left) !== 'boolean') return fail(cursor, start, reason)
    cursor.index++
    const sideStart = currentToken(cursor).offset
    const right = parseSide(cursor)
    if (typeOf(right) !== 'boolean') return fail(cursor, sideStart, reason)
    left = { kind: word, left, right }
  }
  return left
}

function parseNot(cursor: Cursor): Expression {
  const start = currentToken(cursor).offset
  const parsed = parseNegated(cursor)
  if (!cursor.starts.has(parsed)) cursor.starts.set(parsed, start)
  return parsed
}

function parseNegated(cursor: Cursor): Expression {
  let negations = 0
  while (isWord(currentToken(cursor), 'not')) {
    negations++
    cursor.index++
  }
  const start = currentToken(cursor).offset
  const operand = parseComparison(cursor)
  if (negations > 0 && typeOf(operand) !== 'boolean')
    return fail(cursor, start, '"not" turns a comparison, and this is a value')
  return negations % 2 === 0 ? operand : { kind: 'not', operand }
}

const comparisons: readonly Comparison[] = ['==', '!=', '<', '<=', '>', '>=']

function toComparison(token: Token): Comparison | undefined {
  return token.kind === 'sign' ? comparisons.find((candidate) => candidate === token.text) : undefined
}

function parseComparison(cursor: Cursor): Expression {
  const left = parseSum(cursor)
  const token = currentToken(cursor)
  if (isWord(token, 'in')) return parseIn(cursor, left)
  if (isWord(token, 'between')) return parseBetween(cursor, left)
  const operator = toComparison(token)
  if (operator === undefined) return left
  cursor.index++
  const compared = compare(cursor, token.offset, operator, left, parseSum(cursor))
  const next = currentToken(cursor)
  return toComparison(next) === undefined
    ? compared
    : fail(cursor, next.offset, 'comparisons do not chain; join two with "and"')
}

function compare(
  cursor: Cursor,
  offset: number,
  operator: Comparison,
  left: Expression,
  right: Expression,
): Expression {
  const compared = createComparison(operator, left, right, cursor.names)
  return compared.ok ? compared.value : fail(cursor, offset, compared.reason, compared.nearest)
}

function parseIn(cursor: Cursor, operand: Expression): Expression {
  const { offset } = currentToken(cursor)
  cursor.index++
  const options = parseList(cursor).map(({ item }) => item)
  if (options.length === 0) return fail(cursor, offset, 'the list after "in" is empty')
  for (const option of options) compare(cursor, offset, '==', operand, option)
  return { kind: 'in', operand, options }
}

function parseBetween(cursor: Cursor, operand: Expression): Expression {
  const { offset } = currentToken(cursor)
  cursor.index++
  const [low, high, another] = parseList(cursor)
  if (low === undefined || high === undefined || another !== undefined)
    return fail(cursor, offset, '"between" takes two bounds, as in between [1, 2]')
  const left = compare(cursor, offset, '>=', operand, low.item)
  const right = compare(cursor, offset, '<=', operand, high.item)
  const reason = findEmptyRangeReason(low.item, high.item)
  if (reason !== null) return fail(cursor, offset, reason)
  cursor.starts.set(left, low.offset).set(right, high.offset)
  return { kind: 'and', left, right }
}

function parseList(cursor: Cursor): readonly { readonly item: Expression; readonly offset: number }[] {
  if (!isSign(currentToken(cursor), '['))
    fail(cursor, currentToken(cursor).offset, 'a list is expected, as in [1, 2]')
  cursor.index++
  const items: { readonly item: Expression; readonly offset: number }[] = []
  while (!isSign(currentToken(cursor), ']') && cursor.mistake === null) {
    const { offset } = currentToken(cursor)
    if (items.length > 0 && !isSign(currentToken(cursor), ','))
      fail(cursor, offset, 'a comma or "]" is expected')
    if (items.length > 0) cursor.index++
    items.push({ offset: currentToken(cursor).offset, item: parseSum(cursor) })
  }
  cursor.index++
  return items
}

function parseSum(cursor: Cursor): Expression {
  return parseArithmetic(cursor, ['+', '-'], (inner) => parseArithmetic(inner, ['*'], parseSigned))
}

function parseArithmetic(
  cursor: Cursor,
  operators: readonly ('+' | '-' | '*')[],
  parseSide: (cursor: Cursor) => Expression,
): Expression {
  let left = parseSide(cursor)
  for (;;) {
    const token = currentToken(cursor)
    const operator =
      token.kind === 'sign' ? operators.find((candidate) => candidate === token.text) : undefined
    if (operator === undefined) return left
    cursor.index++
    const right = parseSide(cursor)
    if (typeOf(left) !== 'number' || typeOf(right) !== 'number')
      return fail(cursor, token.offset, `"${operator}" needs a number on both sides`)
    left = { kind: 'arithmetic', operator, left, right }
  }
}

function parseSigned(cursor: Cursor): Expression {
  const token = currentToken(cursor)
  if (!isSign(token, '-')) return parsePrimary(cursor)
  cursor.index++
  const operand = parsePrimary(cursor)
  if (typeOf(operand) !== 'number') return fail(cursor, token.offset, '"-" needs a number behind it')
  return operand.kind === 'number'
    ? { kind: 'number', value: negateExact(operand.value) }
    : { kind: 'negate', operand }
}

function parsePrimary(cursor: Cursor): Expression {
  const token = currentToken(cursor)
  cursor.index++
  if (token.kind === 'number') {
    const value = exactFromText(token.text)
    return value === null
      ? fail(cursor, token.offset, 'the number is out of range')
      : { kind: 'number', value }
  }
  if (token.kind === 'text') return { kind: 'text', value: token.text }
  if (token.kind === 'path') return parsePath(cursor, token.steps, token.offset)
  return isSign(token, '(') ? parseBracketed(cursor, token.offset) : failAt(cursor, token)
}

function parseBracketed(cursor: Cursor, offset: number): Expression {
  if (++cursor.nesting > maximumNesting) return fail(cursor, offset, 'too many nested brackets')
  const inner = parseOr(cursor)
  if (!isSign(currentToken(cursor), ')')) return fail(cursor, currentToken(cursor).offset, 'a ")" is missing')
  cursor.index++
  cursor.nesting--
  return inner
}

function parsePath(cursor: Cursor, steps: readonly PathStep[], offset: number): Expression {
  const [first] = steps
  if (steps.length === 1 && first !== undefined && first.label === null) {
    const { name } = first
    if (name === 'true' || name === 'false') return { kind: 'boolean', value: name === 'true' }
    if (isSign(currentToken(cursor), '(')) return parseCall(cursor, name, offset)
    if (['and', 'or', 'in', 'not', 'between'].includes(name))
      return fail(cursor, offset, `a value is missing before "${name}"`)
  }
  return parseReadoutPath(cursor, steps)
}

function parseCall(cursor: Cursor, name: string, offset: number): Expression {
  if (name !== 'abs') return fail(cursor, offset, `unknown function "${name}"`, nearestWord(name, ['abs']))
  const bracket = currentToken(cursor).offset
  cursor.index++
  const operand = parseBracketed(cursor, bracket)
  if (typeOf(operand) !== 'number') return fail(cursor, offset, '"abs" needs a number')
  return operand.kind === 'number'
    ? { kind: 'number', value: absoluteExact(operand.value) }
    : { kind: 'absolute', operand }
}

function parseReadoutPath(cursor: Cursor, steps: readonly PathStep[]): Expression {
  const misplaced = steps.find((step, index) => index > 0 && step.label !== null)
  if (misplaced !== undefined) return fail(cursor, misplaced.offset, 'only the first name takes brackets')
  const resolved = resolveReadout(steps, cursor.names)
  if (resolved.ok) {
    const name = steps
      .map((step) => (step.label === null ? step.name : `${step.name}[${step.label}]`))
      .join('.')
    return { kind: 'readout', ...resolved.value, name }
  }
  const { reason, nearest } = resolved
  const [lone] = steps
  const isText = steps.length === 1 && lone?.label === null && (nearest === null || isTextWord(lone.name))
  if (isText && resolved.step === 0)
    return fail(cursor, lone.offset, `${reason}; a text stands in quotes, '${lone.name}'`)
  const step = steps[resolved.step] ?? steps.at(-1)
  return fail(cursor, step?.offset ?? 0, reason, nearest)
}

function failAt(cursor: Cursor, token: Token): Expression {
  if (token.kind === 'end') return fail(cursor, token.offset, 'a value is missing at the end')
  const name = token.kind === 'path' ? (token.steps[0]?.name ?? '') : token.text
  if (token.kind === 'path' && (name === 'until' || name === 'matches'))
    return fail(cursor, token.offset, `"${name}" is a known word that this version does not implement yet`)
  const nearest = token.kind === 'path' ? nearestWord(name, ['and', 'or', 'in', 'between']) : null
  return fail(cursor, token.offset, `"${name}" does not belong here`, nearest)
}
