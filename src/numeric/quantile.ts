import { element } from './columns.ts'

/**
 * Computes a quantile of unordered values by selection, linear between neighbours (type 7, as in R and NumPy). It reorders
 * the values. `share` is 0 for the lowest value and 1 for the highest. There must be at least one value.
 */
export function selectQuantile(values: Float64Array, share: number): number {
  const place = (values.length - 1) * share
  const below = Math.floor(place)
  partition(values, below)
  const low = element(values, below)
  let high = below + 1 < values.length ? Number.POSITIVE_INFINITY : low
  for (let later = below + 1; later < values.length; later += 1) high = Math.min(high, element(values, later))
  return low + (high - low) * (place - below)
}

/**
 * Computes the mean of the lowest `share` of unordered values, the value on the boundary weighted by its part (the expected
 * shortfall of Acerbi and Tasche, 2002). It reorders the values. There must be at least one value, and `share` is above 0.
 */
export function selectLowestMean(values: Float64Array, share: number): number {
  // The product of a decimal share is not exact in binary: 100 * 0.05 must be 5.
  const wanted = Math.round(values.length * share * 1e9) / 1e9
  const whole = Math.min(values.length - 1, Math.ceil(wanted) - 1)
  partition(values, whole)
  let total = 0
  for (let place = 0; place < whole; place += 1) total += element(values, place)
  return (total + (wanted - whole) * element(values, whole)) / wanted
}

/** Reorders values so that none before `place` is above the value there and none after it is below (Hoare's selection). */
function partition(values: Float64Array, place: number): void {
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
 * Returns a quantile of ascending values, linear between neighbours (type 7, as in R and NumPy); NaN if there are none.
 * `share` is 0 for the lowest value and 1 for the highest.
 */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const low = sorted[below] ?? Number.NaN
  const high = sorted[Math.min(below + 1, sorted.length - 1)] ?? low
  return low + (high - low) * (place - below)
}
