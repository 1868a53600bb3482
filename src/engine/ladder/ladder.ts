import type { PriceTicks, QuantitySteps } from '../../numeric/units.ts'
import type { NoRow, Side } from '../codes.ts'
import type { LadderRecovery } from './ladder-recovery.ts'

/** The state of a ladder that is made from the mark in snapshots. */
export interface HouseLadderState {
  /** The mark from which the levels were last made, in ticks. */
  readonly midTicks: number
  /** The index on the market's grid at which the levels were last made. */
  readonly gridIndex: number
  /** What was taken since the levels were last made; null when nothing was. */
  readonly hit: LadderHit | null
  readonly recovery: ReturnType<LadderRecovery['capture']>
}

/** What was taken from a ladder since its last refresh, and the levels that are left. */
export interface LadderHit {
  readonly atMillis: number
  readonly isSweep: boolean
  readonly takenNowUsd: readonly [bids: number, asks: number]
  /** The bids that are left, each as three numbers: ticks, steps, and the index of its first level. */
  readonly bids: readonly number[]
  readonly asks: readonly number[]
  readonly takenBidsUsd: readonly number[]
  readonly takenAsksUsd: readonly number[]
  /** The fair price of the levels, in ticks; left out where it is the mid. */
  readonly fairTicks?: number
}

/** The state of a recorded book in snapshots. */
export interface RecordedLadderState {
  /** The hash of the recording. */
  readonly hash: string
  /** The number of rows worked off. */
  readonly row: number
  /** What was taken from levels: each as side, ticks, steps, and the steps that were shown. */
  readonly taken: readonly number[]
  /** The places of resting orders where the law is not `front`: eight numbers each. */
  readonly places: readonly number[]
}

/** The state of a ladder in snapshots. */
export type LadderState = HouseLadderState | RecordedLadderState

/**
 * The venue's own levels of one asset, as matching, risk and reports see them: made from the mark (`HouseLadder`) or
 * read from a recorded book (`RecordedLadder`). Prices are in ticks, quantities in steps, and -1 is no price.
 */
export interface VenueLadder {
  /** Shows the ladder of a mark and a grid index. A recorded book takes no notice. */
  refresh(midTicks: number, gridIndex: number): void
  /** Notes that an input has changed: unless something was taken from them, the levels are rebuilt when next read. */
  invalidate(): void
  /** Settles what has come back so far; to be called before the pace of the recovery changes. */
  settle(nowMillis: number): void
  /** Whether something was taken that is still missing. */
  readonly isTouched: boolean
  /** Returns whether the next refresh may show another ladder although nothing else moves. */
  isRecovering(nowMillis: number): boolean
  bestTicks(side: Side): PriceTicks | NoRow
  /** Returns the best price before anything was taken since the last refresh. */
  bestTicksAtRefresh(side: Side): number
  /** Whether `bestTicksAfterRefresh` can compute what later refreshes will show, unless somebody trades before. */
  readonly isForeseeable: boolean
  /** Returns the best price at a later instant, after the refresh at that grid index. It must be foreseeable. */
  bestTicksAfterRefresh(side: Side, midTicks: number, gridIndex: number, atMillis: number): number
  /** Returns what is left at the best price. There must be one. */
  bestSteps(side: Side): QuantitySteps
  /** Half of the spread at the last refresh, basis points; 0 for a ladder that does not follow the mid. */
  readonly halfSpreadBps: number
  /** The fair price of the levels last built, in ticks, not rounded. */
  readonly fairTicks: number
  /** Returns whether the side may have a level at this price or better: false is certain, true is not. */
  mayReach(side: Side, ticks: number): boolean
  /** Returns whether the side may have a level at a price or better now, or after a later refresh around the same mid. */
  mayEverReach(side: Side, ticks: number): boolean
  /** Returns whether the side surely has a better price than this: true is certain, false is not. Costs little. */
  isSurelyBetter(side: Side, ticks: number): boolean
  /** Takes from the best level. */
  consume(side: Side, steps: number, nowMillis: number): void
  /** Calls back with each level that is left, best first, until it answers false. */
  visit(side: Side, visitor: (priceTicks: number, quantitySteps: number) => boolean): void
  /** The instant of the market's step that the ladder was last refreshed at or after. */
  readonly stepAtMillis: number
  /** The instant of the inputs of the present levels. */
  readonly inputsAtMillis: number
  capture(): LadderState
  /** Replaces the ladder's state. Asserts that it is one of this kind and, for a recorded book, of this recording. */
  restore(from: LadderState): void
}
