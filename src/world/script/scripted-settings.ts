import type { Scope } from '../../api/operations/operation.ts'
import type { ScriptedSetting, ScriptedSettingsState } from '../../journal/world-snapshot.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import { OverrideStacks } from '../../scenario/actions/timed-settings.ts'
import type { WorldAction } from '../../scenario/agents/behaviour.ts'
import type { ApiKey, KeyRing } from '../keys.ts'
import type { RateLimiter } from '../rate-limiter.ts'

/**
 * What a scenario's script has overridden for a while: keys, rate limits and the clock that checks signed timestamps.
 * Of several overrides of one setting the newest holds, and when it ends, the one before holds again. None of this is
 * reported to the observer, because running the script again makes the same changes.
 */
export class ScriptedSettings {
  /** How far the clock that checks signed timestamps is ahead of the wall clock. */
  skewMillis: Millis = millis(0)
  private readonly keys: KeyRing
  private readonly limiter: RateLimiter
  private readonly stacks = new OverrideStacks<string, ScriptedSetting>()

  constructor(keys: KeyRing, limiter: RateLimiter) {
    this.keys = keys
    this.limiter = limiter
  }

  /** Carries out an action of the script. Returns why it had no effect; null when it had one. */
  begin(action: SettingAction, token: string): string | null {
    if (action.kind === 'clock') {
      this.override({ kind: 'clock', skewMillis: action.skewMillis }, token)
      return null
    }
    if (action.kind === 'rate-limit') {
      const requests = Math.round((action.perSecond * this.limiter.limits.windowMillis) / 1000)
      const categories = action.category === 'all' ? (['marketData', 'other'] as const) : [action.category]
      for (const category of categories) this.override({ kind: 'rate-limit', category, requests }, token)
      return null
    }
    const { target, isRevoked, scopes } = action
    const keys = this.keys
      .list()
      .filter((key) => ('apiKey' in target ? key.apiKey === target.apiKey : key.account === target.account))
    for (const key of keys) this.override(toKeySetting(key, isRevoked, scopes), token)
    return keys.length === 0 ? 'unknown-key' : null
  }

  /** Ends the overrides of the action with a token. */
  end(token: string): void {
    for (const about of this.stacks.keys()) {
      const before = this.stacks.remove(about, token)
      if (before !== undefined) this.apply(before)
    }
  }

  isOverridden(setting: OutsideSetting): boolean {
    return !this.stacks.isEmpty(stackName(setting))
  }

  /** Drops all overrides of a setting, because somebody is about to set it from outside for good. */
  dropOverrides(setting: OutsideSetting): void {
    this.stacks.clear(stackName(setting))
  }

  capture(): ScriptedSettingsState {
    const stacks = this.stacks
      .capture()
      .map(([about, { base, layers }]) => [about, { base, layers: layers.map(toSettingLayer) }] as const)
    return { stacks, skewMillis: this.skewMillis }
  }

  /** Restores the overrides and the skew. The world restores the keys and limits themselves. */
  restore({ stacks, skewMillis }: ScriptedSettingsState): void {
    this.stacks.restore(
      stacks.map(([about, { base, layers }]) => [
        about,
        { base, layers: layers.map(({ token, setting }) => ({ token, value: setting })) },
      ]),
    )
    this.skewMillis = millis(skewMillis)
  }

  private override(setting: ScriptedSetting, token: string): void {
    this.stacks.push(stackName(setting), this.readCurrent(setting), setting, token)
    this.apply(setting)
  }

  private readCurrent(setting: ScriptedSetting): ScriptedSetting {
    if (setting.kind === 'clock') return { kind: 'clock', skewMillis: this.skewMillis }
    if (setting.kind === 'rate-limit') return { ...setting, requests: this.limiter.limits[setting.category] }
    const key = this.keys.get(setting.apiKey)
    return key === undefined ? setting : toKeySetting(key, null, null)
  }

  private apply(setting: ScriptedSetting): void {
    if (setting.kind === 'clock') this.skewMillis = millis(setting.skewMillis)
    else if (setting.kind === 'rate-limit')
      this.limiter.changeLimits({ ...this.limiter.limits, [setting.category]: setting.requests })
    else {
      const key = this.keys.get(setting.apiKey)
      if (key === undefined) return
      key.isRevoked = setting.isRevoked
      key.scopes = new Set(setting.scopes)
    }
  }
}

type SettingAction = Extract<WorldAction, { readonly kind: 'key' | 'rate-limit' | 'clock' }>

/** A setting that can also be changed from outside, by its name. */
type OutsideSetting =
  | { readonly kind: 'key'; readonly apiKey: string }
  | { readonly kind: 'rate-limit'; readonly category: 'marketData' | 'other' }

function toKeySetting(
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

/** Returns the name of a setting's stack of overrides. Snapshots contain it. */
function stackName(setting: ScriptedSetting | OutsideSetting): string {
  if (setting.kind === 'key') return `key ${setting.apiKey}`
  return setting.kind === 'rate-limit' ? `rate-limit ${setting.category}` : 'clock'
}

const toSettingLayer = ({ token, value }: { readonly token: string; readonly value: ScriptedSetting }) => ({
  token,
  setting: value,
})
