import { unreachable } from '../../numeric/assert.ts'
import type { SourceLocation } from '../file/tree.ts'
import type { Comparison, ExactDecimal, ReadoutType } from './exact.ts'
import type { Readout, Wildcard } from './readouts.ts'

/*
 * Predicates, parsed and checked. Every part has a type, so evaluation cannot fail. Its result can be unknown,
 * because an order that is not placed yet has no status.
 */

export interface Predicate {
  /** The parts, all of which must hold. */
  readonly parts: readonly PredicatePart[]
  /** The text as written, for reports. */
  readonly text: string
  /**
   * The kind of row that the predicate runs over: it must hold for some row, or with `always` for all rows. Null when
   * it is about single things.
   */
  readonly wildcard: Wildcard | null
}

export interface PredicatePart {
  readonly expression: Expression
  /**
   * The place that reports point to when the part does not hold: the bound, or the start of its comparison in a text.
   */
  readonly place: SourceLocation
}

export type Expression =
  | { readonly kind: 'number'; readonly value: ExactDecimal }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'readout'; readonly readout: Readout; readonly type: ReadoutType; readonly name: string }
  | { readonly kind: 'negate' | 'absolute'; readonly operand: Expression }
  | {
      readonly kind: 'arithmetic'
      readonly operator: '+' | '-' | '*'
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly kind: 'compare'
      readonly operator: Comparison
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'in'; readonly operand: Expression; readonly options: readonly Expression[] }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }

export function typeOf(expression: Expression): ReadoutType {
  switch (expression.kind) {
    case 'number':
    case 'negate':
    case 'absolute':
    case 'arithmetic':
      return 'number'
    case 'text':
      return 'text'
    case 'readout':
      return expression.type
    case 'boolean':
    case 'compare':
    case 'in':
    case 'not':
    case 'and':
    case 'or':
      return 'boolean'
  }
}

export const and = (left: Expression, right: Expression): Expression => ({ kind: 'and', left, right })

export type ReadoutPart = Extract<Expression, { readonly kind: 'readout' }>

export function* listConjuncts(expression: Expression): Generator<Expression> {
  if (expression.kind !== 'and') return yield expression
  yield* listConjuncts(expression.left)
  yield* listConjuncts(expression.right)
}

/** Lists the read-outs in an expression, in the order in which they stand. */
export function* listReadouts(expression: Expression): Generator<ReadoutPart> {
  switch (expression.kind) {
    case 'readout':
      yield expression
      return
    case 'negate':
    case 'absolute':
    case 'not':
      yield* listReadouts(expression.operand)
      return
    case 'in':
      yield* listReadouts(expression.operand)
      for (const option of expression.options) yield* listReadouts(option)
      return
    case 'arithmetic':
    case 'compare':
    case 'and':
    case 'or':
      yield* listReadouts(expression.left)
      yield* listReadouts(expression.right)
      return
    case 'number':
    case 'text':
    case 'boolean':
      return
    default:
      unreachable(expression)
  }
}
