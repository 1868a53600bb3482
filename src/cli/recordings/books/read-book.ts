import { resolve } from 'node:path'
import type { BookChunk, BookSummary } from '../../../market/books/book-maker.ts'
import { type BookFacts, describeReading } from '../../../market/books/readers/book-facts.ts'
import { type BookFault, BookNotes } from '../../../market/books/readers/book-notes.ts'
import type { BookOptions } from '../../../market/books/readers/book-options.ts'
import { BookPreparer, PriceOffStep } from '../../../market/books/readers/book-preparer.ts'
import type { BookFileRole } from '../../../market/books/readers/book-reader.ts'
import { BookStream } from '../../../market/books/readers/book-stream.ts'
import {
  type BookStep,
  type BookUnits,
  refineStep,
  stepNumber,
  UnitFinder,
} from '../../../market/books/readers/book-units.ts'
import {
  fileOfPlace,
  lineOfPlace,
  mergeRows,
  RowQueue,
  type RowTarget,
} from '../../../market/books/readers/row-queue.ts'
import { readBeginning, readPieces, UnreadableFile } from './file-pieces.ts'

/** The files of a recorded book, in order of time. */
export interface BookFiles {
  readonly book: readonly string[]
  /** Files of trades; empty where those among the rows of the book are read; null for no trades at all. */
  readonly trades: readonly string[] | null
}

/** What came of reading a book: its summary, or its faults. The chunks went to a `ChunkSink`. */
type BookReading =
  | { readonly ok: true; readonly summary: BookSummary; readonly facts: BookFacts }
  | { readonly ok: false; readonly faults: readonly BookFault[] }

/** Receives one chunk of a book after the other, each with the places of its rows in their files. */
export type TakeChunk = (chunk: BookChunk, places: Float64Array) => void

/**
 * What receives the chunks of a book. The reading starts over when the steps that the beginning of a file shows turn
 * out too coarse.
 */
export interface ChunkSink {
  readonly take: TakeChunk
  /** Forgets all chunks so far. */
  restart(): void
}

/** The steps that a pair states; null for those that the files show. */
export interface StatedUnits {
  readonly price: BookStep | null
  readonly quantity: BookStep | null
}

/**
 * Reads the files of a book in bounded memory, one piece after the other. Steps that are not stated are those that the
 * files show. Fatal faults end the reading.
 */
export function readBook(
  files: BookFiles,
  options: BookOptions,
  units: StatedUnits,
  cwd: string,
  sink: ChunkSink,
): BookReading {
  let found = completeUnits(units, files, options, cwd)
  for (;;) {
    try {
      return readWithUnits(files, options, found, units.price !== null, cwd, sink.take)
    } catch (error) {
      if (!(error instanceof PriceOffStep)) throw error
      const price = refineStep(found.price, error.price)
      if (stepNumber(price) === stepNumber(found.price))
        return { ok: false, faults: [nameFinePrice(error, files)] }
      found = { ...found, price }
      sink.restart()
    }
  }
}

/** Returns the fault of a price that no step of eight decimals fits. */
function nameFinePrice({ filePlace, price }: PriceOffStep, { book, trades }: BookFiles): BookFault {
  const file = [...book, ...(trades ?? [])][fileOfPlace(filePlace)] ?? ''
  return {
    ...{ kind: 'unit', file, line: lineOfPlace(filePlace), field: 'price', count: 1, isFatal: true },
    message: `${price} has more than eight decimals`,
    remedy: 'state prices in a larger unit, such as those of a thousand',
  }
}

/** How many rows show the steps of a book. */
const scannedRows = 200_000

function completeUnits(
  { price, quantity }: StatedUnits,
  files: BookFiles,
  options: BookOptions,
  cwd: string,
): BookUnits {
  if (price !== null && quantity !== null) return { price, quantity }
  const shown = scanUnits(files, options, cwd)
  return { price: price ?? shown.price, quantity: quantity ?? shown.quantity }
}

function scanUnits(files: BookFiles, options: BookOptions, cwd: string): BookUnits {
  const scan = new UnitFinder()
  const reading = new FileReading(files, options, cwd, readBeginning)
  while (scan.rowCount < scannedRows && reading.readNext(scan)) {}
  reading.close()
  return scan.units
}

function readWithUnits(
  files: BookFiles,
  options: BookOptions,
  units: BookUnits,
  isGiven: boolean,
  cwd: string,
  take: TakeChunk,
): BookReading {
  const reading = new FileReading(files, options, cwd)
  const { notes } = reading
  const preparer = new BookPreparer(units, isGiven, notes, take)
  try {
    while (!notes.isBroken && reading.readNext(preparer)) {}
  } finally {
    reading.close()
  }
  if (!notes.isBroken && preparer.rowCount === 0)
    notes.addFault({
      ...{ kind: 'format', line: 0, field: '', isFatal: true },
      message: 'no row of a book is in it',
      remedy: 'name a file that holds the book of this symbol',
    })
  if (notes.isBroken) return { ok: false, faults: notes.listFaults() }
  const { clocks, counts, ...summary } = preparer.finish()
  if (notes.isBroken) return { ok: false, faults: notes.listFaults() }
  const facts = describeReading({ ...reading.describe(), notes, units, clocks, counts, summary })
  return { ok: true, summary, facts }
}

/** How long after the last row of a book trades still count, microseconds. */
const lastTradeMicros = 60_000_000

