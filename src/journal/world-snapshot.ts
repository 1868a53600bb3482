import { clockModes } from '../api/clock.ts'
import type { FaultRule } from '../api/faults/fault-types.ts'
import type { ActiveFault } from '../api/faults/matches-fault.ts'
import { type Scope, scopes } from '../api/operations/operation.ts'
import type { Readings } from '../api/readings/readings.ts'
import { anySetting, type Command, type Outcome } from '../engine/command.ts'
import { accountConfig } from '../engine/config.ts'
import type { VenueSnapshot } from '../engine/snapshot/snapshot.ts'
import type { Millis } from '../numeric/units.ts'
import { type SeenRequest, seenRequest } from '../scenario/actions/requests.ts'
import { type CompiledScenario, type RateLimits, rateLimits } from '../scenario/compile/compiled.ts'
import type { ScriptState } from '../scenario/run/script-state.ts'
import {
  anyList,
  anyNumber,
  kind,
  natural,
  nullable,
  oneOfWords,
  orNone,
  type RecordOf,
  record,
  type Shape,
  shapeTyped,
  text,
} from '../shape/shape.ts'

/** The whole state of a world. It is never modified, so it can be restored any number of times. */
export interface WorldSnapshot extends RunningState {
  /** The id of the world that it was taken from. */
  readonly world: string
  readonly sequence: number
  readonly digest: string
  readonly faults: FaultBookState
  /** The settings that the script has changed, with the values that it must restore afterwards. */
  readonly scripted: ScriptedSettingsState
  /** The lagging views that faults show, with the steps that they still have to take. */
  readonly lags: readonly LaggingViewState[]
  readonly keys: readonly KeySnapshot[]
  readonly rateLimits: RateLimits
  readonly clock: ClockSettings
  /** The readings of a new world that is made from the snapshot. Restoring a world leaves its readings as they are. */
  readonly readings: Readings
}

/** Returns the bytes of a snapshot's largest tables, which after much trading are most of it. */
export function sumTableBytes({ venue: { orders, fills, quotes } }: WorldSnapshot): number {
  return [orders, fills, quotes].reduce((sum, { records }) => sum + records.byteLength, 0)
}

/** Returns a copy of a snapshot without fault rules and lagging views. */
export function withoutFaults(snapshot: WorldSnapshot): WorldSnapshot {
  return { ...snapshot, faults: { rules: [], made: 0 }, lags: [] }
}

/** The state of a scenario's run: the venue and the script. */
export interface RunningState {
  readonly scenario: CompiledScenario
  readonly seed: string
  readonly venue: VenueSnapshot
  readonly script: ScriptState
}

/** The fault rules of a world. */
export interface FaultBookState {
  readonly rules: readonly ActiveFault[]
  /** The number of ids that were assigned. */
  readonly made: number
}

/** A second world that repeats this one with a lag, and the steps that it has yet to take, oldest first. */
export interface LaggingViewState {
  readonly id: string
  readonly shadow: WorldSnapshot
  readonly queue: readonly LaggedStep[]
}

/** A step of a world that a lagging view repeats. */
export type LaggedStep = Command | LaggedRequest

/** A client's request that the script observes, as a step that a lagging view repeats. */
interface LaggedRequest {
  readonly kind: 'request-seen'
  readonly at: Millis
  readonly request: SeenRequest
}

/** An API key in a snapshot. */
export interface KeySnapshot {
  readonly apiKey: string
  readonly apiSecret: string
  readonly accountId: string
  readonly scopes: readonly Scope[]
  readonly isRevoked: boolean
}

/** A setting of the world that a script can change, with its value. */
export type ScriptedSetting =
  | {
      readonly kind: 'key'
      readonly apiKey: string
      readonly isRevoked: boolean
      readonly scopes: readonly Scope[]
    }
  | { readonly kind: 'rate-limit'; readonly category: 'marketData' | 'other'; readonly requests: number }
  | { readonly kind: 'clock'; readonly skewMillis: number }

/** A setting's value before a script changed it, and the changes that are in force, oldest first. */
export interface SettingStack {
  readonly base: ScriptedSetting
  readonly layers: readonly { readonly token: string; readonly setting: ScriptedSetting }[]
}

/** The settings that a script has changed. */
export interface ScriptedSettingsState {
  readonly stacks: readonly (readonly [about: string, stack: SettingStack])[]
  readonly skewMillis: number
}

