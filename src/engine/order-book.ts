import { Float64Column, Int32Column } from '../numeric/columns.ts'
import type { Side } from './codes.ts'
import { buy, none } from './codes.ts'
import type { OrderTable } from './order-table.ts'
import { PriceLevels } from './price-levels.ts'

/*
 * The clients' book of one asset: resting orders and legs of quotes, by price, then time.
 *
 * Ordering invariant: a level is a doubly linked list through the order table, oldest first; levels are sorted by
 * price. Rest, reduce and remove cost O(1) within a level, so 20,000 orders at one price are cancelled as fast as at
 * 20,000 prices. The book never decides: it does not know accounts, limits or money.
 */
export class OrderBook {
  private readonly orders: OrderTable
  private readonly bids = new PriceLevels()
  private readonly asks = new PriceLevels()
  private readonly levelPriceTicks = new Float64Column()
  private readonly levelSteps = new Float64Column()
  private readonly levelHead = new Int32Column()
  private readonly levelTail = new Int32Column()
  private levelCount = 0
  private firstFreeLevel = none

  constructor(orders: OrderTable) {
    this.orders = orders
  }

  /** Oldest row at the best price of a side, or -1. */
  bestRow(side: Side): number {
    const level = this.sideOf(side).best
    return level === none ? none : this.levelHead.get(level)
  }

  /** Best price of a side, or -1. */
  bestTicks(side: Side): number {
    const level = this.sideOf(side).best
    return level === none ? none : this.levelPriceTicks.get(level)
  }

  /** Adds a row at its limit price, behind all that rest there. */
  rest(row: number): void {
    const { orders } = this
    const isBid = orders.side.get(row) === buy
    const side = isBid ? this.bids : this.asks
    const ticks = orders.priceTicks.get(row)
    const key = isBid ? ticks : -ticks
    let level = side.find(key)
    if (level === none) {
      level = this.takeLevel(ticks)
      side.insert(key, level)
    }
    const tail = this.levelTail.get(level)
    orders.level.set(row, level)
    orders.previousInLevel.set(row, tail)
    orders.nextInLevel.set(row, none)
    if (tail === none) this.levelHead.set(level, row)
    else orders.nextInLevel.set(tail, row)
    this.levelTail.set(level, row)
    this.levelSteps.add(level, orders.remainingSteps(row))
  }

  /** Takes a row out; its remaining quantity must be what the level counts for it. */
  remove(row: number): void {
    const { orders } = this
    const level = orders.level.get(row)
    const previous = orders.previousInLevel.get(row)
    const next = orders.nextInLevel.get(row)
    if (previous === none) this.levelHead.set(level, next)
    else orders.nextInLevel.set(previous, next)
    if (next === none) this.levelTail.set(level, previous)
    else orders.previousInLevel.set(next, previous)
    orders.level.set(row, none)
    if (this.levelHead.get(level) === none) this.dropLevel(level, orders.side.get(row) === buy)
    else this.levelSteps.add(level, -orders.remainingSteps(row))
  }

  /** Tells the row's level that `steps` of it are gone, by a fill or a smaller amendment. */
  reduce(row: number, steps: number): void {
    this.levelSteps.add(this.orders.level.get(row), -steps)
  }

  /** Calls back with each level's price and quantity, best first, until it answers false. */
  visitLevels(
    side: Side,
    visitor: (priceTicks: number, quantitySteps: number, head: number) => boolean,
  ): void {
    this.sideOf(side).visit((level) =>
      visitor(this.levelPriceTicks.get(level), this.levelSteps.get(level), this.levelHead.get(level)),
    )
  }

  /** Number of price levels of a side. */
  levelsOf(side: Side): number {
    return this.sideOf(side).size
  }

  private sideOf(side: Side): PriceLevels {
    return side === buy ? this.bids : this.asks
  }

  private takeLevel(ticks: number): number {
    let level = this.firstFreeLevel
    if (level === none) {
      level = this.levelCount
      this.levelCount += 1
      this.levelPriceTicks.reserve(this.levelCount)
      this.levelSteps.reserve(this.levelCount)
      this.levelHead.reserve(this.levelCount)
      this.levelTail.reserve(this.levelCount)
    } else {
      this.firstFreeLevel = this.levelTail.get(level)
    }
    this.levelPriceTicks.set(level, ticks)
    this.levelSteps.set(level, 0)
    this.levelHead.set(level, none)
    this.levelTail.set(level, none)
    return level
  }

  /** A free level's tail is the next free one. */
  private dropLevel(level: number, isBid: boolean): void {
    const ticks = this.levelPriceTicks.get(level)
    if (isBid) this.bids.remove(ticks)
    else this.asks.remove(-ticks)
    this.levelTail.set(level, this.firstFreeLevel)
    this.firstFreeLevel = level
  }
}
