import { buy, none, type Side, sell } from '../../engine/codes.ts'
import { topOfBook } from '../../engine/reports/top-of-book.ts'
import { type State, stateOf } from '../../engine/state.ts'
import type { QuotingTally } from '../../metrics/records.ts'

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
  private readonly twoSidedMillis = uptimeBps.map(() => 0)
  private atTouchMillis = 0
  private observedMillis = 0
  private lookedAtMillis: number
  private within = nowhere
  private isAtTouch = false

  constructor(account: number, fromMillis: number) {
    this.account = account
    this.lookedAtMillis = fromMillis
  }

  /** What is in the books at an instant. */
  look(state: State, atMillis: number): void {
    const elapsed = atMillis - this.lookedAtMillis
    this.lookedAtMillis = atMillis
    this.observedMillis += elapsed
    const { isAtTouch: wasAtTouch, within: wasWithin } = this
    if (state.accounts.openOrders.get(this.account) === 0) {
      this.within = nowhere
      this.isAtTouch = false
    } else this.see(state)
    // Every bar asks, and most strategies have nothing in any book.
    if (elapsed === 0 || (wasWithin === nowhere && this.within === nowhere)) return
    this.atTouchMillis += (elapsed * (Number(wasAtTouch) + Number(this.isAtTouch))) / 2
    for (const [place, millis] of this.twoSidedMillis.entries()) {
      const ends = Number(wasWithin[place]) + Number(this.within[place])
      this.twoSidedMillis[place] = millis + (elapsed * ends) / 2
    }
  }

  /** What has been done since the last look, if that was at the same instant. */
  lookAgain(state: State, atMillis: number): void {
    if (atMillis === this.lookedAtMillis) this.look(state, atMillis)
  }

  tally(): QuotingTally {
    return {
      observedMillis: this.observedMillis,
      twoSided: uptimeBps.map((withinBps, place) => ({
        withinBps,
        millis: Number(this.twoSidedMillis[place]),
      })),
      atTouchMillis: this.atTouchMillis,
    }
  }

  /** All that it has added up, as plain data. */
  capture(): QuotingState {
    const { atTouchMillis, isAtTouch, lookedAtMillis, observedMillis, twoSidedMillis, within } = this
    return {
      twoSidedMillis: [...twoSidedMillis],
      atTouchMillis,
      observedMillis,
      lookedAtMillis,
      within: [...within],
      isAtTouch,
    }
  }

  restore(from: QuotingState): void {
    for (const [place, millis] of from.twoSidedMillis.entries()) this.twoSidedMillis[place] = millis
    this.atTouchMillis = from.atTouchMillis
    this.observedMillis = from.observedMillis
    this.lookedAtMillis = from.lookedAtMillis
    this.within = from.within
    this.isAtTouch = from.isAtTouch
  }

  private see(state: State): void {
    const within = uptimeBps.map(() => false)
    let isAtTouch = false
    for (let asset = 1; asset < state.assets.count; asset += 1) {
      const bid = this.ownTicks(state, asset, buy)
      const ask = this.ownTicks(state, asset, sell)
      if (bid === none && ask === none) continue
      const top = topOfBook(state, asset)
      isAtTouch ||= (bid !== none && bid === top.bidTicks) || (ask !== none && ask === top.askTicks)
      if (bid === none || ask === none) continue
      const markTicks = state.markTicks.get(asset)
      const widest = Math.max(markTicks - bid, ask - markTicks)
      for (const [place, bps] of uptimeBps.entries()) {
        if (widest * 10_000 <= bps * markTicks) within[place] = true
      }
    }
    this.within = within
    this.isAtTouch = isAtTouch
  }

  /** The account's best price of a side, or -1. */
  private ownTicks(state: State, asset: number, side: Side): number {
    const { book } = stateOf(state, asset)
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

export interface QuotingState {
  readonly twoSidedMillis: readonly number[]
  readonly atTouchMillis: number
  readonly observedMillis: number
  readonly lookedAtMillis: number
  readonly within: readonly boolean[]
  readonly isAtTouch: boolean
}
