import type { Readings } from '../api/readings/readings.ts'
import type { RateLimits } from '../scenario/compile/compiled.ts'
import type { ClockSettings } from './clock/clock-driver.ts'
import type { FaultBookState } from './faults/fault-book.ts'
import type { LaggingViewState } from './faults/lagging-views.ts'
import type { KeySnapshot } from './keys.ts'
import type { RunningState } from './script/running-scenario.ts'
import type { ScriptedSettingsState } from './script/scripted-settings.ts'

/* The whole state of a world. Nothing changes it, so it can be restored again and again. */
export interface WorldSnapshot extends RunningState {
  /** The id of the world that it was taken from. */
  readonly world: string
  /** The world's sequence at that moment. */
  readonly sequence: number
  readonly digest: string
  readonly faults: FaultBookState
  /** What the script has changed about the world, and what it has to restore afterwards. */
  readonly scripted: ScriptedSettingsState
  /** The views of the past that faults show, and how far they have come. */
  readonly lags: readonly LaggingViewState<WorldSnapshot>[]
  readonly keys: readonly KeySnapshot[]
  readonly rateLimits: RateLimits
  readonly clock: ClockSettings
  /** For a new world made from the snapshot; a restore leaves the readings as they are. */
  readonly readings: Readings
}

/** The bytes of its largest tables, which are most of what a snapshot of much trading holds. */
export function tableBytes({ venue: { orders, fills, quotes } }: WorldSnapshot): number {
  return [orders, fills, quotes].reduce((sum, { records }) => sum + records.byteLength, 0)
}

/** The same world without fault rules. */
export function withoutFaults(snapshot: WorldSnapshot): WorldSnapshot {
  return { ...snapshot, faults: { rules: [], made: 0 }, lags: [] }
}
