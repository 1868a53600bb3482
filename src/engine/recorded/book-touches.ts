import { bookIndexMillis, type RecordedBook } from '../../market/books/recorded-book.ts'
import { buy, none, type Side } from '../codes.ts'
import { BookReader } from './book-reader.ts'

/**
 * What a recorded book shows at any instant, without moving the venue there: from the index at tenths of a second, and
 * between them by reading the rows with a second reader, which goes on from where it last was.
 */
export class BookTouches {
  private readonly recorded: RecordedBook
  private ahead: BookReader | null = null

  constructor(recorded: RecordedBook) {
    this.recorded = recorded
  }

  /** Returns the best price of a side after all rows up to an instant, in ticks; -1 where there is none. */
  touchAt(side: Side, atMillis: number): number {
    const { index } = this.recorded
    const place = Math.min((atMillis - index.firstMillis) / bookIndexMillis, index.count - 1)
    const ticks = Number.isInteger(place)
      ? ((side === buy ? index.bidTicks : index.askTicks)[place] ?? 0)
      : this.readTouch(side, atMillis)
    return ticks === 0 ? none : ticks
  }

  /** Returns the price of the last trade up to the last tenth of a second; 0 before the first one. */
  lastTradeTicks(atMillis: number): number {
    const { index } = this.recorded
    const place = Math.min(Math.floor((atMillis - index.firstMillis) / bookIndexMillis), index.count - 1)
    return index.lastTicks[place] ?? 0
  }

  private readTouch(side: Side, atMillis: number): number {
    this.ahead ??= new BookReader(this.recorded, false)
    this.ahead.passTo(atMillis)
    const { askTicks, bidTicks } = this.ahead.book
    return side === buy ? bidTicks : askTicks
  }
}
