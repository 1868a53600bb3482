import type { Command } from '../../engine/command.ts'
import { normalConditions } from '../../engine/house/market-moves.ts'
import { type AssetState, type State, stateOf } from '../../engine/state.ts'
import type { LiquidityConditions } from '../../market/liquidity/liquidity.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { type Millis, millis } from '../../numeric/units.ts'

/*
 * Halts and liquidity conditions that last for a while. One that covers nothing is left to the engine's own timers;
 * one that covers another ends by bringing that back, for the rest of its time.
 */

export interface TimedHalt {
  readonly assets: readonly number[]
  readonly mode: 'reject' | 'rest'
  /** 0: until it is ended. */
  readonly forMillis: number
}

export interface TimedLiquidity {
  readonly assets: readonly number[]
  readonly conditions: LiquidityConditions
  readonly isStale: boolean
  /** How long the conditions last; 0: until they are replaced, or recover from the start. */
  readonly forMillis: number
  /** The half-life of the way back to normal, after `forMillis`; 0: back at once. */
  readonly recoverHalfLifeMillis: number
}

export interface HaltSetting {
  readonly mode: AssetState['halt']
  /** 0: without an end. */
  readonly endsAtMillis: number
}

export interface LiquiditySetting {
  readonly conditions: LiquidityConditions
  readonly isStale: boolean
  readonly endsAtMillis: number
}

export interface CapturedSettings {
  readonly halts: CapturedStacks<number, HaltSetting>
  readonly liquidity: CapturedStacks<number, LiquiditySetting>
  readonly owners: readonly (readonly [number, string])[]
}

/** What a setting amounts to: the commands to give, and when the script has to look at it again. */
export interface Timed {
  readonly commands: readonly Command[]
  /** Null: never. */
  readonly endsAtMillis: number | null
}

export class TimedSettings {
  private readonly halts = new OverrideStacks<number, HaltSetting>()
  private readonly liquidity = new OverrideStacks<number, LiquiditySetting>()
  /** Which action last set an asset's liquidity: a recovery ends when another action takes over. */
  private readonly owners = new Map<number, string>()

  beginHalt(action: TimedHalt, state: State, token: string): Timed {
    const commands: Command[] = []
    let endsAtMillis: number | null = null
    for (const asset of action.assets) {
      const { halt, haltEndsAtMillis } = stateOf(state, asset)
      const isCovering = action.forMillis > 0 && (halt !== 'none' || !this.halts.isEmpty(asset))
      if (isCovering) {
        const present = { mode: halt, endsAtMillis: haltEndsAtMillis }
        this.halts.cover(asset, present, { mode: action.mode, endsAtMillis: 0 }, token)
        endsAtMillis = state.nowMillis + action.forMillis
      } else this.halts.clear(asset)
      commands.push(haltCommand(state, asset, action.mode, isCovering ? 0 : action.forMillis))
    }
    return { commands, endsAtMillis }
  }

  resume(asset: number): void {
    this.halts.clear(asset)
  }

  endHalt(action: TimedHalt, state: State, token: string): readonly Command[] {
    return action.assets.flatMap((asset): readonly Command[] => {
      const before = this.halts.uncover(asset, token)
      if (before === undefined) return []
      const isOver = before.mode === 'none' || isPast(before.endsAtMillis, state)
      if (isOver) return [{ kind: 'resume', at: millis(state.nowMillis), asset }]
      return [
        haltCommand(
          state,
          asset,
          before.mode === 'rest' ? 'rest' : 'reject',
          leftOf(before.endsAtMillis, state),
        ),
      ]
    })
  }

  beginLiquidity(action: TimedLiquidity, state: State, token: string): Timed {
    const { conditions, isStale, forMillis, recoverHalfLifeMillis } = action
    const commands: Command[] = []
    let endsAtMillis: number | null =
      recoverHalfLifeMillis === 0 ? null : state.nowMillis + forMillis + recoveryStep(action)
    for (const asset of action.assets) {
      const present = stateOf(state, asset)
      const isCovering =
        recoverHalfLifeMillis === 0 && forMillis > 0 && (!isNormal(present) || !this.liquidity.isEmpty(asset))
      if (isCovering) {
        this.liquidity.cover(
          asset,
          {
            conditions: present.conditions,
            isStale: present.isStale,
            endsAtMillis: present.conditionsEndAtMillis,
          },
          { conditions, isStale, endsAtMillis: 0 },
          token,
        )
        endsAtMillis = state.nowMillis + forMillis
      } else {
        this.liquidity.clear(asset)
        this.owners.set(asset, token)
      }
      const engineMillis = isCovering || recoverHalfLifeMillis > 0 ? 0 : forMillis
      commands.push(liquidityCommand(state, asset, conditions, isStale, engineMillis))
    }
    return { commands, endsAtMillis }
  }

