import { bookRowSides } from '../recorded-book.ts'
import { isPriceNumber, isQuantity, type ReadingTarget } from './book-reader.ts'
import { readDecimal } from './json-message.ts'

/** The levels of a message: pairs of price and quantity, of both sides. */
export interface LevelLists {
  readonly bids: readonly unknown[]
  readonly asks: readonly unknown[]
}

/**
 * Adds the rows of a message's levels to a book, bids first. Levels that cannot be read are faults. Levels without
 * quantity are left out of snapshots.
 */
export function addLevelRows(
  { book, notes, options }: Pick<ReadingTarget, 'book' | 'notes' | 'options'>,
  { asks, bids }: LevelLists,
  row: {
    readonly atMicros: number
    readonly kind: number
    readonly line: number
    readonly isSnapshot: boolean
  },
): void {
  const place = notes.placeOf(row.line)
  const addSide = (levels: readonly unknown[], side: number, field: string): void => {
    for (const level of levels) {
      const [price, quantity] = Array.isArray(level) ? level.map(readDecimal) : []
      if (price === undefined || quantity === undefined || !isPriceNumber(price) || !isQuantity(quantity)) {
        const found = JSON.stringify(level)
        notes.addUnreadable(row.line, field, `${found} is no price with a quantity`, options.skipBad === true)
      } else if (quantity > 0 || !row.isSnapshot)
        book.add(row.atMicros, row.kind, side, price, quantity, place)
    }
  }
  addSide(bids, bookRowSides.bid, 'bids')
  addSide(asks, bookRowSides.ask, 'asks')
}
