import { assert } from '../../numeric/assert.ts'
import { LadderShape } from './ladder-shape.ts'
import {
  type computeFactorBounds,
  type ExplicitLadder,
  followsMid,
  type LadderSide,
  type LiquidityConditions,
  type LiquiditySpec,
  maximumLadderLevels,
} from './liquidity.ts'
import type { SizeNoise } from './size-noise.ts'

/* Rounding of a ladder's level to ticks and steps. */

/**
 * Sizes of a tick and a step, which convert USD to both. Doubles are exact enough, because the result is
 * rounded to integers.
 */
export interface LadderSteps {
  readonly priceStepUsd: number
  readonly quantityStepUnits: number
  /** Smallest quantity of a level that is shown, in steps; at least 1. */
  readonly minQuantitySteps: number
}

type Direction = -1 | 1
export const downward = -1
export const upward = 1

/** Rounds a price in ticks away from the centre, staying on its own side of it. */
export function roundAwayFrom(centreTicks: number, ticks: number, direction: Direction): number {
  if (direction === upward) return Math.max(roundUp(ticks), Math.floor(centreTicks) + 1)
  return Math.min(roundDown(ticks), Math.ceil(centreTicks) - 1)
}

/** Returns the price of an offset from a centre, in ticks, rounded away from the centre. */
function computeTicks(centreTicks: number, offsetBps: number, direction: Direction): number {
  const offsetTicks = (centreTicks * offsetBps) / 10_000
  return roundAwayFrom(centreTicks, centreTicks + direction * offsetTicks, direction)
}

/** Returns the value of one quantity step at a price, USD. */
function computeStepUsd(ticks: number, steps: LadderSteps): number {
  return ticks * steps.priceStepUsd * steps.quantityStepUnits
}

/** Returns whether a level is large enough to be shown and has a price that the venue allows. */
export function isShown(ticks: number, quantity: number, steps: LadderSteps): boolean {
  return (
    ticks >= 1 &&
    ticks <= Number.MAX_SAFE_INTEGER &&
    roundDown(quantity) >= Math.max(1, steps.minQuantitySteps)
  )
}

/** Factor that makes a bound safe against rounding. */
const roundingMargin = 1.001

/*
 * A value within a millionth of a tick or step counts as on it: 50,000 less 2 basis points is 49,990.00, not
 * 49,989.99.
 */
const tolerance = 1e-6

function roundDown(value: number): number {
  return Math.floor(value + tolerance)
}

function roundUp(value: number): number {
  return Math.ceil(value - tolerance)
}

/** Appends a level to a side if it is large enough to be shown. */
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

/** Parameters of a ladder at one refresh. */
export interface LadderParameters {
  /** Mid price in ticks, not necessarily whole. */
  midTicks: number
  /** Factor on the half-spread: conditions, activity and season together. */
  spreadMultiplier: number
  /** Factor on the depth: conditions, activity and season together. */
  depthMultiplier: number
  /** Further factor on the depth of levels more than 10 basis points from the mid. */
  farDepthMultiplier: number
  /** How far both sides are shifted upwards, in half-spreads. */
  skew: number
  sides: LiquidityConditions['sides']
  /** Instant at which the noise on sizes is read, milliseconds after the market's start. */
  offsetMillis: number
  /* USD taken from the levels of each side and not back yet; null where nothing was taken. */
  consumedBids: Float64Array | null
  consumedAsks: Float64Array | null
  /** Price without the clients' own transient impact, in ticks. */
  fairTicks: number
  /**
   * The most in USD that the venue pays beyond `fairTicks`: all bids above it (budget above 0) or all asks
   * below it (budget below 0) together cost no more. Null for no such bound.
   */
  budgetUsd: number | null
}

