import type { Scope } from '../../api/operations/operation.ts'
import type { VenueConfig } from '../../engine/config.ts'
import type { RecordingInfo } from '../../market/recordings/interpretation.ts'
import type { Millis } from '../../numeric/units.ts'
import { flag, integer, type RecordOf, record, shapeTyped } from '../../shape/shape.ts'
import type { ScriptedAction } from '../actions/actions.ts'
import type { AgentSpec } from '../agents/behaviour.ts'
import type { ScenarioSource } from '../file/source.ts'
import type { SourceLocation } from '../file/tree.ts'
import type { Comparison, ExactDecimal } from '../predicates/exact.ts'
import type { Expression, Predicate } from '../predicates/predicate.ts'

/*
 * Compiled scenarios: a scenario file after all its words have become numbers, so what a world is made of and what
 * happens in it. They are plain data. Times are instants since 1970; assets and accounts are the engine's rows.
 */

export interface CompiledScenario {
  readonly name: string
  readonly description: string
  /** The file name as given to the loader; empty for a scenario that came as an object. */
  readonly file: string
  readonly venue: VenueConfig
  readonly clock: ScenarioClock
  /** The access to each account, in the order of `venue.accounts`, so that their rows agree. */
  readonly access: readonly AccountAccess[]
  readonly rateLimits: RateLimits
  /** The stated readings that exist, with their values as text. */
  readonly readings: ReadonlyMap<string, string>
  /** The entries in the order of the files: included ones come first. */
  readonly timeline: readonly TimelineEntry[]
  readonly agents: readonly AgentSpec[]
  readonly expectations: readonly Expectation[]
  /** The expectations that are left out, because their moments are after the end of the clock (`ifReached`). */
  readonly unreached: readonly Expectation[]
  readonly pinned: PinnedDigest | null
  readonly report: ReportOptions
  /** The run of a matrix that this is, such as `seed=3 spread=2`; empty without a matrix. */
  readonly variant: string
  /** How the files of its recordings were understood. */
  readonly filesRead: readonly RecordingInfo[]
  readonly source: ScenarioSource
}

export interface ScenarioClock {
  /**
   * How the clock of a world moves. Null is not stated, so that the caller decides (`serve`: realtime, fixtures:
   * manual).
   */
  readonly mode: 'manual' | 'realtime' | 'auto' | 'follow' | null
  /** World seconds per second of real time, for the mode realtime. */
  readonly speed: number
  /** How far each request to the venue moves the clock, for the mode auto. */
  readonly stepMillis: Millis
  /** How far one request may move the clock, for the mode follow; a day when it is absent. */
  readonly maxMillis?: Millis
  /** The end of a run; null for the last action or expectation. */
  readonly endMillis: Millis | null
}

export interface AccountAccess {
  readonly id: string
  readonly keys: readonly KeyGrant[]
}

/** An API key of an account. A null key or secret is derived from the names of world and account (see `KeyRing`). */
export interface KeyGrant {
  readonly apiKey: string | null
  readonly apiSecret: string | null
  readonly scopes: readonly Scope[]
}

export const rateLimits = record(
  {
    isEnabled: flag('Whether requests are counted at all.', { default: true, word: 'enabled' }),
    marketData: integer(0, 1_000_000, 'Market-data requests in one window; 0 refuses all.', { default: 30 }),
    other: integer(0, 1_000_000, 'Other requests in one window; 0 refuses all.', { default: 10 }),
    windowMillis: shapeTyped<Millis>({
      type: 'integer',
      minimum: 1,
      maximum: 86_400_000,
      description: 'Length of the window, milliseconds.',
      default: 1000,
      word: 'windowMs',
    }),
  },
  "How many requests a key may make; the specification's limits by default.",
)

export type RateLimits = RecordOf<typeof rateLimits>

/**
 * When an entry of the timeline acts. `after` is a span after another entry first acted, when only the run decides
 * that.
 */
