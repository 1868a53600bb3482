import { assert } from '../../numeric/assert.ts'
import type { Flicker } from './flicker.ts'
import { LadderShape } from './ladder-shape.ts'
import {
  type climateBounds,
  type ExplicitLadder,
  type LadderSide,
  type LiquidityConditions,
  type LiquiditySpec,
  maximumLadderLevels,
} from './liquidity.ts'

/* A ladder's level on the grid of ticks and steps. */

/** Converts USD to ticks and steps; doubles are exact enough, because the result is rounded to integers anyway. */
export interface LadderSteps {
  readonly priceStepUsd: number
  readonly quantityStepUnits: number
  /** A level below this is not shown; at least 1. */
  readonly minQuantitySteps: number
}

type Direction = -1 | 1
export const downward = -1
export const upward = 1

/** The tick at or beyond a price, on its own side of the centre. */
export function awayFrom(centreTicks: number, ticks: number, direction: Direction): number {
  if (direction === upward) return Math.max(roundUp(ticks), Math.floor(centreTicks) + 1)
  return Math.min(roundDown(ticks), Math.ceil(centreTicks) - 1)
}

function computeTicks(centreTicks: number, offsetBps: number, direction: Direction): number {
  const offsetTicks = (centreTicks * offsetBps) / 10_000
  return awayFrom(centreTicks, centreTicks + direction * offsetTicks, direction)
}

function computeStepUsd(ticks: number, steps: LadderSteps): number {
  return ticks * steps.priceStepUsd * steps.quantityStepUnits
}

/** Whether a level is large enough to be shown, and has a price that the venue allows. */
export function isShown(ticks: number, quantity: number, steps: LadderSteps): boolean {
  return (
    ticks >= 1 &&
    ticks <= Number.MAX_SAFE_INTEGER &&
    roundDown(quantity) >= Math.max(1, steps.minQuantitySteps)
  )
}

const roundingMargin = 1.001

/* What lies within a millionth of a tick or step is on it: 50,000 less 2 basis points is 49,990.00, not 49,989.99. */
const tolerance = 1e-6

function roundDown(value: number): number {
  return Math.floor(value + tolerance)
}

function roundUp(value: number): number {
  return Math.ceil(value - tolerance)
}

/** Appends what is large enough to be shown. */
function appendLevel(
  side: LadderSide,
  ticks: number,
  quantity: number,
  steps: LadderSteps,
  firstLevel: number,
): void {
  if (side.count === maximumLadderLevels || !isShown(ticks, quantity, steps)) return
  side.priceTicks[side.count] = ticks
  side.quantitySteps[side.count] = Math.min(roundDown(quantity), Number.MAX_SAFE_INTEGER)
  side.firstLevels[side.count] = firstLevel
  side.count += 1
}

export interface LadderFooting {
  /** In ticks, not necessarily whole. */
  midTicks: number
  /** Factors on the half-spread and on the depth: conditions, activity and season together. */
  spreadMultiplier: number
  depthMultiplier: number
  /** A further factor on the depth of levels more than 10 basis points away. */
  farDepthMultiplier: number
  /** How far both sides are shifted upwards, in half-spreads. */
  skew: number
  sides: LiquidityConditions['sides']
  /** Instant of the flicker, after the market's start. */
  offsetMillis: number
  /** USD taken from the levels of each side and not back yet; null: nothing. */
  consumedBids: Float64Array | null
  consumedAsks: Float64Array | null
  /**
   * The price without the clients' own transient impact, in ticks, and the most that the venue pays beyond it, in
   * USD: all bids above it (budget above 0) or all asks below it (budget below 0) together come to no more; null: no
   * such bound.
   */
  fairTicks: number
  budgetUsd: number | null
}

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

export function createLadderSide(): LadderSide {
  return {
    count: 0,
    priceTicks: new Float64Array(maximumLadderLevels),
    quantitySteps: new Float64Array(maximumLadderLevels),
    firstLevels: new Uint8Array(maximumLadderLevels),
  }
}

/** The first level of a side, wherever the mid is. */
export interface LadderTouch {
  direction: Direction
  /** Of the mid. */
  offsetBps: number
  usd: number
}

export function createTouch(): LadderTouch {
  return { direction: downward, offsetBps: 0, usd: 0 }
}

/**
 * The price of a worst level (see `setWorstTouch`) around a mid, in ticks; 0 where it is too small to be shown. Any
 * better one is nearer to the mid, so a bid of it may cost more.
 */
