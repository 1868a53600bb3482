import { bookRowKinds, bookRowSides } from '../recorded-book.ts'
import {
  addTimeFault,
  type BookFileReader,
  findSide,
  isPriceNumber,
  isQuantity,
  type ReadingTarget,
  SymbolFilter,
} from './book-reader.ts'
import { FieldScanner, readRows } from './field-scanner.ts'

/** Where trades stand in a line of CSV; -1 for a column that there is not. */
interface TradeColumns {
  readonly time: number
  readonly local: number
  readonly price: number
  readonly quantity: number
  /** Column of the taker's side. */
  readonly side: number
  /** Column that says whether the buyer made the price, so that a seller took it. */
  readonly buyerIsMaker: number
  readonly symbol: number
  readonly fields: number
  readonly names: readonly string[]
}

const namesByRole = {
  time: ['timestamp', 'ts_ms', 'time', 'transact_time'],
  local: ['local_timestamp'],
  price: ['price'],
  quantity: ['amount', 'quantity', 'qty', 'size'],
  side: ['side'],
  buyerIsMaker: ['is_buyer_maker', 'buyer_is_maker', 'isBuyerMaker'],
  symbol: ['symbol'],
} as const

/** Finds the columns of trades in a header; null where it is none of trades with their taker's side. */
export function findTradeColumns(header: readonly string[]): TradeColumns | null {
  const find = (role: keyof typeof namesByRole): number =>
    namesByRole[role].map((name) => header.indexOf(name)).find((place) => place >= 0) ?? -1
  const columns = {
    ...{ time: find('time'), local: find('local'), price: find('price'), quantity: find('quantity') },
    ...{ side: find('side'), buyerIsMaker: find('buyerIsMaker'), symbol: find('symbol') },
    ...{ fields: header.length, names: header },
  }
  const { buyerIsMaker, price, quantity, side, time } = columns
  const isWhole = time >= 0 && price >= 0 && quantity >= 0 && (side >= 0 || buyerIsMaker >= 0)
  // Changes of levels have a side, too.
  const isBook = ['is_snapshot', 'update_type', 'kind', 'action'].some((name) => header.includes(name))
  return isWhole && !isBook ? columns : null
}

const binanceNames = ['id', 'price', 'qty', 'quote_qty', 'time', 'is_buyer_maker', 'is_best_match']

/** Returns the columns of Binance's archive of trades, whose older files have no header; null for other first lines. */
export function findHeaderlessTrades(fields: readonly string[]): TradeColumns | null {
  const isBinance =
    (fields.length === 6 || fields.length === 7) &&
    fields.slice(0, 5).every((field) => /^\d+(\.\d+)?$/.test(field)) &&
    /^(1\d{12}|1\d{15})$/.test(fields[4] ?? '') &&
    /^(true|false)$/i.test(fields[5] ?? '')
  return isBinance ? findTradeColumns(binanceNames.slice(0, fields.length)) : null
}

/**
 * Reads trades of CSV, by the names of their columns. Seconds may have decimals; the unit of other times follows from
 * the number of their digits.
 */
export class TradeRows implements BookFileReader {
  readonly format: string
  private readonly scanner = new FieldScanner()
  private readonly target: ReadingTarget
  private readonly columns: TradeColumns
  private readonly symbols: SymbolFilter
  private digits = 0
  private isLastAdmitted = false
  /** The number of first fields that most rows share in part: up to the times and the symbol. */
  private readonly head: number

  constructor(target: ReadingTarget, columns: TradeColumns) {
    const { buyerIsMaker, local, names, price, quantity, side, symbol, time } = columns
    this.head = Math.max(symbol, time, local) + 1
    this.target = target
    this.columns = columns
    this.symbols = new SymbolFilter(target)
    const told = [time, price, quantity, side < 0 ? buyerIsMaker : side].map((place) => names[place])
    this.format = `trades by ${told.join(', ')}`
  }

  readLines(bytes: Uint8Array, from: number, to: number, line: number): number {
    const { head, scanner } = this
    return readRows(scanner, bytes, from, to, line, (fields, row) => this.readRow(fields, row), head)
  }

  private readRow(fields: number, line: number): void {
    const { columns, scanner, target } = this
    const { notes, options, trades } = target
    const isSkipped = options.skipBad === true
    if (fields < columns.fields) {
      notes.addUnreadable(line, '', `has fewer than ${columns.fields} fields`, isSkipped)
      return
    }
    if (columns.symbol >= 0 && !this.isOfSymbol(columns.symbol, line)) return
    const at = this.readTime(columns.time)
    if (at < 0) {
      const field = columns.names[columns.time] ?? ''
      const found = scanner.countDigits(columns.time)
      if (isSkipped) notes.leaveOut('cannot be read', line)
      else addTimeFault(notes, { digits: this.digits, field, found, line })
      return
    }
    const price = scanner.readNumber(columns.price)
    const quantity = scanner.readNumber(columns.quantity)
    const side = this.readSide()
    if (!isPriceNumber(price) || !isQuantity(quantity) || side < 0) {
      const bad = !isPriceNumber(price) ? columns.price : side < 0 ? this.sideColumn : columns.quantity
      const found = JSON.stringify(scanner.readText(bad))
      notes.addUnreadable(line, columns.names[bad] ?? '', `${found} cannot be read`, isSkipped)
      return
    }
    const local = columns.local < 0 ? -1 : this.readTime(columns.local)
    if (local >= 0) notes.addClocks(at, local)
    if (quantity === 0) notes.leaveOut('trades of nothing', line)
    else trades.add(at, bookRowKinds.trade, side, price, quantity, notes.placeOf(line))
  }

  end(): void {}

  private isOfSymbol(symbol: number, line: number): boolean {
    const { scanner } = this
    if (this.isLastAdmitted && scanner.isRepeated(symbol)) return true
    this.isLastAdmitted = this.symbols.admits(scanner.readText(symbol), line, 'symbol')
    return this.isLastAdmitted
  }

  private get sideColumn(): number {
    return this.columns.side < 0 ? this.columns.buyerIsMaker : this.columns.side
  }

  /** Reads a time as microseconds since 1970, in the unit of the first one that was read; -1 for anything else. */
  private readTime(field: number): number {
    const { scanner } = this
    const digits = scanner.countDigits(field)
    if (digits === 0) {
      const seconds = scanner.readNumber(field)
      return seconds > 1e9 && seconds < 1e10 && (this.digits === 0 || this.digits === 10)
        ? Math.round(seconds * 1e6)
        : -1
    }
    if (this.digits === 0) this.digits = digits
    return [10, 13, 16, 19].includes(this.digits) ? scanner.readMicros(field, this.digits) : -1
  }

  private readSide(): number {
    const { columns, scanner } = this
    const word = scanner.readText(this.sideColumn)
    if (columns.side >= 0) return findSide(word)
    const isMaker = /^(true|1)$/i.test(word)
    if (isMaker) return bookRowSides.ask
    return /^(false|0)$/i.test(word) ? bookRowSides.bid : -1
  }
}
