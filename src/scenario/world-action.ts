import type { FaultRule } from '../api/faults/fault-rule.ts'
import type { Scope } from '../api/routes/route.ts'

/*
 * Actions of a timeline that are no commands of the engine: they change the world about it. The script says when, the
 * world carries them out.
 */

export type WorldAction =
  | WorldFaultAction
  | WorldKeyAction
  | WorldRateLimitAction
  | WorldClockAction
  | WorldSnapshotAction

/** Installs a fault rule. */
export interface WorldFaultAction {
  readonly kind: 'fault'
  /** Its own `forMillis` is null: the script takes it back. */
  readonly rule: FaultRule
}

/** Revokes keys, or gives them other scopes; what is null stays. */
export interface WorldKeyAction {
  readonly kind: 'key'
  /** One key by its name, or all keys of an account (the engine's row). */
  readonly target: { readonly apiKey: string } | { readonly account: number }
  readonly isRevoked: boolean | null
  readonly scopes: readonly Scope[] | null
}

/** Requests a key may make in one second from now on. */
export interface WorldRateLimitAction {
  readonly kind: 'rate-limit'
  readonly category: 'marketData' | 'other' | 'all'
  readonly perSecond: number
}

/** What the venue's clock for signed timestamps is ahead (behind, when negative) of the true one. */
export interface WorldClockAction {
  readonly kind: 'clock'
  readonly skewMillis: number
}

/**
 * Takes a snapshot under a name. The script asks for it between two advances, when everything of its instant has
 * happened, so that what is restored goes on as if it had never stopped.
 */
export interface WorldSnapshotAction {
  readonly kind: 'snapshot'
  readonly name: string
}

/** The world about an engine, as a script has it. */
export interface WorldDoor {
  /**
   * Carries an action out. `token` names what is in force from now on; with an action already in force about the same
   * thing the newer one counts. Answers why it had no effect, null when it had.
   */
  carryOut(action: WorldAction, token: string): string | null
  /** The end of an action's `for`: whatever else is in force about the same thing counts again, else what was there first. */
  takeBack(token: string): void
}
