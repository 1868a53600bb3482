import { assert } from '../../numeric/assert.ts'
import { BookSide, leastSteps, noKey } from './book-side.ts'
import { type BookLevels, bookRowSides } from './recorded-book.ts'

const { bid, ask } = bookRowSides

/** The side of a level. */
export type BookSideCode = typeof bid | typeof ask

/**
 * A recorded book as far as its rows have been worked off.
 *
 * Choice: a level that reaches the other side's best removes the levels that it reaches, because both cannot have
 * stood there. With `keepsCrossed` they stay out of sight, below the best, as hftbacktest has it: later orders at such
 * a price find its quantity, and a level that comes beyond them shows them again.
 */
export class FoldedBook {
  private readonly bids = new BookSide()
  private readonly asks = new BookSide()
  private readonly keepsCrossed: boolean

  constructor(keepsCrossed = false) {
    this.keepsCrossed = keepsCrossed
  }

  /** The best bid in ticks; 0 without bids. */
  get bidTicks(): number {
    const { bestKey } = this.bids
    return bestKey === noKey ? 0 : bestKey
  }

  /** The best ask in ticks; 0 without asks. */
  get askTicks(): number {
    const { bestKey } = this.asks
    return bestKey === noKey ? 0 : -bestKey
  }

  /** Returns the quantity at a price, in steps; 0 without a level. */
  stepsAt(side: BookSideCode, ticks: number): number {
    return side === bid ? this.bids.stepsAt(ticks) : this.asks.stepsAt(-ticks)
  }

  /** Sets the quantity of a level and returns the old one, both in steps. */
  setLevel(side: BookSideCode, ticks: number, steps: number): number {
    if (side === bid) {
      const old = this.bids.set(ticks, steps)
      if (steps >= leastSteps) {
        this.bids.raiseBest(ticks)
        if (this.asks.bestKey >= -ticks) this.passOver(this.asks, -ticks)
      }
      return old
    }
    const old = this.asks.set(-ticks, steps)
    if (steps >= leastSteps) {
      this.asks.raiseBest(-ticks)
      if (this.bids.bestKey >= ticks) this.passOver(this.bids, ticks)
    }
    return old
  }

  /** Clears a side from its best price to `ticks`, that one included, or wholly where `ticks` is 0. */
  clear(side: BookSideCode, ticks: number): void {
    const levels = side === bid ? this.bids : this.asks
    if (ticks === 0) levels.clear()
    else removeDownTo(levels, side === bid ? ticks : -ticks)
  }

  clearBoth(): void {
    this.bids.clear()
    this.asks.clear()
  }

  /** Returns the next price with a level that is worse than this one, in ticks, or 0. */
  nextTicks(side: BookSideCode, ticks: number): number {
    const key = side === bid ? this.bids.findBelow(ticks) : this.asks.findBelow(-ticks)
    return key === noKey ? 0 : Math.abs(key)
  }

  /** Returns whether a price is worse than every level of its side, so that the record does not show what stands there. */
  isBeyond(side: BookSideCode, ticks: number): boolean {
    const worst = side === bid ? this.bids.findWorst() : this.asks.findWorst()
    return worst === noKey || (side === bid ? ticks : -ticks) < worst
  }

  /** Copies the levels in sight. */
  capture(): BookLevels {
    const bids = this.listSide(bid)
    const asks = this.listSide(ask)
    return { bidTicks: bids.ticks, bidSteps: bids.steps, askTicks: asks.ticks, askSteps: asks.steps }
  }

  /** Replaces the book by these levels. */
  load(levels: BookLevels): void {
    assert(levels.bidTicks.length === levels.bidSteps.length, 'every bid has a quantity')
    assert(levels.askTicks.length === levels.askSteps.length, 'every ask has a quantity')
    this.clearBoth()
    for (const [place, ticks] of levels.bidTicks.entries()) this.bids.set(ticks, levels.bidSteps[place] ?? 0)
    for (const [place, ticks] of levels.askTicks.entries()) this.asks.set(-ticks, levels.askSteps[place] ?? 0)
  }

  private listSide(side: BookSideCode) {
    const ticks: number[] = []
    const first = side === bid ? this.bidTicks : this.askTicks
    for (let next = first; next !== 0; next = this.nextTicks(side, next)) ticks.push(next)
    const steps = Float64Array.from(ticks, (price) => this.stepsAt(side, price))
    return { ticks: Int32Array.from(ticks), steps }
  }

  /** Takes the levels out of sight that a level of the other side reaches: those at `key` and above. */
  private passOver(levels: BookSide, key: number): void {
    if (this.keepsCrossed) levels.moveBestBelow(key)
    else removeDownTo(levels, key)
  }
}

function removeDownTo(levels: BookSide, key: number): void {
  while (levels.bestKey !== noKey && levels.bestKey >= key) levels.set(levels.bestKey, 0)
}
