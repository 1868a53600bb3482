import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { type LiquiditySpec, maximumLadderLevels } from './liquidity.ts'

/** Ladder specifications whose levels follow the mid. */
export type ShapedLiquidity = Extract<LiquiditySpec, { kind: 'power' | 'exponential' | 'flat' }>

/**
 * Offsets and values of a specification's levels at one width. Powers cost more than the rest of a level, so
 * levels are computed from the best one on, as deep as they are read, and cached until the width changes.
 */
export class LadderShape {
  readonly count: number
  private readonly spec: ShapedLiquidity
  private readonly offsets = new Float64Array(maximumLadderLevels)
  private readonly values = new Float64Array(maximumLadderLevels)
  private spreadMultiplier = Number.NaN
  private computedLevels = 0
  private depthBelowUsd = 0

  constructor(spec: ShapedLiquidity) {
    this.spec = spec
    this.count = spec.kind === 'flat' ? Math.min(spec.levels, maximumLadderLevels) : maximumLadderLevels
  }

  /** Returns half of the spread at a width, basis points. */
  halfSpreadBps(spreadMultiplier: number): number {
    return (this.spec.spreadBps / 2) * spreadMultiplier
  }

  /**
   * Returns the value of one side within a distance of the mid, USD. It is computed from the depth formula, not
   * from the fifty levels.
   */
  depthWithinUsd(offsetBps: number): number {
    const { spec } = this
    if (spec.kind !== 'flat') return computeDepthUsd(spec, offsetBps)
    const behindTouchBps = offsetBps - spec.spreadBps / 2
    if (behindTouchBps < 0) return 0
    const levels = spec.stepBps > 0 ? 1 + Math.floor(behindTouchBps / spec.stepBps) : this.count
    return Math.min(levels, this.count) * spec.levelUsd
  }

  /** Sets the width of the spread, and drops the levels of another width. */
  setWidth(spreadMultiplier: number): void {
    if (spreadMultiplier === this.spreadMultiplier) return
    this.spreadMultiplier = spreadMultiplier
    this.computedLevels = 0
    this.depthBelowUsd = 0
  }

  /** Returns a level's distance from the mid, basis points. */
  offsetBps(level: number): number {
    while (this.computedLevels <= level) this.computeNext()
    return element(this.offsets, level)
  }

  /** Returns a level's value, USD. */
  valueUsd(level: number): number {
    while (this.computedLevels <= level) this.computeNext()
    return element(this.values, level)
  }

  private computeNext(): void {
    const { spec, computedLevels: level } = this
    const halfSpreadBps = this.halfSpreadBps(this.spreadMultiplier)
    this.computedLevels += 1
    if (spec.kind === 'flat') {
      this.offsets[level] = halfSpreadBps + level * spec.stepBps
      this.values[level] = spec.levelUsd
      return
    }
    const gapBps = 0.6 * Math.max(spec.spreadBps / 2, smallestHalfSpreadBps)
    const offsetBps = halfSpreadBps + gapBps * element(spacing, level)
    const depthUsd = computeDepthUsd(spec, offsetBps)
    this.offsets[level] = offsetBps
    this.values[level] = depthUsd - this.depthBelowUsd
    this.depthBelowUsd = depthUsd
  }
}

/**
 * Choice: smallest half-spread for the spacing of levels, basis points. The spacing is 0.6 of the half-spread,
 * so a ladder without a spread would otherwise collapse to one level.
 */
const smallestHalfSpreadBps = 0.05

const spacing = Float64Array.from({ length: maximumLadderLevels }, (_, level) => power(1 + level, 1.35) - 1)

function computeDepthUsd(spec: Exclude<ShapedLiquidity, { kind: 'flat' }>, offsetBps: number): number {
  if (spec.kind === 'power') return spec.depth10bpUsd * power(offsetBps / 10, 0.67)
  return spec.maxUsd * (1 - exp(-offsetBps / spec.scaleBps))
}

function power(base: number, exponent: number): number {
  return base > 0 ? exp(exponent * log(base)) : 0
}
