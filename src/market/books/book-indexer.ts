import type { FoldedBook } from './folded-book.ts'
import { type BookIndex, bookIndexMillis } from './recorded-book.ts'

/** Writes the index of a recorded book while its rows are worked off. */
export class BookIndexer {
  private firstMillis = Number.NaN
  private count = 0
  private columns = createColumns(1024)
  private lastTicks = 0
  private tradedSteps = 0
  private tradedTickSteps = 0
  private trades = 0
  private highTicks = 0
  private lowTicks = 0

  /** Writes the entries of all instants before a row's; `book` is the book before it. */
  passTo(atMillis: number, book: FoldedBook): void {
    if (this.count === 0 && Number.isNaN(this.firstMillis))
      this.firstMillis = Math.floor(atMillis / bookIndexMillis) * bookIndexMillis
    while (this.firstMillis + this.count * bookIndexMillis < atMillis) this.write(book)
  }

  addTrade(priceTicks: number, quantitySteps: number): void {
    this.lastTicks = priceTicks
    this.tradedSteps += quantitySteps
    this.tradedTickSteps += priceTicks * quantitySteps
    this.trades += 1
    this.highTicks = Math.max(this.highTicks, priceTicks)
    this.lowTicks = this.lowTicks === 0 ? priceTicks : Math.min(this.lowTicks, priceTicks)
  }

  /** Writes the last entry and returns the index. */
  finish(book: FoldedBook): BookIndex {
    this.write(book)
    const { firstMillis, count, columns } = this
    return {
      firstMillis,
      count,
      bidTicks: columns.bidTicks.slice(0, count),
      askTicks: columns.askTicks.slice(0, count),
      lastTicks: columns.lastTicks.slice(0, count),
      tradedSteps: columns.tradedSteps.slice(0, count),
      tradedTickSteps: columns.tradedTickSteps.slice(0, count),
      trades: columns.trades.slice(0, count),
      highTicks: columns.highTicks.slice(0, count),
      lowTicks: columns.lowTicks.slice(0, count),
    }
  }

  private write({ bidTicks, askTicks }: FoldedBook): void {
    if (this.count === this.columns.bidTicks.length) this.columns = growColumns(this.columns, 2 * this.count)
    const { columns, count } = this
    columns.bidTicks[count] = bidTicks
    columns.askTicks[count] = askTicks
    columns.lastTicks[count] = this.lastTicks
    columns.tradedSteps[count] = this.tradedSteps
    columns.tradedTickSteps[count] = this.tradedTickSteps
    columns.trades[count] = this.trades
    columns.highTicks[count] = this.highTicks
    columns.lowTicks[count] = this.lowTicks
    this.highTicks = 0
    this.lowTicks = 0
    this.count += 1
  }
}

type Columns = ReturnType<typeof createColumns>

function createColumns(capacity: number) {
  return {
    bidTicks: new Int32Array(capacity),
    askTicks: new Int32Array(capacity),
    lastTicks: new Int32Array(capacity),
    tradedSteps: new Float64Array(capacity),
    tradedTickSteps: new Float64Array(capacity),
    trades: new Int32Array(capacity),
    highTicks: new Int32Array(capacity),
    lowTicks: new Int32Array(capacity),
  }
}

function growColumns(columns: Columns, capacity: number): Columns {
  const grown = createColumns(capacity)
  grown.bidTicks.set(columns.bidTicks)
  grown.askTicks.set(columns.askTicks)
  grown.lastTicks.set(columns.lastTicks)
  grown.tradedSteps.set(columns.tradedSteps)
  grown.tradedTickSteps.set(columns.tradedTickSteps)
  grown.trades.set(columns.trades)
  grown.highTicks.set(columns.highTicks)
  grown.lowTicks.set(columns.lowTicks)
  return grown
}
