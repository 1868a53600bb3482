import { OrderBook } from '../../../src/engine/order-book.ts'
import { OrderTable } from '../../../src/engine/order-table.ts'
import type { Level, Met } from '../checksum.ts'
import type { Workload } from '../workload.ts'
import { opCancel, opImmediate, opMarket, opMove, opPlace } from '../workload.ts'
import type { Contender, Session } from './contender.ts'

/** Our order book and order table with a bare matching loop: what the other libraries are, and nothing more. */
export const bareBook: Contender = {
  name: 'book',
  open: (workload) => new BareBookSession(workload),
}

class BareBookSession implements Session {
  private readonly workload: Workload
  private readonly orders = new OrderTable()
  private readonly books: readonly OrderBook[]
  /** Row of an order by its number in the workload. */
  private readonly rowOf: Int32Array
  private tradedSteps = 0

  constructor(workload: Workload) {
    this.workload = workload
    this.books = Array.from({ length: workload.assets }, () => new OrderBook(this.orders))
    this.rowOf = new Int32Array(workload.orders)
  }

  play(from: number, to: number): void {
    const { workload, rowOf } = this
    for (let at = from; at < to; at += 1) {
      const asset = workload.asset[at] ?? 0
      const order = workload.order[at] ?? 0
      const side = workload.side[at] === 0 ? 0 : 1
      const priceTicks = workload.priceTicks[at] ?? 0
      const steps = workload.quantitySteps[at] ?? 0
      const book = this.bookOf(asset)
      switch (workload.op[at]) {
        case opPlace: {
          const row = this.append(side, priceTicks, steps)
          rowOf[order] = row
          if (this.match(book, row, side, priceTicks)) book.rest(row)
          break
        }
        case opImmediate:
          this.match(book, this.append(side, priceTicks, steps), side, priceTicks)
          break
        case opMarket:
          this.match(
            book,
            this.append(side, priceTicks, steps),
            side,
            side === 0 ? Number.MAX_SAFE_INTEGER : 0,
          )
          break
        case opCancel:
          book.remove(rowOf[order] ?? 0)
          break
        case opMove: {
          const row = rowOf[order] ?? 0
          book.remove(row)
          this.orders.priceTicks.set(row, priceTicks)
          if (this.match(book, row, side, priceTicks)) book.rest(row)
          break
        }
      }
    }
  }

  levels(asset: number, side: number): readonly Level[] {
    const levels: Level[] = []
    this.bookOf(asset).visitLevels(side === 0 ? 0 : 1, (priceTicks, quantitySteps) => {
      levels.push([priceTicks, quantitySteps])
      return true
    })
    return levels
  }

  sweep(asset: number, side: number, steps: number): readonly Met[] {
    const numberOf = new Map<number, number>()
    this.rowOf.forEach((row, order) => {
      numberOf.set(row, order)
    })
    const { orders } = this
    const book = this.bookOf(asset)
    const met: Met[] = []
    for (let left = steps; left > 0; ) {
      const row = book.bestRow(side === 0 ? 0 : 1)
      if (row < 0) break
      const filled = Math.min(left, orders.remainingSteps(row))
      left -= filled
      met.push([numberOf.get(row) ?? -1, filled])
      this.fillMaker(book, row, filled)
    }
    return met
  }

  private append(side: number, priceTicks: number, steps: number): number {
    const { orders } = this
    const row = orders.append()
    orders.side.set(row, side)
    orders.priceTicks.set(row, priceTicks)
    orders.quantitySteps.set(row, steps)
    return row
  }

  /** Whether something is left to rest. */
  private match(book: OrderBook, row: number, side: number, limitTicks: number): boolean {
    const { orders } = this
    const opposite = side === 0 ? 1 : 0
    let left = orders.remainingSteps(row)
    while (left > 0) {
      const maker = book.bestRow(opposite)
      if (maker < 0) break
      const makerTicks = orders.priceTicks.get(maker)
      if (side === 0 ? makerTicks > limitTicks : makerTicks < limitTicks) break
      const steps = Math.min(left, orders.remainingSteps(maker))
      left -= steps
      this.fillMaker(book, maker, steps)
      orders.filledSteps.add(row, steps)
    }
    return left > 0
  }

  private fillMaker(book: OrderBook, maker: number, steps: number): void {
    const { orders } = this
    this.tradedSteps += steps
    if (steps === orders.remainingSteps(maker)) book.remove(maker)
    else book.reduce(maker, steps)
    orders.filledSteps.add(maker, steps)
  }

  private bookOf(asset: number): OrderBook {
    const book = this.books[asset]
    if (book === undefined) throw new Error(`no asset ${asset}`)
    return book
  }
}
