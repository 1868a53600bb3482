import { clearBook } from '../../market/books/book-maker.ts'
import { FoldedBook } from '../../market/books/folded-book.ts'
import {
  type BookRows,
  bookChunkRows,
  bookIndexMillis,
  bookRowKinds,
  type RecordedBook,
} from '../../market/books/recorded-book.ts'
import { byteElement, element, integerElement } from '../../numeric/columns.ts'
import { buy, none, type Side, sell } from '../codes.ts'
import type { OrderQueue } from './order-queue.ts'

/** What the row that a reader has stopped at concerns. */
export const rowsDone = 0
export const rowIsTrade = 1
const rowIsLevel = 2

/** Says at which rows a reader is to stop. Prices are in ticks. */
export interface RowWatch {
  /** Whether trades are stopped at. */
  readonly trades: boolean
  /** The clients' best bid and ask: rows of the other side that reach them are stopped at; 0 and infinity for none. */
  readonly bidTicks: number
  readonly askTicks: number
  /** The resting orders, at changes of whose levels is stopped; null for none. */
  readonly queue: OrderQueue | null
  /** Hears of every level that is set; null if nobody has taken from any. */
  readonly ladder: LevelListener | null
}

/** Follows which levels rows set. */
interface LevelListener {
  noteSet(side: Side, ticks: number, steps: number): void
}

const { trade, clear } = bookRowKinds

/**
 * Reads a recorded book row by row and keeps the book as it is after them. What is derived from the recording is only
 * how far it has been read.
 */
export class BookReader {
  readonly recorded: RecordedBook
  readonly book: FoldedBook
  /** The number of rows worked off, which is the number of the next one. */
  row = 0
  /** The instant of the next row; infinity after the last one. */
  nextAtMillis: number
  /* The row that `read` has stopped at, and its instant. */
  atMillis = 0
  side: Side = buy
  ticks = 0
  /** The quantity that the row states, in steps; of a level also the one before. */
  steps = 0
  oldSteps = 0
  /** Whether the row has made its side's best price better. */
  isBestBetter = false
  private readonly keepsCrossed: boolean
  private chunkNumber = 0
  private rows: BookRows

  constructor(recorded: RecordedBook, keepsCrossed: boolean) {
    this.recorded = recorded
    this.keepsCrossed = keepsCrossed
    this.book = new FoldedBook(keepsCrossed)
    this.rows = recorded.chunk(0)
    this.nextAtMillis = recorded.firstMillis
  }

  /** Works off rows up to an instant until one concerns the watch, which is worked off, too. Returns what it is. */
  read(untilMillis: number, watch: RowWatch): number {
    while (this.nextAtMillis <= untilMillis) {
      const found = this.readChunk(untilMillis, watch)
      if (found !== rowsDone) return found
    }
    return rowsDone
  }

  /** Works off all rows up to an instant. */
  passTo(untilMillis: number): void {
    if (this.row === 0 && !this.keepsCrossed) this.moveTo(this.findChunk(untilMillis) * bookChunkRows)
    this.read(untilMillis, unwatched)
  }

  /** Makes the book what it is after a number of rows. */
  moveTo(row: number): void {
    // Levels out of sight are not in the whole books, so that a reader that keeps them begins at the first row.
    const lastChunk = Math.max(0, Math.ceil(this.recorded.rowCount / bookChunkRows) - 1)
    this.chunkNumber = this.keepsCrossed ? 0 : Math.min(Math.floor(row / bookChunkRows), lastChunk)
    this.rows = this.recorded.chunk(this.chunkNumber)
    this.book.load(this.recorded.levels(this.chunkNumber))
    this.row = this.chunkNumber * bookChunkRows
    this.findNext()
    while (this.row < row) this.readChunk(Number.POSITIVE_INFINITY, unwatched, row)
  }

