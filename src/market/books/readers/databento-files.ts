import { integerElement } from '../../../numeric/columns.ts'
import { bookRowKinds, bookRowSides } from '../recorded-book.ts'
import {
  addTimeFault,
  type BookFileReader,
  isPriceNumber,
  isQuantity,
  type ReadingTarget,
  SymbolFilter,
} from './book-reader.ts'
import { FieldScanner, parseIsoMicros, readRows } from './field-scanner.ts'
import { SnapshotChanges } from './snapshot-changes.ts'

const levels = 10
/** The bit that ends a message: only then the levels are as the exchange shows them. */
const lastFlag = 128
/** Prices of fixed point are billionths; this one means none. */
const priceUnit = 1e9
const noPrice = Number('9223372036854775807')

const pad2 = (level: number): string => String(level).padStart(2, '0')

const levelColumns = Array.from({ length: levels }, (_, level) =>
  ['bid_px', 'bid_sz', 'ask_px', 'ask_sz'].map((name) => `${name}_${pad2(level)}`),
).flat()

const headColumns = ['ts_event', 'action', 'side', 'price', 'size', 'flags'] as const

/** Returns whether a header is that of Databento's MBP-10. */
export const isMbp10 = (header: readonly string[]): boolean =>
  [...headColumns, ...levelColumns].every((name) => header.includes(name))

/**
 * Reads Databento's MBP-10 as CSV: the best ten levels after each change, and the trades between them. Prices are
 * billionths without a decimal point, or decimals; times nanoseconds or ISO. A row counts when it ends its message.
 */
export class DatabentoLevels implements BookFileReader {
  readonly format = 'Databento MBP-10: the best 10 levels of each side and trades, ts_event in nanoseconds'
  private readonly scanner = new FieldScanner()
  private readonly target: ReadingTarget
  private readonly header: readonly string[]
  private readonly changes: SnapshotChanges
  private readonly symbols: SymbolFilter
  private readonly head: readonly number[]
  private readonly symbol: number
  private readonly received: number
  private readonly places: Int32Array

  constructor(target: ReadingTarget, header: readonly string[]) {
    this.target = target
    this.header = header
    this.changes = new SnapshotChanges(target.book, levels)
    this.symbols = new SymbolFilter(target)
    this.head = headColumns.map((name) => header.indexOf(name))
    const named = header.indexOf('symbol')
    this.symbol = named < 0 ? header.indexOf('instrument_id') : named
    this.received = header.indexOf('ts_recv')
    this.places = Int32Array.from(levelColumns, (name) => header.indexOf(name))
  }

  readLines(bytes: Uint8Array, from: number, to: number, line: number): number {
    return readRows(this.scanner, bytes, from, to, line, (fields, row) => this.readRow(fields, row))
  }

  private readRow(fields: number, line: number): void {
    const { header, scanner, target } = this
    const { notes, options } = target
    const isSkipped = options.skipBad === true
    if (fields < header.length) {
      notes.addUnreadable(line, '', `has fewer than ${header.length} fields`, isSkipped)
      return
    }
    const name = header[this.symbol] ?? ''
    if (this.symbol >= 0 && !this.symbols.admits(scanner.readText(this.symbol), line, name)) return
    const [time = 0, action = 0, , , , flags = 0] = this.head
    const at = this.readTime(time)
    if (at < 0) {
      if (isSkipped) notes.leaveOut('cannot be read', line)
      else addTimeFault(notes, { digits: 19, field: 'ts_event', found: scanner.countDigits(time), line })
      return
    }
    const received = this.received < 0 ? -1 : this.readTime(this.received)
    if (received >= 0) notes.addClocks(at, received)
    const word = scanner.readText(action)
    if (word === 'T') this.addTrade(at, line)
    const bits = scanner.readNumber(flags)
    if (!(bits >= 0)) notes.addUnreadable(line, 'flags', 'is no number', isSkipped)
    else if (Math.floor(bits / lastFlag) % 2 === 1) this.addLevels(at, line)
  }

  end(): void {}

  private addTrade(at: number, line: number): void {
    const { scanner, target } = this
    const [, , side = 0, price = 0, size = 0] = this.head
    const value = this.readPrice(price)
    const quantity = scanner.readNumber(size)
    if (!isPriceNumber(value) || !(quantity > 0)) {
      const isSkipped = target.options.skipBad === true
      target.notes.addUnreadable(
        line,
        isPriceNumber(value) ? 'size' : 'price',
        'is no number above 0',
        isSkipped,
      )
      return
    }
    const word = scanner.readText(side)
    const taker = word === 'B' ? bookRowSides.bid : word === 'A' ? bookRowSides.ask : bookRowSides.none
    target.trades.add(at, bookRowKinds.trade, taker, value, quantity, target.notes.placeOf(line))
  }

  private addLevels(at: number, line: number): void {
    const { changes, header, places, scanner, target } = this
    changes.begin()
    for (let place = 0; place < places.length; place += 2) {
      const column = integerElement(places, place)
      const price = scanner.isEmpty(column) ? noPrice : this.readPrice(column)
      if (price === noPrice) continue
      const quantity = scanner.readNumber(integerElement(places, place + 1))
      if (!isPriceNumber(price) || !isQuantity(quantity)) {
        const bad = isPriceNumber(price) ? integerElement(places, place + 1) : column
        target.notes.addUnreadable(line, header[bad] ?? '', 'is no number', target.options.skipBad === true)
        return
      }
      changes.addLevel(place % 4 === 0 ? bookRowSides.bid : bookRowSides.ask, price, quantity)
    }
    changes.finish(at, target.notes.placeOf(line))
  }

  /** Reads a price; `noPrice` where the level does not exist. */
  private readPrice(field: number): number {
    const { scanner } = this
    if (scanner.countDigits(field) === 0) return scanner.readNumber(field)
    const value = scanner.readNumber(field)
    return value === noPrice ? noPrice : value / priceUnit
  }

  private readTime(field: number): number {
    const { scanner } = this
    return scanner.countDigits(field) > 0
      ? scanner.readMicros(field, 19)
      : parseIsoMicros(scanner.readText(field))
  }
}
