import { assert } from './assert.ts'
import type { Hash128 } from './hash.ts'

/*
 * The storage of the engine: growing typed columns, and below them growing tables of records.
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

/** As `element`, of a plain list. */
export function listElement(values: readonly number[], place: number): number {
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

/*
 * Growing tables of records: typed fields of a row lie side by side in one buffer, so that work on a row touches one or
 * two cache lines however many fields it has. Reading a row that was never written gives 0.
 *
 * A store's owner reserves rows before it writes them. A small table is copied as it grows, eightfold. A large one is a
 * shared buffer that reserves addresses for all that it may ever hold and grows where it is, so that no command pays for
 * a copy; nothing is shared with a thread. (A buffer of that room from the start, or one that is resizable without being
 * shared, would do the same: V8 collects garbage all the time for the first, and reads the second slowly.) Where there
 * are no such buffers, as in a page without cross-origin isolation, large tables are copied, too. Fields are read and
 * written in the machine's own byte order; every machine that we run on is little-endian. There are two lengths of
 * records, and a class of fields for each, because a shift by a literal costs nothing, and these reads are most of what
 * an engine does.
 */
export const recordBytes = 128
/** Of records that are touched out of order, with their neighbours: more of them are in the cache. */
export const smallRecordBytes = 32

/** Places of bytes are counted in 31 bits. */
const maximumBytes = 2147483648
/** Up to this size, addresses would be reserved for thousands of small worlds. */
const copiedUpToBytes = 262144

export class RecordStore {
  private words: Int32Array = new Int32Array(0)
  private bytes: Uint8Array = new Uint8Array(0)
  private buffer: ArrayBuffer | SharedArrayBuffer = new ArrayBuffer(0)
  private readonly fields: Field[] = []
  private readonly recordBytes: number
  private capacity = 0

  constructor(bytesOfRecord = recordBytes) {
    this.recordBytes = bytesOfRecord
  }

  /** Gives a field its view of the records, now and after they have grown. Its bytes are no other field's. */
  addField(field: Field): void {
    const endBytes = field.offsetBytes + field.bytes
    const isFree = this.fields.every(
      (other) => endBytes <= other.offsetBytes || other.offsetBytes + other.bytes <= field.offsetBytes,
    )
    assert(isFree && endBytes <= this.recordBytes, 'a field has bytes of a record to itself')
    this.fields.push(field)
  }

  reserve(rows: number): void {
    if (rows <= this.capacity) return
    this.resize(Math.max(rows, Math.min(this.capacity * 8, maximumBytes / this.recordBytes), 8))
  }

  addTo(hash: Hash128, row: number): void {
    hash.addInt32Array(this.words, row << 5, (row + 1) << 5)
  }

  slice(rows: number): Uint8Array {
    return this.bytes.slice(0, rows * recordBytes)
  }

  load(rows: Uint8Array): void {
    this.buffer = new ArrayBuffer(0)
    this.bytes = rows
    this.resize(Math.max(1, rows.length / recordBytes))
  }

  private resize(capacity: number): void {
    const { buffer } = this
    const bytes = capacity * this.recordBytes
    assert(bytes <= maximumBytes, 'a table stays below 2 GiB')
    this.capacity = capacity
    if ('grow' in buffer && buffer.growable) {
      buffer.grow(bytes)
      this.view(buffer)
      return
    }
    const before = this.bytes
    this.buffer = bytes <= copiedUpToBytes ? new ArrayBuffer(bytes) : growingBuffer(bytes)
    this.view(this.buffer)
    this.bytes.set(before)
  }

  /** With lengths of their own: views that follow a buffer's length are slow. */
  private view(buffer: ArrayBuffer | SharedArrayBuffer): void {
    const bytes = this.capacity * this.recordBytes
    this.words = new Int32Array(buffer, 0, bytes / 4)
    this.bytes = new Uint8Array(buffer, 0, bytes)
    for (const field of this.fields) field.adopt(buffer, bytes)
  }
}

function growingBuffer(bytes: number): ArrayBuffer | SharedArrayBuffer {
  if (typeof SharedArrayBuffer === 'undefined') return new ArrayBuffer(bytes)
  try {
    return new SharedArrayBuffer(bytes, { maxByteLength: maximumBytes })
  } catch (cause) {
    // The process has no more addresses, or may not have as many.
    if (cause instanceof RangeError) return new ArrayBuffer(bytes)
    throw cause
  }
}

/** One typed field of every record of a store. */
abstract class Field {
  readonly offsetBytes: number
  readonly bytes: number

  constructor(store: RecordStore, offsetBytes: number, bytes: number) {
    this.offsetBytes = offsetBytes
    this.bytes = bytes
    store.addField(this)
  }

  /** The store has moved or grown: its records are the first `bytes` of a buffer. */
  abstract adopt(buffer: ArrayBuffer | SharedArrayBuffer, bytes: number): void
}

/** A safe integer or a double; never -0, so that equal values are equal bytes. */
export class Float64Field<Value extends number = number> extends Field {
  protected values: Float64Array = new Float64Array(0)

  constructor(store: RecordStore, offsetBytes: number) {
    super(store, offsetBytes, 8)
  }

  adopt(buffer: ArrayBuffer | SharedArrayBuffer, bytes: number): void {
    this.values = new Float64Array(buffer, this.offsetBytes, ((bytes - this.offsetBytes) / 8) | 0)
  }

  get(row: number): Value {
    return this.values[row << 4] as Value
  }

  set(row: number, value: number): void {
    this.values[row << 4] = value + 0
  }
}

/** A row of some table, or -1 for none. */
export class Int32Field<Value extends number = number> extends Field {
  protected values: Int32Array = new Int32Array(0)

  constructor(store: RecordStore, offsetBytes: number) {
    super(store, offsetBytes, 4)
  }

  adopt(buffer: ArrayBuffer | SharedArrayBuffer, bytes: number): void {
    this.values = new Int32Array(buffer, this.offsetBytes, ((bytes - this.offsetBytes) / 4) | 0)
  }

  get(row: number): Value {
    return this.values[row << 5] as Value
  }

  set(row: number, value: Value): void {
    this.values[row << 5] = value
  }
}

/** A small code. */
export class Uint8Field extends Field {
  private values: Uint8Array = new Uint8Array(0)

  constructor(store: RecordStore, offsetBytes: number) {
    super(store, offsetBytes, 1)
  }

  adopt(buffer: ArrayBuffer | SharedArrayBuffer, bytes: number): void {
    this.values = new Uint8Array(buffer, this.offsetBytes, bytes - this.offsetBytes)
  }

  get(row: number): number {
    return this.values[row << 7] as number
  }

  set(row: number, value: number): void {
    this.values[row << 7] = value
  }
}

/** As `Float64Field`, of a small record. */
export class SmallFloat64Field extends Float64Field {
  override get(row: number): number {
    return this.values[row << 2] as number
  }

  override set(row: number, value: number): void {
    this.values[row << 2] = value + 0
  }
}

/** As `Int32Field`, of a small record. */
export class SmallInt32Field extends Int32Field {
  override get(row: number): number {
    return this.values[row << 3] as number
  }

  override set(row: number, value: number): void {
    this.values[row << 3] = value
  }
}