/** Creates the parameters of an undisturbed ladder around a mid. */
export function createLadderParameters(midTicks: number): LadderParameters {
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

/** Creates an empty side of a ladder. */
export function createLadderSide(): LadderSide {
  return {
    count: 0,
    priceTicks: new Float64Array(maximumLadderLevels),
    quantitySteps: new Float64Array(maximumLadderLevels),
    firstLevels: new Uint8Array(maximumLadderLevels),
  }
}

/** Best level of a side, relative to any mid. */
export interface LadderTouch {
  direction: Direction
  /** Distance from the mid, basis points. */
  offsetBps: number
  usd: number
}

/** Creates a best level that `setWorstTouch` then writes. */
export function createTouch(): LadderTouch {
  return { direction: downward, offsetBps: 0, usd: 0 }
}

/**
 * Returns the price in ticks of a worst best level (see `setWorstTouch`) around a mid; 0 where it is too small
 * to be shown. Any better level is nearer to the mid, so a bid there may cost more.
 */
export function computeWorstTicks(touch: LadderTouch, midTicks: number, steps: LadderSteps): number {
  const ticks = computeTicks(midTicks, touch.offsetBps, touch.direction)
  return isShown(ticks, touch.usd / computeStepUsd(Math.max(ticks, midTicks), steps), steps) ? ticks : 0
}

/**
 * Builds the venue's own ladder: the levels that a dealer shows around the mid (market.md section 3). Levels
 * are written one by one, as deep as they are read; a level does not depend on how deep that is. Offsets are
 * basis points of the mid. Sizes are values in USD until the level's price turns them into steps.
 *
 * Bids are rounded down and asks up, and the mid itself is never quoted, so the two sides are neither locked
 * nor crossed. Levels that round to one tick are merged. A level smaller than the minimum is dropped, as is a
 * bid below one tick.
 *
 * Spec: Market data (depth 1 to 50). Choice: a spread multiplier widens the touch and leaves the spacing of the
 * levels behind it; an explicit ladder is stretched about its own centre, because its prices do not follow the
 * mid.
 */
export class LadderBuilder {
  private readonly spec: LiquiditySpec
  private readonly shape: LadderShape | null
  private readonly sizeNoise: SizeNoise | null
  private readonly bids: SideBuilder
  private readonly asks: SideBuilder

  constructor(spec: LiquiditySpec, sizeNoise: SizeNoise | null, bids: LadderSide, asks: LadderSide) {
    this.spec = spec
    this.sizeNoise = sizeNoise
    this.shape = followsMid(spec) ? new LadderShape(spec) : null
    this.bids = new SideBuilder(bids, downward)
    this.asks = new SideBuilder(asks, upward)
  }

  /** Empties both sides and takes new parameters, which must not change until the next call. */
  begin(parameters: LadderParameters, steps: LadderSteps): void {
    const { spec, shape, bids, asks } = this
    const { midTicks, sides } = parameters
    assert(
      midTicks > 0 && midTicks <= Number.MAX_SAFE_INTEGER,
      'a ladder stands around a positive, exact mid',
    )
    const showsBids = sides === 'both' || sides === 'bids'
    const showsAsks = sides === 'both' || sides === 'asks'
    shape?.setWidth(parameters.spreadMultiplier)
    bids.begin(showsBids ? shape : null, this.sizeNoise, parameters, steps)
    asks.begin(showsAsks ? shape : null, this.sizeNoise, parameters, steps)
    if (spec.kind !== 'ladder') return
    if (showsBids) writeExplicit(spec, downward, parameters, steps, bids.side)
    if (showsAsks) writeExplicit(spec, upward, parameters, steps, asks.side)
  }

  /**
   * Returns the best price of a side in ticks if it depends only on the first level, else 0. Writes nothing.
   */
  findTouchTicks(direction: Direction): number {
    return direction === downward ? this.bids.findTouchTicks() : this.asks.findTouchTicks()
  }

  /**
   * Returns the best price of a side in ticks for parameters with which nothing was taken, or 0 where that
   * needs the level's size. It assumes the smallest size that the noise allows: the level is mostly shown even
   * then, and its real size need not be drawn.
   */
  findCertainTouchTicks(direction: Direction, parameters: LadderParameters, steps: LadderSteps): number {
    const { shape, sizeNoise } = this
    const { midTicks, sides, spreadMultiplier } = parameters
    if (shape === null || (sides !== 'both' && sides !== (direction === downward ? 'bids' : 'asks'))) return 0
    shape.setWidth(spreadMultiplier)
    const offsetBps = shape.offsetBps(0)
    const shiftBps = direction * parameters.skew * shape.halfSpreadBps(spreadMultiplier)
    const ticks = computeTicks(midTicks, offsetBps + shiftBps, direction)
    let usd = shape.valueUsd(0) * parameters.depthMultiplier
    if (offsetBps > 10) usd *= parameters.farDepthMultiplier
    const quantity = (usd * (sizeNoise?.leastFactor ?? 1)) / computeStepUsd(ticks, steps)
    return isShown(ticks, quantity, steps) ? ticks : 0
  }

  /**
   * Writes the worst best level of a side from which nothing was taken: as far from the mid, and as small, as
   * the activity can make it. Returns false where the ladder has none.
   */
  setWorstTouch(
    direction: Direction,
    { depthMultiplier, spreadMultiplier }: Pick<LadderParameters, 'depthMultiplier' | 'spreadMultiplier'>,
    { leastDepth, narrowest, widest }: ReturnType<typeof computeFactorBounds>,
    touch: LadderTouch,
  ): boolean {
    const { shape, sizeNoise } = this
    if (shape === null) return false
    const depthUsd = shape.depthWithinUsd(shape.halfSpreadBps(spreadMultiplier * narrowest))
    touch.direction = direction
    touch.offsetBps = shape.halfSpreadBps(spreadMultiplier * widest) * roundingMargin
    touch.usd = (depthUsd * depthMultiplier * leastDepth * (sizeNoise?.leastFactor ?? 1)) / roundingMargin
    return true
  }

  /** Writes the next level of the bids. Returns false when there is none. */
  extendBids(): boolean {
    return this.bids.extend()
  }

  /** Writes the next level of the asks. Returns false when there is none. */
  extendAsks(): boolean {
    return this.asks.extend()
  }

  /** Ends the writing of both sides until the next `begin`. */
  close(): void {
    this.bids.close()
    this.asks.close()
  }

  /** Returns half of the spread at a width, basis points; 0 for a ladder that does not follow the mid. */
  halfSpreadBps(spreadMultiplier: number): number {
    return this.shape?.halfSpreadBps(spreadMultiplier) ?? 0
  }

  /**
   * Returns the value of one side within a distance of the mid, USD; 0 for a ladder that does not follow the
   * mid.
   */
  depthWithinUsd(offsetBps: number): number {
    return this.shape?.depthWithinUsd(offsetBps) ?? 0
  }
}

/** Writes one side of an explicit ladder, best first, stretched about its own centre. */
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

/**
 * Returns the centre of an explicit ladder in ticks; 0 when a side is empty, because then there is no spread to
 * multiply.
 */
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
  return roundAwayFrom(centreTicks, centreTicks + (ticks - centreTicks) * multiplier, direction)
}

