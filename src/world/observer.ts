import type { FaultRule } from '../api/faults/fault-rule.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { Scope } from '../api/routes/route.ts'
import type { Command, Outcome, Setting } from '../engine/command.ts'
import type { AccountConfig } from '../engine/config.ts'
import type { RateLimits } from '../scenario/compile/compiled.ts'
import type { SeenRequest } from '../scenario/compile/request-pattern.ts'
import type { ClockSettings } from './clock/clock-driver.ts'
import type { WorldSnapshot } from './world-snapshot.ts'

/*
 * What is reported to an observer of a world, such as a journal. Commands of the scenario's own script are left out: a
 * replay of the others makes them again.
 */

export interface WorldObserver {
  /**
   * Before a command from outside is carried out. If it throws, nothing has happened, and the error reaches the
   * caller.
   */
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

/**
 * A change outside the engine on which the digest or later behaviour depends. It is plain data with an instant of the
 * world, and `world.apply` makes it again.
 */
export type WorldChange = { readonly atMillis: number } & (
  | { readonly kind: 'fault-added'; readonly id: string; readonly rule: FaultRule }
  /** Null: all of them. */
  | { readonly kind: 'fault-removed'; readonly id: string | null }
  /** How often a rule has matched, and how often it has struck. */
  | { readonly kind: 'fault-counted'; readonly id: string; readonly matched: number; readonly fired: number }
  /** An account with its keys: one change, so that there is none without the other. */
  | {
      readonly kind: 'account-opened'
      readonly opened: AccountConfig
      readonly keys: readonly {
        readonly apiKey: string
        readonly apiSecret: string
        readonly scopes: readonly Scope[]
      }[]
    }
  /** Several settings of an account or a pair: one change, so that none is made without the others. */
  | { readonly kind: 'settings-changed'; readonly settings: readonly Setting[] }
  | {
      readonly kind: 'key-given'
      readonly account: string
      readonly apiKey: string
      readonly apiSecret: string
      readonly scopes: readonly Scope[]
    }
  | { readonly kind: 'key-revoked'; readonly apiKey: string }
  | { readonly kind: 'rate-limits'; readonly limits: RateLimits }
  | { readonly kind: 'clock'; readonly settings: ClockSettings }
  | { readonly kind: 'readings'; readonly readings: Readings }
  /** Entries of a timeline in the words of a scenario, each with an instant. */
  | { readonly kind: 'timeline'; readonly actions: readonly unknown[] }
  /** A client's request that the scenario waited for, or counts. */
  | { readonly kind: 'request-seen'; readonly request: SeenRequest }
  /**
   * A seed of null stays as it is. `renamed`: keys of the scenario that another world had, and that got names of this
   * one.
   */
  | { readonly kind: 'reset'; readonly seed: string | null; readonly renamed: readonly string[] }
  | { readonly kind: 'restored'; readonly snapshot: WorldSnapshot }
)
