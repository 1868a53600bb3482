import { nearestWord } from '../api/nearest-word.ts'
import type { Expectation } from './compiled.ts'
import { exactFromText } from './exact.ts'
import {
  entriesOf,
  type Field,
  fieldOf,
  itemsOf,
  problemOf,
  requiredField,
  scalarOf,
  textOf,
} from './fields.ts'
import { type MomentScope, momentOf } from './moments.ts'
import { comparison, parsePredicate, parseReadout } from './parse-predicate.ts'
import { and, type Comparison, type Expression, type Predicate, typeOf } from './predicate.ts'
import { type Problem, problemAt } from './problem.ts'
import type { Names } from './readouts.ts'
import type { Scalar } from './tree.ts'

/** What must be so, in the order of the file. */
export function compileExpectations(
  expect: Field | null,
  names: Names,
  moments: MomentScope,
  problems: Problem[],
): readonly Expectation[] {
  return itemsOf(expect).flatMap((entry): readonly Expectation[] => {
    const kind = (['at', 'by', 'always', 'never'] as const).find((word) => fieldOf(entry, word) !== null)
    if (kind === undefined) return []
    const field = requiredField(entry, kind)
    const that = fieldOf(entry, 'that')
    const message = fieldOf(entry, 'message')
    const isTimed = kind === 'at' || kind === 'by'
    if (isTimed && that === null) problems.push(problemOf(entry, `"${kind}" says when; "that" must say what`))
    if (!isTimed && that !== null)
      problems.push(problemOf(that, `"${kind}" says it all; "that" goes with "at" and "by"`))
    const predicateField = isTimed ? that : field
    const predicate = predicateField === null ? null : compilePredicate(predicateField, names, problems)
    const at = isTimed ? momentOf(field, moments, problems) : null
    if (predicate === null) return []
    return [
      { kind, at, predicate, message: message === null ? null : textOf(message), place: entry.tree.place },
    ]
  })
}

/** A predicate in either of its forms; null when it has a problem. */
function compilePredicate(field: Field, names: Names, problems: Problem[]): Predicate | null {
  if (field.tree.kind === 'mapping') return compileTargets(field, names, problems)
  const parsed = parsePredicate(textOf(field), names)
  if (parsed.ok) return parsed.predicate
  problems.push(problemInText(field, parsed.offset, parsed.reason, parsed.nearest))
  return null
}

function compileTargets(field: Field, names: Names, problems: Problem[]): Predicate | null {
  let root: Expression | null = null
  const texts: string[] = []
  for (const [target, operations] of entriesOf(field)) {
    const readout = parseReadout(target, names)
    if ('reason' in readout) {
      problems.push(problemOf(operations, readout.reason, readout.nearest))
      continue
    }
    for (const [operator, value] of entriesOf(operations)) {
      const part = compileOperation(readout.expression, operator, value, problems)
      if (part === null) continue
      texts.push(`${target} ${operator} ${valuesText(value)}`)
      root = root === null ? part : and(root, part)
    }
  }
  return root === null ? null : { root, text: texts.join(' and ') }
}

const comparisonOf: ReadonlyMap<string, Comparison> = new Map([
  ['eq', '=='],
  ['ne', '!='],
  ['lt', '<'],
  ['lte', '<='],
  ['gt', '>'],
  ['gte', '>='],
])

function compileOperation(
  target: Expression,
  operator: string,
  value: Field,
  problems: Problem[],
): Expression | null {
  const compare = (sign: Comparison, side: Field): Expression | null => {
    const literal = literalOf(scalarOf(side), typeOf(target) === 'number')
    const compared = comparison(sign, target, literal)
    if (typeof compared !== 'string') return compared
    problems.push(problemOf(side, compared))
    return null
  }
  if (operator === 'between') {
    const [low, high] = itemsOf(value)
    const left = low === undefined ? null : compare('>=', low)
    const right = high === undefined ? null : compare('<=', high)
    return left === null || right === null ? null : and(left, right)
  }
  if (operator === 'in') {
    const fits = itemsOf(value).every((item) => compare('==', item) !== null)
    const options = itemsOf(value).map((item) => literalOf(scalarOf(item), typeOf(target) === 'number'))
    return fits ? { kind: 'in', operand: target, options } : null
  }
  const sign = comparisonOf.get(operator)
  if (sign !== undefined) return compare(sign, value)
  problems.push(
    problemOf(value, `unknown operator "${operator}"`, nearestWord(operator, comparisonOf.keys())),
  )
  return null
}

/** A value as the target's type has it: decimal text stands for a number where a number is compared. */
function literalOf(value: Scalar, asNumber: boolean): Expression {
  if (typeof value.value === 'boolean') return { kind: 'boolean', value: value.value }
  if (typeof value.value === 'number' || asNumber) {
    const number = exactFromText(typeof value.value === 'string' ? value.value : value.text)
    if (number !== null) return { kind: 'number', value: number }
  }
  return { kind: 'text', value: String(value.value) }
}

function valuesText(value: Field): string {
  const items = itemsOf(value)
  return items.length === 0 ? textOf(value) : `[${items.map(textOf).join(', ')}]`
}

/** Points at the very character, when the text stands in the file as it is. */
function problemInText(field: Field, offset: number, reason: string, nearest: string | null): Problem {
  const { place, textColumn } = scalarOf(field)
  const exactPlace = textColumn === 0 ? place : { ...place, column: textColumn + offset }
  return problemAt(exactPlace, field.path, reason, nearest)
}
