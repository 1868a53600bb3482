import { assert } from '../numeric/assert.ts'
import { writeExplicit } from './explicit-ladder.ts'
import type { Flicker } from './flicker.ts'
import type { Direction, LadderSteps } from './ladder-level.ts'
import { appendLevel, awayFrom, downward, upward } from './ladder-level.ts'
import { LadderShape } from './ladder-shape.ts'
import type { LadderSide, LiquidityConditions, LiquiditySpec } from './liquidity.ts'
import { ladderLevelsMaximum } from './liquidity.ts'

/** What a ladder stands on at one refresh. */
export interface LadderFooting {
  /** In ticks, whole or not. */
  midTicks: number
  /** Of the half-spread, and of the depth: conditions, activity and season together. */
  spreadMultiplier: number
  depthMultiplier: number
  /** Of the depth of levels more than 10 basis points away, besides. */
  farDepthMultiplier: number
  /** How far both sides are shifted upwards, in half-spreads. */
  skew: number
  sides: LiquidityConditions['sides']
  /** Instant of the flicker, after the market's start. */
  offsetMillis: number
  /** USD taken from the levels of each side and not yet back; null: nothing. */
  consumedBids: Float64Array | null
  consumedAsks: Float64Array | null
  /**
   * The price without the clients' own transient impact, in ticks, and what the venue pays at most beyond it: bids
   * above it (budget above 0) or asks below it (budget below 0) come to no more than that, USD; null: no such bound.
   */
  fairTicks: number
  budgetUsd: number | null
}

/** A ladder that stands around a mid, and nothing else. */
export function createFooting(midTicks: number): LadderFooting {
  return {
    midTicks,
    spreadMultiplier: 1,
    depthMultiplier: 1,
    farDepthMultiplier: 1,
    skew: 0,
    sides: 'both',
    offsetMillis: 0,
    consumedBids: null,
    consumedAsks: null,
    fairTicks: midTicks,
    budgetUsd: null,
  }
}

/** An empty side that holds the most levels ever shown. */
export function createLadderSide(): LadderSide {
  return {
    count: 0,
    priceTicks: new Float64Array(ladderLevelsMaximum),
    quantitySteps: new Float64Array(ladderLevelsMaximum),
    firstLevels: new Uint8Array(ladderLevelsMaximum),
  }
}

/** Writes a whole ladder under conditions, best first, at most 50 levels a side. */
export function buildLadder(
  spec: LiquiditySpec,
  midTicks: number,
  steps: LadderSteps,
  conditions: LiquidityConditions,
  bids: LadderSide,
  asks: LadderSide,
): void {
  const builder = new LadderBuilder(spec, null, bids, asks)
  const { spreadMultiplier, depthMultiplier, sides } = conditions
  builder.begin({ ...createFooting(midTicks), spreadMultiplier, depthMultiplier, sides }, steps)
  while (builder.extendBids());
  while (builder.extendAsks());
}

/*
 * The venue's own ladder: the levels that a dealer shows around the mid (reference: market notes, section 3), written
 * level by level, as deep as anybody looks; however deep that is, a level is the same. Offsets are basis points of the
 * mid. Sizes are values in USD until the level's price turns them into steps.
 *
 * Bids are rounded down and asks up, and the mid itself is never quoted, so the two sides are neither locked nor
 * crossed. Levels that round to one tick are one level; a level smaller than the minimum is dropped, as is a bid
 * below one tick.
 *
 * Spec: Market data (depth 1 to 50). Choice: a spread multiplier widens the touch and leaves the spacing of the
 * levels behind it; an explicit ladder is stretched about its own centre, since its prices do not follow the mid.
 */
export class LadderBuilder {
  private readonly spec: LiquiditySpec
  private readonly shape: LadderShape | null
  private readonly flicker: Flicker | null
  private readonly bids: SideBuilder
  private readonly asks: SideBuilder

  constructor(spec: LiquiditySpec, flicker: Flicker | null, bids: LadderSide, asks: LadderSide) {
    this.spec = spec
    this.flicker = flicker
    this.shape = spec.kind === 'none' || spec.kind === 'ladder' ? null : new LadderShape(spec)
    this.bids = new SideBuilder(bids, downward)
    this.asks = new SideBuilder(asks, upward)
  }

  /** Empties both sides and takes a new footing, which must stay as it is until the next. */
  begin(footing: LadderFooting, steps: LadderSteps): void {
    const { spec, shape, bids, asks } = this
    const { midTicks, sides } = footing
    assert(
      midTicks > 0 && midTicks <= Number.MAX_SAFE_INTEGER,
      'a ladder stands around a positive, exact mid',
    )
    const showsBids = sides === 'both' || sides === 'bids'
    const showsAsks = sides === 'both' || sides === 'asks'
    shape?.setWidth(footing.spreadMultiplier)
    bids.begin(showsBids ? shape : null, this.flicker, footing, steps)
    asks.begin(showsAsks ? shape : null, this.flicker, footing, steps)
    if (spec.kind !== 'ladder') return
    if (showsBids) writeExplicit(spec, downward, footing, steps, bids.side)
    if (showsAsks) writeExplicit(spec, upward, footing, steps, asks.side)
  }

  /** Writes the next level of the bids; false when there is none. */
  extendBids(): boolean {
    return this.bids.extend()
  }

  extendAsks(): boolean {
    return this.asks.extend()
  }

  /** There are no more levels than are written. */
  close(): void {
    this.bids.close()
    this.asks.close()
  }

  /** Half of the spread at a width, basis points; 0 for a ladder that does not follow the mid. */
  halfSpreadBps(spreadMultiplier: number): number {
    return this.shape?.halfSpreadBps(spreadMultiplier) ?? 0
  }

  depthWithinUsd(offsetBps: number): number {
    return this.shape?.depthWithinUsd(offsetBps) ?? 0
  }
}

class SideBuilder {
  readonly side: LadderSide
  private readonly direction: Direction
  private shape: LadderShape | null = null
  private flicker: Flicker | null = null
  private footing: LadderFooting = createFooting(1)
  private steps: LadderSteps = { priceStepUsd: 1, quantityStepUnits: 1, minQuantitySteps: 1 }
  private consumed: Float64Array | null = null
  private shiftBps = 0
  /** The next level, and the tick that is being gathered. */
  private level = 0
  private ticks = 0
  private usd = 0
  private firstLevel = 0
  /** What was taken beyond a level's size falls to the next one. */
  private deficitUsd = 0
  /** The mid; the fair price, once the venue has offered all that it pays beyond it. */
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
    const stepUsd = ticks * steps.priceStepUsd * steps.quantityStepUnits
    appendLevel(side, ticks, this.usd / stepUsd, steps, this.firstLevel)
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

  /** As much as the venue pays for beyond the fair price, at this level's distance from it. */
  private withinBudget(usd: number, ticks: number): number {
    const beyond = this.direction * (1 - ticks / this.footing.fairTicks)
    if (beyond <= 0) return usd
    const shown = Math.min(usd, this.budgetUsd / beyond)
    this.budgetUsd = Math.max(0, this.budgetUsd - shown * beyond)
    return shown
  }
}

const leastBudgetUsd = 0.01

function ticksAt(centreTicks: number, offsetBps: number, direction: Direction): number {
  const offsetTicks = (centreTicks * offsetBps) / 10_000
  return awayFrom(centreTicks, centreTicks + direction * offsetTicks, direction)
}
