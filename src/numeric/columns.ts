/*
 * Growing typed columns: the struct-of-arrays storage of the engine.
 *
 * A column is as long as its capacity; its owner knows how many rows are in use and calls `reserve` before it
 * writes a new one. Reading a row that was never written gives 0. Growth doubles, so appending is amortised O(1).
 * An element of a plain array that must be there is read by `element`: the type checker cannot know that it is.
 */

/** Safe integers or doubles, 8 bytes a row. */
export class Float64Column {
  private values: Float64Array

  constructor(capacity = 64) {
    this.values = new Float64Array(capacity)
  }

  get(row: number): number {
    return this.values[row] as number
  }

  set(row: number, value: number): void {
    this.values[row] = value
  }

  add(row: number, change: number): void {
    this.values[row] = (this.values[row] as number) + change
  }

  reserve(rows: number): void {
    if (rows > this.values.length) this.values = grown(this.values, new Float64Array(nextCapacity(rows)))
  }

  slice(rows: number): Float64Array {
    return this.values.slice(0, rows)
  }

  load(rows: ArrayLike<number>): void {
    this.values = new Float64Array(rows)
  }
}

/** Rows of other tables, or -1 for none; 4 bytes a row. */
export class Int32Column {
  private values: Int32Array

  constructor(capacity = 64) {
    this.values = new Int32Array(capacity)
  }

  get(row: number): number {
    return this.values[row] as number
  }

  set(row: number, value: number): void {
    this.values[row] = value
  }

  reserve(rows: number): void {
    if (rows > this.values.length) this.values = grown(this.values, new Int32Array(nextCapacity(rows)))
  }

  slice(rows: number): Int32Array {
    return this.values.slice(0, rows)
  }

  load(rows: ArrayLike<number>): void {
    this.values = new Int32Array(rows)
  }
}

/** Small codes; 1 byte a row. */
export class Uint8Column {
  private values: Uint8Array

  constructor(capacity = 64) {
    this.values = new Uint8Array(capacity)
  }

  get(row: number): number {
    return this.values[row] as number
  }

  set(row: number, value: number): void {
    this.values[row] = value
  }

  reserve(rows: number): void {
    if (rows > this.values.length) this.values = grown(this.values, new Uint8Array(nextCapacity(rows)))
  }

  slice(rows: number): Uint8Array {
    return this.values.slice(0, rows)
  }

  load(rows: ArrayLike<number>): void {
    this.values = new Uint8Array(rows)
  }
}

function nextCapacity(rows: number): number {
  let capacity = 64
  while (capacity < rows) capacity *= 2
  return capacity
}

function grown<Rows extends Float64Array | Int32Array | Uint8Array>(from: Rows, to: Rows): Rows {
  to.set(from)
  return to
}

/**
 * Doubles in a growing ring: appended at the end, removed at both ends. A value keeps its number, which counts all
 * values before it, for as long as it is there. The capacity cannot be observed.
 */
export class Float64Deque {
  first = 0
  /** One more than the number of the newest value. */
  end = 0
  private values = new Float64Array(64)
  private head = 0

  get count(): number {
    return this.end - this.first
  }

  /** The value with a number from `first` to `end - 1`. */
  at(number: number): number {
    return element(this.values, (this.head + (number - this.first)) & (this.values.length - 1))
  }

  push(value: number): void {
    const { count } = this
    if (count === this.values.length) this.load(this.toArray(), 2 * count)
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

  /** A copy of the values, oldest first. */
  toArray(): Float64Array {
    const { count, head, values } = this
    const copy = new Float64Array(count)
    const whole = Math.min(count, values.length - head)
    copy.set(values.subarray(head, head + whole))
    copy.set(values.subarray(0, count - whole), whole)
    return copy
  }

  /** Replaces all values; the numbers go on from the first one's. */
  load(values: Float64Array, capacity = nextCapacity(values.length)): void {
    this.values = new Float64Array(capacity)
    this.values.set(values)
    this.head = 0
    this.end = this.first + values.length
  }
}

/**
 * An element that must be there, as all are whose place is below the length. Only of doubles: a function that reads
 * arrays of several kinds is slow for all of them.
 */
export function element(values: Float64Array, place: number): number {
  return values[place] as number
}

/** As `element`, of bytes. */
export function byteElement(values: Uint8Array, place: number): number {
  return values[place] as number
}

/** The place of the first of some sorted items from which on something holds; their number where it never does. */
export function firstWhere<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return firstPlace(items.length, (place) => holds(items[place] as Item))
}

/** The first of `count` places from which on something holds; `count` where it never does. */
export function firstPlace(count: number, holds: (place: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
