import type { FaultRule } from '../api/faults/fault-types.ts'
import type { ActiveFault } from '../api/faults/matches-fault.ts'
import type { Scope } from '../api/operations/operation.ts'
import { newAccountRejection, settingRejection } from '../engine/accounts/settings.ts'
import { firstClientAccount, none } from '../engine/codes.ts'
import type { Setting } from '../engine/command.ts'
import type { AccountConfig } from '../engine/config.ts'
import type { Rejection } from '../engine/rejections.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { ClockSettings, WorldChange } from '../journal/world-snapshot.ts'
import { assert, unreachable } from '../numeric/assert.ts'
import { type Millis, millis } from '../numeric/units.ts'
import type { KeyGrant, RateLimits } from '../scenario/compile/compiled.ts'
import type { Mistake } from '../scenario/file/mistake.ts'
import type { ApiKey } from './keys.ts'
import { extendTimeline, timedEntries } from './script/extend-timeline.ts'
import type { World } from './world.ts'

/*
 * What can be changed from outside about a world around its engine: faults, keys, rate limits, the clock and the
 * timeline.
 */

/** Installs a fault rule, from now on; it replaces one with the same id. */
export function installFault(
  world: World,
  rule: FaultRule,
  id: string = rule.id ?? world.faults.freeId(),
): ActiveFault {
  const { faults } = world
  world.change({ kind: 'fault-added', id, rule }, () => {
    faults.add(id, rule, world.now)
    world.past.sync(faults.list(world.now))
  })
  const active = faults.get(id)
  assert(active !== undefined, 'a rule that was added is there')
  return active
}

/** Removes a rule, or all of them for null. False when there is none with that id. */
export function removeFault(world: World, id: string | null): boolean {
  const { faults } = world
  if (id !== null && faults.get(id) === undefined) return false
  world.change({ kind: 'fault-removed', id }, () => {
    faults.remove(id)
    world.past.sync(faults.list(world.now))
  })
  return true
}

/**
 * Opens an account together with its keys. Names and secrets that are null are generated. Answers why it cannot be
 * opened; then nothing has changed.
 */
export function openAccount(
  world: World,
  opened: AccountConfig,
  grants: readonly KeyGrant[],
): readonly ApiKey[] | Rejection {
  const { keys, now, past, venue } = world
  const rejection = newAccountRejection(venue.state, opened)
  if (rejection !== null) return rejection
  const given = keys.makeAll(venue.state.accounts.count, opened.id, grants)
  const told = given.map(({ apiKey, apiSecret, scopes }) => ({ apiKey, apiSecret, scopes: [...scopes] }))
  world.change({ kind: 'account-opened', opened, keys: told }, () => {
    const command = { kind: 'create-account', at: now, account: opened } as const
    const { ok } = venue.execute(command)
    assert(ok, 'an account that can be opened is')
    past.note(command)
    for (const key of given) keys.hold(key)
  })
  return given
}

/** All in one line of the journal. Answers why one of them cannot be made; then nothing has changed. */
export function changeSettings(world: World, settings: readonly Setting[]): Rejection | null {
  const [first, ...others] = settings
  if (first === undefined) return null
  if (others.length > 0) return makeSettings(world, settings)
  // A command of its own, as in all earlier journals.
  const rejection = settingRejection(world.venue.state, first)
  if (rejection === null) world.execute({ ...first, at: world.now })
  return rejection
}

/** All or none. Answers why the first impossible one cannot be made; then nothing has changed. */
function makeSettings(world: World, settings: readonly Setting[]): Rejection | null {
  const { now, past, venue } = world
  for (const setting of settings) {
    const rejection = settingRejection(venue.state, setting)
    if (rejection !== null) return rejection
  }
  world.change({ kind: 'settings-changed', settings }, () => {
    for (const setting of settings) {
      const command = { ...setting, at: now }
      const { ok } = venue.execute(command)
      assert(ok, 'a setting that can be made is')
      past.note(command)
    }
  })
  return null
}

/** A new key for an account. A name or secret that is null is generated. */
export function giveKey(
  world: World,
  account: number,
  scopes: readonly Scope[],
  apiKey: string | null,
  apiSecret: string | null,
): ApiKey {
  const { keys, venue } = world
  const id = venue.state.accounts.id(account)
  const key = keys.make(account, id, { scopes, apiKey, apiSecret })
  const told = { account: id, apiKey: key.apiKey, apiSecret: key.apiSecret, scopes }
  world.change({ kind: 'key-given', ...told }, () => keys.hold(key))
  return key
}

