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
  return search(0, list.length, (place) => {
    const candidate = list[place]
    return candidate !== undefined && !isAfter(candidate, moment)
  })
}

/** The first place from `from` on at which the condition, which holds for the earlier ones, does not hold. */
export function search(from: number, to: number, holds: (place: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle + 1
    else high = middle
  }
  return low
}
