import type { Command } from '../../engine/command.ts'
import type { State } from '../../engine/state.ts'
import type { RecordedModelSpec } from '../../market/market-spec.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import type { Candle } from '../../market/recordings/candle.ts'
import type { Millis } from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import type { Participant, ScriptedVenue } from '../agents/behaviour.ts'
import type { FileNames } from '../file/amounts.ts'
import type { Field } from '../file/fields.ts'
import type { LoadOptions } from '../file/source.ts'
import type { NamedRows, Names } from '../predicates/readouts.ts'
import type { TimedSettings } from './timed-settings.ts'

/*
 * What an action of a timeline is. A row of a family's table tells all of one: how a file writes it, what that means as
 * plain data, and what it does; the schema, the reference, the compiler and the script take it from there.
 */

/** What a switch to a recording needs from the file, and adds to its market. */
export interface RecordedModelChanges {
  readonly options: LoadOptions
  /** The recordings as they are in the files, by name. */
  readonly asRead: Map<string, readonly Candle[]>
  /** By the asset's row, then by the text of the model in the file, so that each is there once. */
  readonly byAsset: Map<number, Map<string, RecordedModelSpec>>
}

export interface FileScope extends FileNames {
  /** By the rows of assets. */
  readonly models: readonly ModelSpec[]
  readonly apiKeys: ReadonlySet<string>
  readonly agents: ReadonlyMap<string, string>
  readonly recorded: RecordedModelChanges
}

export interface ActionScope extends FileScope {
  /** Labels that `as` gives, with the row of the asset that they trade. */
  readonly orders: ReadonlyMap<string, number>
  readonly quotes: ReadonlyMap<string, number>
  readonly transfers: ReadonlySet<string>
  readonly names: Names
}

export type LabelledKind = 'order' | 'quote' | 'transfer'

/** What an action is about, by its label, and whether it makes it. */
export interface ActionLabel {
  readonly kind: LabelledKind
  readonly label: string
  readonly isMade: boolean
}

/** The instant at which an action acts, and what its labels name then. */
export interface ActionMoment {
  readonly at: Millis
  readonly state: State
  readonly rows: NamedRows
}

export type ResolvedAction =
  | { readonly ok: true; readonly commands: readonly Command[] }
  | { readonly ok: false; readonly problem: string }

export const giveCommands = (commands: readonly Command[]): ResolvedAction => ({ ok: true, commands })
export const giveCommand = (command: Command): ResolvedAction => giveCommands([command])
export const refuseAction = (problem: string): ResolvedAction => ({ ok: false, problem })

/** What a script puts at the disposal of the actions that last, or that are no commands. */
export interface ActionContext {
  readonly venue: ScriptedVenue
  readonly token: string
  readonly settings: TimedSettings
  agentNamed(id: string): Participant | undefined
}

/** What has been begun: the commands to give, what was refused, and when the script has to look at it again. */
export interface StartedAction {
  readonly commands: readonly Command[]
  readonly problem?: string | null
  readonly later?: {
    readonly atMillis: number
    readonly kind: 'end' | 'recover'
    readonly count: number
  } | null
}

/** What a venue, as the file makes it, and a timeline say of an action before any run. */
export interface RefusalContext {
  readonly state: State
  /** Rows of assets whose bounds or status may change. */
  readonly changedPairs: ReadonlySet<number>
  /** Rows of accounts whose limits may change. */
  readonly changedLimits: ReadonlySet<number>
}

export interface ActionKind<Action> {
  /** How a file writes it, with a description of each part. */
  readonly shape: Shape
  /** What it makes, and under which word a file gives that a label; `either` an order or a quote. */
  readonly makes?: { readonly kind: LabelledKind | 'either'; readonly word: string }
  /** Its schema, where that is not its shape's. */
  readonly schema?: Shape
  /** What its words mean, where that is not what its shape says. Null: a problem has been noted. */
  read?(field: Field, scope: ActionScope): Action | null
  /** Notes what is wrong with several of its words together. */
  check?(action: Action, field: Field, scope: ActionScope): void
  /** What events call it, where that is not its own name. */
  eventName?(action: Action): string
  changes?(action: Action): { readonly pairs?: readonly number[]; readonly limits?: number }
  /** Errors: what a label names was never accepted; there is nothing to hit or to follow. */
  commands?(action: Action, moment: ActionMoment): ResolvedAction
  /** In place of `commands`, where it lasts or is none. */
  begin?(action: Action, hands: ActionContext): StartedAction
  /** The end of its `for`, or one step of a recovery. */
  resume?(action: Action, hands: ActionContext, kind: 'end' | 'recover', count: number): StartedAction
  /** Why the venue is sure to refuse it, whatever the market does. */
  findCertainRefusal?(action: Action, outlook: RefusalContext): string | null
  /** A client's own id, which can be used once. */
  clientId?(action: Action): string | undefined
}