/**
 * Builds one side of a ladder, level by level. Each level has its share of the depth, less what was taken from
 * it; levels at one tick are merged.
 */
class SideBuilder {
  readonly side: LadderSide
  private readonly direction: Direction
  private shape: LadderShape | null = null
  private sizeNoise: SizeNoise | null = null
  private parameters: LadderParameters = createLadderParameters(1)
  private steps: LadderSteps = { priceStepUsd: 1, quantityStepUnits: 1, minQuantitySteps: 1 }
  private consumed: Float64Array | null = null
  private shiftBps = 0
  /* The next level, and the tick that is being put together. */
  private level = 0
  private ticks = 0
  private usd = 0
  private firstLevel = 0
  /** What was taken beyond the size of a level and is deducted from the next one, USD. */
  private deficitUsd = 0
  /** Price around which levels are placed, in ticks: the mid, or the fair price once the budget is spent. */
  private centreTicks = 0
  private isBounded = false
  private budgetUsd = 0

  constructor(side: LadderSide, direction: Direction) {
    this.side = side
    this.direction = direction
  }

  begin(
    shape: LadderShape | null,
    sizeNoise: SizeNoise | null,
    parameters: LadderParameters,
    steps: LadderSteps,
  ): void {
    const { direction } = this
    this.side.count = 0
    this.shape = shape
    this.sizeNoise = sizeNoise
    this.parameters = parameters
    this.steps = steps
    this.consumed = direction === upward ? parameters.consumedAsks : parameters.consumedBids
    const halfSpreadBps = shape?.halfSpreadBps(parameters.spreadMultiplier) ?? 0
    this.shiftBps = direction * parameters.skew * halfSpreadBps
    this.level = 0
    this.ticks = 0
    this.usd = 0
    this.firstLevel = 0
    this.deficitUsd = 0
    this.centreTicks = parameters.midTicks
    this.isBounded = parameters.budgetUsd !== null && parameters.budgetUsd * direction <= 0
    this.budgetUsd = Math.abs(parameters.budgetUsd ?? 0)
  }

