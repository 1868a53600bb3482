import { bookRowKinds, bookRowSides } from '../recorded-book.ts'
import type { FileLine } from './book-notes.ts'
import { findSide, isPriceNumber, type ReadingTarget, SymbolFilter } from './book-reader.ts'
import {
  isMessage,
  type JsonMessage,
  listOf,
  type MessageBook,
  microsOf,
  readDecimal,
  readNumberField,
  readTextField,
} from './json-message.ts'
import { addLevelRows } from './level-lists.ts'

/**
 * The book of Bybit's messages (version 5): `orderbook` with `snapshot` and `delta`, and `publicTrade`. A snapshot replaces
 * the book. An update number of 1 is a snapshot after a restart of the service and no gap; otherwise each number follows
 * the one before. The time is `cts`, when the matching engine made the change, which goes with the times of trades.
 * Spec: Bybit version 5, public topics "orderbook" and "publicTrade".
 */
export class BybitBook implements MessageBook {
  readonly format = 'messages of Bybit: orderbook (cts, u) with snapshots and deltas, and publicTrade (T)'
  private readonly target: ReadingTarget
  private readonly symbols: SymbolFilter
  private lastUpdate = 0
  private lastMicros = 0
  private hasBook = false
  /** The first delta that no snapshot precedes. */
  private firstUnknown: FileLine | null = null
  private isBroken = false
  private brokenLine = 0

  constructor(target: ReadingTarget) {
    this.target = target
    this.symbols = new SymbolFilter(target)
  }

  recognizes(message: JsonMessage): boolean {
    return /^(orderbook|publicTrade)\./.test(readTextField(message, 'topic'))
  }

  read(message: JsonMessage, localMicros: number, line: number): boolean {
    const topic = readTextField(message, 'topic')
    if (topic.startsWith('publicTrade.')) {
      for (const trade of listOf(message, 'data'))
        if (isMessage(trade)) this.takeTrade(trade, localMicros, line)
      return true
    }
    const { data } = message
    if (!topic.startsWith('orderbook.') || !isMessage(data)) return false
    if (this.target.role === 'trades' || !this.symbols.admits(readTextField(data, 's'), line, 'data.s'))
      return true
    const made = microsOf(message, 'cts')
    const atMicros = made < 0 ? microsOf(message, 'ts') : made
    const update = readNumberField(data, 'u')
    if (atMicros < 0 || !Number.isSafeInteger(update)) {
      this.refuse(line, atMicros < 0 ? 'cts' : 'data.u', 'is no whole number')
      return true
    }
    if (localMicros >= 0) this.target.notes.addClocks(atMicros, localMicros)
    const lists = { bids: listOf(data, 'b'), asks: listOf(data, 'a') }
    if (update === 1 || readTextField(message, 'type') === 'snapshot')
      this.replace(lists, atMicros, update, line)
    else this.change(lists, atMicros, update, line)
    return true
  }

  end(): void {
    const { notes, options, role } = this.target
    if (role === 'trades') return
    if (!this.hasBook) {
      notes.addFault({
        ...{ kind: 'snapshot', field: 'type', isFatal: true },
        ...(this.firstUnknown ?? notes.fileLineOf(1)),
        message: 'no message is a snapshot, so the book before the first delta is unknown',
        remedy: 'name the file with the snapshot first: the service sends one when it is subscribed to',
      })
    } else if (this.isBroken && options.holdGaps !== true) {
      notes.addFault({
        ...{ kind: 'sequence', line: this.brokenLine, field: 'data.u', isFatal: true },
        message: 'updates are missing before this delta, and no snapshot follows',
        remedy: 'cut the file there, or keep the book as it was with holdGaps: true',
      })
    }
  }

  private refuse(line: number, field: string, message: string): void {
    this.target.notes.addUnreadable(line, field, message, this.target.options.skipBad === true)
  }

  private replace(
    lists: { bids: readonly unknown[]; asks: readonly unknown[] },
    atMicros: number,
    update: number,
    line: number,
  ): void {
    const { book, notes } = this.target
    const at = Math.max(atMicros, book.newestMicros)
    if (this.hasBook) {
      book.close()
      book.add(at, bookRowKinds.clear, bookRowSides.none, 0, 0, notes.placeOf(line))
      if (update === 1)
        notes.addFault({
          ...{ kind: 'restart', line, field: 'data.u', isFatal: false },
          message: 'is 1: the service was restarted and sends the whole book',
          remedy: 'none is needed: it is no gap',
        })
      else if (this.isBroken)
        notes.addGap({ line, fromMicros: this.lastMicros, toMicros: at, isRepaired: true })
    }
    addLevelRows(this.target, lists, { atMicros: at, kind: bookRowKinds.snapshot, line, isSnapshot: true })
    book.close()
    this.hasBook = true
    this.isBroken = false
    this.lastUpdate = update
    this.lastMicros = at
  }

  private change(
    lists: { bids: readonly unknown[]; asks: readonly unknown[] },
    atMicros: number,
    update: number,
    line: number,
  ): void {
    const { notes, options } = this.target
    if (!this.hasBook) {
      this.firstUnknown ??= notes.fileLineOf(line)
      notes.leaveOut('before the first snapshot', line)
      return
    }
    notes.comparedUpdates += 1
    if (!this.isBroken && update !== this.lastUpdate + 1) {
      const isHeld = options.holdGaps === true
      notes.addFault({
        ...{ kind: 'sequence', line, field: 'data.u', isFatal: false },
        message: `is ${update} where ${this.lastUpdate + 1} follows: updates are missing`,
        remedy: isHeld
          ? 'some levels are wrong until the next snapshot'
          : 'the deltas up to the next snapshot are left out',
      })
      if (isHeld) notes.addGap({ line, fromMicros: this.lastMicros, toMicros: atMicros, isRepaired: false })
      else {
        this.isBroken = true
        this.brokenLine = line
      }
    }
    if (this.isBroken) {
      notes.leaveOut('behind missing updates', line)
      return
    }
    addLevelRows(this.target, lists, { atMicros, kind: bookRowKinds.depth, line, isSnapshot: false })
    this.lastUpdate = update
    this.lastMicros = atMicros
  }

  private takeTrade(trade: JsonMessage, localMicros: number, line: number): void {
    const { notes, trades } = this.target
    if (!this.symbols.admits(readTextField(trade, 's'), line, 'data.s')) return
    const atMicros = microsOf(trade, 'T')
    const price = readDecimal(trade['p'])
    const quantity = readDecimal(trade['v'])
    const side = findSide(readTextField(trade, 'S'))
    if (atMicros < 0 || !isPriceNumber(price) || !(quantity > 0) || side < 0) {
      const field = atMicros < 0 ? 'T' : !isPriceNumber(price) ? 'p' : side < 0 ? 'S' : 'v'
      this.refuse(line, `data.${field}`, 'cannot be read')
      return
    }
    if (localMicros >= 0) notes.addClocks(atMicros, localMicros)
    trades.add(atMicros, bookRowKinds.trade, side, price, quantity, notes.placeOf(line))
  }
}
