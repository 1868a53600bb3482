import type { Level, Met } from '../checksum.ts'
import type { Workload } from '../workload.ts'
import { opCancel, opImmediate, opMarket, opMove, opPlace } from '../workload.ts'
import type { Contender, Session } from './contender.ts'
import { requireBookPeers } from './contender.ts'

/** What this uses of the package; prices and sizes are ticks and steps here. */
interface Package {
  readonly OrderBook: new () => OrderBook
  readonly Side: { readonly BUY: string; readonly SELL: string }
}

interface OrderBook {
  limit(order: {
    readonly id: string
    readonly side: string
    readonly price: number
    readonly size: number
    readonly timeInForce?: 'IOC'
  }): void
  market(order: { readonly side: string; readonly size: number }): {
    readonly done: readonly { readonly id: string; readonly size: number }[]
    readonly partial: { readonly id: string } | null
    readonly partialQuantityProcessed: number
  }
  cancel(id: string): void
  modify(id: string, change: { readonly price: number }): void
  depth(): [[number, number][], [number, number][]]
}

/** npm nodejs-order-book, without its journal and its self-trade prevention. */
export const nodejsOrderBook: Contender = {
  name: 'nodejs-order-book',
  open: (workload) => new NodejsOrderBookSession(workload, requireBookPeers()('nodejs-order-book')),
}

class NodejsOrderBookSession implements Session {
  private readonly workload: Workload
  private readonly sides: Package['Side']
  private readonly books: readonly OrderBook[]
  /** Ids as numerals: where this library comes close to the other one, they are a seventh faster than other texts. */
  private readonly ids: readonly string[]

  constructor(workload: Workload, { OrderBook, Side }: Package) {
    this.workload = workload
    this.sides = Side
    this.books = Array.from({ length: workload.assets }, () => new OrderBook())
    this.ids = Array.from({ length: workload.orders }, (_, order) => String(order))
  }

  play(from: number, to: number): void {
    const { workload, books, ids, sides } = this
    for (let at = from; at < to; at += 1) {
      const book = books[workload.asset[at] ?? 0]
      const id = ids[workload.order[at] ?? 0]
      if (book === undefined || id === undefined) throw new Error('a command names no book or no order')
      const side = workload.side[at] === 0 ? sides.BUY : sides.SELL
      const price = workload.priceTicks[at] ?? 0
      const size = workload.quantitySteps[at] ?? 0
      switch (workload.op[at]) {
        case opPlace:
          book.limit({ id, side, price, size })
          break
        case opImmediate:
          book.limit({ id, side, price, size, timeInForce: 'IOC' })
          break
        case opMarket:
          book.market({ side, size })
          break
        case opCancel:
          book.cancel(id)
          break
        case opMove:
          book.modify(id, { price })
          break
      }
    }
  }

  levels(asset: number, side: number): readonly Level[] {
    const [asks, bids] = this.books[asset]?.depth() ?? [[], []]
    return side === 0 ? bids : asks
  }

  sweep(asset: number, side: number, steps: number): readonly Met[] {
    const result = this.books[asset]?.market({
      side: side === 0 ? this.sides.SELL : this.sides.BUY,
      size: steps,
    })
    const met = (result?.done ?? []).map((order): Met => [Number(order.id), order.size])
    if (result?.partial) met.push([Number(result.partial.id), result.partialQuantityProcessed])
    return met
  }
}
