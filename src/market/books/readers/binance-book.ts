import { bookRowKinds, bookRowSides } from '../recorded-book.ts'
import type { FileLine } from './book-notes.ts'
import { isPriceNumber, type ReadingTarget, SymbolFilter } from './book-reader.ts'
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
import { addLevelRows, type LevelLists } from './level-lists.ts'

/** Changes of a book between two of its updates. */
interface Change extends LevelLists {
  readonly line: number
  readonly atMicros: number
  readonly first: number
  readonly last: number
  /** The last update of the change before it, which only messages of futures state; NaN for spot. */
  readonly previous: number
}

interface Snapshot extends LevelLists {
  readonly line: number
  readonly lastUpdateId: number
  /** When the exchange made it, which only messages of futures state; -1 for spot. */
  readonly atMicros: number
}

/** The most changes that wait for a snapshot; it mostly comes within a second. */
const maximumWaiting = 20_000

/**
 * The book of Binance's messages: `depthUpdate` behind one snapshot, and `trade`. Spot and futures have different rules
 * of sequence. Of spot, changes up to the snapshot's `lastUpdateId` are dropped, the next one must hold the update behind
 * it, and then each begins right after the one before. Of futures, changes before `lastUpdateId` are dropped, the next
 * one must hold it, and then each names the last update of the one before in `pu`.
 * Spec: Binance, "How to manage a local order book correctly", of spot and of USD-M futures.
 */
export class BinanceBook implements MessageBook {
  private readonly target: ReadingTarget
  private readonly symbols: SymbolFilter
  private waiting: Change[] = []
  private droppedWaiting = 0
  /** The snapshot that no change has reached yet. */
  private snapshot: Snapshot | null = null
  /** The last change that the exchange has sent; null before the first one. */
  private newest: Change | null = null
  /** The last change that is in the book; null as long as there is no book. */
  private applied: Change | null = null
  private hasBook = false
  private isFutures = false
  private brokenAt: Change | null = null
  /** Where the first change and the newest snapshot stand. */
  private firstChange: FileLine | null = null
  private snapshotLine: FileLine | null = null

  constructor(target: ReadingTarget) {
    this.target = target
    this.symbols = new SymbolFilter(target)
  }

  get format(): string {
    const kind = this.isFutures ? 'futures' : 'spot'
    return `messages of Binance ${kind}: depthUpdate (${this.isFutures ? 'T, pu' : 'E, U to u'}) behind a snapshot, and trade (T)`
  }

  recognizes(message: JsonMessage): boolean {
    if (Number.isSafeInteger(message['lastUpdateId'])) return true
    const data = findData(message)
    return (
      ['depthUpdate', 'trade', 'aggTrade', 'bookTicker'].includes(readTextField(data, 'e')) ||
      isBookTicker(data)
    )
  }

  read(message: JsonMessage, localMicros: number, line: number): boolean {
    if (Number.isSafeInteger(message['lastUpdateId'])) {
      this.takeSnapshot({
        line,
        lastUpdateId: readNumberField(message, 'lastUpdateId'),
        atMicros: Math.max(microsOf(message, 'T'), microsOf(message, 'E')),
        bids: listOf(message, 'bids'),
        asks: listOf(message, 'asks'),
      })
      return true
    }
    const data = findData(message)
    const event = readTextField(data, 'e')
    if (event !== 'depthUpdate' && event !== 'trade') return false
    if (!this.symbols.admits(readTextField(data, 's'), line, 's')) return true
    const atMicros = Math.max(microsOf(data, 'T'), event === 'trade' ? -1 : microsOf(data, 'E'))
    const exchange = event === 'trade' || !('T' in data) ? atMicros : microsOf(data, 'T')
    if (exchange < 0) {
      this.refuse(line, 'T' in data ? 'T' : 'E', 'is no time in milliseconds')
      return true
    }
    if (localMicros >= 0) this.target.notes.addClocks(exchange, localMicros)
    if (event === 'trade') this.takeTrade(data, exchange, line)
    else if (this.target.role === 'book') this.takeChange(data, exchange, line)
    return true
  }

