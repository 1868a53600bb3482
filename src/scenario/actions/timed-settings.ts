import type { Command } from '../../engine/command.ts'
import { normalConditions } from '../../engine/house/market-moves.ts'
import { type AssetState, type State, stateOf } from '../../engine/state.ts'
import type { LiquidityConditions } from '../../market/liquidity/liquidity.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { type Millis, millis } from '../../numeric/units.ts'

/*
 * Halts and liquidity conditions that last for a while. One that covers nothing is left to the engine's own timers.
 * One that covers another restores that at its end, for the rest of its time.
 */

export interface HaltSetting {
  readonly mode: AssetState['halt']
  /** The instant at which the halt ends; 0 for one without an end. */
  readonly endsAtMillis: number
}

export interface LiquiditySetting {
  readonly conditions: LiquidityConditions
  readonly isStale: boolean
  readonly endsAtMillis: number
}

/** The commands that change a setting, and when the script has to continue it. */
export interface TimedCommands {
  readonly commands: readonly Command[]
  /** The instant at which the script has to continue; null for never. */
  readonly endsAtMillis: number | null
}

interface SettingKind<Value> {
  readonly normal: Value
  readPresent(asset: AssetState): Value
  isNormal(value: Value): boolean
  command(value: Value, at: Millis, asset: number, forMillis: Millis): Command
}

const haltKind: SettingKind<HaltSetting> = {
  normal: { mode: 'none', endsAtMillis: 0 },
  readPresent: ({ halt, haltEndsAtMillis }) => ({ mode: halt, endsAtMillis: haltEndsAtMillis }),
  isNormal: ({ mode }) => mode === 'none',
  command: ({ mode }, at, asset, forMillis) =>
    mode === 'none' ? { kind: 'resume', at, asset } : { kind: 'halt', at, asset, mode, forMillis },
}

const liquidityKind: SettingKind<LiquiditySetting> = {
  normal: { conditions: normalConditions, isStale: false, endsAtMillis: 0 },
  readPresent: ({ conditions, isStale, conditionsEndAtMillis }) => ({
    conditions,
    isStale,
    endsAtMillis: conditionsEndAtMillis,
  }),
  isNormal: ({ conditions, isStale }) =>
    !isStale &&
    conditions.spreadMultiplier === 1 &&
    conditions.depthMultiplier === 1 &&
    conditions.refreshMultiplier === undefined &&
    conditions.sides === 'both',
  command: ({ conditions, isStale }, at, asset, forMillis) => ({
    kind: 'set-liquidity',
    at,
    asset,
    conditions,
    isStale,
    forMillis,
  }),
}

class AssetSettings<Value extends { readonly endsAtMillis: number }> {
  readonly stacks = new OverrideStacks<number, Value>()
  private readonly kind: SettingKind<Value>

  constructor(kind: SettingKind<Value>) {
    this.kind = kind
  }

  /**
   * Sets a value for a while; with 0 for `forMillis` until it is replaced. Returns the commands, and when the script
   * has to end it itself.
   */
  begin(
    assets: readonly number[],
    value: Value,
    forMillis: number,
    state: State,
    token: string,
  ): TimedCommands {
    let endsAtMillis: number | null = null
    const commands = assets.map((asset) => {
      const present = this.kind.readPresent(stateOf(state, asset))
      const isCovering = forMillis > 0 && !(this.kind.isNormal(present) && this.stacks.isEmpty(asset))
      if (isCovering) {
        this.stacks.push(asset, present, value, token)
        endsAtMillis = state.nowMillis + forMillis
      } else this.stacks.clear(asset)
      return this.command(value, state, asset, isCovering ? 0 : forMillis)
    })
    return { commands, endsAtMillis }
  }

  end(assets: readonly number[], state: State, token: string): readonly Command[] {
    return assets.flatMap((asset) => {
      const before = this.stacks.remove(asset, token)
      if (before === undefined) return []
      const leftMillis = before.endsAtMillis === 0 ? 0 : before.endsAtMillis - state.nowMillis
      const isPast = before.endsAtMillis > 0 && leftMillis <= 0
      return isPast
        ? this.command(this.kind.normal, state, asset, 0)
        : this.command(before, state, asset, leftMillis)
    })
  }

  command(value: Value, state: State, asset: number, forMillis: number): Command {
    return this.kind.command(value, millis(state.nowMillis), asset, millis(forMillis))
  }
}

export interface CapturedSettings {
  readonly halts: CapturedStacks<number, HaltSetting>
  readonly liquidity: CapturedStacks<number, LiquiditySetting>
  readonly owners: readonly (readonly [number, string])[]
}

export class TimedSettings {
  readonly halts = new AssetSettings(haltKind)
  private readonly liquidity = new AssetSettings(liquidityKind)
  /** The action that last set an asset's liquidity. A recovery ends when another action takes over. */
  private owners = new Map<number, string>()

