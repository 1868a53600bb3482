import type { LadderRecoverySnapshot } from './ladder-recovery.ts'

export interface HouseLadderSnapshot {
  /** The inputs of the ladder: the mark and the market's grid index at its last refresh. */
  readonly midTicks: number
  readonly gridIndex: number
  /** What was taken since that refresh; null: nothing. */
  readonly hit: LadderHitSnapshot | null
  readonly recovery: LadderRecoverySnapshot | null
}

export interface LadderHitSnapshot {
  readonly atMillis: number
  readonly isSweep: boolean
  /** Taken at the instant `atMillis`, of bids and asks. */
  readonly takenNowUsd: readonly [number, number]
  /** The levels that are left, each as three numbers: ticks, steps, and the index of its first level. */
  readonly bids: readonly number[]
  readonly asks: readonly number[]
  readonly takenBidsUsd: readonly number[]
  readonly takenAsksUsd: readonly number[]
  /** Fair price of these levels; left out where it is the mid. */
  readonly fairTicks?: number
}
