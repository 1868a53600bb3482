import type { Scope } from '../../api/routes/route.ts'

/** A thing that a script can change, with its value, as plain data. */
export type Setting =
  | {
      readonly kind: 'key'
      readonly apiKey: string
      readonly isRevoked: boolean
      readonly scopes: readonly Scope[]
    }
  | { readonly kind: 'rate-limit'; readonly category: 'marketData' | 'other'; readonly requests: number }
  | { readonly kind: 'clock'; readonly skewMillis: number }

/** A thing that can also be changed from outside, by name. */
export type OutsideSetting =
  | { readonly kind: 'key'; readonly apiKey: string }
  | { readonly kind: 'rate-limit'; readonly category: 'marketData' | 'other' }

/** What a thing was before any change, and the changes since, oldest first. */
export interface SettingStack {
  readonly base: Setting
  readonly layers: readonly { readonly token: string; readonly setting: Setting }[]
}

export interface ScriptedSettingsState {
  readonly stacks: readonly (readonly [about: string, stack: SettingStack])[]
  readonly skewMillis: number
}
