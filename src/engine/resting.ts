import { buy, sell } from './codes.ts'
import type { State } from './state.ts'
import { stateOf } from './walk.ts'

/** Adds a live row to its asset's book, at the end of its price level. */
export function restInBook(state: State, row: number): void {
  state.priorityCount += 1
  state.orders.priority.set(row, state.priorityCount)
  rest(state, row)
}

/** Puts a live row into the book at its queue position, behind all that are there already. */
export function rest(state: State, row: number): void {
  const { orders } = state
  const { book } = stateOf(state, orders.asset.get(row))
  const side = orders.side.get(row) === buy ? buy : sell
  book.rest(row, side, orders.priceTicks.get(row), orders.remainingSteps(row))
}

/** Takes a row out of the book if it rests there. */
export function leaveBook(state: State, row: number): void {
  if (state.resting.isResting(row)) stateOf(state, state.orders.asset.get(row)).book.remove(row)
}
