import type { Flicker } from './flicker.ts'
import type { LadderFooting } from './ladder-footing.ts'
import { createFooting } from './ladder-footing.ts'
import type { Direction, LadderSteps } from './ladder-level.ts'
import { appendLevel, isShown, stepUsd, ticksAt, upward } from './ladder-level.ts'
import type { LadderShape } from './ladder-shape.ts'
import type { LadderSide } from './liquidity.ts'

/*
 * One side of a ladder, written level by level: each level has its share of the depth, less what was taken from it,
 * at its price; levels at one tick are joined.
 */
export class SideBuilder {
  readonly side: LadderSide
  private readonly direction: Direction
  private shape: LadderShape | null = null
  private flicker: Flicker | null = null
  private footing: LadderFooting = createFooting(1)
  private steps: LadderSteps = { priceStepUsd: 1, quantityStepUnits: 1, minQuantitySteps: 1 }
  private consumed: Float64Array | null = null
  private shiftBps = 0
  /** The next level, and the tick that is being put together. */
  private level = 0
  private ticks = 0
  private usd = 0
  private firstLevel = 0
  /** What was taken beyond the size of a level comes off the next one. */
  private deficitUsd = 0
  /** The mid; once the venue has offered all that it pays beyond the fair price, the fair price. */
  private centreTicks = 0
  private isBounded = false
  private budgetUsd = 0

  constructor(side: LadderSide, direction: Direction) {
    this.side = side
    this.direction = direction
  }

  begin(
    shape: LadderShape | null,
    flicker: Flicker | null,
    footing: LadderFooting,
    steps: LadderSteps,
  ): void {
    const { direction } = this
    this.side.count = 0
    this.shape = shape
    this.flicker = flicker
    this.footing = footing
    this.steps = steps
    this.consumed = direction === upward ? footing.consumedAsks : footing.consumedBids
    const halfSpreadBps = shape?.halfSpreadBps(footing.spreadMultiplier) ?? 0
    this.shiftBps = direction * footing.skew * halfSpreadBps
    this.level = 0
    this.ticks = 0
    this.usd = 0
    this.firstLevel = 0
    this.deficitUsd = 0
    this.centreTicks = footing.midTicks
    this.isBounded = footing.budgetUsd !== null && footing.budgetUsd * direction <= 0
    this.budgetUsd = Math.abs(footing.budgetUsd ?? 0)
  }

  close(): void {
    this.shape = null
  }

  /** The price of the first level in ticks; 0 when that is written already, or too small to be the best one. */
  touchTicks(): number {
    const { budgetUsd, deficitUsd, footing, level, shape, steps } = this
    if (shape === null || level > 0) return 0
    const offsetBps = shape.offsetBps(0) + this.shiftBps
    let ticks = ticksAt(footing.midTicks, offsetBps, this.direction)
    if (this.isOverBudget(ticks)) ticks = ticksAt(footing.fairTicks, offsetBps, this.direction)
    const quantity = this.shownUsd(shape, 0, ticks) / stepUsd(ticks, steps)
    this.budgetUsd = budgetUsd
    this.deficitUsd = deficitUsd
    return isShown(ticks, quantity, steps) ? ticks : 0
  }

  extend(): boolean {
    const { shape, side, direction, footing } = this
    if (shape === null) return false
    const before = side.count
    while (this.level < shape.count) {
      const { level } = this
      const offsetBps = shape.offsetBps(level) + this.shiftBps
      let ticks = ticksAt(this.centreTicks, offsetBps, direction)
      if (this.isOverBudget(ticks)) {
        this.centreTicks = footing.fairTicks
        ticks = ticksAt(footing.fairTicks, offsetBps, direction)
      }
      if (ticks !== this.ticks) {
        this.finishTick()
        this.ticks = ticks
        this.usd = 0
        this.firstLevel = level
      }
      this.usd += this.shownUsd(shape, level, ticks)
      this.level += 1
      if (side.count > before) return true
    }
    this.finishTick()
    this.ticks = 0
    return side.count > before
  }

  private finishTick(): void {
    const { side, ticks, steps } = this
    appendLevel(side, ticks, this.usd / stepUsd(ticks, steps), steps, this.firstLevel)
  }

  private shownUsd(shape: LadderShape, level: number, ticks: number): number {
    const { footing, consumed, flicker } = this
    let usd = shape.valueUsd(level) * footing.depthMultiplier
    if (shape.offsetBps(level) > 10) usd *= footing.farDepthMultiplier
    if (flicker !== null)
      usd *= flicker.factorAt(this.direction === upward ? 1 : 0, level, footing.offsetMillis)
    if (consumed !== null) {
      const left = usd - (consumed[level] ?? 0) - this.deficitUsd
      this.deficitUsd = Math.max(0, -left)
      usd = Math.max(0, left)
    }
    return this.isBounded ? this.withinBudget(usd, ticks) : usd
  }

  private isOverBudget(ticks: number): boolean {
    const { fairTicks } = this.footing
    return this.isBounded && this.budgetUsd < leastBudgetUsd && this.direction * (fairTicks - ticks) > 0
  }

  /** As much as the venue's budget beyond the fair price pays for, at this level's distance from it. */
  private withinBudget(usd: number, ticks: number): number {
    const beyond = this.direction * (1 - ticks / this.footing.fairTicks)
    if (beyond <= 0) return usd
    const shown = Math.min(usd, this.budgetUsd / beyond)
    this.budgetUsd = Math.max(0, this.budgetUsd - shown * beyond)
    return shown
  }
}

const leastBudgetUsd = 0.01
