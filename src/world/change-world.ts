import type { FaultRule } from '../api/faults/fault-types.ts'
import type { ActiveFault } from '../api/faults/matches-fault.ts'
import type { Scope } from '../api/operations/operation.ts'
import { checkNewAccount, checkSetting } from '../engine/accounts/settings.ts'
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
import { extendTimeline, resolveEntryTimes } from './script/extend-timeline.ts'
import type { World } from './world.ts'

/*
 * Changes from outside to what surrounds a world's engine: faults, accounts, keys, rate limits, the clock and the
 * timeline.
 */

/** Installs a fault rule from now on. It replaces a rule with the same id. */
export function installFault(
  world: World,
  rule: FaultRule,
  id: string = rule.id ?? world.faults.freeId(),
): ActiveFault {
  const { faults } = world
  world.change({ kind: 'fault-added', id, rule }, () => {
    faults.add(id, rule, world.now)
    world.delayedViews.syncWithRules(faults.list(world.now))
  })
  const active = faults.get(id)
  assert(active !== undefined, 'a rule that was added exists')
  return active
}

/** Removes the fault rule with an id, or all rules for null. Returns false when there is none with that id. */
export function removeFault(world: World, id: string | null): boolean {
  const { faults } = world
  if (id !== null && faults.get(id) === undefined) return false
  world.change({ kind: 'fault-removed', id }, () => {
    faults.remove(id)
    world.delayedViews.syncWithRules(faults.list(world.now))
  })
  return true
}

/**
 * Opens an account together with its keys, and returns the keys. Names and secrets that are null are generated. Returns
 * a rejection when the account cannot be opened; then nothing has changed.
 */
export function openAccount(
  world: World,
  opened: AccountConfig,
  grants: readonly KeyGrant[],
): readonly ApiKey[] | Rejection {
  const { keys, now, venue } = world
  const rejection = checkNewAccount(venue.state, opened)
  if (rejection !== null) return rejection
  const created = keys.createKeys(venue.state.accounts.count, opened.id, grants)
  const reported = created.map(({ apiKey, apiSecret, scopes }) => ({
    apiKey,
    apiSecret,
    scopes: [...scopes],
  }))
  world.change({ kind: 'account-opened', opened, keys: reported }, () => {
    const command = { kind: 'create-account', at: now, account: opened } as const
    const { ok } = venue.execute(command)
    assert(ok, 'an account that passed the checks can be opened')
    world.delayedViews.queueCommand(command)
    for (const key of created) keys.add(key)
  })
  return created
}

/**
 * Changes several settings of an account or a pair, all or none, with one line in the journal. Returns the rejection of
 * the first one that is impossible, and null when all have been made.
 */
export function changeSettings(world: World, settings: readonly Setting[]): Rejection | null {
  const [first, ...others] = settings
  if (first === undefined) return null
  if (others.length > 0) return applySettings(world, settings)
  // A single setting is a plain command: journals have always had it in this form.
  const rejection = checkSetting(world.venue.state, first)
  if (rejection === null) world.execute({ ...first, at: world.now })
  return rejection
}

/** Makes all settings as one change, or none. Returns the rejection of the first one that is impossible. */
function applySettings(world: World, settings: readonly Setting[]): Rejection | null {
  const { now, venue } = world
  for (const setting of settings) {
    const rejection = checkSetting(venue.state, setting)
    if (rejection !== null) return rejection
  }
  world.change({ kind: 'settings-changed', settings }, () => {
    for (const setting of settings) {
      const command = { ...setting, at: now }
      const { ok } = venue.execute(command)
      assert(ok, 'a setting that passed the checks can be made')
      world.delayedViews.queueCommand(command)
    }
  })
  return null
}

/** Gives an account a new key and returns it. A name or secret that is null is generated. */
export function giveKey(
  world: World,
  account: number,
  scopes: readonly Scope[],
  apiKey: string | null,
  apiSecret: string | null,
): ApiKey {
  const { keys, venue } = world
  const id = venue.state.accounts.id(account)
  const key = keys.createKey(account, id, { scopes, apiKey, apiSecret })
  const reported = { account: id, apiKey: key.apiKey, apiSecret: key.apiSecret, scopes }
  world.change({ kind: 'key-given', ...reported }, () => keys.add(key))
  return key
}

/** Revokes a key: from now on it is treated as unknown. Returns false when there is none with that name. */
export function revokeApiKey(world: World, apiKey: string): boolean {
  const key = world.keys.get(apiKey)
  if (key === undefined) return false
  const { scripted } = world
  if (key.isRevoked && !scripted.isOverridden({ kind: 'key', apiKey })) return true
  world.change({ kind: 'key-revoked', apiKey }, () => {
    scripted.dropOverrides({ kind: 'key', apiKey })
    key.isRevoked = true
  })
  return true
}

export function setRateLimits(world: World, limits: RateLimits): void {
  const { limiter, scripted } = world
  world.change({ kind: 'rate-limits', limits }, () => {
    for (const category of ['marketData', 'other'] as const)
      if (limits[category] !== limiter.limits[category])
        scripted.dropOverrides({ kind: 'rate-limit', category })
    limiter.changeLimits(limits)
  })
}

export function setClock(world: World, change: Partial<ClockSettings>): void {
  const { time } = world
  time.catchUp()
  const settings = { ...time.settings, ...change }
  world.change({ kind: 'clock', settings }, () => time.changeSettings(settings))
}

/**
 * Adds entries to the timeline from now on; times are relative to the present (see `resolveEntryTimes`). Predicates are
 * watched from `fromMillis`. Returns the mistakes in the entries; when there are any, nothing has changed.
 */
export function scheduleActions(
  world: World,
  actions: readonly unknown[],
  fromMillis: Millis = world.now,
): readonly Mistake[] {
  const { now, running, venue } = world
  const entries = resolveEntryTimes(actions, now)
  const instantOf = (label: string) => running.script.named.instants.get(label) ?? null
  const accounts = venue.state.accounts.ids.slice(firstClientAccount)
  const extended = extendTimeline(running.scenario, running.seed, entries, now, instantOf, accounts)
  if (!extended.ok) return extended.problems
  world.change({ kind: 'timeline', actions: entries }, () => {
    running.extend(extended.value, fromMillis)
    // Each view lags behind this world, so entries that lie ahead here lie ahead there too.
    for (const { shadow } of world.delayedViews.views.values()) scheduleActions(shadow, entries, now)
    running.runTo(now)
  })
  return []
}

/** Carries out the command or change of a journal's line again, at its own instant. */
export function repeatEntry(world: World, entry: JournalEntry): void {
  if (entry.kind === 'command') world.execute(entry.command)
  else repeatChange(world, entry.change)
}

/** Repeats a change that was reported to an observer, at its own instant. It is not reported again. */
export function repeatChange(world: World, change: WorldChange): void {
  world.runUnobserved(() => {
    world.running.runTo(millis(change.atMillis))
    applyChange(world, change)
  })
}

function applyChange(world: World, change: WorldChange): void {
  switch (change.kind) {
    case 'account-opened': {
      const opened = openAccount(world, change.opened, change.keys)
      assert(!('code' in opened), 'an account that was opened once can be opened again')
      return
    }
    case 'settings-changed':
      assert(applySettings(world, change.settings) === null, 'settings that were made once can be made again')
      return
    case 'key-given': {
      const account = world.venue.state.accounts.rowOf(change.account)
      assert(account !== none, 'a key is given to an existing account')
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
        `entries that were scheduled once can be scheduled again, but ${problem?.path} ${problem?.reason}`,
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
