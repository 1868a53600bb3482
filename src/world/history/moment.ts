/**
 * A point in a world's past: after a line of its journal, at an instant no later than that of the next line. Lines
 * are what came from outside; whatever happened between them was caused by time only.
 */
export interface Moment {
  readonly sequence: number
  readonly atMillis: number
}

export function isAfter(left: Moment, right: Moment): boolean {
  return (
    left.sequence > right.sequence || (left.sequence === right.sequence && left.atMillis > right.atMillis)
  )
}

/** How many items of a sorted list are not after a moment. */
export function countUntil(list: readonly Moment[], moment: Moment): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    const candidate = list[middle]
    if (candidate !== undefined && !isAfter(candidate, moment)) low = middle + 1
    else high = middle
  }
  return low
}
