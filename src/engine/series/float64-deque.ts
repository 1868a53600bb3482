const firstCapacity = 64

/**
 * Doubles in a growing ring: appended at the end, removed at both ends. A value keeps its number, which counts all
 * values before it, for as long as it is there. The capacity cannot be observed.
 */
export class Float64Deque {
  /** Number of the oldest value. */
  first = 0
  /** One more than the number of the newest value. */
  end = 0
  private values = new Float64Array(firstCapacity)
  private head = 0

  get count(): number {
    return this.end - this.first
  }

  /** The value with a number from `first` to `end - 1`. */
  at(number: number): number {
    return Number(this.values[(this.head + (number - this.first)) & (this.values.length - 1)])
  }

  push(value: number): void {
    const count = this.end - this.first
    if (count === this.values.length) this.grow()
    this.values[(this.head + count) & (this.values.length - 1)] = value
    this.end += 1
  }

  dropFirst(): void {
    this.head = (this.head + 1) & (this.values.length - 1)
    this.first += 1
  }

  dropLast(): void {
    this.end -= 1
  }

  private grow(): void {
    const grown = new Float64Array(this.values.length * 2)
    grown.set(this.values.subarray(this.head))
    grown.set(this.values.subarray(0, this.head), this.values.length - this.head)
    this.values = grown
    this.head = 0
  }
}
