import { everyOperationId, type OperationId, routeOf } from '../../api/routes/routes.ts'
import { clientFields, limitEntries } from '../../api/schemas/client-fields.ts'
import type { Schema } from '../../api/schemas/infer.ts'

/** Whether a success has a field that no documented shape has. Metadata and maps by symbol may have any. */
export function hasUnknownField(operation: OperationId, body: unknown): boolean {
  return isUnknownIn(routeOf(operation).response, body)
}

function isUnknownIn(schema: Schema | undefined, value: unknown): boolean {
  if (schema === undefined || typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item) => isUnknownIn(schema.items, item))
  const { properties = {}, additionalProperties } = schema
  const further = typeof additionalProperties === 'object' ? additionalProperties : undefined
  return Object.entries(value).some(
    ([name, field]) =>
      (additionalProperties === false && !knownNames().has(name)) ||
      isUnknownIn(properties[name] ?? further, field),
  )
}

let names: ReadonlySet<string> | null = null

/** Readings of shapes put fields into places of others, so a name that stands anywhere is known everywhere. */
function knownNames(): ReadonlySet<string> {
  const renamed = ['position', 'positions', 'byExposure']
  const added = [...clientFields.values(), limitEntries]
  const documented = everyOperationId.map((id) => routeOf(id).response)
  names ??= new Set([...renamed, ...[...documented, ...added].flatMap(namesIn)])
  return names
}

function namesIn({ properties = {}, items, anyOf = [], additionalProperties }: Schema): string[] {
  const parts = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])]
  if (typeof additionalProperties === 'object') parts.push(additionalProperties)
  return [...Object.keys(properties), ...parts.flatMap(namesIn)]
}
