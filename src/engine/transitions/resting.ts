import { buy, sell } from '../codes.ts'
import { type State, stateOf } from '../state.ts'
import * as orderAt from '../tables/order-fields.ts'

/** Adds a live row to the book, behind all that are there; for rows in the order of their queue positions. */
export function rest(state: State, row: number): void {
  const { bytes, doubles, integers } = state.orders.store
  const { book } = stateOf(state, Number(integers[(row << 5) | orderAt.asset]))
  const side = bytes[(row << 7) | orderAt.side] === buy ? buy : sell
  book.rest(row, side, Number(doubles[(row << 4) | orderAt.priceTicks]), state.orders.remainingSteps(row))
}

/** Takes a row out of the book if it rests there. */
export function leaveBook(state: State, row: number): void {
  if (state.orders.resting.isResting(row)) stateOf(state, state.orders.asset.get(row)).book.remove(row)
}
