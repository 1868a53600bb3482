import type { ActiveFault } from '../api/faults/fault-digest.ts'
import type { FaultRule } from '../api/faults/fault-rule.ts'
import type { FaultFacts } from '../api/faults/matches-fault.ts'
import type { Scope } from '../api/routes/route.ts'
import { newAccountRejection, settingRejection } from '../engine/accounts/settings.ts'
import { firstClientAccount } from '../engine/codes.ts'
import type { Setting } from '../engine/command.ts'
import type { AccountConfig } from '../engine/config.ts'
import type { Rejection } from '../engine/rejections.ts'
import type { Venue } from '../engine/venue.ts'
import type { Change } from '../journal/world-change.ts'
import type { ClockSettings } from '../journal/world-snapshot.ts'
import { assert } from '../numeric/assert.ts'
import type { Millis } from '../numeric/units.ts'
import type { KeyGrant, RateLimits } from '../scenario/compile/compiled.ts'
import type { Problem } from '../scenario/file/problem.ts'
import type { ChangeLog } from './change-log.ts'
import type { WorldTime } from './clock.ts'
import type { FaultBook, FaultHit } from './faults/fault-book.ts'
import type { PastReads } from './faults/lagging-views.ts'
import type { ApiKey, KeyRing } from './keys.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { extendTimeline, timedEntries } from './script/extend-timeline.ts'
import type { RunningScenario } from './script/running-scenario.ts'
import type { ScriptedSettings } from './script/scripted-settings.ts'
import type { WorkQueue } from './work-queue.ts'

/** The parts of a world that are changed here, and what that takes. */
interface Controlled {
  readonly seed: string
  readonly now: Millis
  readonly venue: Venue
  readonly faults: FaultBook
  readonly past: PastReads
  readonly keys: KeyRing
  readonly limiter: RateLimiter
  readonly scripted: ScriptedSettings
  readonly running: RunningScenario
  readonly time: WorldTime
  readonly turns: WorkQueue
}

/** A rule's count is reported after this many matches at the latest, which is what a kill may lose of it. */
const maximumUnreported = 1000

/**
 * What can be changed from outside about a world around its engine: faults, keys, rate limits, the clock and the
 * timeline.
 */
export class WorldControls {
  private readonly world: Controlled
  private readonly changes: ChangeLog
  /** Rules with counts that have not been reported, and how many matches those are. */
  private readonly unreported = new Map<string, number>()

  constructor(world: Controlled, changes: ChangeLog) {
    this.world = world
    this.changes = changes
  }

  /** Installs a fault rule, from now on; it replaces one with the same id. */
  addFault(rule: FaultRule, id: string = rule.id ?? this.world.faults.freeId()): ActiveFault {
    const { faults } = this.world
    this.change({ kind: 'fault-added', id, rule }, () => {
      faults.add(id, rule, this.world.now)
      this.world.past.sync(faults.list(this.world.now))
    })
    const active = faults.get(id)
    assert(active !== undefined, 'a rule that was added is there')
    return active
  }

  /** Removes a rule, or all of them for null. False when there is none with that id. */
  removeFault(id: string | null): boolean {
    const { faults } = this.world
    if (id !== null && faults.get(id) === undefined) return false
    this.change({ kind: 'fault-removed', id }, () => {
      faults.remove(id)
      this.world.past.sync(faults.list(this.world.now))
    })
    return true
  }

  /** Sets a rule's counts. */
  countFault(id: string, matched: number, fired: number): void {
    const { faults } = this.world
    this.change({ kind: 'fault-counted', id, matched, fired }, () => faults.count(id, matched, fired))
  }

  /**
   * The faults that strike a request; every rule that matches it counts it. Choice: a count is reported with the next
   * change, not at once, or a client that polls would write a line for every read. Only a rule with a limited number
   * of strikes reports each of them, because it must not begin again when the process is killed. Throws when that cannot
   * be written down; then the rules have not counted the request.
   */
  strikesOf(facts: FaultFacts): FaultHit[] {
    const { faults, seed, now } = this.world
    const before = [...faults.list(now)]
    let isDue = false
    const strikes = faults.consider(facts, seed, now, ({ id, rule }, strikesNow) => {
      const count = (this.unreported.get(id) ?? 0) + 1
      this.unreported.set(id, count)
      isDue ||= (strikesNow && rule.count !== null) || count >= maximumUnreported
    })
    try {
      if (isDue) this.reportCounts()
    } catch (failure) {
      for (const { id, matched, fired } of before)
        if (this.unreported.has(id)) faults.count(id, matched, fired)
      throw failure
    }
    return strikes
  }