/** The shape of the settings of a world's clock. */
export const clockSettings = record({
  mode: oneOfWords(...clockModes),
  /** World milliseconds per wall-clock millisecond, in the mode `realtime`. */
  speed: anyNumber(),
  /** How far each venue request advances the clock, in the mode `auto`. */
  stepMillis: natural<Millis>(),
  /** How far one request may advance the clock, in the mode `follow`; `defaultJumpMillis` when it is absent. */
  maxMillis: orNone(natural<Millis>()),
})

/** The settings of a world's clock. */
export type ClockSettings = RecordOf<typeof clockSettings>

/*
 * Changes outside the engine on which the digest or later behaviour depends. Each is plain data with an instant of the
 * world, and `world.apply` repeats it. The journal encodes and decodes them by the shapes here; a `$ref` names a part
 * that it encodes in a form of its own (`entry.ts`).
 */

const atMillis = natural()
const name = text()
const key = { apiKey: name, apiSecret: name, scopes: anyList(oneOfWords(...scopes)) }

const changes = [
  record({ kind: kind('fault-added'), atMillis, id: name, rule: shapeTyped<FaultRule>({ $ref: 'rule' }) }),
  /** The removal of one fault rule, or of all if the id is null. */
  record({ kind: kind('fault-removed'), atMillis, id: nullable(name) }),
  /** How often a rule has matched a request, and how often it has fired. */
  record({ kind: kind('fault-counted'), atMillis, id: name, matched: natural(), fired: natural() }),
  /** A new account with its keys. They are one change, so that neither exists without the other. */
  record({ kind: kind('account-opened'), atMillis, opened: accountConfig, keys: anyList(record(key)) }),
  /** Several settings of an account or a pair. They are one change, so that all are made or none. */
  record({ kind: kind('settings-changed'), atMillis, settings: anyList(anySetting) }),
  record({ kind: kind('key-given'), atMillis, account: name, ...key }),
  record({ kind: kind('key-revoked'), atMillis, apiKey: name }),
  record({ kind: kind('rate-limits'), atMillis, limits: rateLimits }),
  record({ kind: kind('clock'), atMillis, settings: clockSettings }),
  record({ kind: kind('readings'), atMillis, readings: shapeTyped<Readings>({ $ref: 'readings' }) }),
  /** New entries of the timeline, in the words of a scenario, each with an instant. */
  record({
    kind: kind('timeline'),
    atMillis,
    actions: shapeTyped<readonly unknown[]>({ items: { $ref: 'entry' }, type: 'array' }),
  }),
  /** A client's request that the scenario waits for or counts. */
  record({ kind: kind('request-seen'), atMillis, request: seenRequest }),
  /**
   * A return to the scenario's start. A null seed keeps the present one. `renamed` are keys that got other names,
   * because another world has theirs.
   */
  record({ kind: kind('reset'), atMillis, seed: nullable(name), renamed: anyList(name) }),
  record({ kind: kind('restored'), atMillis, snapshot: shapeTyped<WorldSnapshot>({ $ref: 'snapshot' }) }),
] as const

/** A change outside the engine, with its instant. */
export type WorldChange = RecordOf<(typeof changes)[number]>

/** The shape of any change outside the engine. */
export const anyChange: Shape = { title: 'change', oneOf: changes }

/** A change outside the engine that is made now: without its instant. */
export type Change<Any = WorldChange> = Any extends unknown ? Omit<Any, 'atMillis'> : never

/**
 * An observer of a world, such as a journal. It does not see the commands of the scenario's own script: replaying the other
 * commands issues them again.
 */
export interface WorldObserver {
  /** Called before a command from outside. If it throws, nothing happens, and the error reaches the caller. */
  beforeCommand?(): void
  /**
   * Called after a command, refused or not, and before its caller is answered. `sequence` is the command's own if it is
   * journaled (see `isJournaled`), otherwise that of the last command that was.
   */
  afterCommand(sequence: number, command: Command, outcome: Outcome): void
  /** Called after time has passed by itself, and before anybody sees what it has changed. */
  afterTimePassed?(): void
  /** Called before a change outside the engine. If it throws, nothing changes, and the error reaches the caller. */
  beforeChange?(change: WorldChange): void
}
