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