export function worstAround(touch: LadderTouch, midTicks: number, steps: LadderSteps): number {
  const ticks = computeTicks(midTicks, touch.offsetBps, touch.direction)
  return isShown(ticks, touch.usd / computeStepUsd(Math.max(ticks, midTicks), steps), steps) ? ticks : 0
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
  private readonly sizeNoise: Flicker | null
  private readonly bids: SideBuilder
  private readonly asks: SideBuilder

  constructor(spec: LiquiditySpec, flicker: Flicker | null, bids: LadderSide, asks: LadderSide) {
    this.spec = spec
    this.sizeNoise = flicker
    this.shape = spec.kind === 'none' || spec.kind === 'ladder' ? null : new LadderShape(spec)
    this.bids = new SideBuilder(bids, downward)
    this.asks = new SideBuilder(asks, upward)
  }

  /** Empties both sides and takes a new footing, which must not change until the next one. */
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
    bids.begin(showsBids ? shape : null, this.sizeNoise, footing, steps)
    asks.begin(showsAsks ? shape : null, this.sizeNoise, footing, steps)
    if (spec.kind !== 'ladder') return
    if (showsBids) writeExplicit(spec, downward, footing, steps, bids.side)
    if (showsAsks) writeExplicit(spec, upward, footing, steps, asks.side)
  }

  /** The best price of a side in ticks, if it depends only on its first level, else 0. Nothing is written. */
  touchTicks(direction: Direction): number {
    return direction === downward ? this.bids.findTouchTicks() : this.asks.findTouchTicks()
  }

  /**
   * The same on a footing from which nothing was taken, with the least depth that may be: 0 also where the level's size
   * must be known. Mostly it is there however small it is, and nobody need know how small.
   */
  certainTouchTicks(direction: Direction, footing: LadderFooting, steps: LadderSteps): number {
    const { shape, sizeNoise: flicker } = this
    const { midTicks, sides, spreadMultiplier } = footing
    if (shape === null || (sides !== 'both' && sides !== (direction === downward ? 'bids' : 'asks'))) return 0
    shape.setWidth(spreadMultiplier)
    const offsetBps = shape.offsetBps(0)
    const shiftBps = direction * footing.skew * shape.halfSpreadBps(spreadMultiplier)
    const ticks = computeTicks(midTicks, offsetBps + shiftBps, direction)
    let usd = shape.valueUsd(0) * footing.depthMultiplier
    if (offsetBps > 10) usd *= footing.farDepthMultiplier
    const quantity = (usd * (flicker?.leastFactor ?? 1)) / computeStepUsd(ticks, steps)
    return isShown(ticks, quantity, steps) ? ticks : 0
  }

  /**
   * The first level of a side from which nothing was taken, at the worst for those who want it: as far from the mid, and
   * as small, as the activity can make it. False where there is none.
   */
  setWorstTouch(
    direction: Direction,
    { depthMultiplier, spreadMultiplier }: Pick<LadderFooting, 'depthMultiplier' | 'spreadMultiplier'>,
    { leastDepth, narrowest, widest }: ReturnType<typeof climateBounds>,
    touch: LadderTouch,
  ): boolean {
    const { shape, sizeNoise: flicker } = this
    if (shape === null) return false
    const depthUsd = shape.depthWithinUsd(shape.halfSpreadBps(spreadMultiplier * narrowest))
    touch.direction = direction
    touch.offsetBps = shape.halfSpreadBps(spreadMultiplier * widest) * roundingMargin
    touch.usd = (depthUsd * depthMultiplier * leastDepth * (flicker?.leastFactor ?? 1)) / roundingMargin
    return true
  }

  /** Writes the next level of the bids; false when there is none. */
  extendBids(): boolean {
    return this.bids.extend()
  }

  extendAsks(): boolean {
    return this.asks.extend()
  }

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

/** Writes one side of a ladder of given prices, best first, stretched about its own centre. */
function writeExplicit(
  spec: ExplicitLadder,
  direction: Direction,
  conditions: { readonly spreadMultiplier: number; readonly depthMultiplier: number },
  steps: LadderSteps,
  side: LadderSide,
): void {
  const centreTicks = computeCentre(spec.bids, spec.asks, steps)
  const levels = direction === downward ? spec.bids : spec.asks
  const bestFirst = [...levels].sort((left, right) => direction * (left[0] - right[0]))
  let levelTicks = 0
  let levelSteps = 0
  for (const [price, quantity] of bestFirst) {
    const ticks = computeExplicitTicks(
      price / steps.priceStepUsd,
      direction,
      centreTicks,
      conditions.spreadMultiplier,
    )
    if (ticks !== levelTicks) {
      appendLevel(side, levelTicks, levelSteps, steps, side.count)
      levelTicks = ticks
      levelSteps = 0
    }
    levelSteps += (quantity / steps.quantityStepUnits) * conditions.depthMultiplier
  }
  appendLevel(side, levelTicks, levelSteps, steps, side.count)
}

type ExplicitSide = readonly (readonly [price: number, quantity: number])[]

