import { integerElement } from '../../../numeric/columns.ts'
import { bookRowKinds, bookRowSides } from '../recorded-book.ts'
import type { FileLine } from './book-notes.ts'
import {
  addTimeFault,
  type BookFileReader,
  isPriceNumber,
  isQuantity,
  type ReadingTarget,
  SymbolFilter,
} from './book-reader.ts'
import { FieldScanner, readRows } from './field-scanner.ts'
import { SnapshotChanges } from './snapshot-changes.ts'

/*
 * Files of Tardis: `incremental_book_L2` and `book_snapshot_N`. Their times are microseconds. Columns are found by
 * their names.
 */

export const tardisChanges = [
  'timestamp',
  'local_timestamp',
  'is_snapshot',
  'side',
  'price',
  'amount',
] as const

/** What both kinds of files have in front: symbol, and both times. */
class TardisLine {
  atMicros = 0
  readonly scanner = new FieldScanner()
  private readonly target: ReadingTarget
  private readonly symbols: SymbolFilter
  private readonly symbol: number
  private readonly time: number
  private readonly local: number
  private lastSymbol = new Uint8Array(0)
  private isLastAdmitted = false
  private hasCounted = false
  /** The number of first fields that rows of one message share: up to the times and the symbol. */
  readonly head: number

  constructor(target: ReadingTarget, header: readonly string[]) {
    this.target = target
    this.symbols = new SymbolFilter(target)
    this.symbol = header.indexOf('symbol')
    this.time = header.indexOf('timestamp')
    this.local = header.indexOf('local_timestamp')
    this.head = Math.max(this.symbol, this.time, this.local) + 1
  }

  /** Reads the times of a line. Returns whether the line counts. */
  read(fields: number, line: number, expected: number): boolean {
    const isKnown = this.hasCounted && this.scanner.isHeadRepeated && fields >= expected
    this.hasCounted = isKnown || this.readHead(fields, line, expected)
    return this.hasCounted
  }

  private readHead(fields: number, line: number, expected: number): boolean {
    const { scanner, target, time } = this
    const { notes, options } = target
    const isSkipped = options.skipBad === true
    if (fields < expected) {
      notes.addUnreadable(line, '', `has fewer than ${expected} fields`, isSkipped)
      return false
    }
    if (this.symbol >= 0 && !this.isOfSymbol(line)) return false
    const at = scanner.readMicros(time, 16)
    if (at < 0) {
      if (isSkipped) notes.leaveOut('cannot be read', line)
      else addTimeFault(notes, { digits: 16, field: 'timestamp', found: scanner.countDigits(time), line })
      return false
    }
    // Rows of one message share their times.
    if (at !== this.atMicros && this.local >= 0) {
      const local = scanner.readMicros(this.local, 16)
      if (local >= 0) notes.addClocks(at, local)
    }
    this.atMicros = at
    return true
  }

  private isOfSymbol(line: number): boolean {
    const { scanner, symbol } = this
    if (this.isLastAdmitted && scanner.isRepeated(symbol)) return true
    if (!scanner.holds(symbol, this.lastSymbol)) {
      this.lastSymbol = Uint8Array.from(scanner.copyBytes(symbol))
      this.isLastAdmitted = this.symbols.admits(scanner.readText(symbol), line, 'symbol')
    } else if (!this.isLastAdmitted) this.symbols.admits(scanner.readText(symbol), line, 'symbol')
    return this.isLastAdmitted
  }
}

/**
 * Reads `incremental_book_L2`: each row is the new quantity of a level, 0 for one that is gone. The rows of a snapshot
 * after updates replace the book; rows before the first snapshot change an unknown book and are left out.
 */
export class TardisChanges implements BookFileReader {
  readonly format = 'Tardis incremental_book_L2: changes of levels, timestamp in microseconds'
  private readonly target: ReadingTarget
  private readonly line: TardisLine
  private readonly columns: Readonly<Record<'snapshot' | 'side' | 'price' | 'amount', number>>
  private readonly fields: number
  private hasSnapshot = false
  private isInSnapshot = false
  /** The first change that no snapshot precedes. */
  private firstUnknown: FileLine | null = null

  constructor(target: ReadingTarget, header: readonly string[]) {
    const place = (name: string): number => header.indexOf(name)
    this.target = target
    this.line = new TardisLine(target, header)
    this.fields = header.length
    this.columns = {
      ...{ snapshot: place('is_snapshot'), side: place('side') },
      ...{ price: place('price'), amount: place('amount') },
    }
  }

  readLines(bytes: Uint8Array, from: number, to: number, line: number): number {
    const { head, scanner } = this.line
    return readRows(scanner, bytes, from, to, line, (fields, row) => this.readRow(fields, row), head)
  }

