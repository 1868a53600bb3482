import type { ObjectSchema, Schema } from '../schemas/infer.ts'

export const scopes = ['READ', 'TRADE', 'MARKET_MAKING', 'WITHDRAW'] as const
export type Scope = (typeof scopes)[number]

/** Spec: Limits, the two rate-limit categories. */
export type RateCategory = 'marketData' | 'other'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** One operation of the interface, as data. At most one path parameter. */
export interface Route {
  readonly method: Method
  /** With `:name` for a path parameter. */
  readonly path: string
  readonly scope: Scope
  readonly category: RateCategory
  /** What a success makes; reading `createdStatus` turns that into a status. */
  readonly makes: 'order' | 'batch' | 'quote' | 'nothing'
  /** False for what the specification does not have, and only a reading adds. */
  readonly isSpecified?: false
  readonly query: ObjectSchema
  /** Null when no body is read. */
  readonly body: Schema | null
  /** The schema of the elements, where the items of a body are checked one by one. */
  readonly bodyItem?: Schema
  /** Whether an empty body counts as an empty object. */
  readonly isBodyOptional?: boolean
  readonly response: Schema
  /** What the documentation adds. */
  readonly summary: string
  /** Statuses of errors besides 400, 401, 403, 429 and 500, which every operation has. */
  readonly errors: readonly (404 | 409 | 415 | 422)[]
}
