import { unreachable } from '../../numeric/assert.ts'
import {
  absoluteExact,
  addExact,
  type Exact,
  exactToText,
  holdsExactly,
  multiplyExact,
  negateExact,
} from './exact.ts'
import { type Expression, type Predicate, readoutsOf } from './predicate.ts'
import type { Value } from './readout-field.ts'
import type { Readout, Wildcard } from './readouts.ts'

/** Where a predicate reads its values: one instant of one run. */
export interface ReadoutSource {
  /** `row` is what the wildcard stands for. */
  read(readout: Readout, row: number | null): Value
  /** The rows that a wildcard runs over. */
  rowsOf(wildcard: Wildcard): Iterable<number>
}

/**
 * Whether the predicate holds; null when that depends on something that does not exist. Three-valued logic: false and
 * unknown is false, true or unknown is true, every comparison with unknown is unknown. With a wildcard it holds when
 * it holds for some row (with `every`, for all of them); without any row it is unknown.
 */
export function evaluatePredicate(
  predicate: Predicate,
  source: ReadoutSource,
  quantifier: 'some' | 'every' = 'some',
): boolean | null {
  if (predicate.wildcard === null) return truthOf(predicate.root, source)
  const decisive = quantifier === 'some'
  let found: boolean | null = null
  for (const row of source.rowsOf(predicate.wildcard)) {
    const truth = truthOf(predicate.root, boundTo(source, row))
    if (truth === decisive) return decisive
    if (truth !== null) found = truth
  }
  return found
}

/** The value of an expression; null when it is unknown or no number. */
export function evaluateNumber(expression: Expression, source: ReadoutSource): Exact | null {
  const value = evaluate(expression, unbound(source))
  return isNumber(value) ? value : null
}

function truthOf(root: Expression, source: ReadoutSource | Bound): boolean | null {
  const value = evaluate(root, 'rowsOf' in source ? unbound(source) : source)
  return typeof value === 'boolean' ? value : null
}

/** A source with its wildcard bound. */
interface Bound {
  read(readout: Readout): Value
}

const boundTo = (source: ReadoutSource, row: number): Bound => ({
  read: (readout) => source.read(readout, row),
})

const unbound = (source: ReadoutSource): Bound => ({ read: (readout) => source.read(readout, null) })

/** The values of all read-outs in the predicate, as `name = value`, for reports. */
export function observedValues(predicate: Predicate, source: ReadoutSource): string {
  const seen = new Map<string, string>()
  const row = predicate.wildcard === null ? null : tellingRow(predicate, source)
  for (const part of readoutsOf(predicate.root))
    seen.set(part.name, valueText(source.read(part.readout, row)))
  return [...seen].map(([name, text]) => `${name} = ${text}`).join(', ')
}

/** The first row for which the predicate holds, else the first of all. */
function tellingRow({ wildcard, root }: Predicate, source: ReadoutSource): number | null {
  let first: number | null = null
  for (const row of wildcard === null ? [] : source.rowsOf(wildcard)) {
    first ??= row
    if (truthOf(root, boundTo(source, row)) === true) return row
  }
  return first
}

/** A value as reports show it. */
export function valueText(value: Value): string {
  if (value === null) return 'nothing yet'
  if (typeof value === 'string') return `'${value}'`
  return typeof value === 'boolean' ? String(value) : exactToText(value)
}

function evaluate(expression: Expression, source: Bound): Value {
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
  return holdsExactly(left, operator, right)
}

function isAmong(operand: Value, options: readonly Expression[], source: Bound): boolean | null {
  let isUnknown = operand === null
  for (const option of options) {
    const isEqual = compare('==', operand, evaluate(option, source))
    if (isEqual === true) return true
    if (isEqual === null) isUnknown = true
  }
  return isUnknown ? null : false
}

function join(kind: 'and' | 'or', left: Expression, right: Expression, source: Bound): boolean | null {
  const decisive = kind === 'or'
  const leftValue = evaluate(left, source)
  if (leftValue === decisive) return decisive
  const rightValue = evaluate(right, source)
  if (rightValue === decisive) return decisive
  return leftValue === null || rightValue === null ? null : !decisive
}

const isNumber = (value: Value): value is Exact => typeof value === 'object' && value !== null
