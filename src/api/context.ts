import type { Command, Outcome } from '../engine/command.ts'
import type { State } from '../engine/state.ts'
import type { Millis } from '../numeric/units.ts'
import type { RecordOf, Shape } from '../shape/shape.ts'
import type { Problem } from './errors.ts'
import type { ItemFlaws } from './input/json-scan.ts'
import type { PlainBody } from './input/read-body.ts'
import type { OperationId, RowOf } from './operations/operations.ts'
import type { Readings } from './readings/readings.ts'

export interface ApiContext {
  /** For reading; only `execute` changes it. */
  readonly state: State
  /** The caller's row. */
  readonly account: number
  readonly readings: Readings
  /** The world's time at which the request arrived. */
  readonly now: Millis
  /** The engine's door as the world provides it: whatever goes through is journaled. */
  readonly execute: (command: Command) => Outcome
}

/** An operation that the router has found, with what was sent, still as text. */
export interface ApiRequest {
  readonly operation: OperationId
  /** The id or symbol in the path; '' when it has none. */
  readonly parameter: string
  /** Raw query, with or without its question mark. */
  readonly query: string
  /** Text, well-formed UTF-8, '' when there is none; without a wire, also what would be the same as text. */
  readonly body: string | PlainBody
}

export interface ApiResponse {
  readonly status: number
  readonly body: object
  /** For `X-Sim-Hint`; null when there is nothing to say. */
  readonly hint: string | null
}

/** What a handler answers: the documented body in its full shape, or why there is none. */
export type Handled<Body> =
  | {
      readonly ok: true
      readonly body: Body
      readonly status: number | null
      /** For `X-Sim-Hint`. */
      readonly hint?: string
    }
  | { readonly ok: false; readonly problem: Problem }

export interface ReadInput {
  readonly parameter: string
  readonly query: unknown
  readonly body: unknown
  /** Where items fail one by one: what the body's text has shown to be wrong with some. Values have no text. */
  readonly flaws?: ItemFlaws | undefined
}

/** The same as the handler of an operation sees it. */
interface InputOf<Id extends OperationId> extends ReadInput {
  readonly query: RecordOf<RowOf<Id>['query']>
  readonly body: RowOf<Id>['body'] extends infer Body extends Shape ? RecordOf<Body> : undefined
}

export type Handler<Id extends OperationId> = (
  context: ApiContext,
  input: InputOf<Id>,
) => Handled<RecordOf<RowOf<Id>['response']>>

/** The steps of a venue request, in their order. `operation` stands for everything that is checked in this room. */
export const steps = [
  'route',
  'headers',
  'key',
  'age',
  'signature',
  'rate',
  'scope',
  'preference',
  'content-type',
  'operation',
] as const
export type Step = (typeof steps)[number]
