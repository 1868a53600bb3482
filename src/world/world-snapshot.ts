import type { Readings } from '../api/readings/readings.ts'
import type { Scope } from '../api/routes/route.ts'
import type { Command } from '../engine/commands.ts'
import type { VenueSnapshot } from '../engine/snapshot/snapshot.ts'
import type { CompiledScenario, RateLimits } from '../scenario/compile/compiled.ts'
import type { ScriptState } from '../scenario/run/script-state.ts'
import type { ClockSettings } from './clock/clock-driver.ts'
import type { FaultBookState } from './faults/fault-book.ts'
import type { ScriptedSettingsState } from './script/scripted-settings-state.ts'

/* The whole state of a world. Nothing changes it, so it can be restored again and again. */
export interface WorldSnapshot {
  /** The id of the world that it was taken of. */
  readonly world: string
  readonly scenario: CompiledScenario
  readonly seed: string
  /** The world's sequence at that moment. */
  readonly sequence: number
  readonly digest: string
  readonly venue: VenueSnapshot
  readonly script: ScriptState
  readonly faults: FaultBookState
  /** What the script has changed about the world, and what is to come back afterwards. */
  readonly scripted: ScriptedSettingsState
  /** The views of the past that faults show, and how far they have come. */
  readonly lags: readonly LaggingViewState[]
  readonly keys: readonly KeySnapshot[]
  readonly rateLimits: RateLimits
  readonly clock: ClockSettings
  /** For a new world made from the snapshot; a restore leaves the readings as they are. */
  readonly readings: Readings
}

export interface KeySnapshot {
  readonly apiKey: string
  readonly apiSecret: string
  readonly accountId: string
  readonly scopes: readonly Scope[]
  readonly isRevoked: boolean
}

/** A second world that follows this one later, and the commands that are still too young for it, oldest first. */
export interface LaggingViewState {
  readonly id: string
  readonly shadow: WorldSnapshot
  readonly queue: readonly Command[]
}
