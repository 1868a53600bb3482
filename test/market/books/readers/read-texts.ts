import { type BookFault, BookNotes } from '../../../../src/market/books/readers/book-notes.ts'
import type { BookOptions } from '../../../../src/market/books/readers/book-options.ts'
import type { BookFileRole } from '../../../../src/market/books/readers/book-reader.ts'
import { BookStream } from '../../../../src/market/books/readers/book-stream.ts'
import {
  type LateRows,
  lineOfPlace,
  mergeRows,
  RowQueue,
} from '../../../../src/market/books/readers/row-queue.ts'

const kindNames = ['', 'depth', 'trade', 'clear', 'snapshot']
const sideNames = ['bid', 'ask', 'none']

export interface Text {
  readonly role: BookFileRole
  readonly text: string
  readonly name?: string
}

/**
 * Reads texts as files, in pieces of a few bytes, and writes each row as `millis kind side price quantity line`. Rows are
 * taken out as soon as no other can come before them.
 */
export function readTexts(
  texts: readonly Text[],
  options: BookOptions = {},
  pieceBytes = 1_000,
): {
  readonly rows: readonly string[]
  readonly faults: readonly BookFault[]
  readonly notes: BookNotes
  readonly format: string
  readonly late: LateRows
} {
  const notes = new BookNotes()
  const [book, trades, unwanted] = [new RowQueue(), new RowQueue(), new RowQueue()]
  trades.shiftMicros = 1_000 * (options.shiftTrades ?? 0)
  const isTradedApart = texts.some(({ role }) => role === 'trades')
  const rows: string[] = []
  const target = {
    add({ atMicros, kinds, places, prices, quantities, sides }: RowQueue, place: number): void {
      const [at = 0, kind = 0, side = 0, from = 0] = [atMicros, kinds, sides, places].map(
        (column) => column[place],
      )
      rows.push(
        `${at / 1_000} ${kindNames[kind]} ${sideNames[side]} ${prices[place]} ${quantities[place]} ${lineOfPlace(from)}`,
      )
    },
  }
  const streams = (['book', 'trades'] as const).flatMap((role) =>
    texts.some((one) => one.role === role)
      ? [
          new BookStream(role, {
            ...{ book, notes, options, isTradedApart },
            trades: role === 'book' && isTradedApart ? unwanted : trades,
          }),
        ]
      : [],
  )
  for (const { name, role, text } of texts) {
    const stream = streams.find((one) => one.role === role)
    const bytes = new TextEncoder().encode(text)
    stream?.beginFile(name ?? role)
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      stream?.readPiece(bytes.subarray(from, from + pieceBytes))
      mergeRows(book, trades, Math.min(...streams.map(({ settledMicros }) => settledMicros)), target)
    }
    stream?.endFile(null)
  }
  for (const stream of streams) stream.finish()
  mergeRows(book, trades, Number.POSITIVE_INFINITY, target)
  return {
    rows,
    faults: notes.listFaults(),
    notes,
    format: streams.map(({ format }) => format).join(' + '),
    late: book.late,
  }
}

/** Writes what a fault says in the form that the tests compare: place, kind and whether it is fatal. */
export const formatFault = ({ kind, line, field, isFatal }: BookFault): string =>
  `${kind} ${line}${field === '' ? '' : ` ${field}`}${isFatal ? ' fatal' : ''}`
