import type { Command, Outcome } from '../engine/command.ts'
import type { State } from '../engine/state.ts'
import type { Millis } from '../numeric/units.ts'
import type { Problem } from './errors.ts'
import type { IdScheme } from './ids.ts'
import type { ItemFlaws } from './input/json-scan.ts'
import type { Readings } from './readings/readings.ts'
import type { OperationId } from './routes/routes.ts'
import type { Infer, ObjectSchema, Schema } from './schemas/infer.ts'

/** For whom, in which venue and when an operation is carried out. */
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
  /** Body text, well-formed UTF-8; '' when there is none. */
  readonly body: string
}

export interface ApiResponse {
  readonly status: number
  readonly body: object
  /** For `X-Sim-Hint`; null when there is nothing to say. */
  readonly hint: string | null
}

/** What a handler answers: the documented body in its full shape, or why there is none. */
export type Answer<Body> =
  | {
      readonly ok: true
      readonly body: Body
      readonly status: number | null
      /** For `X-Sim-Hint`. */
      readonly hint?: string
    }
  | { readonly ok: false; readonly problem: Problem }

/** A request as its handler sees it. */
export interface Input<Query extends ObjectSchema> {
  readonly parameter: string
  readonly query: Infer<Query>
}

export interface BodyInput<Query extends ObjectSchema, Body extends Schema> extends Input<Query> {
  readonly body: Infer<Body>
}

/** A body whose items fail one by one. `flaws`: what its text has shown to be wrong with some; values have no text. */
export interface ItemsInput<Query extends ObjectSchema, Body extends Schema> extends BodyInput<Query, Body> {
  readonly flaws?: ItemFlaws
}

/** Success; `status` only where it differs from the route's. */
export function answer<Body>(body: Body, status: number | null = null): Answer<Body> {
  return { ok: true, body, status }
}

export function refuse(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem }
}

export function idsOf(context: ApiContext): IdScheme {
  return { format: context.readings['ids.format'], seed: context.state.config.seed }
}
