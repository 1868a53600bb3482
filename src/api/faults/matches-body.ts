import { shapeTyped } from '../../shape/shape.ts'
import { isObject, parseJson } from '../json.ts'
import { describe } from '../wire-shapes.ts'

/** The fields that the body of a request must have. */
export type BodyFields = { readonly [field: string]: unknown }

/** The shape of `match.body`, in faults and wherever logged requests are looked for. */
export const bodyFields = describe(
  shapeTyped<BodyFields>({ type: 'object', additionalProperties: true, minProperties: 1 }),
  'Fields that its body must have with these values, or an order or a quote in its body.',
)

/**
 * Returns whether the JSON text of a body has all the fields with equal values. In a list or a batch, one of the
 * elements must have them all.
 */
export function matchesBody(fields: BodyFields, body: string): boolean {
  return listBodyObjects(body).some((object) =>
    Object.entries(fields).every(
      ([name, value]) => Object.hasOwn(object, name) && isEqualJson(object[name], value),
    ),
  )
}

/**
 * Parses a body into its objects: the body itself, and the elements of a batch of orders or a list of quote updates.
 */
export function listBodyObjects(body: string): readonly BodyFields[] {
  const value = body === '' ? undefined : parseJson(body)
  if (Array.isArray(value)) return value.filter(isObject)
  if (!isObject(value)) return []
  const { orders } = value
  return [value, ...(Array.isArray(orders) ? orders.filter(isObject) : [])]
}

/** Returns whether two JSON values are equal, whatever the order of the fields. */
function isEqualJson(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, at) => isEqualJson(item, right[at]))
  if (!isObject(left) || !isObject(right)) return left === right
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqualJson(left[name], right[name]))
  )
}