  close(): void {
    this.shape = null
  }

  /**
   * Returns the price of the first level in ticks; 0 when that level is written already, or too small to be the
   * best one.
   */
  findTouchTicks(): number {
    const { budgetUsd, deficitUsd, parameters, level, shape, steps } = this
    if (shape === null || level > 0) return 0
    const offsetBps = shape.offsetBps(0) + this.shiftBps
    let ticks = computeTicks(parameters.midTicks, offsetBps, this.direction)
    if (this.isOverBudget(ticks)) ticks = computeTicks(parameters.fairTicks, offsetBps, this.direction)
    const perStep = computeStepUsd(ticks, steps)
    // The level is mostly shown even at its smallest size, which saves drawing the real one.
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
    const { shape, side, direction, parameters } = this
    if (shape === null) return false
    const before = side.count
    while (this.level < shape.count) {
      const { level } = this
      const offsetBps = shape.offsetBps(level) + this.shiftBps
      let ticks = computeTicks(this.centreTicks, offsetBps, direction)
      if (this.isOverBudget(ticks)) {
        this.centreTicks = parameters.fairTicks
        ticks = computeTicks(parameters.fairTicks, offsetBps, direction)
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
    const { direction, sizeNoise, parameters } = this
    return sizeNoise === null
      ? 1
      : sizeNoise.factorAt(direction === upward ? 1 : 0, level, parameters.offsetMillis)
  }

  /**
   * Returns the value of a level that is shown, USD, after noise, what was taken, and the budget; updates the
   * deficit and the budget.
   */
  private computeShownUsd(shape: LadderShape, level: number, ticks: number, sizeFactor: number): number {
    const { parameters, consumed } = this
    let usd = shape.valueUsd(level) * parameters.depthMultiplier
    if (shape.offsetBps(level) > 10) usd *= parameters.farDepthMultiplier
    usd *= sizeFactor
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

  /**
   * Returns how much of a level the budget beyond the fair price pays for, USD, and deducts its cost from the
   * budget.
   */
  private spendBudget(usd: number, ticks: number): number {
    const beyond = this.direction * (1 - ticks / this.parameters.fairTicks)
    if (beyond <= 0) return usd
    const shown = Math.min(usd, this.budgetUsd / beyond)
    this.budgetUsd = Math.max(0, this.budgetUsd - shown * beyond)
    return shown
  }
}

const leastBudgetUsd = 0.01
