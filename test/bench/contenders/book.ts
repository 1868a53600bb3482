import { ClientBook, RestingTable } from '../../../src/engine/book/order-book.ts'
import type { Level, Met } from '../checksum.ts'
import type { Workload } from '../workload.ts'
import { opCancel, opImmediate, opMarket, opMove, opPlace } from '../workload.ts'
import type { Contender, Session } from './contender.ts'

/** Our order book with a bare matching loop: no more than what the other libraries are. */
export const bareBook: Contender = {
  name: 'book',
  open: (workload) => new BareBookSession(workload),
}

/** An order's number in the workload is its row. */
class BareBookSession implements Session {
  private readonly workload: Workload
  private readonly resting = new RestingTable()
  private readonly books: readonly ClientBook[]
  tradedSteps = 0

  constructor(workload: Workload) {
    this.workload = workload
    this.books = Array.from({ length: workload.assets }, () => new ClientBook(this.resting))
  }

  play(from: number, to: number): void {
    const { workload } = this
    for (let at = from; at < to; at += 1) {
      const order = workload.order[at] ?? 0
      const side = workload.side[at] === 0 ? 0 : 1
      const ticks = workload.priceTicks[at] ?? 0
      const steps = workload.quantitySteps[at] ?? 0
      const book = this.bookOf(workload.asset[at] ?? 0)
      switch (workload.op[at]) {
        case opPlace:
          this.resting.reserve(order + 1)
          this.place(book, order, side, ticks, steps)
          break
        case opImmediate:
          this.take(book, side, ticks, steps)
          break
        case opMarket:
          this.take(book, side, side === 0 ? Number.MAX_SAFE_INTEGER : 0, steps)
          break
        case opCancel:
          book.remove(order)
          break
        case opMove: {
          const remaining = book.stepsOf(order)
          book.remove(order)
          this.place(book, order, side, ticks, remaining)
          break
        }
      }
    }
  }

  levels(asset: number, side: number): readonly Level[] {
    const levels: Level[] = []
    this.bookOf(asset).visitLevels(side === 0 ? 0 : 1, (ticks, steps) => {
      levels.push([ticks, steps])
      return true
    })
    return levels
  }

  sweep(asset: number, side: number, steps: number): readonly Met[] {
    const met: Met[] = []
    const book = this.bookOf(asset)
    for (let left = steps; left > 0; ) {
      const maker = book.bestRow(side === 0 ? 0 : 1)
      if (maker < 0) break
      const filled = Math.min(left, book.stepsOf(maker))
      met.push([maker, filled])
      left -= filled
      fillMaker(book, maker, filled)
    }
    return met
  }

  private place(book: ClientBook, order: number, side: 0 | 1, ticks: number, steps: number): void {
    const left = this.take(book, side, ticks, steps)
    if (left > 0) book.rest(order, side, ticks, left)
  }

  /** Matches a taker against the other side; returns what is left of it. */
  private take(book: ClientBook, side: 0 | 1, limitTicks: number, steps: number): number {
    const opposite = side === 0 ? 1 : 0
    let left = steps
    while (left > 0) {
      const makerTicks = book.bestTicks(opposite)
      if (makerTicks < 0 || (side === 0 ? makerTicks > limitTicks : makerTicks < limitTicks)) break
      const maker = book.bestRow(opposite)
      const filled = Math.min(left, book.stepsOf(maker))
      left -= filled
      this.tradedSteps += filled
      fillMaker(book, maker, filled)
    }
    return left
  }

  private bookOf(asset: number): ClientBook {
    const book = this.books[asset]
    if (book === undefined) throw new Error(`no asset ${asset}`)
    return book
  }
}

function fillMaker(book: ClientBook, maker: number, steps: number): void {
  if (steps === book.stepsOf(maker)) book.remove(maker)
  else book.reduce(maker, steps)
}
