import { formatDuration } from '../numeric/time-text.ts'
import { findValidator } from '../shape/compiled-schemas.ts'
import { isTupleOfShapes, type Shape } from '../shape/shape.ts'
import { isWithin, problem, type SpecProblem } from '../shape/spec-checks.ts'
import { units } from '../shape/units.ts'

/**
 * Returns the first problem of a value by its shape, with fields in the order of their declaration, or null
 * when it is valid. `path` is the value's own path in the message's field.
 */
export function checkShape(shape: Shape, value: unknown, path: string): SpecProblem | null {
  const validator = findValidator(shape)
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

/** Returns the shape of an array's item or of a key's value. */
function findPart({ items, prefixItems, properties }: Shape, step: string): Shape {
  if (prefixItems !== undefined) return prefixItems[Number(step)] ?? {}
  if (items === undefined) return properties?.[step] ?? {}
  return isTupleOfShapes(items) ? (items[Number(step)] ?? {}) : items
}

const joinPath = (path: string, key: unknown): string => (path === '' ? String(key) : `${path}.${key}`)

/** Returns the rule of a shape that its value does not meet, as the end of a sentence about the field. */
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

/** Returns a problem when a number is not within [least, most], else null. */
export function checkRange(field: string, value: number, least: number, most: number): SpecProblem | null {
  return isWithin(value, least, most) ? null : problem(field, `is not from ${least} to ${most}`)
}

/**
 * Returns a problem when a span in milliseconds is not within [least, most], else null; the message gives the
 * bounds as durations.
 */
export function checkSpan(field: string, value: number, least: number, most: number): SpecProblem | null {
  const bounds = `${formatDuration(least)} to ${formatDuration(most)}`
  return isWithin(value, least, most) ? null : problem(field, `is not from ${bounds}`)
}