/** The files of a book and those of its trades, read side by side into rows in order. */
class FileReading {
  readonly notes = new BookNotes()
  private readonly book = new RowQueue()
  private readonly trades = new RowQueue()
  /** Trades of the book's own files, where there are trades beside them. */
  private readonly unwanted = new RowQueue()
  private readonly sources: readonly FileSource[]
  private readonly mayHaveTrades: boolean

  constructor(files: BookFiles, options: BookOptions, cwd: string, read = readPieces) {
    this.trades.shiftMicros = 1_000 * (options.shiftTrades ?? 0)
    const { book, notes, trades, unwanted } = this
    const tradeFiles = files.trades ?? []
    for (const name of [...files.book, ...tradeFiles]) notes.beginFile(name)
    const isTradedApart = files.trades === null || tradeFiles.length > 0
    this.mayHaveTrades = files.trades === null || !isTradedApart
    const shared = { book, notes, options, isTradedApart }
    const open = (role: BookFileRole, names: readonly string[], into: RowQueue): FileSource =>
      new FileSource(new BookStream(role, { ...shared, trades: into }), names, notes, cwd, read)
    this.sources = [
      open('book', files.book, isTradedApart ? unwanted : trades),
      ...(tradeFiles.length === 0 ? [] : [open('trades', tradeFiles, trades)]),
    ]
  }

  /** Reads the next piece of the file that is behind, and moves what is settled into the target. Returns false at the end. */
  readNext(target: RowTarget): boolean {
    const { book, sources, trades } = this
    const [first, second] = sources
    const next =
      first !== undefined &&
      (second === undefined || first.stream.settledMicros <= second.stream.settledMicros)
        ? first
        : second
    if (next === undefined || next.stream.isEnded) return false
    next.readNext()
    this.refuseTwiceTraded()
    const settledMicros = Math.min(...sources.map(({ stream }) => stream.settledMicros))
    const isBookEnded = first?.stream.isEnded === true && second !== undefined
    const endMicros = isBookEnded ? book.newestMicros + lastTradeMicros : Number.POSITIVE_INFINITY
    mergeRows(book, trades, Math.min(settledMicros, endMicros), target)
    if (isBookEnded) this.dropTrades(endMicros)
    return true
  }

  /** Leaves out trades that are behind the end of the book: nothing is known of the book then. */
  private dropTrades(endMicros: number): void {
    const { notes, trades } = this
    while (trades.count > 0 && (trades.atMicros[trades.head] ?? 0) > endMicros) {
      const place = trades.places[trades.head] ?? 0
      notes.beginFile(notes.files[fileOfPlace(place)] ?? '')
      notes.leaveOut('trades behind the end of the book', lineOfPlace(place))
      trades.head += 1
    }
  }

  close(): void {
    for (const source of this.sources) source.close()
  }

  describe() {
    const [bookSource, tradeSource] = this.sources
    return {
      formats: [bookSource, tradeSource].flatMap((source) =>
        source === undefined ? [] : [source.stream.format],
      ),
      lineCount: this.sources.reduce((sum, { stream }) => sum + stream.lineCount, 0),
      movedCount: this.book.movedCount + this.trades.movedCount,
      late: [this.book.late, this.trades.late],
    }
  }

  /** Refuses trades beside a book that has its own: each would count twice. */
  private refuseTwiceTraded(): void {
    const { notes, unwanted } = this
    if (unwanted.count === 0) return
    if (this.mayHaveTrades) {
      unwanted.head = unwanted.tail
      return
    }
    const place = unwanted.places[unwanted.head] ?? 0
    notes.beginFile(notes.files[fileOfPlace(place)] ?? '')
    notes.addFault({
      ...{ kind: 'trades', line: lineOfPlace(place), field: '', isFatal: true },
      message: 'is a trade, and there are trades beside the book: each would count twice',
      remedy: 'leave the trades beside it away',
    })
  }
}

/** The files of one stream, piece by piece. */
class FileSource {
  readonly stream: BookStream
  private readonly names: readonly string[]
  private readonly notes: BookNotes
  private readonly cwd: string
  private readonly read: typeof readPieces
  private file = 0
  private pieces: ReturnType<typeof readPieces> | null = null

  constructor(
    stream: BookStream,
    names: readonly string[],
    notes: BookNotes,
    cwd: string,
    read: typeof readPieces,
  ) {
    this.stream = stream
    this.names = names
    this.notes = notes
    this.cwd = cwd
    this.read = read
  }

  /** Reads the next piece, or ends a file or the stream. */
  readNext(): void {
    const { stream } = this
    try {
      const name = this.names[this.file]
      if (name === undefined) {
        stream.finish()
        return
      }
      if (this.pieces === null) {
        this.pieces = this.read(resolve(this.cwd, name))
        stream.beginFile(name)
      }
      const piece = this.pieces.next()
      if (piece.done !== true) {
        stream.readPiece(piece.value)
        return
      }
      stream.endFile(piece.value.cut)
      this.pieces = null
      this.file += 1
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      this.notes.beginFile(this.names[this.file] ?? '')
      this.notes.addFault({
        ...{
          kind: 'unreadable',
          line: 0,
          field: '',
          message: `cannot be read: ${error.message}`,
          isFatal: true,
        },
        remedy: 'name a file that can be read',
      })
      stream.finish()
    }
  }

  /** Ends the reading before its end: temporary files go. */
  close(): void {
    this.pieces?.return({ cut: null })
    this.pieces = null
  }
}
