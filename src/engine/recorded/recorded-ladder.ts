import type { RecordedBook } from '../../market/books/recorded-book.ts'
import type {
  LiquidityConditions,
  QueueLawName,
  RecordedLiquidity,
} from '../../market/liquidity/liquidity.ts'
import { assert } from '../../numeric/assert.ts'
import { type PriceTicks, priceTicks, type QuantitySteps, quantitySteps } from '../../numeric/units.ts'
import { type BookListener, FollowedBook, type RestingTable } from '../book/order-book.ts'
import { buy, type NoRow, none, type OrderRow, oppositeOf, type Side, sell } from '../codes.ts'
import type { LadderState, RecordedLadderState, VenueLadder } from '../ladder/ladder.ts'
import { BookReader } from './book-reader.ts'
import { BookTouches } from './book-touches.ts'
import { OrderQueue, type Place, stepsAheadOf, takeAhead, turnOf } from './order-queue.ts'

/** What clients have taken from a level and no row has changed since. */
interface TakenLevel {
  readonly side: Side
  readonly ticks: number
  steps: number
  /** The quantity that the record showed, of which this was taken. */
  shownSteps: number
}

/**
 * A recorded book as the venue's ladder of one asset. Its rows are worked off one by one (`work-off-rows.ts`); what a
 * client takes stays taken until a row changes that level's quantity. Conditions act on what is shown: the depth
 * scales quantities to whole steps, the spread moves both sides away from the mid, and a side may be hidden.
 */
export class RecordedLadder implements VenueLadder, BookListener {
  /** The clients' book of the asset, whose rows have a place in the queue. */
  readonly clients: FollowedBook
  readonly queue: OrderQueue
  readonly rows: BookReader
  /** What the record shows at later instants. */
  readonly touches: BookTouches
  /** Whether the choices are those of hftbacktest. */
  readonly isLikeReference: boolean
  /** Whether orders that the other side crosses, or that a trade goes through, are filled whole. */
  readonly fillsWhole: boolean
  readonly halfSpreadBps = 0
  readonly stepAtMillis = 0
  readonly inputsAtMillis = 0
  private readonly spec: RecordedLiquidity
  private readonly inputs: { readonly conditions: LiquidityConditions }
  /** By side and price: a bid's price, an ask's negated. */
  private readonly taken = new Map<number, TakenLevel>()
  /** Places of a snapshot, until their orders rest again. */
  private readonly restored = new Map<number, Place>()

  constructor(
    recorded: RecordedBook,
    spec: RecordedLiquidity,
    stepUnits: number,
    inputs: { readonly conditions: LiquidityConditions },
    resting: RestingTable,
  ) {
    this.spec = spec
    this.inputs = inputs
    this.clients = new FollowedBook(resting, this)
    this.isLikeReference = spec.like === 'hftbacktest'
    this.fillsWhole = spec.fills === 'whole' || this.isLikeReference
    this.rows = new BookReader(recorded, this.isLikeReference)
    this.touches = new BookTouches(recorded)
    this.queue = new OrderQueue(spec.queue, stepUnits)
  }

  /**
   * Notes that a row has set the quantity of a level. Where it differs from the quantity that takers took from, what
   * they took is there again.
   */
  noteSet(side: Side, ticks: number, steps: number): void {
    if (this.taken.size === 0) return
    const key = keyOf(side, ticks)
    const level = this.taken.get(key)
    if (level !== undefined && steps >= leastShown && level.shownSteps !== steps) this.taken.delete(key)
  }

  /** Adds a client's order behind what is shown at its level. */
  addResting(order: number, side: Side, ticks: number): void {
    const place = this.restored.get(order)
    if (place !== undefined) {
      this.restored.delete(order)
      this.queue.add(place)
      return
    }
    const { book } = this.rows
    const shown = book.stepsAt(side, ticks)
    const taken = this.taken.get(keyOf(side, ticks))?.steps ?? 0
    const isBeyond =
      shown === 0 &&
      !this.queue.isFront &&
      !this.isLikeReference &&
      this.spec.beyond === 'behind' &&
      book.isBeyond(side, ticks)
    this.queue.join(order, side, ticks, Math.max(0, shown - taken), isBeyond)
  }

  removeResting(order: number): void {
    this.queue.forget(order)
  }

