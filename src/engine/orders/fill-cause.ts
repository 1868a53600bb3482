import type { PriceTicks, QuantitySteps } from '../../numeric/units.ts'
import { type AssetRow, fillRow, none, type OrderRow, type Side } from '../codes.ts'
import type { RecordedLadder } from '../recorded/recorded-ladder.ts'
import type { State } from '../state.ts'
import { executeTrade } from './transitions.ts'

/*
 * Why a client's resting order was filled by a recorded book: the codes of the fill table's column `cause`, which is 0
 * for every other fill.
 */

/** A recorded trade at the order's price reached it, because its turn in the queue had come. */
export const causeTurn = 1
/** A trade went through its price. */
export const causeThrough = 2
/** The other side of the book came to its price. */
export const causeCrossing = 3

/**
 * Lets the record fill a client's resting order at its own price, and writes the cause beside the fill: what stood ahead
 * of the order when it joined, what of that trades took, what left by the law, and the row of the recording. What stood
 * ahead is the sum of what was taken, what has left and what is still there.
 */
export function executeRecordedFill(
  state: State,
  recorded: RecordedLadder,
  maker: OrderRow,
  asset: AssetRow,
  takerSide: Side,
  ticks: PriceTicks,
  steps: QuantitySteps,
  cause: number,
): void {
  const { fills, orders } = state
  const { ahead, joinedBehind, takenByTrades } = recorded.queue.placeOf(maker)
  executeTrade(state, maker, none, asset, takerSide, ticks, steps)
  const fill = fillRow(orders.lastFill.get(maker))
  fills.cause.set(fill, cause)
  fills.joinedBehindSteps.set(fill, joinedBehind + 0)
  fills.takenByTradesSteps.set(fill, takenByTrades + 0)
  fills.leftByLawSteps.set(fill, joinedBehind - takenByTrades - ahead + 0)
  fills.bookRow.set(fill, recorded.rows.row - 1)
}
