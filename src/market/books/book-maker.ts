import { assert } from '../../numeric/assert.ts'
import { BookIndexer } from './book-indexer.ts'
import { FoldedBook } from './folded-book.ts'
import {
  type BookGap,
  type BookIndex,
  type BookLevels,
  type BookRows,
  bookChunkRows,
  bookRowKinds,
  bookRowSides,
  shortestBookGapMillis,
} from './recorded-book.ts'

const { trade, clear } = bookRowKinds
const { bid, ask, none } = bookRowSides

/** A chunk of a recorded book, with the whole book before its first row. */
export interface BookChunk {
  readonly number: number
  readonly rows: BookRows
  readonly levels: BookLevels
}

/** What a recorded book has besides its chunks. */
export interface BookSummary {
  readonly rowCount: number
  readonly firstMillis: number
  readonly lastMillis: number
  readonly index: BookIndex
  readonly gaps: readonly BookGap[]
}

/**
 * Makes the chunks, the index and the gaps of a recorded book from its rows, given one after the other. `takeChunk` gets
 * each chunk as soon as it is full, with arrays of its own; the last one at `finish`. Memory is that of one chunk, the
 * book and the index, however long the recording is.
 */
export class BookMaker {
  private readonly takeChunk: (chunk: BookChunk) => void
  /** The book after the rows so far. */
  readonly book = new FoldedBook()
  private readonly indexer = new BookIndexer()
  private readonly gaps: BookGap[] = []
  private chunk = createChunk(0, this.book)
  private rowCount = 0
  private firstMillis = 0
  private lastMillis = 0

  constructor(takeChunk: (chunk: BookChunk) => void) {
    this.takeChunk = takeChunk
  }

  /**
   * Adds a row. Rows come in order of time, and those of one instant in the order in which they are to be worked off:
   * a trade before the change of the book that holds it.
   */
  add(atMillis: number, kind: number, side: number, priceTicks: number, quantitySteps: number): void {
    assert(
      Number.isSafeInteger(atMillis) && atMillis >= this.lastMillis,
      'rows of a book are in order of time',
    )
    assert(
      priceTicks === (priceTicks | 0) && priceTicks >= (kind === clear ? 0 : 1),
      'a price is a count of ticks',
    )
    assert(quantitySteps >= 0 && quantitySteps < Number.POSITIVE_INFINITY, 'a quantity is not negative')
    if (this.rowCount === 0) this.firstMillis = atMillis
    else if (atMillis - this.lastMillis >= shortestBookGapMillis)
      this.gaps.push({ fromMillis: this.lastMillis, toMillis: atMillis })
    this.indexer.passTo(atMillis, this.book)
    this.lastMillis = atMillis
    const { rows } = this.chunk
    const row = this.chunk.count
    rows.atMillis[row] = atMillis
    rows.kinds[row] = kind
    rows.sides[row] = side
    rows.priceTicks[row] = priceTicks
    rows.quantitySteps[row] = quantitySteps
    this.chunk.count += 1
    this.rowCount += 1
    if (kind === trade) this.indexer.addTrade(priceTicks, quantitySteps)
    else if (kind === clear) clearBook(this.book, side, priceTicks)
    else this.book.setLevel(side === bid ? bid : ask, priceTicks, quantitySteps)
    if (this.chunk.count < bookChunkRows) return
    this.endChunk()
    this.chunk = createChunk(this.chunk.number + 1, this.book)
  }

  /** Ends the last chunk. There must have been a row. */
  finish(): BookSummary {
    assert(this.rowCount > 0, 'a recorded book has rows')
    if (this.chunk.count > 0) this.endChunk()
    const { rowCount, firstMillis, lastMillis, gaps } = this
    return { rowCount, firstMillis, lastMillis, index: this.indexer.finish(this.book), gaps }
  }

  private endChunk(): void {
    const { number, rows, levels, count } = this.chunk
    this.takeChunk({ number, rows: { count, ...rows }, levels })
  }
}

/** Applies a row that clears levels: both sides when `side` is `none`, else one side as far as `priceTicks`. */
export function clearBook(book: FoldedBook, side: number, priceTicks: number): void {
  if (side === none) book.clearBoth()
  else book.clear(side === bid ? bid : ask, priceTicks)
}

function createChunk(number: number, book: FoldedBook) {
  const rows = {
    atMillis: new Float64Array(bookChunkRows),
    kinds: new Uint8Array(bookChunkRows),
    sides: new Uint8Array(bookChunkRows),
    priceTicks: new Int32Array(bookChunkRows),
    quantitySteps: new Float64Array(bookChunkRows),
  }
  return { number, rows, levels: book.capture(), count: 0 }
}
