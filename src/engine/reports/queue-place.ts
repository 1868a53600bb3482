import type { QueueLawName } from '../../market/liquidity/liquidity.ts'
import { isTerminal } from '../codes.ts'
import { type State, stateOf } from '../state.ts'

/** Where a resting order stands in a recorded book. Quantities are in steps, fractions included. */
export interface QueuePlace {
  readonly law: QueueLawName
  /** Whether the order joined beyond the prices of the record, and its level has not been shown yet. */
  readonly isBeyond: boolean
  /** What stands ahead, reckoned by the law; 0 when the order's turn has come. */
  readonly aheadSteps: number
  /** What stood ahead when the order joined, or when its level was first shown. */
  readonly joinedBehindSteps: number
  /** How much of what stood ahead trades have taken, in steps. */
  readonly takenByTradesSteps: number
  /** How much of what stood ahead has left without a trade, by the queue law, in steps. */
  readonly leftByLawSteps: number
  /** What the record shows at the order's price on its side. */
  readonly shownSteps: number
}

/** Returns the place of an order (a row); null for one that does not rest in a recorded book. */
export function findQueuePlace(state: State, order: number): QueuePlace | null {
  const { orders } = state
  if (order < 0 || order >= orders.count || isTerminal(orders.status.get(order))) return null
  const { recorded } = stateOf(state, orders.asset.get(order))
  if (recorded === null || !orders.resting.isResting(order)) return null
  const place = recorded.queue.placeOf(order)
  const { ahead, isBeyond, joinedBehind, side, takenByTrades, ticks } = place
  return {
    law: recorded.law,
    isBeyond,
    aheadSteps: Math.max(0, ahead),
    joinedBehindSteps: joinedBehind,
    takenByTradesSteps: takenByTrades,
    leftByLawSteps: joinedBehind - takenByTrades - ahead + 0,
    shownSteps: recorded.rows.book.stepsAt(side, ticks),
  }
}