  /** Returns how much stands before a client's resting order at its price, in whole steps. */
  stepsBefore(order: OrderRow): number {
    return Math.round(stepsAheadOf(this.queue.placeOf(order)))
  }

  /** Returns the order at a client level whose turn comes first: by place, then by time. */
  firstOfLevel(oldest: OrderRow): OrderRow {
    if (this.queue.isFront) return oldest
    let first = oldest
    let turn = turnOf(this.queue.placeOf(oldest))
    for (let row = this.clients.rowAfter(oldest); row !== none; row = this.clients.rowAfter(row)) {
      const next = turnOf(this.queue.placeOf(row))
      if (next < turn) {
        first = row
        turn = next
      }
    }
    return first
  }

  /** Returns the limit of a market order on `side`, in ticks: the reference goes 100 ticks down, or 99 up. */
  marketLimitTicks(side: Side): number {
    const bestTicks = this.isLikeReference ? this.bestTicks(oppositeOf(side)) : none
    if (bestTicks === none) return side === buy ? Number.POSITIVE_INFINITY : 0
    return side === buy ? bestTicks + 99 : bestTicks - 100
  }

  /** Ends a taker's walk: the reference uses nothing up. */
  endTaking(): void {
    if (this.isLikeReference) this.taken.clear()
  }

  get law(): QueueLawName {
    return this.spec.queue.law
  }

  get isTouched(): boolean {
    return this.taken.size > 0
  }

  /** Whether the record alone shows the best prices: the reference also has levels out of sight. */
  get isForeseeable(): boolean {
    const { depthMultiplier, sides, spreadMultiplier } = this.inputs.conditions
    const isPlain = depthMultiplier === 1 && spreadMultiplier === 1 && sides === 'both'
    return isPlain && this.taken.size === 0 && !this.isLikeReference
  }

  bestTicks(side: Side): PriceTicks | NoRow {
    const ticks = this.findLevel(side, this.recordedBest(side))
    return ticks === 0 ? none : this.toShown(side, ticks)
  }

  bestTicksAtRefresh(side: Side): number {
    return this.bestTicks(side)
  }

  bestTicksAfterRefresh(side: Side, _midTicks: number, _gridIndex: number, atMillis: number): number {
    assert(this.isForeseeable, 'the record alone shows the best prices')
    return this.touches.touchAt(side, atMillis)
  }

  bestSteps(side: Side): QuantitySteps {
    const ticks = this.findLevel(side, this.recordedBest(side))
    assert(ticks !== 0, 'there is a best price when its quantity is asked for')
    return quantitySteps(this.countLeft(side, ticks))
  }

  get fairTicks(): number {
    const { bidTicks, askTicks } = this.rows.book
    return (bidTicks + askTicks) / 2
  }

  mayReach(side: Side, ticks: number): boolean {
    const best = this.bestTicks(side)
    if (best === none) return false
    return side === buy ? best >= ticks : best <= ticks
  }

  mayEverReach(): boolean {
    return true
  }

  isSurelyBetter(): boolean {
    return false
  }

  isRecovering(): boolean {
    return true
  }

  refresh(): void {
    // The book changes by its rows alone.
  }

  invalidate(): void {
    // The levels are read afresh each time.
  }

  settle(): void {
    // Nothing comes back over time.
  }

  /** Takes from the best level; the clients' orders on its side that stand behind move up. */
  consume(side: Side, steps: number): void {
    const ticks = this.findLevel(side, this.recordedBest(side))
    const key = keyOf(side, ticks)
    const shownSteps = this.rows.book.stepsAt(side, ticks)
    const level = this.taken.get(key)
    if (level === undefined) this.taken.set(key, { side, ticks, steps, shownSteps })
    else {
      level.steps += steps
      level.shownSteps = shownSteps
    }
    if (this.isLikeReference || !this.queue.mayRestAt(side, ticks)) return
    for (let row = this.clients.oldestAt(side, ticks); row !== none; row = this.clients.rowAfter(row))
      takeAhead(this.queue.placeOf(row), steps)
  }

  visit(side: Side, visitor: (priceTicks: number, quantitySteps: number) => boolean): void {
    const { book } = this.rows
    let ticks = this.findLevel(side, this.recordedBest(side))
    while (ticks !== 0) {
      const shown = this.toShown(side, ticks)
      if (shown === none || !visitor(shown, this.countLeft(side, ticks))) return
      ticks = this.findLevel(side, book.nextTicks(side, ticks))
    }
  }

