import { isLiveQuote, isTerminal } from '../codes.ts'
import type { State } from '../state.ts'
import { matchTaker } from '../transitions/matching.ts'

/** If its quote is still live, lets a leg that does not rest trade with what it crosses, and rests what is left. */
export function enterMarket(state: State, quote: number, leg: number): void {
  const { orders, quotes } = state
  if (!isLiveQuote(quotes.status.get(quote)) || isTerminal(orders.status.get(leg))) return
  matchTaker(state, leg, true)
}
