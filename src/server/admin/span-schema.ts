import type { Schema } from '../../api/schemas/infer.ts'
import { longestAdvanceMillis } from '../../world/clock.ts'

/** A span of world time in milliseconds. */
export const spanSchema = {
  type: 'integer',
  minimum: 0,
  maximum: longestAdvanceMillis,
} as const satisfies Schema
