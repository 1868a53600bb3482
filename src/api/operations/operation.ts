import type { Shape } from '../../shape/shape.ts'
import type { ObjectShape } from '../wire-shapes.ts'
import { noQuery } from './common.ts'

/** The scopes of an API key. A key may do what its scopes allow. */
export const scopes = ['READ', 'TRADE', 'MARKET_MAKING', 'WITHDRAW'] as const
export type Scope = (typeof scopes)[number]

/** The two rate-limit categories (Spec: Limits). */
export type RateCategory = 'marketData' | 'other'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** One operation of the interface, as data. Its path has at most one parameter. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** The path, with `:name` for its parameter. */
  readonly path: string
  readonly scope: Scope
  readonly category: RateCategory
  /** What a success creates. Reading `createdStatus` turns it into a status. */
  readonly makes: 'order' | 'batch' | 'quote' | 'nothing'
  /** Whether the specification has the operation. Only a reading adds one that it does not have. */
  readonly isSpecified: boolean
  readonly query: ObjectShape
  /** The query parameter that the method of the client takes as its only argument; null for most operations. */
  readonly argument: string | null
  readonly body: Shape | null
  /** The shape of the items of a body, where they are checked one by one; null for other bodies. */
  readonly bodyItem: Shape | null
  /** Whether the body may be left out, or be null. It counts as an empty object then. */
  readonly isBodyOptional: boolean
  /** Whether an operation other than a GET changes nothing, so that it may be sent again when its answer was lost. */
  readonly changesNothing: boolean
  readonly response: Shape
  /** The summary for documentation. */
  readonly summary: string
  /**
   * The statuses of errors besides those that every operation has (400, 401, 403, 429 and 500), those of a path with
   * a parameter (404), and those of a body (413 and 415).
   */
  readonly errors: readonly (404 | 409 | 422)[]
}

const usualRow = {
  scope: 'READ',
  category: 'other',
  makes: 'nothing',
  isSpecified: true,
  query: noQuery,
  argument: null,
  body: null,
  bodyItem: null,
  isBodyOptional: false,
  changesNothing: false,
  errors: [],
} as const

type Stated = Partial<Operation> & Omit<Operation, keyof typeof usualRow>

/** Returns the row of an operation. What it leaves out is as in most operations. */
export const operation = <const Row extends Stated>(row: Row): Omit<typeof usualRow, keyof Row> & Row => ({
  ...usualRow,
  ...row,
})