/** The centre of an explicit ladder in ticks; 0 when a side is empty, because then there is no spread to multiply. */
function computeCentre(bids: ExplicitSide, asks: ExplicitSide, steps: LadderSteps): number {
  let bestBid = 0
  let bestAsk = Number.POSITIVE_INFINITY
  for (const [price] of bids) bestBid = Math.max(bestBid, price)
  for (const [price] of asks) bestAsk = Math.min(bestAsk, price)
  const hasBoth = bestBid > 0 && bestAsk < Number.POSITIVE_INFINITY
  return hasBoth ? (bestBid / steps.priceStepUsd + bestAsk / steps.priceStepUsd) / 2 : 0
}

function computeExplicitTicks(
  ticks: number,
  direction: Direction,
  centreTicks: number,
  multiplier: number,
): number {
  if (centreTicks === 0) return direction === upward ? roundUp(ticks) : roundDown(ticks)
  return awayFrom(centreTicks, centreTicks + (ticks - centreTicks) * multiplier, direction)
}

/*
 * One side of a ladder, written level by level: each level has its share of the depth, less what was taken from it,
 * at its price; levels at one tick are joined.
 */
class SideBuilder {
  readonly side: LadderSide
  private readonly direction: Direction
  private shape: LadderShape | null = null
  private sizeNoise: Flicker | null = null
  private parameters: LadderFooting = createFooting(1)
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
    this.sizeNoise = flicker
    this.parameters = footing
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
  findTouchTicks(): number {
    const { budgetUsd, deficitUsd, parameters: footing, level, shape, steps } = this
    if (shape === null || level > 0) return 0
    const offsetBps = shape.offsetBps(0) + this.shiftBps
    let ticks = computeTicks(footing.midTicks, offsetBps, this.direction)
    if (this.isOverBudget(ticks)) ticks = computeTicks(footing.fairTicks, offsetBps, this.direction)
    const perStep = computeStepUsd(ticks, steps)
    // Mostly it is there however small it is now.
    let quantity = this.computeShownUsd(shape, 0, ticks, this.sizeNoise?.leastFactor ?? 1) / perStep
    if (this.sizeNoise !== null && !isShown(ticks, quantity, steps)) {
      this.budgetUsd = budgetUsd
      this.deficitUsd = deficitUsd
      quantity = this.computeShownUsd(shape, 0, ticks, this.sizeFactorAt(0)) / perStep
    }
    this.budgetUsd = budgetUsd
    this.deficitUsd = deficitUsd
    return isShown(ticks, quantity, steps) ? ticks : 0
  }

  extend(): boolean {
    const { shape, side, direction, parameters: footing } = this
    if (shape === null) return false
    const before = side.count
    while (this.level < shape.count) {
      const { level } = this
      const offsetBps = shape.offsetBps(level) + this.shiftBps
      let ticks = computeTicks(this.centreTicks, offsetBps, direction)
      if (this.isOverBudget(ticks)) {
        this.centreTicks = footing.fairTicks
        ticks = computeTicks(footing.fairTicks, offsetBps, direction)
      }
      if (ticks !== this.ticks) {
        this.finishTick()
        this.ticks = ticks
        this.usd = 0
        this.firstLevel = level
        if (side.count > before) return true
      }
      this.usd += this.computeShownUsd(shape, level, ticks, this.sizeFactorAt(level))
      this.level += 1
    }
    this.finishTick()
    this.ticks = 0
    return side.count > before
  }

  private finishTick(): void {
    const { side, ticks, steps } = this
    appendLevel(side, ticks, this.usd / computeStepUsd(ticks, steps), steps, this.firstLevel)
  }

  private sizeFactorAt(level: number): number {
    const { direction, sizeNoise: flicker, parameters: footing } = this
    return flicker === null ? 1 : flicker.factorAt(direction === upward ? 1 : 0, level, footing.offsetMillis)
  }

  private computeShownUsd(shape: LadderShape, level: number, ticks: number, flickerFactor: number): number {
    const { parameters: footing, consumed } = this
    let usd = shape.valueUsd(level) * footing.depthMultiplier
    if (shape.offsetBps(level) > 10) usd *= footing.farDepthMultiplier
    usd *= flickerFactor
    if (consumed !== null) {
      const left = usd - (consumed[level] ?? 0) - this.deficitUsd
      this.deficitUsd = Math.max(0, -left)
      usd = Math.max(0, left)
    }
    return this.isBounded ? this.spendBudget(usd, ticks) : usd
  }

  private isOverBudget(ticks: number): boolean {
    const { fairTicks } = this.parameters
    return this.isBounded && this.budgetUsd < leastBudgetUsd && this.direction * (fairTicks - ticks) > 0
  }

  /** As much as the venue's budget beyond the fair price pays for, at this level's distance from it. */
  private spendBudget(usd: number, ticks: number): number {
    const beyond = this.direction * (1 - ticks / this.parameters.fairTicks)
    if (beyond <= 0) return usd
    const shown = Math.min(usd, this.budgetUsd / beyond)
    this.budgetUsd = Math.max(0, this.budgetUsd - shown * beyond)
    return shown
  }
}

const leastBudgetUsd = 0.01
