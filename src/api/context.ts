import type { Command, Outcome } from '../engine/command.ts'
import type { State } from '../engine/state.ts'
import type { Millis } from '../numeric/units.ts'
import type { RecordOf, Shape } from '../shape/shape.ts'
import type { Problem } from './errors.ts'
import type { ItemProblems } from './input/json-scan.ts'
import type { PlainBody } from './input/read-body.ts'
import type { OperationId, RowOf } from './operations/operations.ts'
import type { Readings } from './readings/readings.ts'

/** What every handler is given besides its input. */
export interface ApiContext {
  /** The state of the venue. Handlers read it; only `execute` changes it. */
  readonly state: State
  /** The row of the caller's account. */
  readonly account: number
  readonly readings: Readings
  /** The time of the world at which the request arrived. */
  readonly now: Millis
  /** Carries out a command of the engine. The world provides this function, so every command is journaled. */
  readonly execute: (command: Command) => Outcome
}

/** A request whose operation is known and whose parts are still text. */
export interface ApiRequest {
  readonly operation: OperationId
  /** The id or symbol in the path; '' for a path without a parameter. */
  readonly parameter: string
  /** The raw query, with or without its question mark. */
  readonly query: string
  /**
   * The body as well-formed text, '' when there is none. In process, where no text is sent, it may be an object that
   * means the same as its text.
   */
  readonly body: string | PlainBody
}

/** An answer before it is written as text. */
export interface ApiResponse {
  readonly status: number
  readonly body: object
  /** What `X-Sim-Hint` says; null when there is nothing to say. */
  readonly hint: string | null
}

/** The result of a handler: the documented body with all its fields, or the problem. */
export type HandlerResult<Body> =
  | {
      readonly ok: true
      readonly body: Body
      readonly status: number | null
      /** What `X-Sim-Hint` says. */
      readonly hint?: string
    }
  | { readonly ok: false; readonly problem: Problem }

/** The parsed parts of a request. Their types are those of the operation's row, which `Handler` restores. */
export interface HandlerInput {
  readonly parameter: string
  readonly query: unknown
  readonly body: unknown
  /**
   * For a body whose items fail one by one: the problems that its text has shown, by item. Bodies that were never
   * text have none.
   */
  readonly problems?: ItemProblems | undefined
}

/** The input of one operation, with the types of its row. */
interface OperationInput<Id extends OperationId> extends HandlerInput {
  readonly query: RecordOf<RowOf<Id>['query']>
  readonly body: RowOf<Id>['body'] extends infer Body extends Shape ? RecordOf<Body> : undefined
}

/** The function that carries out an operation. Errors are results; it throws only for bugs. */
export type Handler<Id extends OperationId> = (
  context: ApiContext,
  input: OperationInput<Id>,
) => HandlerResult<RecordOf<RowOf<Id>['response']>>

/**
 * The steps of a request to the venue, in their order. The last one, `operation`, stands for everything that `src/api`
 * checks.
 */
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
