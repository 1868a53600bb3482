import type { ClientBook } from '../book/order-book.ts'
import type { SelfTradeMode, Side } from '../codes.ts'
import { buy, none, oppositeOf } from '../codes.ts'
import { type AssetState, type State, stateOf } from '../state.ts'
import { TickSteps } from './reserve.ts'

/** What a taker would meet, without touching it. */
export interface Walk {
  /** Sum of ticks times steps over what it meets; what the book cannot fill is valued at the last level walked. */
  tickSteps: TickSteps
  fillableSteps: number
  /** Price of the last level walked; the mark when there is none. */
  lastTicks: number
}

/**
 * Walks the opposite side for `steps`, best price first and at one price clients before the ladder, as far as
 * `limitTicks` (null: to the end). The account's own interest is passed over; where meeting it would end the taker,
 * what lies behind it is walked for the value but does not count as fillable.
 */
export function walkBook(
  state: State,
  account: number,
  asset: number,
  side: Side,
  steps: number,
  limitTicks: number | null,
): Walk {
  const assetState = stateOf(state, asset)
  const walker = new Walker(state, account, side, steps, limitTicks)
  const opposite = oppositeOf(side)
  const { book, ladder } = assetState
  let ladderTaken = 0
  book.visitLevels(opposite, (levelTicks, _levelSteps, head) => {
    ladderTaken = walkLadder(ladder, opposite, ladderTaken, walker, levelTicks)
    return walker.takeLevel(book, levelTicks, head)
  })
  walkLadder(ladder, opposite, ladderTaken, walker, null)
  return walker.finish(state.markTicks.get(asset))
}

/**
 * Takes the ladder's levels from the `skip`th on that are strictly better than a price (null: all). How many are
 * taken now.
 */
function walkLadder(
  ladder: AssetState['ladder'],
  side: Side,
  skip: number,
  walker: Walker,
  beforeTicks: number | null,
): number {
  let place = 0
  ladder.visit(side, (ticks, steps) => {
    if (place >= skip) {
      const isBetter = beforeTicks === null || (side === buy ? ticks > beforeTicks : ticks < beforeTicks)
      if (!isBetter || !walker.take(ticks, steps)) return false
    }
    place += 1
    return true
  })
  return place
}

class Walker implements Walk {
  readonly tickSteps = new TickSteps()
  fillableSteps = 0
  lastTicks = none
  private left: number
  private isEnded = false
  private readonly state: State
  private readonly account: number
  private readonly side: Side
  private readonly limitTicks: number | null
  private readonly mode: SelfTradeMode

  constructor(state: State, account: number, side: Side, steps: number, limitTicks: number | null) {
    this.state = state
    this.account = account
    this.side = side
    this.left = steps
    this.limitTicks = limitTicks
    this.mode = state.config.selfTrade
  }

  take(ticks: number, steps: number): boolean {
    if (this.left === 0 || !this.reaches(ticks)) return false
    const taken = Math.min(this.left, steps)
    this.tickSteps.add(ticks, taken)
    this.left -= taken
    this.lastTicks = ticks
    if (!this.isEnded) this.fillableSteps += taken
    return this.left > 0
  }

  /** Takes from a client level, row by row, because some may be the account's own. */
  takeLevel(book: ClientBook, ticks: number, head: number): boolean {
    const { orders } = this.state
    for (let row = head; row !== none; row = book.rowAfter(row)) {
      const isOwn = this.mode !== 'allow' && orders.account.get(row) === this.account
      if (isOwn) this.isEnded ||= this.mode !== 'cancel_maker'
      else if (!this.take(ticks, book.stepsOf(row))) return false
    }
    return this.left > 0 && this.reaches(ticks)
  }

  finish(markTicks: number): Walk {
    const lastTicks = this.lastTicks === none ? markTicks : this.lastTicks
    this.tickSteps.add(lastTicks, this.left)
    return { tickSteps: this.tickSteps, fillableSteps: this.fillableSteps, lastTicks }
  }

  private reaches(ticks: number): boolean {
    if (this.limitTicks === null) return true
    return this.side === buy ? ticks <= this.limitTicks : ticks >= this.limitTicks
  }
}
