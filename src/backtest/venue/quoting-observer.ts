import { buy, none, type Side, sell } from '../../engine/codes.ts'
import { isBestPrice } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import type { QuotingTally } from '../../metrics/records.ts'

/** The distances from the mid, in basis points, within which both sides must stand to count as quoting. */
const uptimeBps = [10, 25, 50]
const notQuoting: readonly boolean[] = uptimeBps.map(() => false)

/**
 * Adds up over time how an account's orders stand in the books. Of the time between two observations, half counts as at
 * the first and half as at the second, because a change in between, such as a fill, happens halfway on average. An
 * account is observed before and after it acts at an instant. With several assets, it counts where it stands in any of
 * them.
 */
export class QuotingObserver {
  private readonly account: number
  private readonly totals: QuotingState

  constructor(account: number, fromMillis: number) {
    this.account = account
    this.totals = {
      twoSidedMillis: uptimeBps.map(() => 0),
      atTouchMillis: 0,
      observedMillis: 0,
      lastAtMillis: fromMillis,
      within: notQuoting,
      isAtTouch: false,
    }
  }

  observe(state: State, atMillis: number): void {
    const { totals } = this
    const { isAtTouch: wasAtTouch, within: wasWithin } = totals
    const elapsed = atMillis - totals.lastAtMillis
    totals.lastAtMillis = atMillis
    totals.observedMillis += elapsed
    if (state.accounts.openOrders.get(this.account) === 0) {
      totals.within = notQuoting
      totals.isAtTouch = false
    } else this.inspectBooks(state)
    // Every bar comes here, and most strategies have no order in any book.
    const isNowhere =
      wasWithin === notQuoting && totals.within === notQuoting && !wasAtTouch && !totals.isAtTouch
    if (elapsed === 0 || isNowhere) return
    totals.atTouchMillis += (elapsed * (Number(wasAtTouch) + Number(totals.isAtTouch))) / 2
    for (const [place, millis] of totals.twoSidedMillis.entries()) {
      const ends = (wasWithin[place] ? 1 : 0) + (totals.within[place] ? 1 : 0)
      totals.twoSidedMillis[place] = millis + (elapsed * ends) / 2
    }
  }

  /** Observes again what has been done at the instant of the last observation; nothing at any other instant. */
  observeAgain(state: State, atMillis: number): void {
    if (atMillis === this.totals.lastAtMillis) this.observe(state, atMillis)
  }

  tally(): QuotingTally {
    const { atTouchMillis, observedMillis, twoSidedMillis } = this.totals
    const twoSided = uptimeBps.map((withinBps, place) => ({ withinBps, millis: twoSidedMillis[place] ?? 0 }))
    return { observedMillis, twoSided, atTouchMillis }
  }

  private inspectBooks(state: State): void {
    let within = notQuoting
    let isAtTouch = false
    for (let asset = 1; asset < state.assets.count; asset += 1) {
      const bid = this.findOwnBestTicks(state, asset, buy)
      const ask = this.findOwnBestTicks(state, asset, sell)
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
    this.totals.within = within
    this.totals.isAtTouch = isAtTouch
  }

  /** Returns the account's best price of a side in ticks, or -1. */
  private findOwnBestTicks(state: State, asset: number, side: Side): number {
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
  lastAtMillis: number
  within: readonly boolean[]
  isAtTouch: boolean
}
