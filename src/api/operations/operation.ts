import type { Shape } from '../../shape/shape.ts'
import type { ObjectShape } from '../wire-shapes.ts'
import { noQuery } from './common.ts'

export const scopes = ['READ', 'TRADE', 'MARKET_MAKING', 'WITHDRAW'] as const
export type Scope = (typeof scopes)[number]

/** Spec: Limits, the two rate-limit categories. */
export type RateCategory = 'marketData' | 'other'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** One operation of the interface, as data. At most one path parameter. */
export interface Operation {
  readonly id: string
  readonly method: Method
  /** With `:name` for a path parameter. */
  readonly path: string
  readonly scope: Scope
  readonly category: RateCategory
  /** What a success makes; reading `createdStatus` turns that into a status. */
  readonly makes: 'order' | 'batch' | 'quote' | 'nothing'
  /** False for what the specification does not have, and only a reading adds. */
  readonly isSpecified: boolean
  readonly query: ObjectShape
  /** The one query parameter that the client's method takes by itself. */
  readonly argument: string | null
  readonly body: Shape | null
  /** The shape of the elements, where the items of a body are checked one by one. */
  readonly bodyItem: Shape | null
  /** Whether an empty body counts as an empty object. */
  readonly isBodyOptional: boolean
  /** Of an operation that is no GET: whether it may be sent again when its answer was lost. */
  readonly changesNothing: boolean
  readonly response: Shape
  /** What the documentation adds. */
  readonly summary: string
  /**
   * Statuses of errors besides those that every operation has (400, 401, 403, 429 and 500), those of a path that names
   * something (404), and of a body (413 and 415).
   */
  readonly errors: readonly (404 | 409 | 422)[]
}

const usual = {
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

type Stated = Partial<Operation> & Omit<Operation, keyof typeof usual>

/** A row of a family; what it leaves out is as of most operations. */
export const operation = <const Row extends Stated>(row: Row): Omit<typeof usual, keyof Row> & Row => ({
  ...usual,
  ...row,
})
