import { clearBook } from '../../market/books/book-maker.ts'
import { FoldedBook } from '../../market/books/folded-book.ts'
import {
  type BookRows,
  bookChunkRows,
  bookRowKinds,
  type RecordedBook,
} from '../../market/books/recorded-book.ts'
import { bisectPlaces, byteElement, element, integerElement } from '../../numeric/columns.ts'
import { buy, type Side, sell } from '../codes.ts'
import type { OrderQueue } from './order-queue.ts'

/** What the row that a reader has stopped at concerns. */
export const rowsDone = 0
export const rowIsTrade = 1
const rowIsLevel = 2

/** Says at which rows a reader is to stop. Prices are in ticks. */
export interface RowWatch {
  /** Whether trades are stopped at. */
  readonly trades: boolean
  /** The clients' best bid: the reader stops at a row whose asks reach it; 0 for none. */
  readonly bidTicks: number
  /** The clients' best ask: the reader stops at a row whose bids reach it; infinity for none. */
  readonly askTicks: number
  /** The resting orders: the reader stops at a row that changes one of their levels; null for none. */
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
 *
 * Where nobody watches levels, only trades are looked at, and the book is made when it is next asked for: from the
 * whole book at the start of the chunk, where that is nearer. So idle hours cost little more than their trades.
 */
export class BookReader {
  readonly recorded: RecordedBook
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
  private readonly folded: FoldedBook
  /** The number of rows that the book holds. */
  private foldedRow = 0
  private readonly firstMillis = new Map<number, number>()
  private chunkNumber = 0
  private rows: BookRows

  constructor(recorded: RecordedBook, keepsCrossed: boolean) {
    this.recorded = recorded
    this.keepsCrossed = keepsCrossed
    this.folded = new FoldedBook(keepsCrossed)
    this.rows = recorded.chunk(0)
    this.nextAtMillis = recorded.firstMillis
  }

  /** The book after the rows worked off. */
  get book(): FoldedBook {
    if (this.foldedRow !== this.row) this.fold()
    return this.folded
  }

  /**
   * Works off rows up to an instant, or up to and including the first one that concerns the watch. Returns the kind of
   * that one, or `rowsDone`.
   */
  read(untilMillis: number, watch: RowWatch): number {
    // Levels out of sight are not in the whole books, so that a reader that keeps them cannot begin at one.
    const seesLevels = this.keepsCrossed || watchesLevels(watch)
    while (this.nextAtMillis <= untilMillis) {
      const found = seesLevels
        ? this.readChunk(untilMillis, watch)
        : this.readTrades(untilMillis, watch.trades)
      if (found !== rowsDone) return found
    }
    return rowsDone
  }

  /** Moves to the place behind all rows up to an instant, which may lie before the present place. */
  passTo(untilMillis: number): void {
    if (this.keepsCrossed) {
      this.read(untilMillis, unwatched)
      return
    }
    const { atMillis, count } = this.rows
    const isHere = element(atMillis, 0) <= untilMillis && untilMillis < element(atMillis, count - 1)
    if (!isHere) this.openChunk(this.findChunk(untilMillis))
    this.row = this.chunkNumber * bookChunkRows + this.countUntil(0, untilMillis)
    this.findNext()
  }

  /** Moves to the place behind a number of rows. */
  moveTo(row: number): void {
    if (this.keepsCrossed) {
      this.openChunk(0)
      this.folded.load(this.recorded.levels(0))
      this.row = 0
      this.foldedRow = 0
      this.findNext()
      while (this.row < row) this.readChunk(Number.POSITIVE_INFINITY, unwatched, row)
      return
    }
    const lastChunk = Math.max(0, Math.ceil(this.recorded.rowCount / bookChunkRows) - 1)
    this.openChunk(Math.min(Math.floor(row / bookChunkRows), lastChunk))
    this.row = row
    this.findNext()
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
    this.foldedRow = this.row
    this.findNext()
    return found
  }

  /** Passes over rows of this chunk up to an instant, or to the first trade. */
  private readTrades(untilMillis: number, trades: boolean): number {
    const { atMillis, kinds, priceTicks, quantitySteps, sides } = this.rows
    const base = this.chunkNumber * bookChunkRows
    const from = this.row - base
    const place = trades ? kinds.indexOf(trade, from) : -1
    const isFound = place !== -1 && element(atMillis, place) <= untilMillis
    if (isFound) {
      this.note(
        sides[place] === buy ? buy : sell,
        integerElement(priceTicks, place),
        element(quantitySteps, place),
      )
      this.atMillis = element(atMillis, place)
    }
    this.row = base + (isFound ? place + 1 : this.countUntil(from, untilMillis))
    this.findNext()
    return isFound ? rowIsTrade : rowsDone
  }

  /** Makes the book what it is after the rows worked off. */
  private fold(): void {
    const { chunkNumber, folded, recorded, row } = this
    const { kinds, priceTicks, quantitySteps, sides } = this.rows
    const base = chunkNumber * bookChunkRows
    if (this.foldedRow < base || this.foldedRow > row) {
      folded.load(recorded.levels(chunkNumber))
      this.foldedRow = base
    }
    for (let place = this.foldedRow - base; place < row - base; place += 1) {
      const kind = byteElement(kinds, place)
      const ticks = integerElement(priceTicks, place)
      if (kind === trade) continue
      if (kind === clear) clearBook(folded, byteElement(sides, place), ticks)
      else folded.setLevel(sides[place] === buy ? buy : sell, ticks, element(quantitySteps, place))
    }
    this.foldedRow = row
  }

  /** Counts the rows of this chunk up to an instant; all before `from` are. */
  private countUntil(from: number, untilMillis: number): number {
    const { atMillis, count } = this.rows
    if (element(atMillis, count - 1) <= untilMillis) return count
    return from + bisectPlaces(count - from, (place) => element(atMillis, from + place) > untilMillis)
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
    this.openChunk(number)
    this.nextAtMillis = element(this.rows.atMillis, this.row - number * bookChunkRows)
  }

  private openChunk(number: number): void {
    if (number === this.chunkNumber) return
    this.chunkNumber = number
    this.rows = this.recorded.chunk(number)
  }

  /** Returns the instant of a chunk's first row, which is remembered: chunks may come from a file. */
  private findFirstMillis(number: number): number {
    const known = this.firstMillis.get(number) ?? element(this.recorded.chunk(number).atMillis, 0)
    this.firstMillis.set(number, known)
    return known
  }

  /** Returns the last chunk that begins at or before an instant, or the first one. */
  private findChunk(atMillis: number): number {
    let low = 0
    let high = Math.ceil(this.recorded.rowCount / bookChunkRows) - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.findFirstMillis(middle) <= atMillis) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Returns whether a watch has to hear of levels, or of prices that their sides come to. */
function watchesLevels({ askTicks, bidTicks, ladder, queue }: RowWatch): boolean {
  return queue !== null || ladder !== null || bidTicks !== 0 || askTicks !== Number.POSITIVE_INFINITY
}

const unwatched: RowWatch = {
  trades: false,
  bidTicks: 0,
  askTicks: Number.POSITIVE_INFINITY,
  queue: null,
  ladder: null,
}
