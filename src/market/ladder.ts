import { assert } from '../numeric/assert.ts'
import type { LadderShape } from './ladder-shape.ts'
import { shapeOf } from './ladder-shape.ts'
import type { LadderSide, LiquidityConditions, LiquiditySpec } from './liquidity.ts'
import { ladderLevelsMaximum } from './liquidity.ts'

/*
 * The venue's own ladder: the levels that a dealer shows around the mid (reference: market notes, section 3).
 * Offsets are basis points of the mid. Sizes are values in USD until the level's price turns them into steps.
 */

/** What turns USD into ticks and steps; doubles are exact enough, since the result is rounded to integers anyway. */
export interface LadderSteps {
  readonly priceStepUsd: number
  readonly quantityStepUnits: number
  /** A level below this is not shown; at least 1. */
  readonly minQuantitySteps: number
}

/** An empty side that holds the most levels ever shown. */
export function createLadderSide(): LadderSide {
  return {
    count: 0,
    priceTicks: new Float64Array(ladderLevelsMaximum),
    quantitySteps: new Float64Array(ladderLevelsMaximum),
  }
}

/**
 * Writes the ladder around a mid in ticks (whole or not, positive). Bids are rounded down and asks up, and the mid
 * itself is never quoted, so the two sides are neither locked nor crossed. Levels that round to one tick are one
 * level; a level smaller than the minimum is dropped, as is a bid below one tick. Best first, at most 50 a side.
 *
 * Spec: Market data (depth 1 to 50). Choice: a spread multiplier widens the touch and leaves the spacing of the
 * levels behind it; an explicit ladder is stretched about its own centre, since its prices do not follow the mid.
 */
export function buildLadder(
  spec: LiquiditySpec,
  midTicks: number,
  steps: LadderSteps,
  conditions: LiquidityConditions,
  bids: LadderSide,
  asks: LadderSide,
): void {
  assert(midTicks > 0 && midTicks <= Number.MAX_SAFE_INTEGER, 'a ladder stands around a positive, exact mid')
  bids.count = 0
  asks.count = 0
  if (spec.kind === 'none') return
  const showsBids = conditions.sides === 'both' || conditions.sides === 'bids'
  const showsAsks = conditions.sides === 'both' || conditions.sides === 'asks'
  if (spec.kind === 'ladder') {
    const centreTicks = centreOf(spec.bids, spec.asks, steps)
    if (showsBids) writeExplicit(spec.bids, downward, centreTicks, steps, conditions, bids)
    if (showsAsks) writeExplicit(spec.asks, upward, centreTicks, steps, conditions, asks)
    return
  }
  const shape = shapeOf(spec, conditions.spreadMultiplier)
  if (showsBids) writeShape(shape, downward, midTicks, steps, conditions.depthMultiplier, bids)
  if (showsAsks) writeShape(shape, upward, midTicks, steps, conditions.depthMultiplier, asks)
}

type Direction = -1 | 1
const downward = -1
const upward = 1

function writeShape(
  shape: LadderShape,
  direction: Direction,
  midTicks: number,
  steps: LadderSteps,
  depthMultiplier: number,
  side: LadderSide,
): void {
  const tickTimesStepUsd = steps.priceStepUsd * steps.quantityStepUnits
  let levelTicks = 0
  let levelUsd = 0
  for (let level = 0; level < shape.count; level += 1) {
    const offsetTicks = (midTicks * (shape.offsetsBps[level] ?? 0)) / 10_000
    const ticks = awayFrom(midTicks, midTicks + direction * offsetTicks, direction)
    if (ticks !== levelTicks) {
      appendLevel(side, levelTicks, levelUsd / (levelTicks * tickTimesStepUsd), steps)
      levelTicks = ticks
      levelUsd = 0
    }
    levelUsd += (shape.valuesUsd[level] ?? 0) * depthMultiplier
  }
  appendLevel(side, levelTicks, levelUsd / (levelTicks * tickTimesStepUsd), steps)
}

/** Centre of an explicit ladder in ticks; 0 when a side is empty, and then there is no spread to multiply. */
function centreOf(bids: ExplicitSide, asks: ExplicitSide, steps: LadderSteps): number {
  let bestBid = 0
  let bestAsk = Number.POSITIVE_INFINITY
  for (const [price] of bids) bestBid = Math.max(bestBid, price)
  for (const [price] of asks) bestAsk = Math.min(bestAsk, price)
  const hasBoth = bestBid > 0 && bestAsk < Number.POSITIVE_INFINITY
  return hasBoth ? (bestBid / steps.priceStepUsd + bestAsk / steps.priceStepUsd) / 2 : 0
}

type ExplicitSide = readonly (readonly [price: number, quantity: number])[]

function writeExplicit(
  levels: ExplicitSide,
  direction: Direction,
  centreTicks: number,
  steps: LadderSteps,
  conditions: LiquidityConditions,
  side: LadderSide,
): void {
  const bestFirst = [...levels].sort((left, right) => direction * (left[0] - right[0]))
  let levelTicks = 0
  let levelSteps = 0
  for (const [price, quantity] of bestFirst) {
    const ticks = explicitTicks(
      price / steps.priceStepUsd,
      direction,
      centreTicks,
      conditions.spreadMultiplier,
    )
    if (ticks !== levelTicks) {
      appendLevel(side, levelTicks, levelSteps, steps)
      levelTicks = ticks
      levelSteps = 0
    }
    levelSteps += (quantity / steps.quantityStepUnits) * conditions.depthMultiplier
  }
  appendLevel(side, levelTicks, levelSteps, steps)
}

function explicitTicks(ticks: number, direction: Direction, centreTicks: number, multiplier: number): number {
  if (centreTicks === 0) return direction === upward ? roundUp(ticks) : roundDown(ticks)
  return awayFrom(centreTicks, centreTicks + (ticks - centreTicks) * multiplier, direction)
}

/** The tick at or beyond a price, on its own side of the centre. */
function awayFrom(centreTicks: number, ticks: number, direction: Direction): number {
  if (direction === upward) return Math.max(roundUp(ticks), Math.floor(centreTicks) + 1)
  return Math.min(roundDown(ticks), Math.ceil(centreTicks) - 1)
}

/* What lies within a millionth of a tick or step is on it: 50,000 less 2 basis points is 49,990.00, not 49,989.99. */
const tolerance = 1e-6

function roundDown(value: number): number {
  return Math.floor(value + tolerance)
}

function roundUp(value: number): number {
  return Math.ceil(value - tolerance)
}

function appendLevel(side: LadderSide, ticks: number, quantity: number, steps: LadderSteps): void {
  if (ticks < 1 || side.count === ladderLevelsMaximum) return
  const quantitySteps = Math.min(roundDown(quantity), Number.MAX_SAFE_INTEGER)
  if (quantitySteps < Math.max(1, steps.minQuantitySteps) || ticks > Number.MAX_SAFE_INTEGER) return
  side.priceTicks[side.count] = ticks
  side.quantitySteps[side.count] = quantitySteps
  side.count += 1
}
