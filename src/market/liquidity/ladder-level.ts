import type { LadderSide } from './liquidity.ts'
import { ladderLevelsMaximum } from './liquidity.ts'

/* A ladder's level on the grid of ticks and steps. */

/** What turns USD into ticks and steps; doubles are exact enough, since the result is rounded to integers anyway. */
export interface LadderSteps {
  readonly priceStepUsd: number
  readonly quantityStepUnits: number
  /** A level below this is not shown; at least 1. */
  readonly minQuantitySteps: number
}

export type Direction = -1 | 1
export const downward = -1
export const upward = 1

/** The tick at or beyond a price, on its own side of the centre. */
export function awayFrom(centreTicks: number, ticks: number, direction: Direction): number {
  if (direction === upward) return Math.max(roundUp(ticks), Math.floor(centreTicks) + 1)
  return Math.min(roundDown(ticks), Math.ceil(centreTicks) - 1)
}

/* What lies within a millionth of a tick or step is on it: 50,000 less 2 basis points is 49,990.00, not 49,989.99. */
const tolerance = 1e-6

export function roundDown(value: number): number {
  return Math.floor(value + tolerance)
}

export function roundUp(value: number): number {
  return Math.ceil(value - tolerance)
}

/** Appends what is large enough to be shown. */
export function appendLevel(
  side: LadderSide,
  ticks: number,
  quantity: number,
  steps: LadderSteps,
  firstLevel: number,
): void {
  if (ticks < 1 || side.count === ladderLevelsMaximum) return
  const quantitySteps = Math.min(roundDown(quantity), Number.MAX_SAFE_INTEGER)
  if (quantitySteps < Math.max(1, steps.minQuantitySteps) || ticks > Number.MAX_SAFE_INTEGER) return
  side.priceTicks[side.count] = ticks
  side.quantitySteps[side.count] = quantitySteps
  side.firstLevels[side.count] = firstLevel
  side.count += 1
}
