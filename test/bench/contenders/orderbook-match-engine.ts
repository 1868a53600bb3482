import type { Level, Met } from '../checksum.ts'
import type { Workload } from '../workload.ts'
import { opCancel, opImmediate, opMarket, opMove, opPlace } from '../workload.ts'
import type { Contender, Session } from './contender.ts'
import { requireBookPeers } from './contender.ts'

/** What this uses of the package; prices and quantities are ticks and steps here. */
interface Package {
  readonly Orderbook: new (options: { readonly limit: number }) => Book
  readonly TRADE_SIDE: Sides
}

interface Sides {
  readonly BID: number
  readonly ASK: number
}

interface Book {
  add(
    order: number,
    side: number,
    price: number,
    quantity: number | string,
  ): {
    readonly order: { readonly leaveQuantity: { isPos(): boolean } }
    readonly trades: readonly {
      readonly makerOrderId: number
      readonly tradeQuantity: { getValue(): number | undefined }
    }[]
  }
  cancel(order: number): { readonly leaveQuantity: { toString(): string } }
  getBids(): readonly BookLevel[]
  getAsks(): readonly BookLevel[]
}

interface BookLevel {
  readonly price: string
  readonly quantity: string
}

/**
 * npm orderbook-match-engine: its synchronous book, which is the fastest way to use it (the Engine around it awaits
 * every call). It has limit orders only, so a market order is a limit order at any price, what is left of an immediate
 * one is cancelled, and a move is a cancel and a new order with the same id.
 */
export const orderbookMatchEngine: Contender = {
  name: 'orderbook-match-engine',
  open: (workload) => new OrderbookMatchEngineSession(workload, requireBookPeers()('orderbook-match-engine')),
}

class OrderbookMatchEngineSession implements Session {
  private readonly workload: Workload
  private readonly sides: Sides
  private readonly books: readonly Book[]

  constructor(workload: Workload, { Orderbook, TRADE_SIDE }: Package) {
    this.workload = workload
    this.sides = TRADE_SIDE
    const options = { limit: Number.MAX_SAFE_INTEGER }
    this.books = Array.from({ length: workload.assets }, () => new Orderbook(options))
  }

  play(from: number, to: number): void {
    const { workload, books, sides } = this
    for (let at = from; at < to; at += 1) {
      const book = books[workload.asset[at] ?? 0]
      if (book === undefined) throw new Error('a command names no book')
      const order = workload.order[at] ?? 0
      const side = workload.side[at] === 0 ? sides.BID : sides.ASK
      const price = workload.priceTicks[at] ?? 0
      const quantity = workload.quantitySteps[at] ?? 0
      switch (workload.op[at]) {
        case opPlace:
          book.add(order, side, price, quantity)
          break
        case opImmediate:
          if (book.add(order, side, price, quantity).order.leaveQuantity.isPos()) book.cancel(order)
          break
        case opMarket:
          if (book.add(order, side, anyPrice(side, sides), quantity).order.leaveQuantity.isPos())
            book.cancel(order)
          break
        case opCancel:
          book.cancel(order)
          break
        case opMove:
          book.add(order, side, price, book.cancel(order).leaveQuantity.toString())
          break
      }
    }
  }

  levels(asset: number, side: number): readonly Level[] {
    const book = this.books[asset]
    const levels = side === 0 ? book?.getBids() : book?.getAsks()
    return (levels ?? []).map(({ price, quantity }): Level => [Number(price), Number(quantity)])
  }

  sweep(asset: number, side: number, steps: number): readonly Met[] {
    const takerSide = side === 0 ? this.sides.ASK : this.sides.BID
    const taker = -1
    const result = this.books[asset]?.add(taker, takerSide, anyPrice(takerSide, this.sides), steps)
    if (result?.order.leaveQuantity.isPos()) this.books[asset]?.cancel(taker)
    return (result?.trades ?? []).map(
      (trade): Met => [trade.makerOrderId, trade.tradeQuantity.getValue() ?? 0],
    )
  }
}

function anyPrice(side: number, { BID }: Sides): number {
  return side === BID ? Number.MAX_SAFE_INTEGER : 1
}
