import { assert } from '../../numeric/assert.ts'
import { writeExplicit } from './explicit-ladder.ts'
import type { Flicker } from './flicker.ts'
import type { LadderFooting } from './ladder-footing.ts'
import type { Direction, LadderSteps } from './ladder-level.ts'
import { downward, isShown, stepUsd, ticksAt, upward } from './ladder-level.ts'
import { LadderShape } from './ladder-shape.ts'
import type { LadderSide, LiquiditySpec } from './liquidity.ts'
import { maximumLadderLevels } from './liquidity.ts'
import { SideBuilder } from './side-builder.ts'

/** An empty side that holds the most levels ever shown. */
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

/** Its price around a mid, in ticks; 0 where it is too small to be shown. */
export function touchAround(touch: LadderTouch, midTicks: number, steps: LadderSteps): number {
  const ticks = ticksAt(midTicks, touch.offsetBps, touch.direction)
  return isShown(ticks, touch.usd / stepUsd(ticks, steps), steps) ? ticks : 0
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
  private readonly touch = createTouch()
  private readonly bids: SideBuilder
  private readonly asks: SideBuilder

  constructor(spec: LiquiditySpec, flicker: Flicker | null, bids: LadderSide, asks: LadderSide) {
    this.spec = spec
    this.flicker = flicker
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
    bids.begin(showsBids ? shape : null, this.flicker, footing, steps)
    asks.begin(showsAsks ? shape : null, this.flicker, footing, steps)
    if (spec.kind !== 'ladder') return
    if (showsBids) writeExplicit(spec, downward, footing, steps, bids.side)
    if (showsAsks) writeExplicit(spec, upward, footing, steps, asks.side)
  }

  /** The best price of a side in ticks, if it depends only on its first level, else 0. Nothing is written. */
  touchTicks(direction: Direction): number {
    return direction === downward ? this.bids.touchTicks() : this.asks.touchTicks()
  }

  /** The same on a footing from which nothing was taken, whatever ladder is being written. */
  plainTouchTicks(direction: Direction, footing: LadderFooting, steps: LadderSteps): number {
    const { touch } = this
    return this.setTouch(direction, footing, touch) ? touchAround(touch, footing.midTicks, steps) : 0
  }

  /** Where the first level of such a footing lies around any mid. False when there is none. */
  setTouch(direction: Direction, footing: LadderFooting, touch: LadderTouch): boolean {
    const { shape, flicker } = this
    const { sides, spreadMultiplier } = footing
    if (shape === null || (sides !== 'both' && sides !== (direction === downward ? 'bids' : 'asks')))
      return false
    shape.setWidth(spreadMultiplier)
    const offsetBps = shape.offsetBps(0)
    const shiftBps = direction * footing.skew * shape.halfSpreadBps(spreadMultiplier)
    let usd = shape.valueUsd(0) * footing.depthMultiplier
    if (offsetBps > 10) usd *= footing.farDepthMultiplier
    if (flicker !== null) usd *= flicker.factorAt(direction === upward ? 1 : 0, 0, footing.offsetMillis)
    touch.direction = direction
    touch.offsetBps = offsetBps + shiftBps
    touch.usd = usd
    return true
  }

  /** Writes the next level of the bids; false when there is none. */
  extendBids(): boolean {
    return this.bids.extend()
  }

  extendAsks(): boolean {
    return this.asks.extend()
  }

  /** Whether all levels are written. */
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
