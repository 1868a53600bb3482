import { Float64Column, Int32Column } from '../numeric/columns.ts'
import type { Side } from './codes.ts'
import { buy, none } from './codes.ts'
import { PriceLevels } from './price-levels.ts'

/*
 * Where rows of the order table stand in their queues, for all books of a venue. It is derived: a
 * row that lives rests, and the order table's priority tells the queue.
 */
export class RestingTable {
  readonly steps = new Float64Column()
  /** The level it rests in; 0 when it rests nowhere. */
  readonly level = new Int32Column()
  readonly previous = new Int32Column()
  readonly next = new Int32Column()
  private rows = 64

  reserve(rows: number): void {
    if (rows <= this.rows) return
    while (this.rows < rows) this.rows *= 2
    for (const column of [this.steps, this.level, this.previous, this.next]) column.reserve(this.rows)
  }

  isResting(row: number): boolean {
    return row < this.rows && this.level.get(row) !== 0
  }
}

/*
 * The clients' book of one asset: resting orders and legs of quotes, by price, then time.
 *
 * Ordering invariant: a level is a doubly linked list of rows, oldest first; levels are sorted by price. Rest, reduce
 * and remove cost O(1) within a level, so 20,000 orders at one price are cancelled as fast as at 20,000 prices. The
 * book never decides: it does not know accounts, limits or money.
 */
export class OrderBook {
  private readonly resting: RestingTable
  private readonly bids = new PriceLevels()
  private readonly asks = new PriceLevels()
  /** Price of a bid level, minus the price of an ask level: the greater, the better. */
  private readonly levelKey = new Float64Column()
  private readonly levelSteps = new Float64Column()
  private readonly levelHead = new Int32Column()
  private readonly levelTail = new Int32Column()
  /** Level 0 stands for none. */
  private levelCount = 1
  private firstFreeLevel = 0

  constructor(resting: RestingTable) {
    this.resting = resting
  }

  /** Oldest row at the best price of a side, or -1. */
  bestRow(side: Side): number {
    const level = this.sideOf(side).best
    return level === none ? none : this.levelHead.get(level)
  }

  /** Best price of a side, or -1. */
  bestTicks(side: Side): number {
    const level = this.sideOf(side).best
    return level === none ? none : Math.abs(this.levelKey.get(level))
  }

  /** The row behind another at its price, or -1. */
  rowAfter(row: number): number {
    return this.resting.next.get(row)
  }

  /** What a row shows. */
  stepsOf(row: number): number {
    return this.resting.steps.get(row)
  }

  /** Adds a row at its limit price, behind all that rest there. */
  rest(row: number, side: Side, ticks: number, steps: number): void {
    const { resting } = this
    const levels = this.sideOf(side)
    const key = side === buy ? ticks : -ticks
    let level = levels.find(key)
    if (level === none) {
      level = this.takeLevel(key)
      levels.insert(key, level)
    }
    const tail = this.levelTail.get(level)
    resting.reserve(row + 1)
    resting.steps.set(row, steps)
    resting.level.set(row, level)
    resting.previous.set(row, tail)
    resting.next.set(row, none)
    if (tail === none) this.levelHead.set(level, row)
    else resting.next.set(tail, row)
    this.levelTail.set(level, row)
    this.levelSteps.add(level, steps)
  }

  /** Takes a row out with all that it shows. */
  remove(row: number): void {
    const { resting } = this
    const level = resting.level.get(row)
    const previous = resting.previous.get(row)
    const next = resting.next.get(row)
    if (previous === none) this.levelHead.set(level, next)
    else resting.next.set(previous, next)
    if (next === none) this.levelTail.set(level, previous)
    else resting.previous.set(next, previous)
    resting.level.set(row, 0)
    if (previous === none && next === none) this.dropLevel(level)
    else this.levelSteps.add(level, -resting.steps.get(row))
  }

  /** A row shows `steps` less, by a fill or a smaller amendment; it keeps its place. */
  reduce(row: number, steps: number): void {
    this.resting.steps.add(row, -steps)
    this.levelSteps.add(this.resting.level.get(row), -steps)
  }

  /** Calls back with each level's price, quantity and oldest row, best first, until it answers false. */
  visitLevels(
    side: Side,
    visitor: (priceTicks: number, quantitySteps: number, head: number) => boolean,
  ): void {
    this.sideOf(side).visit((level) =>
      visitor(Math.abs(this.levelKey.get(level)), this.levelSteps.get(level), this.levelHead.get(level)),
    )
  }

  private sideOf(side: Side): PriceLevels {
    return side === buy ? this.bids : this.asks
  }

  private takeLevel(key: number): number {
    let level = this.firstFreeLevel
    if (level === 0) {
      level = this.levelCount
      this.levelCount += 1
      for (const column of [this.levelKey, this.levelSteps, this.levelHead, this.levelTail])
        column.reserve(this.levelCount)
    } else {
      this.firstFreeLevel = this.levelTail.get(level)
    }
    this.levelKey.set(level, key)
    this.levelSteps.set(level, 0)
    this.levelHead.set(level, none)
    this.levelTail.set(level, none)
    return level
  }

  /** A free level's tail is the next free one. */
  private dropLevel(level: number): void {
    const key = this.levelKey.get(level)
    if (key > 0) this.bids.remove(key)
    else this.asks.remove(key)
    this.levelTail.set(level, this.firstFreeLevel)
    this.firstFreeLevel = level
  }
}