  /** Returns the best price of a side after all rows up to an instant, by the index; -1 where there is none. */
  touchAt(side: Side, atMillis: number): number {
    const { index } = this.recorded
    const place = Math.min(Math.floor((atMillis - index.firstMillis) / bookIndexMillis), index.count - 1)
    const ticks = (side === buy ? index.bidTicks : index.askTicks)[place] ?? 0
    return ticks === 0 ? none : ticks
  }

  /** Returns the price of the last trade up to an instant, by the index; 0 before the first one. */
  lastTradeTicks(atMillis: number): number {
    const { index } = this.recorded
    const place = Math.min(Math.floor((atMillis - index.firstMillis) / bookIndexMillis), index.count - 1)
    return index.lastTicks[place] ?? 0
  }

  private readChunk(untilMillis: number, watch: RowWatch, endRow = Number.POSITIVE_INFINITY): number {
    const { book, rows } = this
    const { atMillis, kinds, priceTicks, quantitySteps, sides } = rows
    const base = this.chunkNumber * bookChunkRows
    const end = Math.min(rows.count, endRow - base)
    const { askTicks, bidTicks, ladder, queue, trades } = watch
    let place = this.row - base
    let found = rowsDone
    for (; place < end && element(atMillis, place) <= untilMillis && found === rowsDone; place += 1) {
      const kind = byteElement(kinds, place)
      const ticks = integerElement(priceTicks, place)
      const steps = element(quantitySteps, place)
      if (kind === trade) {
        if (!trades) continue
        found = rowIsTrade
        this.note(sides[place] === buy ? buy : sell, ticks, steps)
      } else if (kind === clear) clearBook(book, byteElement(sides, place), ticks)
      else if (sides[place] === buy) {
        const before = book.bidTicks
        const old = book.setLevel(buy, ticks, steps)
        ladder?.noteSet(buy, ticks, steps)
        const best = book.bidTicks
        if (best >= askTicks || queue?.mayRestAt(buy, ticks)) {
          found = rowIsLevel
          this.note(buy, ticks, steps, old, best > before)
        }
      } else {
        const before = book.askTicks
        const old = book.setLevel(sell, ticks, steps)
        ladder?.noteSet(sell, ticks, steps)
        const best = book.askTicks
        if ((best <= bidTicks && best !== 0) || queue?.mayRestAt(sell, ticks)) {
          found = rowIsLevel
          this.note(sell, ticks, steps, old, best !== 0 && (before === 0 || best < before))
        }
      }
    }
    if (found !== rowsDone) this.atMillis = element(atMillis, place - 1)
    this.row = base + place
    this.findNext()
    return found
  }

  private note(side: Side, ticks: number, steps: number, oldSteps = 0, isBestBetter = false): void {
    this.side = side
    this.ticks = ticks
    this.steps = steps
    this.oldSteps = oldSteps
    this.isBestBetter = isBestBetter
  }

  /** Finds the instant of the next row, in the next chunk if this one is at its end. */
  private findNext(): void {
    if (this.row >= this.recorded.rowCount) {
      this.nextAtMillis = Number.POSITIVE_INFINITY
      return
    }
    const number = Math.floor(this.row / bookChunkRows)
    if (number !== this.chunkNumber) {
      this.chunkNumber = number
      this.rows = this.recorded.chunk(number)
    }
    this.nextAtMillis = element(this.rows.atMillis, this.row - number * bookChunkRows)
  }

  /** Returns the last chunk that begins at or before an instant, or the first one. */
  private findChunk(atMillis: number): number {
    let low = 0
    let high = Math.ceil(this.recorded.rowCount / bookChunkRows) - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (element(this.recorded.chunk(middle).atMillis, 0) <= atMillis) low = middle
      else high = middle - 1
    }
    return low
  }
}

const unwatched: RowWatch = {
  trades: false,
  bidTicks: 0,
  askTicks: Number.POSITIVE_INFINITY,
  queue: null,
  ladder: null,
}
