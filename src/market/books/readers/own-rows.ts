import { bookRowKinds, bookRowSides } from '../recorded-book.ts'
import {
  addTimeFault,
  type BookFileReader,
  findSide,
  isPriceNumber,
  isQuantity,
  type ReadingTarget,
} from './book-reader.ts'
import { FieldScanner, readRows } from './field-scanner.ts'

const kindsByWord: ReadonlyMap<string, number> = new Map(Object.entries(bookRowKinds))

/** The columns of our own rows: the plainest form in which a book with its trades can be written. */
export const ownColumns = ['ts_ms', 'kind', 'side', 'price', 'quantity'] as const

/**
 * Reads our own rows, `ts_ms,kind,side,price,quantity`: milliseconds since 1970; `depth`, `snapshot`, `trade` or `clear`;
 * `buy` or `sell`, of a trade the taker's. Their order is final: within an instant a row comes after those before it.
 */
export class OwnRows implements BookFileReader {
  readonly format = 'rows of ts_ms, kind, side, price and quantity, in their order'
  private readonly scanner = new FieldScanner()
  private readonly target: ReadingTarget
  private newestMicros = 0
  /** Whether a snapshot has come, or the changes are known to begin without one. */
  private isBegun = false

  constructor(target: ReadingTarget) {
    this.target = target
  }

  readLines(bytes: Uint8Array, from: number, to: number, line: number): number {
    return readRows(this.scanner, bytes, from, to, line, (fields, row) => this.readRow(fields, row))
  }

  private readRow(fields: number, line: number): void {
    const { scanner, target } = this
    const { notes, options, role } = target
    const isSkipped = options.skipBad === true
    if (fields !== ownColumns.length) {
      notes.addUnreadable(line, '', `has not ${ownColumns.length} fields`, isSkipped)
      return
    }
    const atMicros = scanner.readMicros(0, 13)
    if (atMicros < 0) {
      if (isSkipped) notes.leaveOut('cannot be read', line)
      else addTimeFault(notes, { digits: 13, field: 'ts_ms', found: scanner.countDigits(0), line })
      return
    }
    const kind = kindsByWord.get(scanner.readText(1)) ?? 0
    const side = findSide(scanner.readText(2))
    const isClear = kind === bookRowKinds.clear
    const price = isClear && scanner.isEmpty(3) ? 0 : scanner.readNumber(3)
    const quantity = isClear && scanner.isEmpty(4) ? 0 : scanner.readNumber(4)
    const wrong = findWrongField(kind, side, price, quantity)
    if (wrong !== null) {
      notes.addUnreadable(
        line,
        wrong,
        `${JSON.stringify(scanner.readText(ownColumns.indexOf(wrong)))} is no ${wrong}`,
        isSkipped,
      )
      return
    }
    if (atMicros < this.newestMicros && options.sort !== true) {
      notes.addFault({
        ...{ kind: 'order', line, field: 'ts_ms', isFatal: true },
        message: `is ${(this.newestMicros - atMicros) / 1_000} ms before the row above it`,
        remedy: 'sort the file by time, or let it be sorted within five seconds with sort: true',
      })
      return
    }
    this.newestMicros = Math.max(this.newestMicros, atMicros)
    if (!this.isBegun && role !== 'trades') this.begin(kind, line)
    const isTrade = kind === bookRowKinds.trade
    const isApart = role === 'trades' || (isTrade && target.isTradedApart)
    if (role === 'trades' && !isTrade) notes.leaveOut('not trades', line)
    else
      (isApart ? target.trades : target.book).add(atMicros, kind, side, price, quantity, notes.placeOf(line))
  }

  end(): void {}

  /** Looks whether the levels begin with a snapshot, or with a book that is said to be empty. */
  private begin(kind: number, line: number): void {
    if (kind === bookRowKinds.trade) return
    this.isBegun = true
    if (kind !== bookRowKinds.depth) return
    this.target.notes.addFault({
      ...{ kind: 'snapshot', line, field: 'kind', isFatal: false },
      message: 'is a change, and no snapshot was before it: what already stood in the book is not known',
      remedy: 'begin the file with rows of the kind snapshot, or of clear where the book was empty',
    })
  }
}

function findWrongField(
  kind: number,
  side: number,
  price: number,
  quantity: number,
): (typeof ownColumns)[number] | null {
  if (kind === 0) return 'kind'
  const isClear = kind === bookRowKinds.clear
  const needsSide = kind === bookRowKinds.depth || kind === bookRowKinds.snapshot
  if (side < 0 || (needsSide && side === bookRowSides.none)) return 'side'
  if (!(isPriceNumber(price) || (isClear && price === 0))) return 'price'
  if (!isQuantity(quantity) || (kind === bookRowKinds.trade && quantity === 0)) return 'quantity'
  return null
}
