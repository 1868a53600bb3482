import type { FaultRule } from '../api/faults/fault-types.ts'
import { scopes } from '../api/operations/operation.ts'
import type { Readings } from '../api/readings/readings.ts'
import { anySetting, type Command, type Outcome } from '../engine/command.ts'
import { accountConfig } from '../engine/config.ts'
import { seenRequest } from '../scenario/actions/requests.ts'
import { rateLimits } from '../scenario/compile/compiled.ts'
import {
  anyList,
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
import { clockSettings, type WorldSnapshot } from './world-snapshot.ts'

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
