import type { ApiContext } from '../../api/context.ts'
import { orderView } from '../../api/handlers/orders.ts'
import { tradeView } from '../../api/handlers/portfolio.ts'
import { quoteView } from '../../api/handlers/quotes.ts'
import type { Order, Quote } from '../../client/venue-types.ts'
import { isLiveQuote, isTerminal, quoteActive, statusOpen } from '../../engine/codes.ts'
import { listAccountOrders, listAccountQuotes, type RowList } from '../../engine/tables/account-table.ts'
import type { FillTable } from '../../engine/tables/record-tables.ts'
import type { OwnTrade } from '../strategy.ts'

/**
 * Finds what has happened to an account since the last call: its fills, and its orders and quotes whose status or
 * filled quantity has changed. A new order is known as open with nothing filled, as the response to its creation said.
 */
export class AccountUpdates {
  private readonly context: () => ApiContext
  private readonly fills: FillTable
  private readonly account: number
  private readonly knownOrders: KnownRows
  private readonly knownQuotes: KnownRows
  private seenFills: number
  private countedFills: number
  private ownFills = 0

  constructor(context: () => ApiContext) {
    this.context = context
    const { state, account } = context()
    this.fills = state.fills
    this.account = account
    this.seenFills = state.fills.count
    this.countedFills = state.fills.count
    this.knownOrders = new KnownRows(listAccountOrders(state, account).count)
    this.knownQuotes = new KnownRows(listAccountQuotes(state, account).count)
  }

  /** Returns how many fills the account had since the updates began. Every observation asks, so this makes nothing. */
  countFills(): number {
    const { account, fills } = this
    for (; this.countedFills < fills.count; this.countedFills += 1)
      if (fills.account.get(this.countedFills) === account) this.ownFills += 1
    return this.ownFills
  }

  takeFills(): readonly OwnTrade[] {
    const context = this.context()
    const { fills } = context.state
    if (fills.count === this.seenFills) return nothing
    const found: OwnTrade[] = []
    for (; this.seenFills < fills.count; this.seenFills += 1) {
      if (fills.account.get(this.seenFills) === context.account)
        found.push(tradeView(context, this.seenFills))
    }
    return found
  }

  takeOrders(): readonly Order[] {
    const context = this.context()
    const { orders } = context.state
    return this.knownOrders
      .takeChanged(
        listAccountOrders(context.state, context.account),
        (row) => fingerprint(orders.status.get(row), orders.filledSteps.get(row)),
        statusOpen,
        (row) => isTerminal(orders.status.get(row)),
      )
      .map((row) => orderView(context, row))
  }

  takeQuotes(): readonly Quote[] {
    const context = this.context()
    const { orders, quotes } = context.state
    const filledSteps = (leg: number): number => orders.filledSteps.get(leg)
    return this.knownQuotes
      .takeChanged(
        listAccountQuotes(context.state, context.account),
        (row) =>
          fingerprint(
            quotes.status.get(row),
            filledSteps(quotes.bidLeg.get(row)) + filledSteps(quotes.askLeg.get(row)),
          ),
        quoteActive,
        (row) => !isLiveQuote(quotes.status.get(row)),
      )
      .map((row) => quoteView(context, row))
  }
}

const nothing: readonly never[] = []

/**
 * Combines status and filled quantity into a number that changes whenever either does; a filled quantity only grows.
 */
function fingerprint(status: number, filledSteps: number): number {
  return status + 8 * filledSteps
}

/** Keeps the rows that may still change, with the fingerprint that each last had. */
class KnownRows {
  private readonly live = new Map<number, number>()
  private seen: number

  constructor(seen: number) {
    this.seen = seen
  }

  takeChanged(
    list: RowList,
    look: (row: number) => number,
    initial: number,
    isDone: (row: number) => boolean,
  ): readonly number[] {
    for (; this.seen < list.count; this.seen += 1) this.live.set(list.at(this.seen), initial)
    const found: number[] = []
    for (const [row, before] of this.live) {
      const now = look(row)
      if (now === before) continue
      found.push(row)
      if (isDone(row)) this.live.delete(row)
      else this.live.set(row, now)
    }
    return found
  }
}
