import { unreachable } from '../numeric/assert.ts'
import {
  absoluteExact,
  addExact,
  compareExact,
  type Exact,
  exactToText,
  multiplyExact,
  negateExact,
} from './exact.ts'
import type { Expression, Predicate } from './predicate.ts'
import type { Readout } from './readouts.ts'

/** Null: not known, because what it is about is not there (yet). */
export type Value = Exact | string | boolean | null

/** Where a predicate gets its values from: one instant of one run. */
export interface ReadoutSource {
  read(readout: Readout): Value
}

/**
 * Whether the predicate holds; null when that depends on something that is not there. Three-valued: false and
 * unknown is false, true or unknown is true, every comparison with unknown is unknown.
 */
export function evaluatePredicate(predicate: Predicate, source: ReadoutSource): boolean | null {
  const value = evaluate(predicate.root, source)
  return typeof value === 'boolean' ? value : null
}

/** The values of all read-outs in the predicate, as `name = value`, for a report of what was found. */
export function observedValues(predicate: Predicate, source: ReadoutSource): string {
  const seen = new Map<string, string>()
  for (const part of readoutsOf(predicate.root)) seen.set(part.name, valueText(source.read(part.readout)))
  return [...seen].map(([name, text]) => `${name} = ${text}`).join(', ')
}

function valueText(value: Value): string {
  if (value === null) return 'nothing yet'
  if (typeof value === 'string') return `'${value}'`
  return typeof value === 'boolean' ? String(value) : exactToText(value)
}

function evaluate(expression: Expression, source: ReadoutSource): Value {
  switch (expression.kind) {
    case 'number':
    case 'text':
    case 'boolean':
      return expression.value
    case 'readout':
      return source.read(expression.readout)
    case 'negate':
      return mapNumber(evaluate(expression.operand, source), negateExact)
    case 'absolute':
      return mapNumber(evaluate(expression.operand, source), absoluteExact)
    case 'arithmetic':
      return calculate(
        expression.operator,
        evaluate(expression.left, source),
        evaluate(expression.right, source),
      )
    case 'compare':
      return compare(
        expression.operator,
        evaluate(expression.left, source),
        evaluate(expression.right, source),
      )
    case 'in':
      return isAmong(evaluate(expression.operand, source), expression.options, source)
    case 'not': {
      const operand = evaluate(expression.operand, source)
      return typeof operand === 'boolean' ? !operand : null
    }
    case 'and':
    case 'or':
      return join(expression.kind, expression.left, expression.right, source)
    default:
      return unreachable(expression)
  }
}

function mapNumber(value: Value, change: (value: Exact) => Exact): Value {
  return isNumber(value) ? change(value) : null
}

function calculate(operator: '+' | '-' | '*', left: Value, right: Value): Value {
  if (!isNumber(left) || !isNumber(right)) return null
  if (operator === '*') return multiplyExact(left, right)
  return addExact(left, operator === '+' ? right : negateExact(right))
}

function compare(operator: string, left: Value, right: Value): boolean | null {
  if (left === null || right === null) return null
  if (!isNumber(left) || !isNumber(right)) return operator === '==' ? left === right : left !== right
  const order = compareExact(left, right)
  switch (operator) {
    case '==':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    default:
      return order >= 0
  }
}

function isAmong(operand: Value, options: readonly Expression[], source: ReadoutSource): boolean | null {
  let isUnknown = operand === null
  for (const option of options) {
    const isEqual = compare('==', operand, evaluate(option, source))
    if (isEqual === true) return true
    if (isEqual === null) isUnknown = true
  }
  return isUnknown ? null : false
}

function join(
  kind: 'and' | 'or',
  left: Expression,
  right: Expression,
  source: ReadoutSource,
): boolean | null {
  const decisive = kind === 'or'
  const leftValue = evaluate(left, source)
  if (leftValue === decisive) return decisive
  const rightValue = evaluate(right, source)
  if (rightValue === decisive) return decisive
  return leftValue === null || rightValue === null ? null : !decisive
}

const isNumber = (value: Value): value is Exact => typeof value === 'object' && value !== null

type ReadoutPart = Extract<Expression, { readonly kind: 'readout' }>

function* readoutsOf(expression: Expression): Generator<ReadoutPart> {
  switch (expression.kind) {
    case 'readout':
      yield expression
      return
    case 'negate':
    case 'absolute':
    case 'not':
      yield* readoutsOf(expression.operand)
      return
    case 'in':
      yield* readoutsOf(expression.operand)
      for (const option of expression.options) yield* readoutsOf(option)
      return
    case 'arithmetic':
    case 'compare':
    case 'and':
    case 'or':
      yield* readoutsOf(expression.left)
      yield* readoutsOf(expression.right)
      return
    default:
      return
  }
}
