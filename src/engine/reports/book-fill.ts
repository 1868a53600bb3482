import type { BookRowPlace } from '../../market/books/recorded-book.ts'
import { bookChunkRows, bookRowKinds } from '../../market/books/recorded-book.ts'
import type { QueueLawName } from '../../market/liquidity/liquidity.ts'
import { byteElement, element, integerElement } from '../../numeric/columns.ts'
import { buy, type Side, sell } from '../codes.ts'
import { causeCrossing, causeThrough, causeTurn } from '../orders/fill-cause.ts'
import { type State, stateOf } from '../state.ts'

const causeNames: ReadonlyMap<number, BookFill['cause']> = new Map([
  [causeTurn, 'turn'],
  [causeThrough, 'through'],
  [causeCrossing, 'crossing'],
] as const)

/**
 * Why a recorded book filled a client's resting order: `turn` where a trade at its price came to it, `through` where a
 * trade went through its price, `crossing` where the other side of the book came to it. What stood ahead of the order is
 * the sum of what trades took and of what left without one, because nothing stands ahead of an order that is filled.
 */
export interface BookFill {
  readonly cause: 'turn' | 'through' | 'crossing'
  readonly law: QueueLawName
  /** Whether the order is filled whole where it is crossed or traded through, whatever the record shows. */
  readonly isWhole: boolean
  readonly joinedBehindSteps: number
  readonly takenByTradesSteps: number
  readonly leftByLawSteps: number
  /** The number of the recording's row after which the order was filled, counted from 0, and what it says. */
  readonly row: number
  readonly rowAtMillis: number
  readonly isTrade: boolean
  /** The side of the level that the row sets; of a trade that of its taker. */
  readonly rowSide: Side
  readonly rowTicks: number
  readonly rowSteps: number
  /** Where the row stands in the files of the recording; null where that is not known. */
  readonly place: BookRowPlace | null
}

/** Returns why a recorded book made a fill (a row of the fill table); null for every other fill. */
export function findBookFill(state: State, fill: number): BookFill | null {
  const { fills } = state
  if (fill < 0 || fill >= fills.count) return null
  const cause = causeNames.get(fills.cause.get(fill))
  const { recorded } = stateOf(state, fills.asset.get(fill))
  if (cause === undefined || recorded === null) return null
  const row = fills.bookRow.get(fill)
  const book = recorded.rows.recorded
  const rows = book.chunk(Math.floor(row / bookChunkRows))
  const at = row % bookChunkRows
  return {
    cause,
    law: recorded.law,
    isWhole: recorded.fillsWhole,
    joinedBehindSteps: fills.joinedBehindSteps.get(fill),
    takenByTradesSteps: fills.takenByTradesSteps.get(fill),
    leftByLawSteps: fills.leftByLawSteps.get(fill),
    row,
    rowAtMillis: element(rows.atMillis, at),
    isTrade: byteElement(rows.kinds, at) === bookRowKinds.trade,
    rowSide: byteElement(rows.sides, at) === buy ? buy : sell,
    rowTicks: integerElement(rows.priceTicks, at),
    rowSteps: element(rows.quantitySteps, at),
    place: book.place(row),
  }
}
