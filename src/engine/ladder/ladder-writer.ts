import type { LadderSide } from '../../market/liquidity/liquidity.ts'
import type { Side } from '../codes.ts'

/** The first levels of both sides, wherever the mid is; prices in ticks, 0 where it takes the levels to tell. */
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
  /** Takes the footing of that refresh and empties both sides. */
  begin(midTicks: number, gridIndex: number): void
  /** Writes the next level of a side; false when there is none. */
  extend(side: Side): boolean
  /** There are no more levels than are written. */
  close(): void
  /** The price without the clients' own transient impact at that refresh, in ticks. */
  readonly fairTicks: number
  /** Takes the fair price of levels that an earlier run made: by now, clients have moved the impact. */
  standOn(fairTicks: number): void
  halfSpreadBps(gridIndex: number): number
  /** No level of the side is better than this price, in ticks; -1: there is no level. Costs little. */
  boundTicks(side: Side, midTicks: number, gridIndex: number): number
  /** The best price of a side that nothing is written of yet, in ticks; 0: it takes the levels to tell. */
  touchTicks(side: Side): number
  /**
   * The touches about any mid from a refresh on, as long as nobody trades and nothing else is changed; null where they
   * may change by themselves, or take the levels to tell.
   */
  stillTouches(gridIndex: number): StillTouches | null
  /** What a sweep takes from one side at one instant at least, USD; infinity where sweeps leave no trace. */
  sweepUsd(gridIndex: number): number
  /** USD of one step at one tick. */
  readonly tickStepUsd: number
}
