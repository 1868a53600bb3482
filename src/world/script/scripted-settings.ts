import { scriptedPrefix } from '../../api/faults/fault-digest.ts'
import type { Scope } from '../../api/routes/route.ts'
import type { ScriptedSetting, ScriptedSettingsState, SettingStack } from '../../journal/world-snapshot.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { RateLimits } from '../../scenario/compile/compiled.ts'
import type { WorldAccess, WorldAction } from '../../scenario/world-action.ts'
import type { FaultBook } from '../faults/fault-book.ts'
import type { PastReads } from '../faults/lagging-views.ts'
import type { ApiKey, KeyRing } from '../keys.ts'
import type { RateLimiter } from '../rate-limiter.ts'

/*
 * What a scenario's script has changed about its world, and what was there before. Of several changes to one thing
 * the newest holds; when it ends, the one before it holds again. Observers are not told: running the script again
 * makes the same changes.
 */

/** What a script can change about a world besides its venue. */
interface Scripted {
  readonly now: Millis
  readonly faults: FaultBook
  readonly past: PastReads
  readonly keys: KeyRing
  readonly limiter: RateLimiter
  /** Takes a snapshot under a name. */
  keep(name: string): void
}

export class ScriptedSettings implements WorldAccess {
  private readonly world: Scripted
  private readonly stacks = new Map<string, SettingStack>()
  private skew: Millis = millis(0)

  constructor(world: Scripted) {
    this.world = world
  }

  /** How far the venue's clock for signed timestamps is ahead of the true one. */
  get skewMillis(): Millis {
    return this.skew
  }

  carryOut(action: WorldAction, token: string): string | null {
    const { world } = this
    switch (action.kind) {
      case 'fault': {
        world.faults.add(faultIdOf(token), action.rule, world.now)
        world.past.sync(world.faults.list(world.now))
        return null
      }
      case 'key': {
        const keys = this.keysOf(action.target)
        for (const key of keys) this.cover(changedKey(key, action.isRevoked, action.scopes), token)
        return keys.length === 0 ? 'unknown-key' : null
      }
      case 'rate-limit': {
        const requests = Math.round((action.perSecond * world.limiter.limits.windowMillis) / 1000)
        const categories = action.category === 'all' ? (['marketData', 'other'] as const) : [action.category]
        for (const category of categories) this.cover({ kind: 'rate-limit', category, requests }, token)
        return null
      }
      case 'clock':
        this.cover({ kind: 'clock', skewMillis: action.skewMillis }, token)
        return null
      case 'snapshot':
        world.keep(action.name)
        return null
    }
  }

  takeBack(token: string): void {
    const { faults, past, now } = this.world
    if (faults.remove(faultIdOf(token))) past.sync(faults.list(now))
    for (const [about, { base, layers }] of [...this.stacks]) {
      const left = layers.filter((layer) => layer.token !== token)
      if (left.length === layers.length) continue
      if (left.length === 0) this.stacks.delete(about)
      else this.stacks.set(about, { base, layers: left })
      this.apply(left.at(-1)?.setting ?? base)
    }
  }

  isCovered(setting: OutsideSetting): boolean {
    return this.stacks.has(aboutOf(setting))
  }

  /** Somebody has set this from outside, without an end: what the script had set for a while no longer matters. */
  settle(setting: OutsideSetting): void {
    this.stacks.delete(aboutOf(setting))
  }

  /** Forgets everything: the world goes back to its start. */
  clear(): void {
    this.stacks.clear()
    this.skew = millis(0)
  }

  capture(): ScriptedSettingsState {
    return { stacks: [...this.stacks], skewMillis: this.skew }
  }

  /** The world itself restores keys and limits. */
  restore({ stacks, skewMillis }: ScriptedSettingsState): void {
    this.clear()
    for (const [about, stack] of stacks) this.stacks.set(about, stack)
    this.skew = millis(skewMillis)
  }

  private cover(setting: ScriptedSetting, token: string): void {
    const about = aboutOf(setting)
    const { base, layers } = this.stacks.get(about) ?? { base: this.presentOf(setting), layers: [] }
    this.stacks.set(about, { base, layers: [...layers, { token, setting }] })
    this.apply(setting)
  }

  private presentOf(setting: ScriptedSetting): ScriptedSetting {
    if (setting.kind === 'clock') return { kind: 'clock', skewMillis: this.skew }
    if (setting.kind === 'rate-limit') {
      return { ...setting, requests: this.world.limiter.limits[setting.category] }
    }
    const key = this.world.keys.get(setting.apiKey)
    return key === undefined ? setting : changedKey(key, null, null)
  }

  private apply(setting: ScriptedSetting): void {
    const { world } = this
    if (setting.kind === 'clock') this.skew = millis(setting.skewMillis)
    else if (setting.kind === 'rate-limit') {
      const limits: RateLimits = { ...world.limiter.limits, [setting.category]: setting.requests }
      world.limiter.change(limits)
    } else {
      const key = world.keys.get(setting.apiKey)
      if (key === undefined) return
      key.isRevoked = setting.isRevoked
      key.scopes = new Set(setting.scopes)
    }
  }

  private keysOf(target: { readonly apiKey: string } | { readonly account: number }): ApiKey[] {
    return this.world.keys
      .list()
      .filter((key) => ('apiKey' in target ? key.apiKey === target.apiKey : key.account === target.account))
  }
}

/** The id of the fault rule that an action of a script has installed. */
function faultIdOf(token: string): string {
  return scriptedPrefix + token
}

function changedKey(
  key: ApiKey,
  isRevoked: boolean | null,
  scopes: readonly Scope[] | null,
): ScriptedSetting {
  const { apiKey } = key
  return {
    kind: 'key',
    apiKey,
    isRevoked: isRevoked ?? key.isRevoked,
    scopes: scopes ?? [...key.scopes],
  }
}

function aboutOf(setting: ScriptedSetting | OutsideSetting): string {
  if (setting.kind === 'key') return `key ${setting.apiKey}`
  return setting.kind === 'rate-limit' ? `rate-limit ${setting.category}` : 'clock'
}

/** A thing that can also be changed from outside, by name. */
type OutsideSetting =
  | { readonly kind: 'key'; readonly apiKey: string }
  | { readonly kind: 'rate-limit'; readonly category: 'marketData' | 'other' }
