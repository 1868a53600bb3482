import { typed } from '../../shape/shape.ts'
import { longestAdvanceMillis } from '../../world/clock.ts'

/** A span of world time in milliseconds. */
export const spanSchema = typed<number>({ type: 'integer', minimum: 0, maximum: longestAdvanceMillis })
