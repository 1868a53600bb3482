/**
 * Sums by block, each computed when it is first read and kept from then on: eight bytes per block between the least and
 * the greatest that were read.
 */
export class KnownSums {
  private values = new Float64Array(0)
  private first = 0

  /** Returns the sum of a block, of which the index may be negative; `compute` is asked for those that are not known. */
  at(index: number, compute: (index: number) => number): number {
    const known = this.values[index - this.first]
    if (known !== undefined && !Number.isNaN(known)) return known
    const sum = compute(index)
    this.reserve(index)
    this.values[index - this.first] = sum
    return sum
  }

  /** Makes room for a block, twice as much as there was, so that reading on does not copy each time. */
  private reserve(index: number): void {
    if (this.values.length === 0) this.first = index
    const { first, values } = this
    const end = first + values.length
    const spare = Math.max(leastSpare, values.length)
    const newFirst = index < first ? index - spare : first
    const newEnd = index >= end ? index + spare : end
    if (newFirst === first && newEnd === end) return
    const grown = new Float64Array(newEnd - newFirst).fill(Number.NaN)
    grown.set(values, first - newFirst)
    this.values = grown
    this.first = newFirst
  }
}

const leastSpare = 64