  end(): void {
    const { notes, options, role } = this.target
    if (role === 'trades') return
    const { brokenAt, newest } = this
    if (brokenAt !== null && this.applied === null && options.holdGaps !== true) {
      notes.addFault({
        ...{ kind: 'sequence', line: brokenAt.line, field: this.isFutures ? 'pu' : 'U', isFatal: true },
        message: 'updates are missing before this change, and no snapshot follows',
        remedy: 'cut the file there, or keep the book as it was with holdGaps: true',
      })
    } else if (!this.hasBook && newest !== null) {
      notes.addFault({
        ...{ kind: 'snapshot', field: 'lastUpdateId', isFatal: true },
        ...(this.snapshotLine ?? this.firstChange ?? notes.fileLineOf(1)),
        message:
          this.snapshotLine === null
            ? 'there are changes of a book and no snapshot that they change'
            : 'no change goes on from the snapshot',
        remedy: 'name the file with the snapshot first: it stands in the first file of a recording',
      })
    }
  }

  private refuse(line: number, field: string, message: string): void {
    this.target.notes.addUnreadable(line, field, message, this.target.options.skipBad === true)
  }

  private takeTrade(data: JsonMessage, atMicros: number, line: number): void {
    const { notes, trades } = this.target
    const origin = readTextField(data, 'X')
    if (origin !== '' && origin !== 'MARKET') {
      notes.leaveOut(`trades of origin ${origin}`, line)
      return
    }
    const price = readDecimal(data['p'])
    const quantity = readDecimal(data['q'])
    if (!isPriceNumber(price) || !(quantity > 0) || typeof data['m'] !== 'boolean') {
      this.refuse(line, isPriceNumber(price) ? (quantity > 0 ? 'm' : 'q') : 'p', 'cannot be read')
      return
    }
    const taker = data['m'] ? bookRowSides.ask : bookRowSides.bid
    trades.add(atMicros, bookRowKinds.trade, taker, price, quantity, notes.placeOf(line))
  }

  private takeChange(data: JsonMessage, atMicros: number, line: number): void {
    const change: Change = {
      ...{ line, atMicros, first: readNumberField(data, 'U'), last: readNumberField(data, 'u') },
      previous: readNumberField(data, 'pu'),
      ...{ bids: listOf(data, 'b'), asks: listOf(data, 'a') },
    }
    if (!Number.isSafeInteger(change.first) || !Number.isSafeInteger(change.last)) {
      this.refuse(line, 'U', 'is no number of an update')
      return
    }
    this.firstChange ??= this.target.notes.fileLineOf(line)
    this.isFutures = Number.isSafeInteger(change.previous)
    if (this.applied !== null && !this.follows(this.applied, change)) this.breakSequence(this.applied, change)
    if (this.applied === null) this.wait(change)
    else this.apply(change)
    this.newest = change
  }

  private follows(before: Change, change: Change): boolean {
    this.target.notes.comparedUpdates += 1
    return this.isFutures ? change.previous === before.last : change.first === before.last + 1
  }

  private breakSequence(before: Change, change: Change): void {
    const { notes, options } = this.target
    const expected = this.isFutures ? before.last : before.last + 1
    const found = this.isFutures ? change.previous : change.first
    const isHeld = options.holdGaps === true
    notes.addFault({
      ...{ kind: 'sequence', line: change.line, field: this.isFutures ? 'pu' : 'U', isFatal: false },
      message: `is ${found} where ${expected} follows: updates are missing`,
      remedy: isHeld
        ? 'some levels are wrong until the next snapshot'
        : 'the changes up to the next snapshot are left out',
    })
    if (isHeld) {
      const toMicros = change.atMicros
      notes.addGap({ line: change.line, fromMicros: before.atMicros, toMicros, isRepaired: false })
      return
    }
    this.brokenAt = change
    this.waiting = []
    this.snapshot = null
    this.newest = before
    this.applied = null
  }