/** From now on the key is treated as unknown. False when there is none with that name. */
export function revokeApiKey(world: World, apiKey: string): boolean {
  const key = world.keys.get(apiKey)
  if (key === undefined) return false
  const { scripted } = world
  if (key.isRevoked && !scripted.isCovered({ kind: 'key', apiKey })) return true
  world.change({ kind: 'key-revoked', apiKey }, () => {
    scripted.settle({ kind: 'key', apiKey })
    key.isRevoked = true
  })
  return true
}

export function setRateLimits(world: World, limits: RateLimits): void {
  const { limiter, scripted } = world
  world.change({ kind: 'rate-limits', limits }, () => {
    for (const category of ['marketData', 'other'] as const)
      if (limits[category] !== limiter.limits[category]) scripted.settle({ kind: 'rate-limit', category })
    limiter.change(limits)
  })
}

export function setClock(world: World, change: Partial<ClockSettings>): void {
  const { time } = world
  time.catchUp()
  const settings = { ...time.settings, ...change }
  world.change({ kind: 'clock', settings }, () => time.change(settings))
}

/**
 * Adds entries to the timeline from now on (see `timedEntries`). Answers what is wrong with them, and then nothing
 * has changed. Predicates are watched from `fromMillis`.
 */
export function scheduleActions(
  world: World,
  actions: readonly unknown[],
  fromMillis: Millis = world.now,
): readonly Mistake[] {
  const { now, past, running, venue } = world
  const entries = timedEntries(actions, now)
  const instantOf = (label: string) => running.script.named.instants.get(label) ?? null
  const accounts = venue.state.accounts.ids.slice(firstClientAccount)
  const extended = extendTimeline(running.scenario, running.seed, entries, now, instantOf, accounts)
  if (!extended.ok) return extended.problems
  world.change({ kind: 'timeline', actions: entries }, () => {
    running.extend(extended.value, fromMillis)
    // Each lags, so what is still to come in this one is in all of them.
    for (const { shadow } of past.views.values()) scheduleActions(shadow, entries, now)
    running.runTo(now)
  })
  return []
}

/** Carries out a line of a journal again, at its own instant. */
export function repeatEntry(world: World, entry: JournalEntry): void {
  if (entry.kind === 'command') world.execute(entry.command)
  else repeatChange(world, entry.change)
}

/** Makes a change again that was reported to an observer, at its own instant. It is not reported again. */
export function repeatChange(world: World, change: WorldChange): void {
  world.unobserved(() => {
    world.running.runTo(millis(change.atMillis))
    makeAgain(world, change)
  })
}

function makeAgain(world: World, change: WorldChange): void {
  switch (change.kind) {
    case 'account-opened': {
      const given = openAccount(world, change.opened, change.keys)
      assert(!('code' in given), 'an account that was opened once can be again')
      return
    }
    case 'settings-changed':
      assert(makeSettings(world, change.settings) === null, 'settings that were made once can be again')
      return
    case 'key-given': {
      const account = world.venue.state.accounts.rowOf(change.account)
      assert(account !== none, 'a key is given to an account that is there')
      giveKey(world, account, change.scopes, change.apiKey, change.apiSecret)
      return
    }
    case 'key-revoked':
      revokeApiKey(world, change.apiKey)
      return
    case 'rate-limits':
      setRateLimits(world, change.limits)
      return
    case 'clock':
      setClock(world, change.settings)
      return
    case 'fault-added':
      installFault(world, change.rule, change.id)
      return
    case 'fault-removed':
      removeFault(world, change.id)
      return
    case 'fault-counted':
      world.countFault(change.id, change.matched, change.fired)
      return
    case 'readings':
      world.setReadings(change.readings)
      return
    case 'timeline': {
      const [problem] = scheduleActions(world, change.actions)
      assert(
        problem === undefined,
        `what was scheduled once can be again, but ${problem?.path} ${problem?.reason}`,
      )
      return
    }
    case 'request-seen':
      world.noteRequest(change.request)
      return
    case 'reset':
      world.reset(change.seed, change.renamed)
      return
    case 'restored':
      world.restore(change.snapshot)
      return
    default:
      unreachable(change)
  }
}
