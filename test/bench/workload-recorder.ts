import { depthChecksum, sweepChecksum } from './checksum.ts'
import type { Random } from './random.ts'
import { ReferenceBook } from './reference-book.ts'
import type { Facts, Workload } from './workload.ts'
import { opCancel, opImmediate, opMarket, opMove, opPlace } from './workload.ts'

/** Steps of the sweep that ends a run: enough to meet a few hundred makers a side. */
const sweepSteps = 200_000

/** Records commands while it plays them on reference books, so that the next command can depend on the book. */
export class WorkloadRecorder {
  private readonly random: Random
  private readonly accounts: number
  private readonly books: readonly ReferenceBook[]
  private readonly rows: number[][] = []
  private readonly ownerOf: number[] = []
  private readonly assetOf: number[] = []
  private readonly sideOf: number[] = []
  private readonly live: number[] = []
  private readonly liveAt = new Map<number, number>()
  private orders = 0
  private firstTimed = 0
  private restingAtStart = 0
  private fillsAtStart = 0
  private trading = 0
  private crossingLimits = 0

  constructor(random: Random, assets: number, accounts: number) {
    this.random = random
    this.accounts = accounts
    this.books = Array.from({ length: assets }, () => new ReferenceBook())
  }

  book(asset: number): ReferenceBook {
    const book = this.books[asset]
    if (book === undefined) throw new Error(`no asset ${asset}`)
    return book
  }

  get restingCount(): number {
    return this.live.length
  }

  get commandCount(): number {
    return this.rows.length
  }

  /** Declares that all commands so far only fill the book. */
  startTimed(): void {
    this.firstTimed = this.rows.length
    this.restingAtStart = this.live.length
    this.fillsAtStart = this.fills()
    this.trading = 0
    this.crossingLimits = 0
  }

  place(asset: number, side: number, priceTicks: number, quantitySteps: number): void {
    const order = this.newOrder(opPlace, asset, side, priceTicks, quantitySteps)
    const traded = this.book(asset).place(order, side, priceTicks, quantitySteps)
    if (traded > 0) {
      this.trading += 1
      this.crossingLimits += 1
      this.dropFilled(asset)
    }
    if (traded < quantitySteps) this.addLive(order)
  }

  immediate(asset: number, side: number, priceTicks: number, quantitySteps: number): void {
    this.newOrder(opImmediate, asset, side, priceTicks, quantitySteps)
    this.took(asset, this.book(asset).take(side, priceTicks, quantitySteps))
  }

  market(asset: number, side: number, quantitySteps: number): void {
    this.newOrder(opMarket, asset, side, 0, quantitySteps)
    const anyPrice = side === 0 ? Number.MAX_SAFE_INTEGER : 0
    this.took(asset, this.book(asset).take(side, anyPrice, quantitySteps))
  }

  cancel(order: number): void {
    const asset = this.assetOf[order] ?? 0
    this.rows.push([opCancel, order, asset, this.sideOf[order] ?? 0, this.ownerOf[order] ?? 0, 0, 0])
    this.book(asset).cancel(order)
    this.dropLive(order)
  }

  move(order: number, priceTicks: number): void {
    const asset = this.assetOf[order] ?? 0
    this.rows.push([opMove, order, asset, this.sideOf[order] ?? 0, this.ownerOf[order] ?? 0, priceTicks, 0])
    const traded = this.book(asset).move(order, priceTicks)
    if (traded > 0) {
      this.trading += 1
      this.dropFilled(asset)
    }
    if (!this.book(asset).resting.has(order)) this.dropLive(order)
  }

  /** Any order that rests. */
  anyResting(): { readonly order: number; readonly asset: number; readonly side: number } {
    const order = this.live[this.random.below(this.live.length)]
    if (order === undefined) throw new Error('no order rests')
    return { order, asset: this.assetOf[order] ?? 0, side: this.sideOf[order] ?? 0 }
  }

  finish(name: string): Workload {
    const facts = this.facts()
    const column = (at: number) => this.rows.map((row) => row[at] ?? 0)
    const expected = {
      depthChecksum: depthChecksum(this.books.length, (asset, side) => this.book(asset).levels(side)),
      sweepChecksum: sweepChecksum(this.books.length, sweepSteps, (asset, side, steps) =>
        this.book(asset).sweep(side, steps),
      ),
      sweepSteps,
    }
    return {
      name,
      assets: this.books.length,
      accounts: this.accounts,
      orders: this.orders,
      firstTimed: this.firstTimed,
      count: this.rows.length,
      op: Uint8Array.from(column(0)),
      order: Int32Array.from(column(1)),
      asset: Uint8Array.from(column(2)),
      side: Uint8Array.from(column(3)),
      account: Int32Array.from(column(4)),
      priceTicks: Int32Array.from(column(5)),
      quantitySteps: Int32Array.from(column(6)),
      expected,
      facts,
    }
  }

  private facts(): Facts {
    const timed = this.rows.slice(this.firstTimed)
    const limits = timed.filter((row) => row[0] === opPlace).length
    return {
      commands: timed.length,
      tradingShare: this.trading / timed.length,
      crossingLimitShare: limits === 0 ? 0 : this.crossingLimits / limits,
      fills: this.fills() - this.fillsAtStart,
      restingAtStart: this.restingAtStart,
      restingAtEnd: this.live.length,
      levelsAtEnd: this.books.reduce((levels, book) => levels + book.levelCount, 0),
    }
  }

  private fills(): number {
    return this.books.reduce((fills, book) => fills + book.fills, 0)
  }

  private newOrder(
    op: number,
    asset: number,
    side: number,
    priceTicks: number,
    quantitySteps: number,
  ): number {
    const order = this.orders
    const account = this.random.below(this.accounts)
    this.orders += 1
    this.ownerOf.push(account)
    this.assetOf.push(asset)
    this.sideOf.push(side)
    this.rows.push([op, order, asset, side, account, priceTicks, quantitySteps])
    return order
  }

  private took(asset: number, traded: number): void {
    if (traded === 0) return
    this.trading += 1
    this.dropFilled(asset)
  }

  /** Makers that a match has filled. */
  private dropFilled(asset: number): void {
    for (const order of this.book(asset).takeFilled()) this.dropLive(order)
  }

  private addLive(order: number): void {
    this.liveAt.set(order, this.live.length)
    this.live.push(order)
  }

  private dropLive(order: number): void {
    const at = this.liveAt.get(order)
    const last = this.live.pop()
    if (at === undefined || last === undefined) throw new Error(`order ${order} is not live`)
    this.liveAt.delete(order)
    if (last === order) return
    this.live[at] = last
    this.liveAt.set(last, at)
  }
}
