import { element } from './columns.ts'

/** As below, of values in any order, which are then in another one. */
export function quantileOfAny(values: Float64Array, share: number): number {
  const place = (values.length - 1) * share
  const below = Math.floor(place)
  select(values, below)
  const low = element(values, below)
  let high = below + 1 < values.length ? Number.POSITIVE_INFINITY : low
  for (let later = below + 1; later < values.length; later += 1) high = Math.min(high, element(values, later))
  return low + (high - low) * (place - below)
}

/** Hoare's selection: nothing before a place is then above the value there, and nothing after it below. */
function select(values: Float64Array, place: number): void {
  let first = 0
  let last = values.length - 1
  while (first < last) {
    const pivot = element(values, place)
    let left = first
    let right = last
    while (left <= right) {
      while (element(values, left) < pivot) left += 1
      while (element(values, right) > pivot) right -= 1
      if (left > right) break
      const swapped = element(values, left)
      values[left] = element(values, right)
      values[right] = swapped
      left += 1
      right -= 1
    }
    if (right < place) first = left
    if (left > place) last = right
  }
}

/**
 * The quantile of ascending values, linear between neighbours (type 7, as in R and NumPy); NaN when there are none.
 * `share` is 0 for the lowest value and 1 for the highest.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const low = sorted[below] ?? Number.NaN
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? low
  return low + (high - low) * (place - below)
}
