import { bookRowKinds, bookRowSides } from '../recorded-book.ts'
import { isPriceNumber, isQuantity, type ReadingTarget, SymbolFilter } from './book-reader.ts'
import {
  isMessage,
  type JsonMessage,
  listOf,
  type MessageBook,
  microsOf,
  readDecimal,
  readTextField,
} from './json-message.ts'
import { SnapshotChanges } from './snapshot-changes.ts'

/** The most levels of a side that `l2Book` shows. */
const maximumLevels = 20

/** The book of Hyperliquid's messages: `l2Book`, each with the best levels of both sides, and `trades`. */
export class HyperliquidBook implements MessageBook {
  readonly format =
    'messages of Hyperliquid: l2Book (time), the best 20 levels of each side, and trades (time)'
  private readonly target: ReadingTarget
  private readonly symbols: SymbolFilter
  private readonly changes: SnapshotChanges
  /** The latest time of a book, microseconds; -1 before the first one. */
  private newestMicros = -1

  constructor(target: ReadingTarget) {
    this.target = target
    this.symbols = new SymbolFilter(target)
    this.changes = new SnapshotChanges(target.book, maximumLevels)
  }

  recognizes(message: JsonMessage): boolean {
    return ['l2Book', 'trades'].includes(readTextField(message, 'channel')) && 'data' in message
  }

  read(message: JsonMessage, localMicros: number, line: number): boolean {
    const channel = readTextField(message, 'channel')
    const { data } = message
    if (channel === 'trades') {
      for (const trade of listOf(message, 'data')) if (isMessage(trade)) this.takeTrade(trade, line)
      return true
    }
    if (channel !== 'l2Book' || !isMessage(data)) return false
    const { notes, role } = this.target
    if (role === 'trades' || !this.symbols.admits(readTextField(data, 'coin'), line, 'data.coin')) return true
    const atMicros = microsOf(data, 'time')
    if (atMicros < 0) {
      this.refuse(line, 'data.time', 'is no time in milliseconds')
      return true
    }
    if (localMicros >= 0) notes.addClocks(atMicros, localMicros)
    if (atMicros < this.newestMicros) notes.leaveOut('older than the book before', line)
    else this.takeBook(data, atMicros, line)
    return true
  }

  end(): void {}

  private refuse(line: number, field: string, message: string): void {
    this.target.notes.addUnreadable(line, field, message, this.target.options.skipBad === true)
  }

  private takeBook(data: JsonMessage, atMicros: number, line: number): void {
    const { changes } = this
    changes.begin()
    const sides = [bookRowSides.bid, bookRowSides.ask]
    for (const [place, levels] of listOf(data, 'levels').entries()) {
      for (const level of Array.isArray(levels) ? levels : []) {
        const price = isMessage(level) ? readDecimal(level['px']) : Number.NaN
        const quantity = isMessage(level) ? readDecimal(level['sz']) : Number.NaN
        if (!isPriceNumber(price) || !isQuantity(quantity)) {
          this.refuse(line, 'data.levels', `${JSON.stringify(level)} is no price with a quantity`)
          return
        }
        changes.addLevel(sides[place] ?? bookRowSides.bid, price, quantity)
      }
    }
    this.newestMicros = atMicros
    changes.finish(atMicros, this.target.notes.placeOf(line))
  }

  private takeTrade(trade: JsonMessage, line: number): void {
    const { notes, trades } = this.target
    if (!this.symbols.admits(readTextField(trade, 'coin'), line, 'data.coin')) return
    const atMicros = microsOf(trade, 'time')
    const price = readDecimal(trade['px'])
    const quantity = readDecimal(trade['sz'])
    const side = readTextField(trade, 'side')
    if (atMicros < 0 || !isPriceNumber(price) || !(quantity > 0) || (side !== 'A' && side !== 'B')) {
      this.refuse(line, 'data', `${JSON.stringify(trade)} cannot be read`)
      return
    }
    // A subscription begins with trades from before it, which no book of the file has seen.
    if (atMicros < this.newestMicros - 1_000_000) notes.leaveOut('trades from before the recording', line)
    else
      trades.add(
        atMicros,
        bookRowKinds.trade,
        side === 'B' ? bookRowSides.bid : bookRowSides.ask,
        price,
        quantity,
        notes.placeOf(line),
      )
  }
}
