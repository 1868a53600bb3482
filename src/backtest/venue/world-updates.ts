import type { ApiContext } from '../../api/context.ts'
import { orderView } from '../../api/handlers/orders.ts'
import { tradeView } from '../../api/handlers/portfolio.ts'
import { quoteView } from '../../api/handlers/quotes.ts'
import type { Order, Quote } from '../../client/venue-types.ts'
import {
  buy,
  isLiveQuote,
  isTerminal,
  none,
  quoteActive,
  type Side,
  sell,
  statusOpen,
} from '../../engine/codes.ts'
import { isBestPrice } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import { ordersOf, quotesOf, type RowList } from '../../engine/tables/account-table.ts'
import type { QuotingTally } from '../../metrics/records.ts'
import type { OwnTrade } from '../strategy.ts'

/*
 * What has happened to an account since the last look: its fills, and its orders and quotes whose status or filled
 * quantity has changed. A new order is known as open with nothing filled, as its answer said.
 */
export class WorldUpdates {
  private readonly context: () => ApiContext
  private readonly knownOrders: Known
  private readonly knownQuotes: Known
  private seenFills: number

  constructor(context: () => ApiContext) {
    this.context = context
    const { state, account } = context()
    this.seenFills = state.fills.count
    this.knownOrders = new Known(ordersOf(state, account).count)
    this.knownQuotes = new Known(quotesOf(state, account).count)
  }

  fills(): readonly OwnTrade[] {
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

  orders(): readonly Order[] {
    const context = this.context()
    const { orders } = context.state
    return this.knownOrders
      .changed(
        ordersOf(context.state, context.account),
        (row) => standing(orders.status.get(row), orders.filledSteps.get(row)),
        statusOpen,
        (row) => isTerminal(orders.status.get(row)),
      )
      .map((row) => orderView(context, row))
  }

  quotes(): readonly Quote[] {
    const context = this.context()
    const { orders, quotes } = context.state
    const filled = (leg: number): number => orders.filledSteps.get(leg)
    return this.knownQuotes
      .changed(
        quotesOf(context.state, context.account),
        (row) =>
          standing(quotes.status.get(row), filled(quotes.bidLeg.get(row)) + filled(quotes.askLeg.get(row))),
        quoteActive,
        (row) => !isLiveQuote(quotes.status.get(row)),
      )
      .map((row) => quoteView(context, row))
  }
}

const nothing: readonly never[] = []

/** One number that changes whenever status or filled quantity does, because what has filled only grows. */
function standing(status: number, filledSteps: number): number {
  return status + 8 * filledSteps
}

/** Rows that may still change, with what was last seen of them. */
class Known {
  private readonly live = new Map<number, number>()
  private seen: number

  constructor(seen: number) {
    this.seen = seen
  }

  changed(
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

/** Both sides must stand within this distance of the mid, in basis points, to count as quoting. */
const uptimeBps = [10, 25, 50]
const nowhere: readonly boolean[] = uptimeBps.map(() => false)

/**
 * How an account's orders stand in the books, added up over time. Between two looks half of the time counts as at the
 * first and half as at the second: what changes in between, such as a fill, happens halfway on average. Whoever acts
 * at an instant is looked at before and after that. An account with several assets counts where it stands in any of
 * them.
 */
export class QuotingObserver {
  private readonly account: number
  private readonly past: QuotingState

  constructor(account: number, fromMillis: number) {
    this.account = account
    this.past = {
      twoSidedMillis: uptimeBps.map(() => 0),
      atTouchMillis: 0,
      observedMillis: 0,
      lookedAtMillis: fromMillis,
      within: nowhere,
      isAtTouch: false,
    }
  }

  look(state: State, atMillis: number): void {
    const { past } = this
    const { isAtTouch: wasAtTouch, within: wasWithin } = past
    const elapsed = atMillis - past.lookedAtMillis
    past.lookedAtMillis = atMillis
    past.observedMillis += elapsed
    if (state.accounts.openOrders.get(this.account) === 0) {
      past.within = nowhere
      past.isAtTouch = false
    } else this.see(state)
    // Every bar asks, and most strategies have nothing in any book.
    const isNowhere = wasWithin === nowhere && past.within === nowhere && !wasAtTouch && !past.isAtTouch
    if (elapsed === 0 || isNowhere) return
    past.atTouchMillis += (elapsed * (Number(wasAtTouch) + Number(past.isAtTouch))) / 2
    for (const [place, millis] of past.twoSidedMillis.entries()) {
      const ends = (wasWithin[place] ? 1 : 0) + (past.within[place] ? 1 : 0)
      past.twoSidedMillis[place] = millis + (elapsed * ends) / 2
    }
  }

  /** What has been done since the last look, if that was at the same instant. */
  lookAgain(state: State, atMillis: number): void {
    if (atMillis === this.past.lookedAtMillis) this.look(state, atMillis)
  }

  tally(): QuotingTally {
    const { atTouchMillis, observedMillis, twoSidedMillis } = this.past
    const twoSided = uptimeBps.map((withinBps, place) => ({ withinBps, millis: twoSidedMillis[place] ?? 0 }))
    return { observedMillis, twoSided, atTouchMillis }
  }

  private see(state: State): void {
    let within = nowhere
    let isAtTouch = false
    for (let asset = 1; asset < state.assets.count; asset += 1) {
      const bid = this.ownTicks(state, asset, buy)
      const ask = this.ownTicks(state, asset, sell)
      if (bid === none && ask === none) continue
      isAtTouch ||=
        (bid !== none && isBestPrice(state, asset, buy, bid)) ||
        (ask !== none && isBestPrice(state, asset, sell, ask))
      if (bid === none || ask === none) continue
      const markTicks = state.markTicks.get(asset)
      const widest = Math.max(markTicks - bid, ask - markTicks)
      const before = within
      within = uptimeBps.map((bps, place) => before[place] === true || widest * 10_000 <= bps * markTicks)
    }
    this.past.within = within
    this.past.isAtTouch = isAtTouch
  }

  /** The account's best price of a side, or -1. */
  private ownTicks(state: State, asset: number, side: Side): number {
    const { book } = stateOf(state, asset)
    const first = book.bestRow(side)
    if (first === none) return none
    if (state.orders.account.get(first) === this.account) return state.orders.priceTicks.get(first)
    let best = none
    book.visitLevels(side, (ticks, _steps, head) => {
      for (let row = head; row !== none; row = book.rowAfter(row)) {
        if (state.orders.account.get(row) === this.account) {
          best = ticks
          return false
        }
      }
      return true
    })
    return best
  }
}

interface QuotingState {
  readonly twoSidedMillis: number[]
  atTouchMillis: number
  observedMillis: number
  lookedAtMillis: number
  within: readonly boolean[]
  isAtTouch: boolean
}
