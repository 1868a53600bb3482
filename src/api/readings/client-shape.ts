import type { Shape } from '../../shape/shape.ts'
import { clientFields, limitEntries } from '../operations/client-fields.ts'
import { riskLimits } from '../operations/risk.ts'
import type { Readings } from './readings.ts'

/**
 * The schema of a documented shape with what the published client reads: readings `answers.clientFields` and
 * `limits.form`. `shown` is the shape under the other readings, which may have fewer fields.
 */
export function clientShape(schema: Shape, readings: Readings, shown: Shape = schema): Shape {
  if (schema === riskLimits && readings['limits.form'] === 'list') return limitEntries
  const added = readings['answers.clientFields'] === 'added' ? clientFields.get(schema) : undefined
  if (added === undefined) return shown
  return {
    ...shown,
    required: [...new Set([...(shown.required ?? []), ...(added.required ?? [])])],
    properties: { ...shown.properties, ...added.properties },
  }
}
