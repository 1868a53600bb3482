import { clockModes } from '../api/admin-answers.ts'
import type { ActiveFault } from '../api/faults/matches-fault.ts'
import type { Scope } from '../api/operations/operation.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { Command } from '../engine/command.ts'
import type { VenueSnapshot } from '../engine/snapshot/snapshot.ts'
import type { Millis } from '../numeric/units.ts'
import type { SeenRequest } from '../scenario/actions/requests.ts'
import type { CompiledScenario, RateLimits } from '../scenario/compile/compiled.ts'
import type { ScriptState } from '../scenario/run/script-state.ts'
import { anyNumber, natural, oneOfWords, type RecordOf, record } from '../shape/shape.ts'

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
  readonly lags: readonly LaggingViewState[]
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

/** A running scenario as it was. */
export interface RunningState {
  readonly scenario: CompiledScenario
  readonly seed: string
  readonly venue: VenueSnapshot
  readonly script: ScriptState
}

/** Everything that later faults depend on. */
export interface FaultBookState {
  readonly rules: readonly ActiveFault[]
  /** How many ids have been given out. */
  readonly made: number
}

/** A second world that repeats this one later, and the steps that are still too young for it, oldest first. */
export interface LaggingViewState {
  readonly id: string
  readonly shadow: WorldSnapshot
  readonly queue: readonly LaggedStep[]
}

/** What a view does after the world. */
export type LaggedStep = Command | SeenLater

/** A client's request that the script is told about. */
interface SeenLater {
  readonly kind: 'request-seen'
  readonly at: Millis
  readonly request: SeenRequest
}

/** A key as data. */
export interface KeySnapshot {
  readonly apiKey: string
  readonly apiSecret: string
  readonly accountId: string
  readonly scopes: readonly Scope[]
  readonly isRevoked: boolean
}

/** A thing that a script can change, with its value, as plain data. */
export type ScriptedSetting =
  | {
      readonly kind: 'key'
      readonly apiKey: string
      readonly isRevoked: boolean
      readonly scopes: readonly Scope[]
    }
  | { readonly kind: 'rate-limit'; readonly category: 'marketData' | 'other'; readonly requests: number }
  | { readonly kind: 'clock'; readonly skewMillis: number }

/** What a thing was before any change, and the changes since, oldest first. */
export interface SettingStack {
  readonly base: ScriptedSetting
  readonly layers: readonly { readonly token: string; readonly setting: ScriptedSetting }[]
}

export interface ScriptedSettingsState {
  readonly stacks: readonly (readonly [about: string, stack: SettingStack])[]
  readonly skewMillis: number
}

export const clockSettings = record({
  mode: oneOfWords(...clockModes),
  /** World milliseconds for each wall millisecond; used by `realtime`. */
  speed: anyNumber(),
  /** How far each venue request moves the clock; used by `auto`. */
  stepMillis: natural<Millis>(),
})

export type ClockSettings = RecordOf<typeof clockSettings>
