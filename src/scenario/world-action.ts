import type { FaultRule } from '../api/faults/fault-rule.ts'
import type { Scope } from '../api/operations/operation.ts'

/*
 * Actions of a timeline that are not commands of the engine: they change the world around it. The script decides
 * when, and the world carries them out.
 */

export type WorldAction =
  /** Installs a fault rule. Its own `forMillis` is null: the script takes it back. */
  | { readonly kind: 'fault'; readonly rule: FaultRule }
  /** Revokes keys, or changes their scopes; null keeps what they have. */
  | {
      readonly kind: 'key'
      /** One key by its name, or all keys of an account (by the engine's row). */
      readonly target: { readonly apiKey: string } | { readonly account: number }
      readonly isRevoked: boolean | null
      readonly scopes: readonly Scope[] | null
    }
  /** How many requests a key may make per second from now on. */
  | {
      readonly kind: 'rate-limit'
      readonly category: 'marketData' | 'other' | 'all'
      readonly perSecond: number
    }
  /** How far the venue's clock for signed timestamps is ahead of the true one; negative when it is behind. */
  | { readonly kind: 'clock'; readonly skewMillis: number }
  /**
   * Takes a snapshot under a name. The script asks for it between two advances, after everything of its instant has
   * happened, so that a restored world continues as if it had never stopped.
   */
  | { readonly kind: 'snapshot'; readonly name: string }

/** The world around an engine, as a script sees it. */
export interface WorldAccess {
  /**
   * Carries an action out. `token` names it while it is in force; of several actions on the same thing the newest
   * holds. Answers why it had no effect, null when it had.
   */
  carryOut(action: WorldAction, token: string): string | null
  /** An action's `for` has ended: what else is in force on the same thing holds again, or what was there first. */
  takeBack(token: string): void
}
