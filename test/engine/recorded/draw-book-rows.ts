import type { BookRow } from '../../../src/market/books/make-recorded-book.ts'
import { bookRowKinds, bookRowSides } from '../../../src/market/books/recorded-book.ts'
import { createStream } from '../../../src/numeric/random.ts'

const { clear, depth, trade } = bookRowKinds
const { ask, bid, none } = bookRowSides

interface BookShape {
  readonly startMillis: number
  readonly count: number
  /** The longest time between two rows. */
  readonly longestMillis?: number
  readonly clears?: boolean
  readonly levelsPerSide?: number
  readonly rowsPerTrade?: number
  /** After how many rows the price may move by a tick. */
  readonly rowsPerMove?: number
}

/**
 * Draws the rows of a book around a price that wanders: changes of levels, trades and, where they are asked for, now and
 * then a clear. Without other numbers six levels a side change, and every sixth row is a trade.
 */
export function drawBookRows(
  seed: string,
  { clears = false, count, longestMillis = 8, startMillis, ...shape }: BookShape,
): readonly BookRow[] {
  const { levelsPerSide = 6, rowsPerMove = 20, rowsPerTrade = 6 } = shape
  const stream = createStream(seed, 'book-rows', 'COIN', 0)
  const draw = (below: number): number => Math.floor(stream.uniform() * below)
  let atMillis = startMillis
  let middle = 10_000
  return Array.from({ length: count }, () => {
    atMillis += draw(longestMillis + 1)
    middle += draw(rowsPerMove) === 0 ? draw(3) - 1 : 0
    const side = draw(2) === 0 ? bid : ask
    if (clears && draw(200) === 0)
      return { atMillis, kind: clear, side: draw(2) === 0 ? none : side, priceTicks: 0, quantitySteps: 0 }
    if (draw(rowsPerTrade) === 0)
      return {
        ...{ atMillis, kind: trade, side },
        priceTicks: middle + (side === bid ? 1 : -1),
        quantitySteps: draw(20) / 2,
      }
    const priceTicks = middle + (side === bid ? -1 - draw(levelsPerSide) : 1 + draw(levelsPerSide))
    return { atMillis, kind: depth, side, priceTicks, quantitySteps: draw(4) === 0 ? 0 : draw(30) }
  })
}