  private wait(change: Change): void {
    this.waiting.push(change)
    if (this.waiting.length > maximumWaiting) {
      this.waiting.shift()
      this.droppedWaiting += 1
    }
    if (this.snapshot !== null) this.startFrom(this.snapshot)
  }

  private takeSnapshot(snapshot: Snapshot): void {
    const { notes, role } = this.target
    if (role === 'trades') return
    if (this.applied !== null) {
      notes.leaveOut('of snapshots that an unbroken sequence does not need', snapshot.line)
      return
    }
    this.snapshot = snapshot
    this.snapshotLine = notes.fileLineOf(snapshot.line)
    this.startFrom(snapshot)
  }

  /** Begins the book with a snapshot once the changes reach it. */
  private startFrom(snapshot: Snapshot): void {
    const { lastUpdateId } = snapshot
    const { notes } = this.target
    const next = this.waiting.findIndex(({ last }) =>
      this.isFutures ? last >= lastUpdateId : last > lastUpdateId,
    )
    if (next < 0) return
    const dropped = this.waiting.slice(0, next)
    const change = this.waiting[next]
    if (change === undefined) return
    const limit = this.isFutures ? lastUpdateId : lastUpdateId + 1
    if (change.first > limit) {
      notes.addFault({
        ...{ kind: 'sequence', line: snapshot.line, field: 'lastUpdateId', isFatal: false },
        message: `is ${lastUpdateId}, and the next change begins with ${change.first}: updates between them are missing`,
        remedy: 'the changes up to the next snapshot are left out',
      })
      this.snapshot = null
      return
    }
    this.begin(snapshot, dropped.at(-1) ?? null, change)
    for (const one of this.waiting.splice(0).slice(next)) {
      if (this.applied !== null && one !== change && !this.follows(this.applied, one)) {
        this.breakSequence(this.applied, one)
        this.waiting.push(one)
      } else if (this.applied === null && one !== change) this.waiting.push(one)
      else this.apply(one)
    }
  }

  /** Puts the snapshot into the book, at the time of the last change that it holds. */
  private begin(snapshot: Snapshot, before: Change | null, next: Change): void {
    const { book, notes } = this.target
    const { line } = snapshot
    const stated = snapshot.atMicros >= 0 ? snapshot.atMicros : (before?.atMicros ?? next.atMicros)
    const atMicros = Math.max(stated, book.newestMicros)
    if (this.droppedWaiting > 0) notes.leaveOut('of changes before the snapshot', line, this.droppedWaiting)
    if (this.hasBook) {
      book.close()
      const place = notes.placeOf(line)
      book.add(atMicros, bookRowKinds.clear, bookRowSides.none, 0, 0, place)
      if (this.brokenAt !== null)
        notes.addGap({ line, fromMicros: book.newestMicros, toMicros: atMicros, isRepaired: true })
    }
    addLevelRows(this.target, snapshot, { atMicros, kind: bookRowKinds.snapshot, line, isSnapshot: true })
    book.close()
    this.hasBook = true
    this.brokenAt = null
    this.snapshot = null
    this.droppedWaiting = 0
  }

  private apply(change: Change): void {
    const { atMicros, line } = change
    addLevelRows(this.target, change, { atMicros, kind: bookRowKinds.depth, line, isSnapshot: false })
    this.applied = change
  }
}

function findData(message: JsonMessage): JsonMessage {
  const { data } = message
  return isMessage(data) ? data : message
}

/** Returns whether a message is a spot ticker of the best prices, which has neither kind nor time. */
const isBookTicker = (data: JsonMessage): boolean =>
  ['u', 's', 'b', 'B', 'a', 'A'].every((name) => name in data)
