import { bookRowSides } from '../recorded-book.ts'
import type { BookNotes } from './book-notes.ts'
import type { BookOptions } from './book-options.ts'
import type { RowQueue } from './row-queue.ts'

/** What a file is read for: a book, which may bring its trades along, or trades beside a book. */
export type BookFileRole = 'book' | 'trades'

/** Where a reader puts what it reads. */
export interface ReadingTarget {
  readonly book: RowQueue
  readonly trades: RowQueue
  readonly notes: BookNotes
  readonly options: BookOptions
  readonly role: BookFileRole
  /** Whether the trades of the book come from other files. */
  readonly isTradedApart: boolean
}

/** A reader of the files of one book in one format, line by line. It is kept from one file to the next one. */
export interface BookFileReader {
  /** What is read, by which columns or messages, in words. */
  readonly format: string
  /**
   * Reads whole lines of bytes. `to` is behind the last line end, or behind a last line without one. `line` is the number
   * of the first line in the file, from 1. Returns how many lines there were.
   */
  readLines(bytes: Uint8Array, from: number, to: number, line: number): number
  /** Ends the last file: says what the files lack. */
  end(): void
}

/** A symbol of a file, held against the one that is wanted, or against the first one. */
export class SymbolFilter {
  private readonly wanted: string | undefined
  private first: string | null = null
  private readonly notes: BookNotes

  constructor({ notes, options }: Pick<ReadingTarget, 'notes' | 'options'>) {
    this.notes = notes
    this.wanted = options.symbol
  }

  /** Returns whether lines of a symbol are read. A second symbol is a fault, unless one was named. */
  admits(symbol: string, line: number, field: string): boolean {
    if (this.wanted !== undefined) {
      if (symbol === this.wanted) return true
      this.notes.leaveOut('of other symbols', line)
      return false
    }
    this.first ??= symbol
    if (symbol === this.first) return true
    this.notes.addFault({
      ...{ kind: 'symbols', line, field, isFatal: true },
      message: `the file holds ${this.first} and ${symbol}`,
      remedy: `say which one to read with symbol: ${this.first}`,
    })
    return false
  }
}

const sidesByWord: ReadonlyMap<string, number> = new Map([
  ...['buy', 'Buy', 'BUY', 'bid', 'b', 'B'].map((word) => [word, bookRowSides.bid] as const),
  ...['sell', 'Sell', 'SELL', 'ask', 's', 'a', 'S', 'A'].map((word) => [word, bookRowSides.ask] as const),
  ...['unknown', 'none', '', 'N'].map((word) => [word, bookRowSides.none] as const),
])

/** Returns the side that a word names, a value of `bookRowSides`; -1 for other words. */
export const findSide = (word: string): number => sidesByWord.get(word) ?? -1

export const isPriceNumber = (price: number): boolean => price > 0 && price < Number.POSITIVE_INFINITY

/** Returns whether a number is a quantity; NaN is none. */
export const isQuantity = (quantity: number): boolean => quantity >= 0 && quantity < Number.POSITIVE_INFINITY

const unitsByDigits: ReadonlyMap<number, string> = new Map([
  [10, 'seconds'],
  [13, 'milliseconds'],
  [16, 'microseconds'],
  [19, 'nanoseconds'],
])

/** Notes a time of another unit than the format has, or a text that is no time. */
export function addTimeFault(
  notes: BookNotes,
  {
    digits,
    field,
    found,
    line,
  }: { readonly digits: number; readonly field: string; readonly found: number; readonly line: number },
): void {
  const expected = unitsByDigits.get(digits) ?? ''
  const unit = unitsByDigits.get(found)
  const isUnit = unit !== undefined && found !== digits
  notes.addFault({
    ...{ kind: isUnit ? 'unit' : 'unreadable', line, field, isFatal: true },
    message: isUnit
      ? `the time has ${found} digits, so it is in ${unit}; this format has ${expected}`
      : `is no time in ${expected}`,
    remedy: isUnit
      ? `write the times in ${expected}, or bring the file in the form that its source gives`
      : 'mend the line, or leave such lines out with skipBad: true',
  })
}
