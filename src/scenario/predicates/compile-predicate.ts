import { nearestWord } from '../../api/nearest-word.ts'
import { assert } from '../../numeric/assert.ts'
import {
  addMistake,
  type Field,
  isReadable,
  keyPlaceOf,
  listEntries,
  listItems,
  statedScalar,
  statedText,
} from '../file/fields.ts'
import { joinPath, type Mistake, mistakeAt } from '../file/mistake.ts'
import { findPlaceInText, type Scalar, type SourceLocation } from '../file/tree.ts'
import { type Comparison, type ExactDecimal, exactFromText, negateExact } from './exact.ts'
import { findEmptyJudgement } from './find-constant.ts'
import {
  createComparison,
  createPredicate,
  findEmptyRangeReason,
  parsePredicate,
  parseReadout,
} from './parse-predicate.ts'
import { and, type Expression, type Predicate, type PredicatePart, typeOf } from './predicate.ts'
import type { Names } from './readouts.ts'

/**
 * Compiles a predicate in its text or its mapping form, with its comparisons loosened by a tolerance. Returns null
 * after a mistake, which is noted.
 */
export function compilePredicate(
  field: Field,
  names: Names,
  tolerance: ExactDecimal | null,
): Predicate | null {
  const predicate = field.tree.kind === 'mapping' ? compileTargets(field, names) : compileText(field, names)
  if (predicate === null) return null
  const parts =
    tolerance === null
      ? predicate.parts
      : predicate.parts.map(({ expression, place }) => ({
          expression: withTolerance(expression, tolerance),
          place,
        }))
  const empty = findEmptyJudgement(parts)
  // Targets that contradict each other may be a recorded value beside a bound: `run --update` records it anew.
  const isRecordable = field.tree.kind === 'mapping' && empty?.part === null
  if (empty === null || isRecordable) return { ...predicate, parts }
  const { part, reason } = empty
  if (part === null || parts.length === 1) addMistake(field, reason)
  else field.mistakes.add(mistakeAt(part.place, field.path, `has a part that ${reason}`))
  return null
}

export const comparisonsByWord: ReadonlyMap<string, Comparison> = new Map([
  ['eq', '=='],
  ['ne', '!='],
  ['lt', '<'],
  ['lte', '<='],
  ['gt', '>'],
  ['gte', '>='],
])

/**
 * Compiles the read-out that a key of the mapping form names. Returns null after a mistake, which is noted at the
 * key.
 */
export function compileReadout(mapping: Field, name: string, names: Names): Expression | null {
  const readout = parseReadout(name, names)
  if (readout.ok) return readout.value
  const place = keyPlaceOf(mapping, name)
  mapping.mistakes.add(mistakeAt(place, joinPath(mapping.path, name), readout.reason, readout.nearest))
  return null
}

function compileText(field: Field, names: Names): Predicate | null {
  if (!isReadable(field)) return null
  const parsed = parsePredicate(statedText(field), names, (offset) => findPlace(statedScalar(field), offset))
  if (parsed.ok) return parsed.value
  field.mistakes.add(mistakeInText(field, parsed.offset, parsed.reason, parsed.nearest))
  return null
}

function compileTargets(field: Field, names: Names): Predicate | null {
  const parts: PredicatePart[] = []
  const texts: string[] = []
  for (const [target, operations] of listEntries(field)) {
    if (!isReadable(operations)) continue
    const readout = compileReadout(field, target, names)
    if (readout === null) continue
    for (const [operator, value] of listOperations(operations)) {
      const compiled = compileOperation(readout, operator, value, names)
      if (compiled === null) continue
      texts.push(`${target} ${operator} ${formatValues(value)}`)
      parts.push(...compiled)
    }
  }
  if (parts.length === 0) return null
  const made = createPredicate(parts, texts.join(' and '))
  if (made.ok) return made.value
  addMistake(field, made.reason, made.nearest)
  return null
}

/**
 * Lists the operators of a read-out in the mapping form, each with the value that it compares with. A value alone
 * means equality.
 */
export function listOperations(field: Field): readonly (readonly [string, Field])[] {
  return field.tree.kind === 'scalar' ? [['eq', field]] : listEntries(field)
}

