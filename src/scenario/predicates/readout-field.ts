import type { Exact } from './exact.ts'

/** What a read-out has at an instant. Null: unknown, because what it is about does not exist (yet). */
export type Value = Exact | string | boolean | null

export type ReadoutType = 'number' | 'text' | 'boolean'

/** A field of a family of read-outs: its type, and how it is read from what the family is about. */
export interface ReadoutField<About extends readonly unknown[]> {
  readonly type: ReadoutType
  readonly of: (...about: About) => Value
}

export type ReadoutFields<About extends readonly unknown[]> = {
  readonly [field: string]: ReadoutField<About>
}