  beginLiquidity(
    assets: readonly number[],
    value: LiquiditySetting,
    forMillis: number,
    state: State,
    token: string,
  ): TimedCommands {
    const timed = this.liquidity.begin(assets, value, forMillis, state, token)
    for (const asset of assets) if (this.liquidity.stacks.isEmpty(asset)) this.owners.set(asset, token)
    return timed
  }

  endLiquidity(assets: readonly number[], state: State, token: string): readonly Command[] {
    return this.liquidity.end(assets, state, token)
  }

  /**
   * Sets conditions for `forMillis`, after which they return to normal with this half-life; with 0 they begin to
   * return at once.
   */
  beginRecovery(
    assets: readonly number[],
    value: LiquiditySetting,
    forMillis: number,
    halfLifeMillis: number,
    state: State,
    token: string,
  ): TimedCommands {
    const endsAtMillis = state.nowMillis + forMillis + recoveryStep(halfLifeMillis)
    return { ...this.beginLiquidity(assets, value, 0, state, token), endsAtMillis }
  }

  /**
   * Moves conditions one step back to normal. The logarithms of the multipliers halve with each half-life, and within
   * half a percent of normal counts as normal. A missing side and a stale book come back with the first step.
   */
  recover(
    assets: readonly number[],
    from: LiquidityConditions,
    halfLifeMillis: number,
    state: State,
    token: string,
    count: number,
  ): TimedCommands {
    const stepMillis = recoveryStep(halfLifeMillis)
    const share = exp((-Math.LN2 * count * stepMillis) / halfLifeMillis)
    const spreadMultiplier = towardsNormal(from.spreadMultiplier, share)
    const depthMultiplier = towardsNormal(from.depthMultiplier, share)
    const refreshMultiplier = towardsNormal(from.refreshMultiplier ?? 1, share)
    const conditions = {
      ...normalConditions,
      spreadMultiplier,
      depthMultiplier,
      ...(refreshMultiplier === 1 ? {} : { refreshMultiplier }),
    }
    const value = { conditions, isStale: false, endsAtMillis: 0 }
    const own = assets.filter((asset) => this.owners.get(asset) === token)
    const commands = own
      .filter((asset) => this.liquidity.stacks.isEmpty(asset))
      .map((asset) => this.liquidity.command(value, state, asset, 0))
    const isDone = spreadMultiplier === 1 && depthMultiplier === 1 && refreshMultiplier === 1
    return { commands, endsAtMillis: isDone || own.length === 0 ? null : state.nowMillis + stepMillis }
  }

  capture(): CapturedSettings {
    return {
      halts: this.halts.stacks.capture(),
      liquidity: this.liquidity.stacks.capture(),
      owners: [...this.owners],
    }
  }

  restore({ halts, liquidity, owners }: CapturedSettings): void {
    this.halts.stacks.restore(halts)
    this.liquidity.stacks.restore(liquidity)
    this.owners = new Map(owners)
  }
}

/** Returns the time between two steps of a recovery: a sixteenth of the half-life, but at least a second. */
const recoveryStep = (halfLifeMillis: number): number => Math.max(1000, Math.ceil(halfLifeMillis / 16))

function towardsNormal(multiplier: number, share: number): number {
  const value = exp(log(Math.max(multiplier, 1e-6)) * share)
  return Math.abs(value - 1) < 0.005 ? 1 : value
}

interface Stack<Value> {
  /** The value before the first layer. */
  readonly base: Value
  readonly layers: readonly { readonly token: string; readonly value: Value }[]
}

type CapturedStacks<About, Value> = readonly (readonly [About, Stack<Value>])[]

/**
 * Values that are in force for a while, by what they are about. A value that ends restores what was there before it.
 * Several may overlap: the newest applies, and the end of another one changes nothing.
 */
export class OverrideStacks<About, Value> {
  private stacks = new Map<About, Stack<Value>>()

  keys(): readonly About[] {
    return [...this.stacks.keys()]
  }

  isEmpty(about: About): boolean {
    return !this.stacks.has(about)
  }

  /** Puts a value on top; `present` is the value that it covers. */
  push(about: About, present: Value, value: Value, token: string): void {
    const { base, layers } = this.stacks.get(about) ?? { base: present, layers: [] }
    this.stacks.set(about, { base, layers: [...layers, { token, value }] })
  }

  /** Forgets all values about something, because one without an end applies now. */
  clear(about: About): void {
    this.stacks.delete(about)
  }

  /**
   * Ends the value with this token. Returns the value that applies again if the ended one was on top, else undefined.
   */
  remove(about: About, token: string): Value | undefined {
    const stack = this.stacks.get(about)
    const place = stack?.layers.findIndex((layer) => layer.token === token) ?? -1
    if (stack === undefined || place === -1) return undefined
    const layers = stack.layers.filter((layer) => layer.token !== token)
    if (layers.length === 0) this.stacks.delete(about)
    else this.stacks.set(about, { base: stack.base, layers })
    return place < layers.length ? undefined : (layers.at(-1)?.value ?? stack.base)
  }

  capture(): CapturedStacks<About, Value> {
    return [...this.stacks]
  }

  restore(captured: CapturedStacks<About, Value>): void {
    this.stacks = new Map(captured)
  }
}
