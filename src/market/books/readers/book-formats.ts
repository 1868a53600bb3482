import type { BookFileReader, BookFileRole, ReadingTarget } from './book-reader.ts'
import { DatabentoLevels, isMbp10 } from './databento-files.ts'
import { MessageLines, parseMessage } from './message-lines.ts'
import { OwnRows, ownColumns } from './own-rows.ts'
import { countSnapshotLevels, TardisChanges, TardisSnapshots, tardisChanges } from './tardis-files.ts'
import { findHeaderlessTrades, findTradeColumns, TradeRows } from './trade-rows.ts'

/** A format that a file was recognized as. */
export interface BookFormat {
  /** Whether it can be read for a book, or only for trades. */
  readonly role: BookFileRole
  /** Whether the first line has names of columns and no row. */
  readonly hasHeader: boolean
  create(target: ReadingTarget): BookFileReader
}

/** Recognizes the format of a file of a book or of trades by its first line; null for other files. */
export function detectBookFormat(firstLine: string): BookFormat | null {
  const text = firstLine.replace(/^\ufeff/, '').trim()
  if (isMessageLine(text))
    return { role: 'book', hasHeader: false, create: (target) => new MessageLines(target) }
  const fields = text.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1'))
  if (fields.join() === ownColumns.join()) return withHeader('book', (target) => new OwnRows(target))
  if (tardisChanges.every((name) => fields.includes(name)))
    return withHeader('book', (target) => new TardisChanges(target, fields))
  if (countSnapshotLevels(fields) > 0 && fields.includes('timestamp'))
    return withHeader('book', (target) => new TardisSnapshots(target, fields))
  if (isMbp10(fields)) return withHeader('book', (target) => new DatabentoLevels(target, fields))
  const trades = findTradeColumns(fields)
  if (trades !== null) return withHeader('trades', (target) => new TradeRows(target, trades))
  const headerless = findHeaderlessTrades(fields)
  return headerless === null
    ? null
    : { role: 'trades', hasHeader: false, create: (target) => new TradeRows(target, headerless) }
}

const withHeader = (role: BookFileRole, create: BookFormat['create']): BookFormat => ({
  role,
  hasHeader: true,
  create,
})

/** Returns whether a line is a message of an exchange, alone or behind the time at which it was received. */
function isMessageLine(text: string): boolean {
  const parsed = parseMessage(text)
  if (parsed === null) return false
  if (parsed.localMicros >= 0) return true
  const { message } = parsed
  return ['topic', 'stream', 'lastUpdateId', 'channel'].some((name) => name in message) || isEvent(message)
}

const isEvent = (message: Readonly<Record<string, unknown>>): boolean =>
  typeof message['e'] === 'string' && 'E' in message

/** The formats that are read, in words, for whoever has a file of another one. */
export const readableFormats =
  'Tardis (incremental_book_L2, book_snapshot_5 and its like, trades), lines of JSON of Binance, Bybit and Hyperliquid, Databento MBP-10 as CSV, or rows of ts_ms,kind,side,price,quantity'
