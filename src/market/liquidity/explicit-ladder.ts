import type { Direction, LadderSteps } from './ladder-level.ts'
import { appendLevel, awayFrom, downward, roundDown, roundUp, upward } from './ladder-level.ts'
import type { ExplicitLadder, LadderSide } from './liquidity.ts'

/** Writes one side of a ladder of given prices, best first, stretched about its own centre. */
export function writeExplicit(
  spec: ExplicitLadder,
  direction: Direction,
  conditions: { readonly spreadMultiplier: number; readonly depthMultiplier: number },
  steps: LadderSteps,
  side: LadderSide,
): void {
  const centreTicks = centreOf(spec.bids, spec.asks, steps)
  const levels = direction === downward ? spec.bids : spec.asks
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
function centreOf(bids: ExplicitSide, asks: ExplicitSide, steps: LadderSteps): number {
  let bestBid = 0
  let bestAsk = Number.POSITIVE_INFINITY
  for (const [price] of bids) bestBid = Math.max(bestBid, price)
  for (const [price] of asks) bestAsk = Math.min(bestAsk, price)
  const hasBoth = bestBid > 0 && bestAsk < Number.POSITIVE_INFINITY
  return hasBoth ? (bestBid / steps.priceStepUsd + bestAsk / steps.priceStepUsd) / 2 : 0
}

function explicitTicks(ticks: number, direction: Direction, centreTicks: number, multiplier: number): number {
  if (centreTicks === 0) return direction === upward ? roundUp(ticks) : roundDown(ticks)
  return awayFrom(centreTicks, centreTicks + (ticks - centreTicks) * multiplier, direction)
}
