import type { LadderSide } from './liquidity.ts'
import { maximumLadderLevels } from './liquidity.ts'

/* A ladder's level on the grid of ticks and steps. */

/** Converts USD to ticks and steps; doubles are exact enough, because the result is rounded to integers anyway. */
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

/** The tick of a level that lies an offset away from the centre. */
export function ticksAt(centreTicks: number, offsetBps: number, direction: Direction): number {
  const offsetTicks = (centreTicks * offsetBps) / 10_000
  return awayFrom(centreTicks, centreTicks + direction * offsetTicks, direction)
}

/** What one step at a price is worth, USD. */
export function stepUsd(ticks: number, steps: LadderSteps): number {
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
  if (side.count === maximumLadderLevels || !isShown(ticks, quantity, steps)) return
  side.priceTicks[side.count] = ticks
  side.quantitySteps[side.count] = Math.min(roundDown(quantity), Number.MAX_SAFE_INTEGER)
  side.firstLevels[side.count] = firstLevel
  side.count += 1
}
