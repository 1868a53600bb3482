/* What the legend of an interactive chart shows under the pointer, and the columns in which it is looked up. */

/**
 * Returns the index of the value that holds at an index: that of the last row of the same instant, or else of the
 * newest value before it; null if there is none. A gap is a value of null, for which the legend shows nothing.
 */
export function findHeld(
  xs: ArrayLike<number>,
  ys: ArrayLike<number | null | undefined>,
  index: number,
): number | null {
  let at = index
  while (at + 1 < xs.length && xs[at + 1] === xs[index]) at += 1
  while (at >= 0 && ys[at] === undefined) at -= 1
  return at < 0 ? null : at
}

/** Returns the index of the marker that is nearest to an index, within reach of the pointer; null where there is none. */
export function findMarker(
  ys: ArrayLike<number | null | undefined>,
  index: number,
  measurePixels: (at: number) => number,
): number | null {
  let nearest: number | null = null
  let least = markerReach
  for (const step of [1, -1]) {
    for (let at = step === 1 ? index : index - 1; at >= 0 && at < ys.length; at += step) {
      const pixels = measurePixels(at)
      if (pixels > markerReach) break
      if (ys[at] === null || ys[at] === undefined || pixels > least) continue
      if (pixels < least || nearest === null) [nearest, least] = [at, pixels]
    }
  }
  return nearest
}

/** A series with its own instants: a column of x, then one of y, or two for a band. */
type SeriesTable = readonly [xs: readonly number[], ...ys: (readonly (number | null)[])[]]

/**
 * Joins series over one column of x. A series without a value there has undefined, a gap is null. Where a series has
 * several values at one x (the end of a quote and the begin of the next, two fills of one instant), each keeps its row:
 * uPlot's own join keeps the last of them.
 */
export function joinSeries(tables: readonly SeriesTable[]): [number[], ...(number | null | undefined)[][]] {
  const rowsOfX = new Map<number, number>()
  const places = tables.map(([xs]) => {
    const seen = new Map<number, number>()
    return xs.map((x) => {
      const place = seen.get(x) ?? 0
      seen.set(x, place + 1)
      rowsOfX.set(x, Math.max(rowsOfX.get(x) ?? 0, place + 1))
      return place
    })
  })
  const joined: number[] = []
  const begins = new Map<number, number>()
  for (const [x, rows] of [...rowsOfX].sort(([left], [right]) => left - right)) {
    begins.set(x, joined.length)
    for (let row = 0; row < rows; row += 1) joined.push(x)
  }
  const columns = tables.flatMap(([xs, ...rows], table) =>
    rows.map((ys) => {
      const column: (number | null | undefined)[] = Array.from(joined, () => undefined)
      for (const [place, x] of xs.entries())
        column[(begins.get(x) ?? 0) + (places[table]?.[place] ?? 0)] = ys[place] ?? null
      return column
    }),
  )
  return [joined, ...columns]
}

/** How far a marker may be from the pointer, in pixels, for the legend to show it. */
const markerReach = 8
