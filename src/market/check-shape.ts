import { formatDuration } from '../numeric/time-text.ts'
import { validatorOf } from '../shape/compiled-schemas.ts'
import { type FieldProblem, isWithin, problem } from '../shape/field-problem.ts'
import { isTupleOfShapes, type Shape } from '../shape/shape.ts'
import { units } from '../shape/units.ts'

/** The first thing that is wrong with a record, as its shape says; fields in the order of their declaration. */
export function checkShape(shape: Shape, value: unknown, path: string): FieldProblem | null {
  const validator = validatorOf(shape)
  if (validator(value)) return null
  const error = validator.errors?.[0]
  let part = shape
  let field = path
  for (const step of error?.instancePath.split('/').slice(1) ?? []) {
    field = part.type === 'array' ? `${field}[${step}]` : joinPath(field, step)
    part = findPart(part, step)
  }
  const { missingProperty, additionalProperty } = error?.params ?? {}
  if (missingProperty !== undefined) return problem(joinPath(field, missingProperty), 'is missing')
  if (additionalProperty !== undefined)
    return problem(joinPath(field, additionalProperty), 'is not a known field')
  return problem(field, describeRule(part))
}

/** The shape of an item or of the value of a key. */
function findPart({ items, prefixItems, properties }: Shape, step: string): Shape {
  if (prefixItems !== undefined) return prefixItems[Number(step)] ?? {}
  if (items === undefined) return properties?.[step] ?? {}
  return isTupleOfShapes(items) ? (items[Number(step)] ?? {}) : items
}

const joinPath = (path: string, key: unknown): string => (path === '' ? String(key) : `${path}.${key}`)

function describeRule({ type, unit, minimum, maximum, minItems, maxItems, ...part }: Shape): string {
  if (minimum !== undefined && maximum !== undefined) {
    if (unit !== undefined) return units[unit].refusal(minimum, maximum)
    return `is not ${type === 'integer' ? 'a whole number ' : ''}from ${minimum} to ${maximum}`
  }
  if (minItems !== undefined)
    return maxItems === undefined ? 'is empty' : `does not have ${minItems} to ${maxItems} entries`
  if (maxItems !== undefined) return `has more than ${maxItems} entries`
  return part.enum === undefined ? 'is not valid' : `is not one of ${part.enum.join(', ')}`
}

export function checkRange(field: string, value: number, least: number, most: number): FieldProblem | null {
  return isWithin(value, least, most) ? null : problem(field, `is not from ${least} to ${most}`)
}

/** The same for a span in milliseconds. */
export function checkSpan(field: string, value: number, least: number, most: number): FieldProblem | null {
  const bounds = `${formatDuration(least)} to ${formatDuration(most)}`
  return isWithin(value, least, most) ? null : problem(field, `is not from ${bounds}`)
}
