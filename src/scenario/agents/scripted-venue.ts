import type { ScriptedWork } from '../../engine/advance.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import type { State } from '../../engine/state.ts'
import type { Millis } from '../../numeric/units.ts'
import type { WorldAccess } from '../world-action.ts'

/** What a script acts upon: state to read, and the one way to change it. */
export interface ScriptedVenue {
  readonly state: State
  execute(command: Command): Outcome
  /** Moves time on, and lets the work have its turn on the way. */
  advance(at: Millis, work: ScriptedWork): void
  /** Absent where there is no world around the engine: actions on keys, faults and limits then have no effect. */
  readonly world?: WorldAccess
}