function compileOperation(
  target: Expression,
  operator: string,
  value: Field,
  names: Names,
): readonly PredicatePart[] | null {
  const literal = (side: Field): Expression => toLiteral(statedScalar(side), typeOf(target) === 'number')
  const compare = (sign: Comparison, side: Field): PredicatePart | null => {
    const compared = createComparison(sign, target, literal(side), names)
    if (compared.ok) return { expression: compared.value, place: findValuePlace(side) }
    addMistake(side, compared.reason, compared.nearest)
    return null
  }
  if (!isReadable(value)) return null
  if (operator === 'between') {
    const [low, high] = listItems(value)
    assert(low !== undefined && high !== undefined, 'the schema has checked that there are two bounds')
    const [left, right] = [compare('>=', low), compare('<=', high)]
    if (left === null || right === null) return null
    const reason = findEmptyRangeReason(literal(low), literal(high))
    if (reason === null) return [left, right]
    addMistake(value, reason)
    return null
  }
  if (operator === 'in') {
    const fits = listItems(value).every((item) => compare('==', item) !== null)
    const options = listItems(value).map(literal)
    return fits ? [{ expression: { kind: 'in', operand: target, options }, place: value.tree.place }] : null
  }
  const sign = comparisonsByWord.get(operator)
  if (sign !== undefined) {
    const compared = compare(sign, value)
    return compared === null ? null : [compared]
  }
  addMistake(value, `unknown operator "${operator}"`, nearestWord(operator, comparisonsByWord.keys()))
  return null
}

/** Converts a value of a file to a literal. Decimal text becomes a number where numbers are compared. */
function toLiteral(value: Scalar, asNumber: boolean): Expression {
  if (typeof value.value === 'boolean') return { kind: 'boolean', value: value.value }
  if (typeof value.value === 'number' || asNumber) {
    const number = exactFromText(value.text)
    if (number !== null) return { kind: 'number', value: number }
  }
  return { kind: 'text', value: String(value.value) }
}

function formatValues(value: Field): string {
  const items = listItems(value)
  return items.length === 0 ? statedText(value) : `[${items.map(statedText).join(', ')}]`
}

/** Returns the place of a single value, inside its quotes if it has any. */
export const findValuePlace = (field: Field): SourceLocation => findPlace(statedScalar(field), 0)

/** Creates a mistake in the text of a predicate, at the exact character when the text is in the file literally. */
function mistakeInText(field: Field, offset: number, reason: string, nearest: string | null): Mistake {
  return mistakeAt(findPlace(statedScalar(field), offset), field.path, reason, nearest)
}

function findPlace({ place, text, textColumn, lines }: Scalar, offset: number): SourceLocation {
  if (textColumn > 0) return { ...place, column: textColumn + offset }
  return lines === undefined ? place : findPlaceInText(lines, text, offset)
}

/** Loosens each comparison of numbers by the tolerance, except those under a "not". */
function withTolerance(root: Expression, tolerance: ExactDecimal): Expression {
  if (root.kind === 'and' || root.kind === 'or') {
    const { kind, left, right } = root
    return { kind, left: withTolerance(left, tolerance), right: withTolerance(right, tolerance) }
  }
  if (root.kind === 'in' && typeOf(root.operand) === 'number') {
    const { operand, options } = root
    return options
      .map((right) => withTolerance({ kind: 'compare', operator: '==', left: operand, right }, tolerance))
      .reduce((left, right) => ({ kind: 'or', left, right }))
  }
  if (root.kind !== 'compare' || typeOf(root.left) !== 'number') return root
  const { operator, left, right } = root
  const off: Expression = { kind: 'number', value: tolerance }
  const away: Expression = { kind: 'number', value: negateExact(tolerance) }
  const moveBy = (by: Expression): Expression => ({
    kind: 'arithmetic',
    operator: '+',
    left: right,
    right: by,
  })
  const compareTo = (sign: Comparison, by: Expression): Expression => ({
    kind: 'compare',
    operator: sign,
    left,
    right: moveBy(by),
  })
  switch (operator) {
    case '==':
      return and(compareTo('>=', away), compareTo('<=', off))
    case '<':
    case '<=':
      return compareTo(operator, off)
    case '>':
    case '>=':
      return compareTo(operator, away)
    default:
      return root
  }
}
