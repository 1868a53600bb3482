import type { LadderRecoverySnapshot } from './ladder-recovery.ts'

export interface HouseLadderSnapshot {
  /** What the ladder stands on: the mark and the market's grid index at its last refresh. */
  readonly midTicks: number
  readonly gridIndex: number
  /** What has happened since that refresh; null: nobody has hit it. */
  readonly hit: LadderHitSnapshot | null
  readonly recovery: LadderRecoverySnapshot | null
}

export interface LadderHitSnapshot {
  readonly atMillis: number
  readonly isSweep: boolean
  /** Of the last instant, bids and asks. */
  readonly takenNowUsd: readonly [number, number]
  /** What is left, as ticks, steps and first level in turn. */
  readonly bids: readonly number[]
  readonly asks: readonly number[]
  readonly takenBidsUsd: readonly number[]
  readonly takenAsksUsd: readonly number[]
  /** That of the levels, where clients had moved the price; else it is the mid. */
  readonly fairTicks?: number
}
