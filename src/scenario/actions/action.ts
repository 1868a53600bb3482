import type { Command } from '../../engine/command.ts'
import type { State } from '../../engine/state.ts'
import type { RecordedModelSpec } from '../../market/market-spec.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import type { Millis } from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import type { Participant, ScriptedVenue } from '../agents/behaviour.ts'
import type { FileNames } from '../file/amounts.ts'
import type { Field } from '../file/fields.ts'
import type { LoadOptions, ReadFiles } from '../file/source.ts'
import type { NamedRows, Names } from '../predicates/readouts.ts'
import type { TimedSettings } from './timed-settings.ts'

/*
 * Actions of a timeline. A row of a family's table defines one action whole: how a file writes it, what that means as
 * plain data, and what it does. The schema, the reference, the compiler and the script are derived from it.
 */

/** What a change to a recorded model needs from the file, and adds to its market. */
export interface RecordedModelChanges {
  readonly options: LoadOptions
  readonly asRead: ReadFiles
  /**
   * The recorded models by the asset's row, then by the text of the model in the file, so that each is stored once.
   */
  readonly byAsset: Map<number, Map<string, RecordedModelSpec>>
}

export interface FileScope extends FileNames {
  /** The models of the assets, by row. */
  readonly models: readonly ModelSpec[]
  readonly apiKeys: ReadonlySet<string>
  readonly agents: ReadonlyMap<string, string>
  readonly recorded: RecordedModelChanges
}

export interface ActionScope extends FileScope {
  /** The labels that `as` gives, each with the row of the asset that it trades. */
  readonly orders: ReadonlyMap<string, number>
  readonly quotes: ReadonlyMap<string, number>
  readonly transfers: ReadonlySet<string>
  readonly names: Names
}

export type LabelledKind = 'order' | 'quote' | 'transfer'

/** The label of the order, quote or transfer that an action makes or refers to. */
export interface ActionLabel {
  readonly kind: LabelledKind
  readonly label: string
  readonly isMade: boolean
}

/** The instant at which an action acts, and the rows that its labels name then. */
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

/** What a script gives to actions that last for a while, or that are not commands. */
export interface ActionContext {
  readonly venue: ScriptedVenue
  readonly token: string
  readonly settings: TimedSettings
  agentNamed(id: string): Participant | undefined
}

/**
 * What starting an action has resulted in: the commands to give, the first refusal, and when the script has to
 * continue it.
 */
export interface StartedAction {
  readonly commands: readonly Command[]
  readonly problem?: string | null
  readonly later?: {
    readonly atMillis: number
    readonly kind: 'end' | 'recover'
    readonly count: number
  } | null
}

/** What is known about an action before any run: the venue as the file makes it, and what the timeline may change. */
export interface RefusalContext {
  readonly state: State
  /** The rows of assets whose bounds or status the timeline may change. */
  readonly changedPairs: ReadonlySet<number>
  /** The rows of accounts whose limits the timeline may change. */
  readonly changedLimits: ReadonlySet<number>
}

export interface ActionKind<Action> {
  /** The parts of the action as a file writes them, each with its description. */
  readonly shape: Shape
  /** What the action makes, and the key under which a file gives that a label; `either` is an order or a quote. */
  readonly makes?: { readonly kind: LabelledKind | 'either'; readonly word: string }
  /** The JSON Schema of the action, where it differs from that of its shape. */
  readonly schema?: Shape
  /** Reads the action from a file, where its shape does not suffice. Returns null after a mistake, which is noted. */
  read?(field: Field, scope: ActionScope): Action | null
  /** Notes mistakes that concern several parts of the action together. */
  check?(action: Action, field: Field, scope: ActionScope): void
  /** Returns the name of the action in events, where it differs from the action's own name. */
  eventName?(action: Action): string
  changes?(action: Action): { readonly pairs?: readonly number[]; readonly limits?: number }
  /**
   * Returns the commands that the action stands for. Refuses when a label names nothing that was accepted, or when
   * there is nothing to trade with or to follow.
   */
  commands?(action: Action, moment: ActionMoment): ResolvedAction
  /** Starts an action that lasts for a while or that is not a command. Used in place of `commands`. */
  begin?(action: Action, context: ActionContext): StartedAction
  /** Continues a started action: at the end of its `for`, or for one step of a recovery. */
  resume?(action: Action, context: ActionContext, kind: 'end' | 'recover', count: number): StartedAction
  /** Returns why the venue is certain to refuse the action, whatever the market does; null when it is not certain. */
  findCertainRefusal?(action: Action, context: RefusalContext): string | null
  /** Returns the client's own id, which an account can use once. */
  clientId?(action: Action): string | undefined
}
