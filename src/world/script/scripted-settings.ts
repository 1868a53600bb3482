import type { Scope } from '../../api/operations/operation.ts'
import type { ScriptedSetting, ScriptedSettingsState } from '../../journal/world-snapshot.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import { OverrideStacks } from '../../scenario/actions/timed-settings.ts'
import type { WorldAction } from '../../scenario/agents/behaviour.ts'
import type { ApiKey, KeyRing } from '../keys.ts'
import type { RateLimiter } from '../rate-limiter.ts'

/**
 * What a scenario's script has changed about keys, limits and the clock of signed timestamps, and what was there before.
 * Of several changes to one thing the newest holds; when it ends, the one before it holds again. Observers are not told:
 * running the script again makes the same changes.
 */
export class ScriptedSettings {
  /** How far the venue's clock for signed timestamps is ahead of the true one. */
  skewMillis: Millis = millis(0)
  private readonly keys: KeyRing
  private readonly limiter: RateLimiter
  private readonly stacks = new OverrideStacks<string, ScriptedSetting>()

  constructor(keys: KeyRing, limiter: RateLimiter) {
    this.keys = keys
    this.limiter = limiter
  }

  /** Answers why the action had no effect, null when it had. */
  begin(action: SettingAction, token: string): string | null {
    if (action.kind === 'clock') {
      this.cover({ kind: 'clock', skewMillis: action.skewMillis }, token)
      return null
    }
    if (action.kind === 'rate-limit') {
      const requests = Math.round((action.perSecond * this.limiter.limits.windowMillis) / 1000)
      const categories = action.category === 'all' ? (['marketData', 'other'] as const) : [action.category]
      for (const category of categories) this.cover({ kind: 'rate-limit', category, requests }, token)
      return null
    }
    const { target, isRevoked, scopes } = action
    const keys = this.keys
      .list()
      .filter((key) => ('apiKey' in target ? key.apiKey === target.apiKey : key.account === target.account))
    for (const key of keys) this.cover(changedKey(key, isRevoked, scopes), token)
    return keys.length === 0 ? 'unknown-key' : null
  }

  end(token: string): void {
    for (const about of this.stacks.keys()) {
      const before = this.stacks.uncover(about, token)
      if (before !== undefined) this.apply(before)
    }
  }

  isCovered(setting: OutsideSetting): boolean {
    return !this.stacks.isEmpty(stackOf(setting))
  }

  /** Somebody has set this from outside, without an end: what the script had set for a while no longer matters. */
  settle(setting: OutsideSetting): void {
    this.stacks.clear(stackOf(setting))
  }

  capture(): ScriptedSettingsState {
    const stacks = this.stacks
      .capture()
      .map(([about, { base, layers }]) => [about, { base, layers: layers.map(asSetting) }] as const)
    return { stacks, skewMillis: this.skewMillis }
  }

  /** The world itself restores keys and limits. */
  restore({ stacks, skewMillis }: ScriptedSettingsState): void {
    this.stacks.restore(
      stacks.map(([about, { base, layers }]) => [
        about,
        { base, layers: layers.map(({ token, setting }) => ({ token, value: setting })) },
      ]),
    )
    this.skewMillis = millis(skewMillis)
  }

  private cover(setting: ScriptedSetting, token: string): void {
    this.stacks.cover(stackOf(setting), this.presentOf(setting), setting, token)
    this.apply(setting)
  }

  private presentOf(setting: ScriptedSetting): ScriptedSetting {
    if (setting.kind === 'clock') return { kind: 'clock', skewMillis: this.skewMillis }
    if (setting.kind === 'rate-limit') return { ...setting, requests: this.limiter.limits[setting.category] }
    const key = this.keys.get(setting.apiKey)
    return key === undefined ? setting : changedKey(key, null, null)
  }

  private apply(setting: ScriptedSetting): void {
    if (setting.kind === 'clock') this.skewMillis = millis(setting.skewMillis)
    else if (setting.kind === 'rate-limit')
      this.limiter.change({ ...this.limiter.limits, [setting.category]: setting.requests })
    else {
      const key = this.keys.get(setting.apiKey)
      if (key === undefined) return
      key.isRevoked = setting.isRevoked
      key.scopes = new Set(setting.scopes)
    }
  }
}

type SettingAction = Extract<WorldAction, { readonly kind: 'key' | 'rate-limit' | 'clock' }>

/** A thing that can also be changed from outside, by name. */
type OutsideSetting =
  | { readonly kind: 'key'; readonly apiKey: string }
  | { readonly kind: 'rate-limit'; readonly category: 'marketData' | 'other' }

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

/** The name of a thing's stack; snapshots have it. */
function stackOf(setting: ScriptedSetting | OutsideSetting): string {
  if (setting.kind === 'key') return `key ${setting.apiKey}`
  return setting.kind === 'rate-limit' ? `rate-limit ${setting.category}` : 'clock'
}

const asSetting = ({ token, value }: { readonly token: string; readonly value: ScriptedSetting }) => ({
  token,
  setting: value,
})
