import { assert } from '../numeric/assert.ts'
import { exp, log } from '../numeric/portable-math.ts'
import { millisPerYear } from '../numeric/time-text.ts'
import type { Market } from './market.ts'
import type { ModelChange, ModelOrRecording } from './market-spec.ts'
import { clampPrice } from './models/price-model.ts'
import type { ScriptedPath, Waypoint } from './scripted-path.ts'

/*
 * Scripted paths and forced price moves, as plain data that the engine keeps in its state (and its snapshots).
 *
 * The newest override that has begun decides the price. No override refers to another: each has its own ratio
 * to the raw model, and names the change to that model if it is not the asset's own. After a jump, or after a
 * path's end, the price is therefore the model's times a constant: the model's returns continue from where the
 * script left the price.
 */

/** A scripted or forced move of an asset's price, in force from a grid index on. */
export type PathOverride = PriceJump | ScriptedPathOverride | VolatilityChange | ModelChange

/** Multiplies the model's price by `ratio` from a grid index on. */
export interface PriceJump {
  readonly kind: 'jump'
  readonly fromIndex: number
  readonly ratio: number
  readonly base?: ModelChange
}

/** A scripted path, with the change to the model that moves the price after the path's end. */
export interface ScriptedPathOverride extends ScriptedPath {
  readonly base?: ModelChange
}

/** Multiplies the model's logarithmic moves by `volMultiplier` and adds a drift, from a grid index on. */
export interface VolatilityChange {
  readonly kind: 'bend'
  readonly fromIndex: number
  /** Price at `fromIndex`, USD. */
  readonly price: number
  readonly volMultiplier: number
  /** Drift of the logarithm of the price per year of 365 days. */
  readonly drift: number
  readonly base?: ModelChange
}

/**
 * Returns the price at a grid index under an asset's overrides (oldest first), USD: positive, finite, and
 * independent of the order of calls. Before the first override begins, it is the price of the asset's own
 * model.
 */
export function computeFundamental(
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
  change: VolatilityChange,
  gridIndex: number,
): number {
  const { base, fromIndex, price, volMultiplier, drift } = change
  // Skipping the logarithms keeps a price that stands still exact.
  const move =
    volMultiplier === 0
      ? 0
      : volMultiplier *
        (log(market.fundamentalAt(asset, gridIndex, base)) -
          log(market.fundamentalAt(asset, fromIndex, base)))
  const drifted = (drift * (gridIndex - fromIndex) * market.gridMillis) / millisPerYear
  return clampPrice(price * exp(move + drifted))
}

/**
 * Returns the change to the model that moves the price now, or will move it again after a path that is still
 * running; null for the asset's own model.
 */
export function findModelChange(overrides: readonly PathOverride[]): ModelChange | null {
  const newest = overrides.at(-1)
  return newest?.kind === 'switch' ? newest : (newest?.base ?? null)
}

/**
 * Creates a change to another model that is in force at once, starting from the price at the current grid
 * index.
 */
export function createModelChange(
  market: Market,
  asset: number,
  overrides: readonly PathOverride[],
  atIndex: number,
  model: ModelOrRecording,
): ModelChange {
  const price = computeFundamental(market, asset, overrides, atIndex)
  return { kind: 'switch', fromIndex: atIndex, price: clampPrice(price), model }
}

/**
 * Creates a change of the model's volatility and drift that is in force at once, starting from the price at the
 * current grid index.
 */
export function createVolatilityChange(
  market: Market,
  asset: number,
  overrides: readonly PathOverride[],
  atIndex: number,
  scaling: Pick<VolatilityChange, 'volMultiplier' | 'drift'>,
): VolatilityChange {
  const { volMultiplier, drift } = scaling
  const price = computeFundamental(market, asset, overrides, atIndex)
  return { kind: 'bend', fromIndex: atIndex, price, volMultiplier, drift, ...findBase(overrides) }
}

/**
 * Creates a jump to a price (USD) that is in force at once: from the grid index that is current at `atMillis`.
 */
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

/** Returns the model change that a new override inherits from those below it. */
function findBase(overrides: readonly PathOverride[]): { readonly base?: ModelChange } {
  const base = findModelChange(overrides)
  return base === null ? {} : { base }
}

/**
 * Creates a path from the price in force at `atMillis` through the points, whose offsets are milliseconds after
 * that instant and never fall, and whose prices are USD. The path takes effect at the first grid index at or
 * after its time, and the model continues from the last point. A path without duration is a jump.
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
    /** Factor on the price in force, by which the clients' impact is included; 1 if left out. */
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
  const priceNow = computeFundamental(market, asset, overrides, currentIndex) * (path.impactFactor ?? 1)
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
 * Returns the overrides with one added, and without those that cannot matter at or after `gridIndex`: the ones
 * before the newest that has begun. The list therefore stays short however often a price is moved.
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
