import type { Readings } from '../api/readings/readings.ts'
import type { Scope } from '../api/routes/route.ts'
import type { Command } from '../engine/commands.ts'
import type { VenueSnapshot } from '../engine/snapshot/snapshot.ts'
import type { CompiledScenario, RateLimits } from '../scenario/compile/compiled.ts'
import type { ScriptState } from '../scenario/run/script-state.ts'
import type { ClockSettings } from './clock/clock-driver.ts'
import type { FaultBookState } from './faults/fault-book.ts'
import type { ScriptedSettingsState } from './script/scripted-settings-state.ts'

/*
 * A world as it was, whole: data that nothing changes any more, so that it can be restored again and again.
 */
export interface WorldSnapshot {
  /** The id of the world that it was. */
  readonly world: string
  readonly scenario: CompiledScenario
  readonly seed: string
  /** Commands that the world had carried out or refused. */
  readonly sequence: number
  readonly digest: string
  readonly venue: VenueSnapshot
  readonly script: ScriptState
  readonly faults: FaultBookState
  /** What the script has changed about the world, and what is to be there again. */
  readonly scripted: ScriptedSettingsState
  /** What is read of the past, and how far that is. */
  readonly lags: readonly LaggingViewState[]
  readonly keys: readonly KeySnapshot[]
  readonly rateLimits: RateLimits
  readonly clock: ClockSettings
  /** What a new world made of this one has; a restore leaves the readings as they are. */
  readonly readings: Readings
}

export interface KeySnapshot {
  readonly apiKey: string
  readonly apiSecret: string
  readonly accountId: string
  readonly scopes: readonly Scope[]
  readonly isRevoked: boolean
}

/** A second world that goes this one's way later, and the commands that are still too young for it, oldest first. */
export interface LaggingViewState {
  readonly id: string
  readonly shadow: WorldSnapshot
  readonly queue: readonly Command[]
}