  endLiquidity(action: TimedLiquidity, state: State, token: string): readonly Command[] {
    return action.assets.flatMap((asset): readonly Command[] => {
      const before = this.liquidity.uncover(asset, token)
      if (before === undefined) return []
      if (isPast(before.endsAtMillis, state))
        return [liquidityCommand(state, asset, normalConditions, false, 0)]
      const left = leftOf(before.endsAtMillis, state)
      return [liquidityCommand(state, asset, before.conditions, before.isStale, left)]
    })
  }

  /**
   * One step of the way back to normal. The logarithms of the multipliers halve with each half-life; within half a
   * percent of normal counts as normal. A missing side and a stale book come back with the first step.
   */
  recover(action: TimedLiquidity, state: State, token: string, count: number): Timed {
    const elapsed = count * recoveryStep(action)
    const share = exp((-Math.LN2 * elapsed) / action.recoverHalfLifeMillis)
    const spreadMultiplier = towardsNormal(action.conditions.spreadMultiplier, share)
    const depthMultiplier = towardsNormal(action.conditions.depthMultiplier, share)
    const refreshMultiplier = towardsNormal(action.conditions.refreshMultiplier ?? 1, share)
    const conditions = {
      ...normalConditions,
      spreadMultiplier,
      depthMultiplier,
      ...(refreshMultiplier === 1 ? {} : { refreshMultiplier }),
    }
    const commands = action.assets
      .filter((asset) => this.owners.get(asset) === token && this.liquidity.isEmpty(asset))
      .map((asset) => liquidityCommand(state, asset, conditions, false, 0))
    const isDone = spreadMultiplier === 1 && depthMultiplier === 1 && refreshMultiplier === 1
    const isOwner = action.assets.some((asset) => this.owners.get(asset) === token)
    return { commands, endsAtMillis: isDone || !isOwner ? null : state.nowMillis + recoveryStep(action) }
  }

  capture(): CapturedSettings {
    return {
      halts: this.halts.capture(),
      liquidity: this.liquidity.capture(),
      owners: [...this.owners],
    }
  }

  restore(captured: CapturedSettings): void {
    this.halts.restore(captured.halts)
    this.liquidity.restore(captured.liquidity)
    this.owners.clear()
    for (const [asset, token] of captured.owners) this.owners.set(asset, token)
  }
}

/** Sixteen steps a half-life, at whole seconds if those are coarser. */
const recoveryStep = ({ recoverHalfLifeMillis }: TimedLiquidity): number =>
  Math.max(1000, Math.ceil(recoverHalfLifeMillis / 16))

function towardsNormal(multiplier: number, share: number): number {
  const value = exp(log(Math.max(multiplier, 1e-6)) * share)
  return Math.abs(value - 1) < 0.005 ? 1 : value
}

function isNormal({ conditions, isStale }: AssetState): boolean {
  return (
    !isStale &&
    conditions.spreadMultiplier === 1 &&
    conditions.depthMultiplier === 1 &&
    conditions.refreshMultiplier === undefined &&
    conditions.sides === 'both'
  )
}

const isPast = (endsAtMillis: number, state: State): boolean =>
  endsAtMillis > 0 && endsAtMillis <= state.nowMillis

const leftOf = (endsAtMillis: number, state: State): number =>
  endsAtMillis === 0 ? 0 : endsAtMillis - state.nowMillis

const haltCommand = (state: State, asset: number, mode: 'reject' | 'rest', forMillis: number): Command => ({
  kind: 'halt',
  at: millis(state.nowMillis),
  asset,
  mode,
  forMillis: millis(forMillis),
})

function liquidityCommand(
  state: State,
  asset: number,
  conditions: LiquidityConditions,
  isStale: boolean,
  forMillis: number,
): Command {
  const at: Millis = millis(state.nowMillis)
  return { kind: 'set-liquidity', at, asset, conditions, isStale, forMillis: millis(forMillis) }
}

interface Stack<Value> {
  /** What was there before the first of them. */
  readonly base: Value
  readonly layers: readonly { readonly token: string; readonly value: Value }[]
}

type CapturedStacks<About, Value> = readonly (readonly [About, Stack<Value>])[]

/**
 * What is in force for a while, by what it is about: when `for` ends, it restores what was there before. Several may
 * overlap; the one begun last holds, and when one that does not hold ends, nothing changes.
 */
export class OverrideStacks<About, Value> {
  private readonly stacks = new Map<About, Stack<Value>>()

  keys(): readonly About[] {
    return [...this.stacks.keys()]
  }

  isEmpty(about: About): boolean {
    return !this.stacks.has(about)
  }

  /** Puts a new one on top; `present` is what it covers. */
  cover(about: About, present: Value, value: Value, token: string): void {
    const { base, layers } = this.stacks.get(about) ?? { base: present, layers: [] }
    this.stacks.set(about, { base, layers: [...layers, { token, value }] })
  }

  /** Something without an end is in force now: what was timed before no longer matters. */
  clear(about: About): void {
    this.stacks.delete(about)
  }

  /** Ends one. Answers what holds again if it was on top, else undefined. */
  uncover(about: About, token: string): Value | undefined {
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
    this.stacks.clear()
    for (const [about, stack] of captured) this.stacks.set(about, stack)
  }
}
