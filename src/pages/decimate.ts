/** A row of figures. One that is not finite is a gap. */
export type FigureRow = ArrayLike<number>

/**
 * Chooses the indices of a row that a line needs to look like the whole row when it is drawn `buckets` pixels wide: the
 * lowest and highest value of each bucket of neighbours, and the first and last index of each run without gaps. The indices
 * are ascending. Short rows are kept whole.
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

/** Chooses the indices that any of several rows needs when drawn `buckets` pixels wide, ascending. */
export function decimateAll(rows: readonly FigureRow[], buckets: number): readonly number[] {
  return [...new Set(rows.flatMap((ys) => decimate(ys, buckets)))].sort((left, right) => left - right)
}

/**
 * Appends the indices of [from, to) that a picture needs to `places`: the extremes, and where a run without gaps begins or
 * ends.
 */
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
      // The first gap after a value is enough to separate what is left and right of it.
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

/** Returns the figure at an index, 0 beyond the end. */
export function at(numbers: FigureRow, place: number): number {
  return numbers[place] ?? 0
}
