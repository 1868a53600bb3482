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
  type RecordOf,
  record,
  type Shape,
  text,
  typed,
} from '../shape/shape.ts'

/* The whole state of a world. Nothing changes it, so it can be restored again and again. */
export interface WorldSnapshot extends RunningState {
  /** The id of the world that it was taken from. */
  readonly world: string
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

export function withoutFaults(snapshot: WorldSnapshot): WorldSnapshot {
  return { ...snapshot, faults: { rules: [], made: 0 }, lags: [] }
}

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
export type LaggedStep = Command | LaggedRequest

/** A client's request that the script is told about. */
interface LaggedRequest {
  readonly kind: 'request-seen'
  readonly at: Millis
  readonly request: SeenRequest
}

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

/*
 * Changes outside the engine on which the digest or later behaviour depends. Each is plain data with an instant of the
 * world, and `world.apply` makes it again; the journal's lines are written and read by the shapes here. A reference is
 * to what a journal has in words of its own (`journal/lines/change-codec.ts`).
 */

const atMillis = natural()
const name = text()
const key = { apiKey: name, apiSecret: name, scopes: anyList(oneOfWords(...scopes)) }

const changes = [
  record({ kind: kind('fault-added'), atMillis, id: name, rule: typed<FaultRule>({ $ref: 'rule' }) }),
  /** Null: all of them. */
  record({ kind: kind('fault-removed'), atMillis, id: nullable(name) }),
  /** How often a rule has matched, and how often it has struck. */
  record({ kind: kind('fault-counted'), atMillis, id: name, matched: natural(), fired: natural() }),
  /** An account with its keys: one change, so that there is none without the other. */
  record({ kind: kind('account-opened'), atMillis, opened: accountConfig, keys: anyList(record(key)) }),
  /** Several settings of an account or a pair: one change, so that none is made without the others. */
  record({ kind: kind('settings-changed'), atMillis, settings: anyList(anySetting) }),
  record({ kind: kind('key-given'), atMillis, account: name, ...key }),
  record({ kind: kind('key-revoked'), atMillis, apiKey: name }),
  record({ kind: kind('rate-limits'), atMillis, limits: rateLimits }),
  record({ kind: kind('clock'), atMillis, settings: clockSettings }),
  record({ kind: kind('readings'), atMillis, readings: typed<Readings>({ $ref: 'readings' }) }),
  /** In the words of a scenario, each with an instant. */
  record({
    kind: kind('timeline'),
    atMillis,
    actions: typed<readonly unknown[]>({ items: { $ref: 'entry' }, type: 'array' }),
  }),
  /** A client's request that the scenario waited for, or counts. */
  record({ kind: kind('request-seen'), atMillis, request: seenRequest }),
  /** A seed of null stays as it is. Renamed: keys of the scenario that another world had. */
  record({ kind: kind('reset'), atMillis, seed: nullable(name), renamed: anyList(name) }),
  record({ kind: kind('restored'), atMillis, snapshot: typed<WorldSnapshot>({ $ref: 'snapshot' }) }),
] as const

export type WorldChange = RecordOf<(typeof changes)[number]>

export const anyChange: Shape = { title: 'change', oneOf: changes }

/** A change without its instant, which is now. */
export type Change<Any = WorldChange> = Any extends unknown ? Omit<Any, 'atMillis'> : never

/**
 * What is reported to an observer of a world, such as a journal. Commands of the scenario's own script are left out: a
 * replay of the others makes them again.
 */
export interface WorldObserver {
  /** Before a command from outside. If it throws, nothing has happened, and the error reaches the caller. */
  commandComes?(): void
  /**
   * After a command, refused or not, and before its caller is answered. `sequence` is the command's own if it counts
   * (see `isJournaled`), else that of what came before.
   */
  commandDone(sequence: number, command: Command, outcome: Outcome): void
  /** After time has passed by itself, and before anybody is shown what it brought. */
  timePassed?(): void
  /** Before a change outside the engine. If it throws, nothing has changed, and the error reaches the caller. */
  changeComes?(change: WorldChange): void
}
