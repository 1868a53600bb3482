import { unreachable } from '../../numeric/assert.ts'
import type { SourceLocation } from '../file/tree.ts'
import {
  absoluteExact,
  addExact,
  type Comparison,
  type ExactDecimal,
  exactToText,
  holdsExactly,
  multiplyExact,
  negateExact,
  type Value,
} from './exact.ts'
import { type Expression, listReadouts, type Predicate, type PredicatePart } from './predicate.ts'
import type { Readout, ReadoutSource } from './readouts.ts'

/** Whether a predicate with a wildcard must hold for some of its rows or for every one. */
export type Quantifier = 'some' | 'every'

/**
 * Returns whether a predicate holds; null when that depends on something that does not exist. Logic has three values:
 * false and unknown is false, true or unknown is true, and every comparison with unknown is unknown. With a wildcard,
 * the predicate holds when it holds for some row (with `every`, for all rows); without any row it is unknown.
 */
export function evaluatePredicate(
  predicate: Predicate,
  source: ReadoutSource,
  quantifier: Quantifier = 'some',
): boolean | null {
  const { parts, wildcard } = predicate
  if (wildcard === null) return evaluateParts(parts, createReader(source, null))
  const decisive = quantifier === 'some'
  let found: boolean | null = null
  for (const row of source.listRows(wildcard)) {
    const truth = evaluateParts(parts, createReader(source, row))
    if (truth === decisive) return decisive
    if (truth !== null) found = truth
  }
  return found
}

/** Returns the value of an expression; null when it is unknown or not a number. */
export function evaluateNumber(expression: Expression, source: ReadoutSource): ExactDecimal | null {
  const value = evaluate(expression, createReader(source, null))
  return isNumber(value) ? value : null
}

/** Reads a read-out from a source, whose wildcard stands for one row. */
type Read = (readout: Readout) => Value

const createReader =
  (source: ReadoutSource, row: number | null): Read =>
  (readout) =>
    source.read(readout, row)

function evaluateParts(parts: readonly PredicatePart[], read: Read): boolean | null {
  let truth: boolean | null = true
  for (const { expression } of parts) {
    const value = evaluate(expression, read)
    if (value === false) return false
    if (value !== true) truth = null
  }
  return truth
}

/** The values of read-outs as `name = value`, and the places of the parts that have them. */
export interface ReadoutObservation {
  readonly values: string
  readonly places: readonly SourceLocation[]
}

/**
 * Shows the values of the parts that do not hold, or of all parts when all hold. With a wildcard, the values are
 * those of the row that decided.
 */
export function observe(
  predicate: Predicate,
  source: ReadoutSource,
  quantifier: Quantifier,
): ReadoutObservation {
  const seen = new Map<string, string>()
  const row = findDecisiveRow(predicate, source, quantifier === 'some')
  const { parts } = predicate
  const unmet = parts.filter((part) => evaluateParts([part], createReader(source, row)) !== true)
  const shown = unmet.length > 0 ? unmet : parts
  for (const { expression } of shown)
    for (const { name, readout } of listReadouts(expression))
      seen.set(name, formatValue(source.read(readout, row)))
  const values = [...seen].map(([name, text]) => `${name} = ${text}`).join(', ')
  return { values, places: shown.map(({ place }) => place) }
}

/** Returns the first row that decides a predicate, or else the first row; null without a wildcard or without rows. */
function findDecisiveRow(
  { wildcard, parts }: Predicate,
  source: ReadoutSource,
  decisive: boolean,
): number | null {
  let first: number | null = null
  for (const row of wildcard === null ? [] : source.listRows(wildcard)) {
    first ??= row
    if (evaluateParts(parts, createReader(source, row)) === decisive) return row
  }
  return first
}

export function formatValue(value: Value): string {
  if (value === null) return 'nothing yet'
  if (typeof value === 'string') return `'${value}'`
  return typeof value === 'boolean' ? String(value) : exactToText(value)
}

function evaluate(expression: Expression, read: Read): Value {
  switch (expression.kind) {
    case 'number':
    case 'text':
    case 'boolean':
      return expression.value
    case 'readout':
      return read(expression.readout)
    case 'negate':
      return mapNumber(evaluate(expression.operand, read), negateExact)
    case 'absolute':
      return mapNumber(evaluate(expression.operand, read), absoluteExact)
    case 'arithmetic':
      return calculate(expression.operator, evaluate(expression.left, read), evaluate(expression.right, read))
    case 'compare':
      return compare(expression.operator, evaluate(expression.left, read), evaluate(expression.right, read))
    case 'in':
      return evaluateIn(evaluate(expression.operand, read), expression.options, read)
    case 'not': {
      const operand = evaluate(expression.operand, read)
      return typeof operand === 'boolean' ? !operand : null
    }
    case 'and':
    case 'or':
      return evaluateJoined(expression.kind, expression.left, expression.right, read)
    default:
      return unreachable(expression)
  }
}

function mapNumber(value: Value, change: (value: ExactDecimal) => ExactDecimal): Value {
  return isNumber(value) ? change(value) : null
}

function calculate(operator: '+' | '-' | '*', left: Value, right: Value): Value {
  if (!isNumber(left) || !isNumber(right)) return null
  if (operator === '*') return multiplyExact(left, right)
  return addExact(left, operator === '+' ? right : negateExact(right))
}

function compare(operator: Comparison, left: Value, right: Value): boolean | null {
  if (left === null || right === null) return null
  if (!isNumber(left) || !isNumber(right)) return operator === '==' ? left === right : left !== right
  return holdsExactly(left, operator, right)
}

function evaluateIn(operand: Value, options: readonly Expression[], read: Read): boolean | null {
  let isUnknown = operand === null
  for (const option of options) {
    const isEqual = compare('==', operand, evaluate(option, read))
    if (isEqual === true) return true
    if (isEqual === null) isUnknown = true
  }
  return isUnknown ? null : false
}

function evaluateJoined(kind: 'and' | 'or', left: Expression, right: Expression, read: Read): boolean | null {
  const decisive = kind === 'or'
  const leftValue = evaluate(left, read)
  if (leftValue === decisive) return decisive
  const rightValue = evaluate(right, read)
  if (rightValue === decisive) return decisive
  return leftValue === null || rightValue === null ? null : !decisive
}

const isNumber = (value: Value): value is ExactDecimal => typeof value === 'object' && value !== null
