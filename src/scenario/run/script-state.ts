import type { CapturedSettings } from '../actions/timed-settings.ts'
import type { JsonData } from '../file/tree.ts'
import type { Tally } from '../predicates/trading-fields.ts'
import type { CapturedRows } from './labelled-rows.ts'
import type { CapturedAgenda } from './schedule.ts'

/** Where a script is: plain JSON data, for snapshots. Entries are indices in the scenario's timeline. */
export interface ScriptState {
  readonly version: 1
  readonly agenda: CapturedAgenda
  readonly hand: CapturedHand
  /** Null: nothing is watched. */
  readonly watchAtMillis: number | null
  /** How many fills the predicates over fills have seen. */
  readonly fillsSeen: number
  /** `fromMillis`, for an entry that was added to the running timeline: the first instant at which it is looked at. */
  readonly watches: readonly (readonly [
    wasTrue: boolean,
    isDone: boolean,
    turns: number,
    fromMillis?: number,
  ])[]
  readonly awaiting: readonly (readonly [entry: number, turn: number])[]
  readonly participants: readonly (readonly [id: string, captured: JsonData])[]
}

export interface CapturedHand {
  readonly rows: CapturedRows
  readonly settings: CapturedSettings
  readonly tallies: readonly (readonly [string, Tally])[]
}
