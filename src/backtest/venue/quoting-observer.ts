import { buy, none, type Side, sell } from '../../engine/codes.ts'
import { isBestPrice } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import type { QuotingTally } from '../../metrics/records.ts'

/** Both sides must stand within this distance of the mid, in basis points, to count as quoting. */
const uptimeBps = [10, 25, 50]
const notQuoting: readonly boolean[] = uptimeBps.map(() => false)

/**
 * How an account's orders stand in the books, added up over time. Between two looks half of the time counts as at the
 * first and half as at the second: what changes in between, such as a fill, happens halfway on average. Whoever acts
 * at an instant is looked at before and after that. An account with several assets counts where it stands in any of
 * them.
 */
export class QuotingObserver {
  private readonly account: number
  private readonly state: QuotingState

  constructor(account: number, fromMillis: number) {
    this.account = account
    this.state = {
      twoSidedMillis: uptimeBps.map(() => 0),
      atTouchMillis: 0,
      observedMillis: 0,
      observedAtMillis: fromMillis,
      within: notQuoting,
      isAtTouch: false,
    }
  }

  observe(state: State, atMillis: number): void {
    const { state: past } = this
    const { isAtTouch: wasAtTouch, within: wasWithin } = past
    const elapsed = atMillis - past.observedAtMillis
    past.observedAtMillis = atMillis
    past.observedMillis += elapsed
    if (state.accounts.openOrders.get(this.account) === 0) {
      past.within = notQuoting
      past.isAtTouch = false
    } else this.inspectBooks(state)
    // Every bar asks, and most strategies have nothing in any book.
    const isNowhere = wasWithin === notQuoting && past.within === notQuoting && !wasAtTouch && !past.isAtTouch
    if (elapsed === 0 || isNowhere) return
    past.atTouchMillis += (elapsed * (Number(wasAtTouch) + Number(past.isAtTouch))) / 2
    for (const [place, millis] of past.twoSidedMillis.entries()) {
      const ends = (wasWithin[place] ? 1 : 0) + (past.within[place] ? 1 : 0)
      past.twoSidedMillis[place] = millis + (elapsed * ends) / 2
    }
  }

  /** What has been done since the last look, if that was at the same instant. */
  observeAgain(state: State, atMillis: number): void {
    if (atMillis === this.state.observedAtMillis) this.observe(state, atMillis)
  }

  tally(): QuotingTally {
    const { atTouchMillis, observedMillis, twoSidedMillis } = this.state
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
    this.state.within = within
    this.state.isAtTouch = isAtTouch
  }

  /** The account's best price of a side, or -1. */
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
  observedAtMillis: number
  within: readonly boolean[]
  isAtTouch: boolean
}