  /** Reports the counts of rules that have not been reported. */
  reportCounts(): void {
    // Every command calls this, and there is hardly ever anything to report.
    if (this.unreported.size === 0) return
    const { faults } = this.world
    for (const [id, count] of [...this.unreported]) {
      // Reporting one reports the others before it.
      if (!this.unreported.delete(id)) continue
      const active = faults.get(id)
      if (active === undefined) continue
      try {
        this.countFault(id, active.matched, active.fired)
      } catch (failure) {
        // It could not be written down, and is still to be.
        this.unreported.set(id, count)
        throw failure
      }
    }
  }

  /**
   * Opens an account together with its keys. Names and secrets that are null are generated. Answers why it cannot be
   * opened; then nothing has changed.
   */
  openAccount(opened: AccountConfig, grants: readonly KeyGrant[]): readonly ApiKey[] | Rejection {
    const { keys, now, past, venue } = this.world
    const rejection = newAccountRejection(venue.state, opened)
    if (rejection !== null) return rejection
    const given = keys.makeAll(venue.state.accounts.count, opened.id, grants)
    const told = given.map(({ apiKey, apiSecret, scopes }) => ({ apiKey, apiSecret, scopes: [...scopes] }))
    this.change({ kind: 'account-opened', opened, keys: told }, () => {
      const command = { kind: 'create-account', at: now, account: opened } as const
      const { ok } = venue.execute(command)
      assert(ok, 'an account that can be opened is')
      past.note(command)
      for (const key of given) keys.hold(key)
    })
    return given
  }

  /**
   * Makes all of the settings, or none. Answers why the first impossible one cannot be made; then nothing has changed.
   */
  changeSettings(settings: readonly Setting[]): Rejection | null {
    const { now, past, venue } = this.world
    for (const setting of settings) {
      const rejection = settingRejection(venue.state, setting)
      if (rejection !== null) return rejection
    }
    this.change({ kind: 'settings-changed', settings }, () => {
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
  giveKey(
    account: number,
    scopes: readonly Scope[],
    apiKey: string | null,
    apiSecret: string | null,
  ): ApiKey {
    const { keys, venue } = this.world
    const id = venue.state.accounts.id(account)
    const key = keys.make(account, id, { scopes, apiKey, apiSecret })
    const told = { account: id, apiKey: key.apiKey, apiSecret: key.apiSecret, scopes }
    this.change({ kind: 'key-given', ...told }, () => keys.hold(key))
    return key
  }

  /** From now on the key is treated as unknown. False when there is none with that name. */
  revokeKey(apiKey: string): boolean {
    const key = this.world.keys.get(apiKey)
    if (key === undefined) return false
    const { scripted } = this.world
    if (key.isRevoked && !scripted.isCovered({ kind: 'key', apiKey })) return true
    this.change({ kind: 'key-revoked', apiKey }, () => {
      scripted.settle({ kind: 'key', apiKey })
      key.isRevoked = true
    })
    return true
  }

  setRateLimits(limits: RateLimits): void {
    const { limiter, scripted } = this.world
    this.change({ kind: 'rate-limits', limits }, () => {
      for (const category of ['marketData', 'other'] as const)
        if (limits[category] !== limiter.limits[category]) scripted.settle({ kind: 'rate-limit', category })
      limiter.change(limits)
    })
  }

  setClock(change: Partial<ClockSettings>): void {
    const { time } = this.world
    time.catchUp()
    const settings = { ...time.settings, ...change }
    this.change({ kind: 'clock', settings }, () => time.change(settings))
  }

  /**
   * Adds entries to the timeline from now on (see `timedEntries`). Answers what is wrong with them, and then nothing
   * has changed. Predicates are watched from `fromMillis`.
   */
  schedule(actions: readonly unknown[], fromMillis: Millis = this.world.now): readonly Problem[] {
    const { now, past, running, venue } = this.world
    const entries = timedEntries(actions, now)
    const instantOf = (label: string) => running.script.named.instantOf(label)
    const accounts = venue.state.accounts.ids.slice(firstClientAccount)
    const extended = extendTimeline(running.scenario, running.seed, entries, now, instantOf, accounts)
    if (!extended.ok) return extended.problems
    this.change({ kind: 'timeline', actions: entries }, () => {
      running.extend(extended.value, fromMillis)
      past.schedule(entries)
      running.runTo(now)
    })
    return []
  }

  private change(change: Change, make: () => void): void {
    this.world.turns.finish()
    this.changes.make(this.world.now, change, make)
  }
}
