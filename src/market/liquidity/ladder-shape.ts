import { element } from '../../numeric/columns.ts'
import { exp, log } from '../../numeric/portable-math.ts'
import { type LiquiditySpec, maximumLadderLevels } from './liquidity.ts'

/** The specifications that follow the mid. */
export type ShapedLiquidity = Extract<LiquiditySpec, { kind: 'power' | 'exponential' | 'flat' }>

/*
 * Offsets and values of the levels of one specification at one width. Powers cost more than the rest of a level, so
 * they are computed from the touch on, as deep as anybody looks, and remembered until the width changes.
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

  halfSpreadBps(spreadMultiplier: number): number {
    return (this.spec.spreadBps / 2) * spreadMultiplier
  }

  /** The value of one side within a distance of the mid, in USD; by the law, not by the fifty levels. */
  depthWithinUsd(offsetBps: number): number {
    const { spec } = this
    if (spec.kind !== 'flat') return computeDepthUsd(spec, offsetBps)
    const behindTouchBps = offsetBps - spec.spreadBps / 2
    if (behindTouchBps < 0) return 0
    const levels = spec.stepBps > 0 ? 1 + Math.floor(behindTouchBps / spec.stepBps) : this.count
    return Math.min(levels, this.count) * spec.levelUsd
  }

  /** Forgets the levels of another width. */
  setWidth(spreadMultiplier: number): void {
    if (spreadMultiplier === this.spreadMultiplier) return
    this.spreadMultiplier = spreadMultiplier
    this.computedLevels = 0
    this.depthBelowUsd = 0
  }

  offsetBps(level: number): number {
    while (this.computedLevels <= level) this.computeNext()
    return element(this.offsets, level)
  }

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

/* Choice: the spacing is 0.6 of the half-spread, so a ladder without a spread needs a floor or has one level. */
const smallestHalfSpreadBps = 0.05

const spacing = Float64Array.from({ length: maximumLadderLevels }, (_, level) => power(1 + level, 1.35) - 1)

function computeDepthUsd(spec: Exclude<ShapedLiquidity, { kind: 'flat' }>, offsetBps: number): number {
  if (spec.kind === 'power') return spec.depth10bpUsd * power(offsetBps / 10, 0.67)
  return spec.maxUsd * (1 - exp(-offsetBps / spec.scaleBps))
}

function power(base: number, exponent: number): number {
  return base > 0 ? exp(exponent * log(base)) : 0
}