  /**
   * Captures the recording's hash, the number of rows worked off, what was taken, and the places of resting orders
   * where the law is not `front`, each as its order, six numbers and whether it is beyond the record.
   */
  capture(): RecordedLadderState {
    const taken = [...this.taken.values()]
      .sort((left, right) => left.side - right.side || left.ticks - right.ticks)
      .flatMap(({ side, ticks, steps, shownSteps }) => [side, ticks, steps, shownSteps])
    const places = this.queue
      .list()
      .flatMap((place) => [
        place.order,
        place.side,
        place.ticks,
        place.ahead + 0,
        place.tradedSinceChange + 0,
        place.joinedBehind + 0,
        place.takenByTrades + 0,
        place.isBeyond ? 1 : 0,
      ])
    return { hash: this.rows.recorded.hash, row: this.rows.row, taken, places }
  }

  restore(from: LadderState): void {
    assert('hash' in from, 'a snapshot of a recorded book is restored')
    assert(
      from.hash === this.rows.recorded.hash,
      `the recorded book is the one of the snapshot, of hash ${from.hash}, and not of ${this.rows.recorded.hash}`,
    )
    this.rows.moveTo(from.row)
    this.taken.clear()
    for (const [side = 0, ticks = 0, steps = 0, shownSteps = 0] of inGroups(from.taken, 4))
      this.taken.set(keyOf(side === buy ? buy : sell, ticks), {
        side: side === buy ? buy : sell,
        ticks,
        steps,
        shownSteps,
      })
    for (const group of inGroups(from.places, 8)) {
      const [order = 0, side = 0, ticks = 0, ahead = 0, tradedSinceChange = 0] = group
      const [joinedBehind = 0, takenByTrades = 0, isBeyond = 0] = group.slice(5)
      this.restored.set(order, {
        order,
        side: side === buy ? buy : sell,
        ticks,
        ahead,
        tradedSinceChange,
        joinedBehind,
        takenByTrades,
        isBeyond: isBeyond === 1,
      })
    }
  }

  /** Returns the first level at a recorded price or worse from which something is left and shown, or 0. */
  private findLevel(side: Side, fromTicks: number): number {
    const { depthMultiplier, sides } = this.inputs.conditions
    if (sides !== 'both' && sides !== (side === buy ? 'bids' : 'asks')) return 0
    if (this.taken.size === 0 && depthMultiplier === 1) return fromTicks
    let ticks = fromTicks
    while (ticks !== 0 && this.countLeft(side, ticks) <= 0) ticks = this.rows.book.nextTicks(side, ticks)
    return ticks
  }

  private recordedBest(side: Side): number {
    const { book } = this.rows
    return side === buy ? book.bidTicks : book.askTicks
  }

  /** Returns what is left of a level, in whole steps. */
  private countLeft(side: Side, ticks: number): number {
    const { depthMultiplier } = this.inputs.conditions
    const shown = Math.round(this.rows.book.stepsAt(side, ticks) * depthMultiplier)
    return this.taken.size === 0 ? shown : shown - (this.taken.get(keyOf(side, ticks))?.steps ?? 0)
  }

  /** Returns the price at which a level is shown under the present spread, or -1 where that is no price. */
  private toShown(side: Side, ticks: number): PriceTicks | NoRow {
    const { spreadMultiplier } = this.inputs.conditions
    if (spreadMultiplier === 1) return priceTicks(ticks)
    const { bidTicks, askTicks } = this.rows.book
    if (bidTicks === 0 || askTicks === 0) return priceTicks(ticks)
    const spread = askTicks - bidTicks
    const widest = Math.round(((spreadMultiplier - 1) * spread) / 2)
    const away = Math.max(widest, -Math.floor((spread - 1) / 2))
    const shown = side === buy ? ticks - away : ticks + away
    return shown >= 1 ? priceTicks(shown) : none
  }
}

/** The least quantity that the record shows as a level. */
const leastShown = 0.5

const keyOf = (side: Side, ticks: number): number => (side === buy ? ticks : -ticks)

function* inGroups(values: readonly number[], size: number): Generator<readonly number[]> {
  for (let from = 0; from < values.length; from += size) yield values.slice(from, from + size)
}
