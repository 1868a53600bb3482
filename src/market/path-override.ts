import { assert } from '../numeric/assert.ts'
import { exp, log } from '../numeric/portable-math.ts'
import { millisPerYear } from '../numeric/time-text.ts'
import type { Market } from './market.ts'
import type { ModelSwitch, SwitchModel } from './market-spec.ts'
import { clampPrice } from './models/price-model.ts'
import type { ScriptedPath, Waypoint } from './scripted-path.ts'

/*
 * Scripted paths and forced price moves, as plain data that the engine keeps in its state (and its snapshots).
 *
 * The newest override that has begun decides the price, and none refers to another: each has its own ratio to the raw
 * model, and the switch to that model if it is not the asset's own. So after a jump, or after a path's end, the price
 * is the model's times a constant: the model's returns go on from where the script left the price.
 */

export type PathOverride = PriceJump | ScriptedPathOverride | VolatilityChange | ModelSwitch

/** The price is the model's times `ratio` from a grid index on. */
export interface PriceJump {
  readonly kind: 'jump'
  readonly fromIndex: number
  readonly ratio: number
  readonly base?: ModelSwitch
}

export interface ScriptedPathOverride extends ScriptedPath {
  readonly base?: ModelSwitch
}

/** From a grid index on, the model's logarithmic moves are multiplied by `volMultiplier`, and have a drift besides. */
export interface VolatilityChange {
  readonly kind: 'bend'
  readonly fromIndex: number
  /** USD at that index. */
  readonly price: number
  readonly volMultiplier: number
  /** Of the logarithm, a year of 365 days. */
  readonly drift: number
  readonly base?: ModelSwitch
}

/**
 * The price at a grid index under the overrides (oldest first): positive and finite, the same for any order of calls.
 * Before the first of them begins it is the model's own.
 */
export function fundamentalWithOverrides(
  market: Market,
  asset: number,
  overrides: readonly PathOverride[],
  gridIndex: number,
): number {
  for (let newest = overrides.length - 1; newest >= 0; newest -= 1) {
    const override = overrides[newest]
    if (override === undefined || gridIndex < override.fromIndex) continue
    if (override.kind === 'switch') return market.fundamentalAt(asset, gridIndex, override)
    if (override.kind === 'bend') return computeChangedPrice(market, asset, override, gridIndex)
    if (override.kind === 'jump')
      return market.fundamentalAt(asset, gridIndex, override.base) * override.ratio
    if (gridIndex < override.endIndex) return market.scriptedPriceAt(asset, override, gridIndex)
    return market.fundamentalAt(asset, gridIndex, override.base) * override.ratioAfter
  }
  return market.fundamentalAt(asset, gridIndex)
}

function computeChangedPrice(
  market: Market,
  asset: number,
  bend: VolatilityChange,
  gridIndex: number,
): number {
  const { base, fromIndex, price, volMultiplier, drift } = bend
  // A price that stands still is exact.
  const moved =
    volMultiplier === 0
      ? 0
      : volMultiplier *
        (log(market.fundamentalAt(asset, gridIndex, base)) -
          log(market.fundamentalAt(asset, fromIndex, base)))
  const drifted = (drift * (gridIndex - fromIndex) * market.gridMillis) / millisPerYear
  return clampPrice(price * exp(moved + drifted))
}

/**
 * The switch to the model that moves the price now, or that moves it again after a path that is not over; null: the
 * asset's own model.
 */
export function switchInForce(overrides: readonly PathOverride[]): ModelSwitch | null {
  const newest = overrides.at(-1)
  return newest?.kind === 'switch' ? newest : (newest?.base ?? null)
}

/** A switch to another model that is in force at once, from the price at the current grid index. */
export function createSwitch(
  market: Market,
  asset: number,
  overrides: readonly PathOverride[],
  atIndex: number,
  model: SwitchModel,
): ModelSwitch {
  const price = fundamentalWithOverrides(market, asset, overrides, atIndex)
  return { kind: 'switch', fromIndex: atIndex, price: clampPrice(price), model }
}

/** The same, bent instead of switched. */
export function createBend(
  market: Market,
  asset: number,
  overrides: readonly PathOverride[],
  atIndex: number,
  bend: Pick<VolatilityChange, 'volMultiplier' | 'drift'>,
): VolatilityChange {
  const { volMultiplier, drift } = bend
  const price = fundamentalWithOverrides(market, asset, overrides, atIndex)
  return { kind: 'bend', fromIndex: atIndex, price, volMultiplier, drift, ...findBase(overrides) }
}

/** A move to a price (USD) that is in force at once: from the grid index that is current at `atMillis`. */
export function createJump(
  market: Market,
  asset: number,
  atMillis: number,
  price: number,
  overrides: readonly PathOverride[] = [],
): PriceJump {
  assert(price > 0 && Number.isFinite(price), 'a price is positive and finite')
  const fromIndex = Math.floor((atMillis - market.startMillis) / market.gridMillis)
  const base = findBase(overrides)
  return {
    kind: 'jump',
    fromIndex,
    ratio: price / market.fundamentalAt(asset, fromIndex, base.base),
    ...base,
  }
}

/** What a new override takes over from those below it. */
function findBase(overrides: readonly PathOverride[]): { readonly base?: ModelSwitch } {
  const base = switchInForce(overrides)
  return base === null ? {} : { base }
}

/**
 * A path from the price in force at `atMillis` through the points (offsets after that instant, milliseconds, never
 * falling; USD). It takes effect at the first grid index at or after its time, and the model continues from the last
 * point. Points without duration are a jump at once.
 */
export function createPath(
  market: Market,
  asset: number,
  overrides: readonly PathOverride[],
  path: {
    readonly id: number
    readonly atMillis: number
    readonly points: readonly Waypoint[]
    readonly noiseVol: number
    /** A further factor on the price in force, 1 if left out: the clients' impact. */
    readonly impactFactor?: number
  },
): PathOverride {
  const last = path.points.at(-1)
  assert(last !== undefined, 'a path has a point')
  if (last.offsetMillis === 0) return createJump(market, asset, path.atMillis, last.price, overrides)
  const startOffsetMillis = path.atMillis - market.startMillis
  const currentIndex = Math.floor(startOffsetMillis / market.gridMillis)
  const endIndex = Math.ceil((startOffsetMillis + last.offsetMillis) / market.gridMillis)
  const base = findBase(overrides)
  const priceNow = fundamentalWithOverrides(market, asset, overrides, currentIndex) * (path.impactFactor ?? 1)
  return {
    kind: 'path',
    id: path.id,
    fromIndex: Math.ceil(startOffsetMillis / market.gridMillis),
    endIndex,
    startOffsetMillis,
    points: [{ offsetMillis: 0, price: priceNow }, ...path.points],
    noiseVol: path.noiseVol,
    ratioAfter: last.price / market.fundamentalAt(asset, endIndex, base.base),
    ...base,
  }
}

/**
 * The overrides with one more, without those that can no longer matter at or after `gridIndex`, the ones before the
 * newest that has begun. So the list stays short however often a price is moved.
 */
export function addOverride(
  overrides: readonly PathOverride[],
  added: PathOverride,
  gridIndex: number,
): readonly PathOverride[] {
  const all = [...overrides, added]
  for (let newest = all.length - 1; newest > 0; newest -= 1) {
    const override = all[newest]
    if (override !== undefined && override.fromIndex <= gridIndex) return all.slice(newest)
  }
  return all
}