  private readRow(fields: number, line: number): void {
    if (!this.line.read(fields, line, this.fields)) return
    const { columns, target } = this
    const { scanner } = this.line
    const { book, notes, options } = target
    const first = scanner.firstByte(columns.side)
    const side = first === 98 ? bookRowSides.bid : first === 97 ? bookRowSides.ask : -1
    const price = scanner.readNumber(columns.price)
    const quantity = scanner.readNumber(columns.amount)
    if (side < 0 || !isPriceNumber(price) || !isQuantity(quantity)) {
      const field = side < 0 ? 'side' : isPriceNumber(price) ? 'amount' : 'price'
      const found = JSON.stringify(scanner.readText(columns[field]))
      notes.addUnreadable(line, field, `${found} is no ${field}`, options.skipBad === true)
      return
    }
    const isSnapshot = scanner.firstByte(columns.snapshot) === 116
    if (!isSnapshot && !this.hasSnapshot) {
      this.firstUnknown ??= notes.fileLineOf(line)
      notes.leaveOut('before the first snapshot', line)
      return
    }
    const place = notes.placeOf(line)
    if (!isSnapshot) {
      this.isInSnapshot = false
      book.add(this.line.atMicros, bookRowKinds.depth, side, price, quantity, place)
      return
    }
    if (!this.isInSnapshot) book.close()
    const at = Math.max(this.line.atMicros, book.newestMicros)
    if (!this.isInSnapshot && this.hasSnapshot)
      book.add(at, bookRowKinds.clear, bookRowSides.none, 0, 0, place)
    this.isInSnapshot = true
    this.hasSnapshot = true
    if (quantity > 0) book.add(at, bookRowKinds.snapshot, side, price, quantity, place)
    book.close()
  }

  end(): void {
    if (this.hasSnapshot) return
    const { notes } = this.target
    notes.addFault({
      ...{ kind: 'snapshot', field: 'is_snapshot', isFatal: true },
      ...(this.firstUnknown ?? notes.fileLineOf(1)),
      message: 'no row is of a snapshot, so the book before the first change is unknown',
      remedy:
        'take a file from the start of a day (00:00 UTC), which begins with a snapshot, or name it first',
    })
  }
}

/** Returns how many levels of a side the header of `book_snapshot_N` names; 0 for other headers. */
export function countSnapshotLevels(header: readonly string[]): number {
  let levels = 0
  while (levelNames(levels).every((name) => header.includes(name))) levels += 1
  return levels
}

const levelNames = (level: number): readonly string[] => [
  `asks[${level}].price`,
  `asks[${level}].amount`,
  `bids[${level}].price`,
  `bids[${level}].amount`,
]

/** Reads `book_snapshot_5`, `book_snapshot_25` and their like: each row shows the best levels of both sides. */
export class TardisSnapshots implements BookFileReader {
  readonly format: string
  private readonly target: ReadingTarget
  private readonly line: TardisLine
  private readonly changes: SnapshotChanges
  private readonly levels: number
  private readonly places: Int32Array
  private readonly header: readonly string[]

  constructor(target: ReadingTarget, header: readonly string[]) {
    this.target = target
    this.header = header
    this.line = new TardisLine(target, header)
    this.levels = countSnapshotLevels(header)
    this.format = `Tardis book_snapshot_${this.levels}: the best ${this.levels} levels of each side, timestamp in microseconds`
    this.changes = new SnapshotChanges(target.book, this.levels)
    const names = Array.from({ length: this.levels }, (_, level) => levelNames(level)).flat()
    this.places = Int32Array.from(names, (name) => header.indexOf(name))
  }

  readLines(bytes: Uint8Array, from: number, to: number, line: number): number {
    const { head, scanner } = this.line
    return readRows(scanner, bytes, from, to, line, (fields, row) => this.readRow(fields, row), head)
  }

  private readRow(fields: number, line: number): void {
    if (!this.line.read(fields, line, this.header.length)) return
    this.changes.begin()
    const bad = this.readSide(bookRowSides.bid, 2) ?? this.readSide(bookRowSides.ask, 0)
    const { notes, options } = this.target
    if (bad === null) this.changes.finish(this.line.atMicros, notes.placeOf(line))
    else {
      const found = JSON.stringify(this.line.scanner.readText(bad))
      notes.addUnreadable(line, this.header[bad] ?? '', `${found} is no number`, options.skipBad === true)
    }
  }

  end(): void {}

  /** Reads the levels of a side; returns the place of a field that cannot be read, or null. */
  private readSide(side: number, offset: number): number | null {
    const { scanner } = this.line
    for (let level = 0; level < this.levels; level += 1) {
      const price = integerElement(this.places, 4 * level + offset)
      const amount = integerElement(this.places, 4 * level + offset + 1)
      // Shallow books leave the last levels empty.
      if (scanner.isEmpty(price)) break
      const value = scanner.readNumber(price)
      if (!isPriceNumber(value)) return price
      const quantity = scanner.readNumber(amount)
      if (!isQuantity(quantity)) return amount
      this.changes.addLevel(side, value, quantity)
    }
    return null
  }
}