export type ScriptedMoment =
  | { readonly kind: 'at'; readonly at: Millis }
  | { readonly kind: 'after'; readonly label: string; readonly offsetMillis: Millis }

export type Trigger =
  | ScriptedMoment
  /** Acts at `from`, and then each `eachMillis` up to and including `to`. */
  | {
      readonly kind: 'every'
      readonly from: ScriptedMoment
      readonly eachMillis: Millis
      /** The last instant; null for the end of the run. */
      readonly to: ScriptedMoment | null
    }
  /**
   * Acts whenever the predicate becomes true, or only the first time. The predicate is evaluated on the grid and
   * after scripted actions.
   */
  | { readonly kind: 'when'; readonly predicate: Predicate; readonly isOnce: boolean }

export interface TimelineEntry {
  readonly trigger: Trigger
  readonly id: string | null
  readonly place: SourceLocation
  readonly action: ScriptedAction
}

/**
 * Returns the name under which it is recorded that an entry has happened; null when nothing can refer to it. Awaits
 * without an id are referred to as well; their name is their index in the timeline, which no file can spell.
 */
export const happenedLabel = ({ id, action }: TimelineEntry, place: number): string | null =>
  id ?? (action.kind === 'await' ? `#${place}` : null)

/** An entry of the timeline at the instant at which it acts. */
export interface TimedAction {
  readonly at: Millis
  readonly id: string | null
  readonly place: SourceLocation
  readonly action: ScriptedAction
}

/**
 * An expectation. `at`: holds at that instant. `by`: has held at some instant until then. `within`: has held at some
 * instant between `since` and then. `always`, `never`: holds, or does not, at every instant looked at. `leads-to`:
 * whenever the predicate holds, `to` holds then or at most `withinMillis` later. The instants looked at are the
 * start, each instant of the grid, every instant at which anything else happens, and the end.
 */
export interface Expectation {
  readonly kind: 'at' | 'by' | 'within' | 'always' | 'never' | 'leads-to'
  /** The instant or deadline; null for the end of the run, as for `always`, `never` and `leads-to`. */
  readonly at: ScriptedMoment | null
  /** The first instant that counts; null for the start. */
  readonly since: ScriptedMoment | null
  readonly predicate: Predicate
  readonly to: Predicate | null
  readonly withinMillis: Millis
  readonly momentPlace: SourceLocation
  readonly message: string | null
  /** Whether it may be left out where its moment is after the end of the run. */
  readonly isIfReached: boolean
  /** Whether a run may leave it unjudged, because nothing of it was ever known. */
  readonly mayBeUnjudged: boolean
  /**
   * The statistic that is judged over all runs of a matrix, each of which contributes a number; null for an
   * expectation of each run.
   */
  readonly aggregate: Aggregate | null
  /** The recorded values that `run --update` may rewrite. */
  readonly recorded: readonly RecordedValue[]
  readonly place: SourceLocation
}

/** A statistic over all runs of a matrix, with its bounds. */
export interface Aggregate {
  readonly over: string
  readonly stat: AggregateStat
  /** The number that each run contributes. */
  readonly target: Expression
  readonly name: string
  readonly bounds: readonly AggregateBound[]
}

export interface AggregateBound {
  readonly comparison: Comparison
  readonly value: ExactDecimal
  readonly place: SourceLocation
}

export const aggregateStats = ['median', 'mean', 'min', 'max', 'p5', 'p25', 'p75', 'p95'] as const
export type AggregateStat = (typeof aggregateStats)[number]

/** A value in the file that `run --update` may replace by the one found. */
export interface RecordedValue {
  readonly target: Expression
  readonly place: SourceLocation
  readonly length: number
}

export interface PinnedDigest {
  readonly digest: string
  readonly place: SourceLocation
  readonly length: number
}

/** What the report of a run shows besides its expectations. */
export interface ReportOptions {
  readonly metrics: readonly string[]
  readonly hasCharts: boolean
}
