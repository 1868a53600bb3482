import { element } from '../../numeric/columns.ts'
import { buy, sell } from '../codes.ts'
import { markTicksAt, writeMarks } from '../house/marks.ts'
import type { VenueLadder } from '../ladder/ladder.ts'
import { computeMidHalfTicks } from '../reports/top-of-book.ts'
import { type State, stateOf } from '../state.ts'

/* What the book of an idle asset (see idle-market.ts) will show later, without moving the venue there. */

/** Returns the mid at an instant not before the present, in half ticks. */
export function idleMidHalfTicks(state: State, asset: number, atMillis: number): number {
  const { startMillis, gridMillis } = state.config
  const gridIndex = Math.floor((atMillis - startMillis) / gridMillis)
  const markTicks = markTicksAt(state, asset, gridIndex, startMillis + gridIndex * gridMillis)
  return midHalfTicksAround(stateOf(state, asset).ladder, markTicks, gridIndex, atMillis)
}

/** A column of an array: `count` places, from `first` on, `step` apart. */
export interface MidColumn {
  readonly first: number
  readonly step: number
  readonly count: number
}

/**
 * Writes the mids of an idle asset into a column, in half ticks: one for each place, at instants `stepMillis` apart.
 */
export function writeIdleMids(
  state: State,
  asset: number,
  fromMillis: number,
  stepMillis: number,
  { count, first, step }: MidColumn,
  into: Float64Array,
): void {
  const { startMillis, gridMillis } = state.config
  const { ladder } = stateOf(state, asset)
  const offsetMillis = fromMillis - startMillis
  const firstIndex = Math.floor(offsetMillis / gridMillis)
  const indexStep = stepMillis / gridMillis
  if (!Number.isInteger(indexStep)) {
    for (let row = 0; row < count; row += 1)
      into[first + row * step] = idleMidHalfTicks(state, asset, fromMillis + row * stepMillis)
    return
  }
  const marks = writeMarks(state, asset, { first: firstIndex, step: indexStep, count })
  for (let row = 0; row < count; row += 1) {
    const atMillis = fromMillis + row * stepMillis
    const gridIndex = firstIndex + row * indexStep
    into[first + row * step] = midHalfTicksAround(ladder, element(marks, row), gridIndex, atMillis)
  }
}

/** Returns the mid that a ladder will show at an instant, after the refresh at a grid index, in half ticks. */
function midHalfTicksAround(
  ladder: VenueLadder,
  markTicks: number,
  gridIndex: number,
  atMillis: number,
): number {
  const bidTicks = ladder.bestTicksAfterRefresh(buy, markTicks, gridIndex, atMillis)
  const askTicks = ladder.bestTicksAfterRefresh(sell, markTicks, gridIndex, atMillis)
  return computeMidHalfTicks(markTicks, bidTicks, askTicks)
}
