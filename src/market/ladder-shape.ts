import { exp, log } from '../numeric/portable-math.ts'
import type { LiquiditySpec } from './liquidity.ts'
import { ladderLevelsMaximum } from './liquidity.ts'

/** Offsets and values of the levels, of one specification at one spread multiplier. */
export interface LadderShape {
  readonly spreadMultiplier: number
  readonly count: number
  readonly offsetsBps: Float64Array
  readonly valuesUsd: Float64Array
}

/** The specifications that follow the mid. */
export type ShapedLiquidity = Extract<LiquiditySpec, { kind: 'power' | 'exponential' | 'flat' }>

/* Fifty powers cost more than the rest of a refresh, and depend on nothing that moves from one to the next. */
const shapes = new WeakMap<ShapedLiquidity, LadderShape>()

/** The levels of a specification; the last multiplier asked for is remembered. */
export function shapeOf(spec: ShapedLiquidity, spreadMultiplier: number): LadderShape {
  const known = shapes.get(spec)
  if (known !== undefined && known.spreadMultiplier === spreadMultiplier) return known
  const shape = computeShape(spec, spreadMultiplier)
  shapes.set(spec, shape)
  return shape
}

function computeShape(spec: ShapedLiquidity, spreadMultiplier: number): LadderShape {
  const calmHalfSpreadBps = spec.spreadBps / 2
  const halfSpreadBps = calmHalfSpreadBps * spreadMultiplier
  const count = spec.kind === 'flat' ? Math.min(spec.levels, ladderLevelsMaximum) : ladderLevelsMaximum
  const offsetsBps = new Float64Array(count)
  const valuesUsd = new Float64Array(count)
  const gapBps = 0.6 * Math.max(calmHalfSpreadBps, smallestHalfSpreadBps)
  let depthBelowUsd = 0
  for (let level = 0; level < count; level += 1) {
    if (spec.kind === 'flat') {
      offsetsBps[level] = halfSpreadBps + level * spec.stepBps
      valuesUsd[level] = spec.levelUsd
      continue
    }
    const offsetBps = halfSpreadBps + gapBps * (power(1 + level, 1.35) - 1)
    const depthUsd = depthWithin(spec, offsetBps)
    offsetsBps[level] = offsetBps
    valuesUsd[level] = depthUsd - depthBelowUsd
    depthBelowUsd = depthUsd
  }
  return { spreadMultiplier, count, offsetsBps, valuesUsd }
}

/* Choice: the spacing is 0.6 of the half-spread, so a ladder without a spread needs a floor or has one level. */
const smallestHalfSpreadBps = 0.05

function depthWithin(spec: Exclude<ShapedLiquidity, { kind: 'flat' }>, offsetBps: number): number {
  if (spec.kind === 'power') return spec.depth10bpUsd * power(offsetBps / 10, 0.67)
  return spec.maxUsd * (1 - exp(-offsetBps / spec.scaleBps))
}

function power(base: number, exponent: number): number {
  return base > 0 ? exp(exponent * log(base)) : 0
}
