/** Rows of figures, one a place; what is not finite is a gap. */
export type FigureRow = ArrayLike<number>

/**
 * The places that a line needs to look like the whole one when it is drawn in this many buckets: the lowest and the
 * highest of each bucket of neighbours, and the first and last place of each unbroken run, in order. Short rows are
 * kept whole.
 */
export function decimate(ys: FigureRow, buckets: number): readonly number[] {
  const places: number[] = []
  const size = Math.max(1, Math.ceil(ys.length / Math.max(1, buckets)))
  if (size <= 2) {
    for (let place = 0; place < ys.length; place += 1) places.push(place)
    return places
  }
  for (let start = 0; start < ys.length; start += size) {
    takeBucket(ys, start, Math.min(ys.length, start + size), places)
  }
  return places
}

/** The places that one of several rows needs, in order. */
export function decimateAll(rows: readonly FigureRow[], buckets: number): readonly number[] {
  return [...new Set(rows.flatMap((ys) => decimate(ys, buckets)))].sort((left, right) => left - right)
}

/** The places of [from, to) that a picture needs; at the two ends of the row `from` and `to - 1` are among them. */
function takeBucket(ys: FigureRow, from: number, to: number, places: number[]): void {
  const keep = new Set<number>()
  let low = -1
  let high = -1
  for (let place = from; place < to; place += 1) {
    const y = at(ys, place)
    const isHere = Number.isFinite(y)
    const wasHere = place > 0 && Number.isFinite(at(ys, place - 1))
    const isNext = place + 1 < ys.length && Number.isFinite(at(ys, place + 1))
    if (!isHere) {
      // One gap in a bucket is enough to separate what is left and right of it.
      if (wasHere) keep.add(place)
      continue
    }
    if (low < 0 || y < at(ys, low)) low = place
    if (high < 0 || y > at(ys, high)) high = place
    if (!wasHere || !isNext) keep.add(place)
  }
  if (low >= 0) keep.add(low).add(high)
  places.push(...[...keep].sort((left, right) => left - right))
}

export function at(numbers: FigureRow, place: number): number {
  return numbers[place] ?? 0
}
