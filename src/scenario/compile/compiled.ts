import type { Scope } from '../../api/routes/route.ts'
import type { VenueConfig } from '../../engine/config.ts'
import type { Millis } from '../../numeric/units.ts'
import type { AgentSpec } from '../agents/agent-spec.ts'
import type { Exact } from '../predicates/exact.ts'
import type { Comparison, Expression, Predicate } from '../predicates/predicate.ts'
import type { ScenarioSource } from '../read/source.ts'
import type { Place } from '../read/tree.ts'
import type { ScriptedAction } from './scripted-action.ts'

/*
 * A scenario file after all its words have become numbers: what a world is made of, and what happens in it. Plain
 * data. Times are instants since 1970, assets and accounts are the engine's rows.
 */

export interface CompiledScenario {
  readonly name: string
  readonly description: string
  /** As given to the loader; empty for a scenario that came as an object. */
  readonly file: string
  readonly venue: VenueConfig
  readonly clock: ScenarioClock
  /** Clients in the order of `venue.accounts`, whose rows they have. */
  readonly access: readonly AccountAccess[]
  readonly rateLimits: RateLimits
  /** As stated, and known; values normalised to strings. */
  readonly readings: ReadonlyMap<string, string>
  /** In the order of the files: what is included stands first. */
  readonly timeline: readonly TimelineEntry[]
  readonly agents: readonly AgentSpec[]
  readonly expectations: readonly Expectation[]
  readonly pinned: PinnedDigest | null
  readonly report: ReportWishes
  /** What this run of a matrix is: `seed=3 spread=2`; empty without one. */
  readonly variant: string
  readonly source: ScenarioSource
}

export interface ScenarioClock {
  /** Null: not stated, so the caller decides (`serve`: realtime, fixtures: manual). */
  readonly mode: 'manual' | 'realtime' | 'auto' | null
  /** World seconds in a wall second, for realtime. */
  readonly speed: number
  /** What each venue request advances, for auto. */
  readonly stepMillis: Millis
  /** Null: as far as the last action or expectation. */
  readonly endMillis: Millis | null
}

export interface AccountAccess {
  readonly id: string
  readonly keys: readonly KeyGrant[]
}

/** Null key or secret: made from the names of world and account (see `KeyRing`). */
export interface KeyGrant {
  readonly apiKey: string | null
  readonly apiSecret: string | null
  readonly scopes: readonly Scope[]
}

export interface RateLimits {
  readonly isEnabled: boolean
  /** Requests a key may make in one window. */
  readonly marketData: number
  readonly other: number
  readonly windowMillis: Millis
}

/**
 * When an entry of the timeline acts. `after`: so long after the first time that another one, which only the run can
 * time, has acted.
 */
export type Moment =
  | { readonly kind: 'at'; readonly at: Millis }
  | { readonly kind: 'after'; readonly label: string; readonly offsetMillis: Millis }

export type Trigger =
  | Moment
  /** At `from`, and then each `eachMillis` up to and including `to`. */
  | {
      readonly kind: 'every'
      readonly from: Moment
      readonly eachMillis: Millis
      /** Null: as long as the run goes. */
      readonly to: Moment | null
    }
  /** Whenever the predicate becomes true, or the first time only. Looked at on the grid and after scripted actions. */
  | { readonly kind: 'when'; readonly predicate: Predicate; readonly isOnce: boolean }

export interface TimelineEntry {
  readonly trigger: Trigger
  readonly id: string | null
  readonly place: Place
  readonly action: ScriptedAction
}

/** An entry of the timeline at the instant at which it acts. */
export interface TimedAction {
  readonly at: Millis
  readonly id: string | null
  readonly place: Place
  readonly action: ScriptedAction
}

/**
 * `at`: holds at that instant. `by`: has held at some instant up to then. `within`: has held at some instant between
 * `since` and then. `always`, `never`: holds, does not hold, at every instant looked at. `leads-to`: whenever the
 * predicate holds, `to` holds then or at most `withinMillis` later. Instants looked at are the start, each grid instant,
 * each at which anything else happens and the end.
 */
export interface Expectation {
  readonly kind: 'at' | 'by' | 'within' | 'always' | 'never' | 'leads-to'
  /** The end of the run when null; so for `always`, `never` and `leads-to`. */
  readonly at: Moment | null
  /** First instant that counts; the start when null. */
  readonly since: Moment | null
  readonly predicate: Predicate
  readonly to: Predicate | null
  readonly withinMillis: Millis
  readonly message: string | null
  /** Judged over the runs of a matrix: the number that each run gives, brought together, is compared. */
  readonly aggregate: Aggregate | null
  /** The recorded values that `run --update` may write anew. */
  readonly recorded: readonly RecordedValue[]
  readonly place: Place
}

/** One statistic over all runs of a matrix, held against bounds. */
export interface Aggregate {
  readonly over: string
  readonly stat: AggregateStat
  /** The number that each run gives, and its name as written. */
  readonly target: Expression
  readonly name: string
  readonly bounds: readonly { readonly comparison: Comparison; readonly value: Exact }[]
}

export type AggregateStat = 'median' | 'mean' | 'min' | 'max' | 'p5' | 'p25' | 'p75' | 'p95'

/** A value that stands in the file and may be replaced by the one found. */
export interface RecordedValue {
  readonly target: Expression
  readonly place: Place
  /** Length of what stands there. */
  readonly length: number
}

/** The digest that a run must end with. */
export interface PinnedDigest {
  readonly digest: string
  readonly place: Place
  readonly length: number
}

/** What a report of a run shows beside its expectations. */
export interface ReportWishes {
  readonly metrics: readonly string[]
  readonly hasCharts: boolean
}
