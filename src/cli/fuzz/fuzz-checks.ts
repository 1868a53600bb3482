import { isObject } from '../../api/json.ts'
import { declaredStatuses } from '../../api/openapi/declared-statuses.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { type OperationId, routeOf } from '../../api/routes/routes.ts'
import type { Schema } from '../../api/schemas/infer.ts'
import { unwrapped } from '../envelope.ts'

export interface Answered {
  readonly status: number
  /** Undefined when the body is not JSON. */
  readonly body: unknown
}

/** How an answer breaks the contract; null when it does not. */
export function flawOfAnswer(operation: OperationId, { status, body }: Answered): string | null {
  if (status >= 500) return `answers ${status}`
  const route = routeOf(operation)
  const { successes, errors } = declaredStatuses(operation, route, defaultReadings)
  // A reading decides which status a success has, and whether a list may fail as a whole.
  const allowed = [...successes, ...errors, 200, 201, 207, ...(route.body === null ? [] : [422])]
  // A path that lacks its parameter is another path.
  if (!allowed.includes(status) && status !== 404)
    return `answers ${status}, which the interface does not have here`
  if (body === undefined) return `answers ${status} with what is not JSON`
  if (status >= 400) return flawOfError(body, status)
  return flawOf(route.response, unwrapped(body), 'body')
}

function flawOfError(body: unknown, status: number): string | null {
  if (!isObject(body)) return 'an error that is not an object'
  for (const name of ['statusCode', 'message', 'error', 'details'])
    if (!Object.hasOwn(body, name)) return `an error without ${name}`
  if (body['statusCode'] !== status)
    return `an error whose statusCode is ${JSON.stringify(body['statusCode'])}`
  const text = JSON.stringify(body)
  return /\bat \S+ \(|node:internal|[a-z]+\.ts:\d/.test(text) ? 'an error that shows our code' : null
}

/**
 * Where a value does not match a schema; null when it does. Independent of any library, for the few keywords that our
 * schemas use.
 */
function flawOf(schema: Schema, value: unknown, path: string): string | null {
  if (schema.enum !== undefined && !schema.enum.some((one) => one === value))
    return `${path} is ${JSON.stringify(value)}`
  if (schema.const !== undefined && schema.const !== value) return `${path} is ${JSON.stringify(value)}`
  if (schema.anyOf !== undefined) {
    const flaws = schema.anyOf.map((one) => flawOf(one, value, path))
    return flaws.includes(null) ? null : (flaws[0] ?? null)
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return `${path} is ${value === undefined ? 'missing' : JSON.stringify(value)}, and should be ${types.join(' or ')}`
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const flaw = flawOf(schema.items ?? {}, item, `${path}[${index}]`)
      if (flaw !== null) return flaw
    }
    return null
  }
  if (!isObject(value)) return null
  for (const name of schema.required ?? [])
    if (!Object.hasOwn(value, name)) return `${path}.${name} is missing`
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) continue
    const flaw = flawOf(field, value[name], `${path}.${name}`)
    if (flaw !== null) return flaw
  }
  return null
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)
  return typeof value === type
}
