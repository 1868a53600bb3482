import { buy, type Side } from '../../engine/codes.ts'
import { type State, stateOf } from '../../engine/state.ts'

export interface Level {
  readonly ticks: number
  readonly steps: number
}

/** The best levels of a side, clients and the venue's ladder together, one entry a price. */
export function depthOf(state: State, asset: number, side: Side, levels: number): readonly Level[] {
  const { book, ladder } = stateOf(state, asset)
  const clients: Level[] = []
  const house: Level[] = []
  book.visitLevels(side, (ticks, steps) => {
    clients.push({ ticks, steps })
    return clients.length < levels
  })
  ladder.visit(side, (ticks, steps) => {
    house.push({ ticks, steps })
    return house.length < levels
  })
  return merged(clients, house, side, levels)
}

function merged(
  left: readonly Level[],
  right: readonly Level[],
  side: Side,
  levels: number,
): readonly Level[] {
  const worst = side === buy ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  const both: Level[] = []
  let atLeft = 0
  let atRight = 0
  while (both.length < levels && (atLeft < left.length || atRight < right.length)) {
    const first = left[atLeft] ?? { ticks: worst, steps: 0 }
    const second = right[atRight] ?? { ticks: worst, steps: 0 }
    const ticks = side === buy ? Math.max(first.ticks, second.ticks) : Math.min(first.ticks, second.ticks)
    const fromLeft = first.ticks === ticks
    const fromRight = second.ticks === ticks
    both.push({ ticks, steps: (fromLeft ? first.steps : 0) + (fromRight ? second.steps : 0) })
    if (fromLeft) atLeft += 1
    if (fromRight) atRight += 1
  }
  return both
}
