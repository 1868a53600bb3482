/** The most points of a run's equity that a sweep keeps. */
const equityPointCount = 101

/**
 * All points of the equity when there are few, else the newest ones at equal steps from its first instant to its
 * last.
 */
export function equityPoints(atMillis: readonly number[], equity: readonly number[]): readonly number[] {
  const first = atMillis[0]
  const last = atMillis.at(-1)
  if (first === undefined || last === undefined) return []
  if (equity.length <= equityPointCount) return equity
  const points: number[] = []
  let place = 0
  for (let step = 0; step < equityPointCount; step += 1) {
    const at = first + ((last - first) * step) / (equityPointCount - 1)
    while ((atMillis[place + 1] ?? Number.POSITIVE_INFINITY) <= at) place += 1
    points.push(Number(equity[place]))
  }
  return points
}
