import type { LadderSide } from '../../market/liquidity/liquidity.ts'
import type { Side } from '../codes.ts'

/** Best prices around any mid, in ticks; 0 where only the levels can tell. */
export interface StillTouches {
  bidTicks(midTicks: number): number
  askTicks(midTicks: number): number
}

/** Writes the ladder as it stood at its last refresh, level by level. */
export interface LadderWriter {
  /** Whether there never is any level. */
  readonly isNone: boolean
  readonly bids: LadderSide
  readonly asks: LadderSide
  /** Instant of a grid index. */
  stepMillis(gridIndex: number): number
  /** Instant of a refresh: that of its grid index or, where a command refreshes in between, of the last hit after it. */
  refreshMillis(gridIndex: number): number
  /** Prepares the ladder of a refresh, with both sides empty. */
  begin(midTicks: number, gridIndex: number): void
  /** Writes the next level of a side; false when there is none. */
  extend(side: Side): boolean
  /** Declares that the levels written so far are all there are. */
  close(): void
  /** The price at that refresh without the clients' transient impact, in ticks, not rounded. */
  readonly fairTicks: number
  /** Sets the fair price of restored levels: the impact may have moved since they were made. */
  standOn(fairTicks: number): void
  /** Half of the spread of a refresh, basis points; 0 for a ladder that does not follow the mid. */
  halfSpreadBps(gridIndex: number): number
  /** No level of the side is better than this price, in ticks; -1: there is no level. Costs little. */
  boundTicks(side: Side, midTicks: number, gridIndex: number): number
  /** The best price of a side without written levels, in ticks; 0 when it depends on the levels. */
  touchTicks(side: Side): number
  /**
   * The best prices around any mid, from a refresh on and as long as nobody trades and no command changes anything;
   * null where they may change by themselves, or where only the levels can tell.
   */
  stillTouches(gridIndex: number): StillTouches | null
  /** More than this taken from one side at one instant is a sweep, USD; infinity where sweeps have no effect. */
  sweepUsd(gridIndex: number): number
  /** USD of one step at one tick. */
  readonly tickStepUsd: number
}
