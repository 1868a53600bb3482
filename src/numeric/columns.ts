import { assert } from './assert.ts'
import type { Hash128 } from './hash.ts'

/*
 * The storage of the engine: growing typed columns and, below them, growing tables of records.
 *
 * A column is as long as its capacity. Its owner knows how many rows are in use and calls `reserve` before it writes a
 * new one. A row that was never written reads as 0. Capacity doubles, so appending is amortised O(1).
 */

/** A growing column of safe integers or doubles, 8 bytes a row. The owner reserves rows before writing them. */
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
    if (rows > this.values.length) this.values = copyInto(this.values, new Float64Array(nextCapacity(rows)))
  }

  slice(rows: number): Float64Array {
    return this.values.slice(0, rows)
  }

  load(rows: ArrayLike<number>): void {
    this.values = new Float64Array(rows)
  }
}

/**
 * A growing column of row numbers of other tables, -1 for none; 4 bytes a row. The owner reserves rows before writing
 * them.
 */
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
    if (rows > this.values.length) this.values = copyInto(this.values, new Int32Array(nextCapacity(rows)))
  }

  slice(rows: number): Int32Array {
    return this.values.slice(0, rows)
  }

  load(rows: ArrayLike<number>): void {
    this.values = new Int32Array(rows)
  }
}

/** A growing column of codes from 0 to 255, 1 byte a row. The owner reserves rows before writing them. */
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
    if (rows > this.values.length) this.values = copyInto(this.values, new Uint8Array(nextCapacity(rows)))
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

function copyInto<Rows extends Float64Array | Int32Array | Uint8Array>(from: Rows, to: Rows): Rows {
  to.set(from)
  return to
}

/**
 * A growing ring buffer of doubles: values are appended at the end and removed at both ends. Each value keeps its number,
 * counted from the first value ever appended, for as long as it is in the deque. The capacity cannot be observed.
 */
export class Float64Deque {
  /** The number of the oldest value. */
  first = 0
  /** The number that the next appended value will get: one more than that of the newest. */
  end = 0
  private values = new Float64Array(64)
  private head = 0

  get count(): number {
    return this.end - this.first
  }

  /** Returns the value with the given number, which is from `first` to `end - 1`. */
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

  /** Returns a copy of the values, oldest first. */
  toArray(): Float64Array {
    const { count, head, values } = this
    const copy = new Float64Array(count)
    const whole = Math.min(count, values.length - head)
    copy.set(values.subarray(head, head + whole))
    copy.set(values.subarray(0, count - whole), whole)
    return copy
  }

  /** Replaces all values. The first of the new ones gets the number `first`. */
  load(values: Float64Array, capacity = nextCapacity(values.length)): void {
    this.values = new Float64Array(capacity)
    this.values.set(values)
    this.head = 0
    this.end = this.first + values.length
  }
}

/**
 * Returns the element at an index that the caller knows to be in range, which the type checker cannot. It takes doubles
 * only: a function that reads arrays of several kinds is slow for all of them.
 */
export function element(values: Float64Array, place: number): number {
  return values[place] as number
}

/** Returns the integer at an index of an array that the caller knows to be in range. */
export function integerElement(values: Int32Array, place: number): number {
  return values[place] as number
}

/** Returns the number at an index of a plain array that the caller knows to be in range. */
export function listElement(values: readonly number[], place: number): number {
  return values[place] as number
}

/** Returns the byte at an index that the caller knows to be in range. */
export function byteElement(values: Uint8Array, place: number): number {
  return values[place] as number
}

/**
 * Finds the index of the first item for which `holds` is true, by binary search; `items.length` if there is none. From the
 * first true one on it must be true for all.
 */
export function bisectItems<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return bisectPlaces(items.length, (place) => holds(items[place] as Item))
}

/**
 * Finds the first index from 0 to `count - 1` for which `holds` is true, by binary search; `count` if there is none. From the
 * first true one on it must be true for all.
 */
export function bisectPlaces(count: number, holds: (place: number) => boolean): number {
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
 * Growing tables of records. The typed fields of a row lie side by side in one buffer, so that work on a row touches one
 * or two cache lines however many fields it has.
 *
 * A small table is copied as it grows, eightfold. A large one is a SharedArrayBuffer that reserves addresses for all that
 * it may ever hold and grows in place, so that no command pays for a copy. Nothing is shared with a thread. (A buffer of
 * full size from the start makes V8 collect garbage all the time, and a resizable ArrayBuffer is slow to read.) Where
 * there are no shared buffers, as in a page without cross-origin isolation, large tables are copied too.
 *
 * Fields use the machine's own byte order; every machine that we run on is little-endian. There are two lengths of
 * records with a class of fields for each, because a shift by a literal costs nothing and these reads are most of what
 * the engine does.
 */

/** The length of an ordinary record, in bytes. */
export const recordBytes = 128
/** The length of a small record, in bytes. Tables that are accessed at random use it, so that more records fit the cache. */
export const smallRecordBytes = 32

/** Byte offsets are 31-bit integers. */
const maximumBytes = 2147483648
/** Tables up to this size are copied: reserving addresses for thousands of small worlds would exhaust them. */
const copiedUpToBytes = 262144

/**
 * A growing table of records of one length, whose fields are `Float64Field` and the like. The owner reserves rows before
 * writing them. A row that was never written reads as 0.
 */
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

  /** Registers a field, which is attached to the new buffer whenever the store grows. Asserts that no two fields overlap. */
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
    this.buffer = bytes <= copiedUpToBytes ? new ArrayBuffer(bytes) : allocateGrowable(bytes)
    this.view(this.buffer)
    this.bytes.set(before)
  }

  /** Attaches views of a fixed length to the buffer: views that track a buffer's length are slow. */
  private view(buffer: ArrayBuffer | SharedArrayBuffer): void {
    const bytes = this.capacity * this.recordBytes
    this.words = new Int32Array(buffer, 0, bytes / 4)
    this.bytes = new Uint8Array(buffer, 0, bytes)
    for (const field of this.fields) field.attach(buffer, bytes)
  }
}

function allocateGrowable(bytes: number): ArrayBuffer | SharedArrayBuffer {
  if (typeof SharedArrayBuffer === 'undefined') return new ArrayBuffer(bytes)
  try {
    return new SharedArrayBuffer(bytes, { maxByteLength: maximumBytes })
  } catch (cause) {
    // The process has run out of addresses, or its limit is lower.
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

  /** Creates the field's view after the store has moved or grown. The records are the first `bytes` of the buffer. */
  abstract attach(buffer: ArrayBuffer | SharedArrayBuffer, bytes: number): void
}

/** A field of ordinary records: a safe integer or a double. It never holds -0, so that equal values are equal bytes. */
export class Float64Field<Value extends number = number> extends Field {
  protected values: Float64Array = new Float64Array(0)

  constructor(store: RecordStore, offsetBytes: number) {
    super(store, offsetBytes, 8)
  }

  attach(buffer: ArrayBuffer | SharedArrayBuffer, bytes: number): void {
    this.values = new Float64Array(buffer, this.offsetBytes, ((bytes - this.offsetBytes) / 8) | 0)
  }

  get(row: number): Value {
    return this.values[row << 4] as Value
  }

  set(row: number, value: number): void {
    this.values[row << 4] = value + 0
  }
}

/** A field of ordinary records: a row number of some table, -1 for none. */
export class Int32Field<Value extends number = number> extends Field {
  protected values: Int32Array = new Int32Array(0)

  constructor(store: RecordStore, offsetBytes: number) {
    super(store, offsetBytes, 4)
  }

  attach(buffer: ArrayBuffer | SharedArrayBuffer, bytes: number): void {
    this.values = new Int32Array(buffer, this.offsetBytes, ((bytes - this.offsetBytes) / 4) | 0)
  }

  get(row: number): Value {
    return this.values[row << 5] as Value
  }

  set(row: number, value: Value): void {
    this.values[row << 5] = value
  }
}

/** A field of ordinary records: a code from 0 to 255. */
export class Uint8Field extends Field {
  private values: Uint8Array = new Uint8Array(0)

  constructor(store: RecordStore, offsetBytes: number) {
    super(store, offsetBytes, 1)
  }

  attach(buffer: ArrayBuffer | SharedArrayBuffer, bytes: number): void {
    this.values = new Uint8Array(buffer, this.offsetBytes, bytes - this.offsetBytes)
  }

  get(row: number): number {
    return this.values[row << 7] as number
  }

  set(row: number, value: number): void {
    this.values[row << 7] = value
  }
}

/** A field of small records: a safe integer or a double, never -0. */
export class SmallFloat64Field extends Float64Field {
  override get(row: number): number {
    return this.values[row << 2] as number
  }

  override set(row: number, value: number): void {
    this.values[row << 2] = value + 0
  }
}

/** A field of small records: a row number of some table, -1 for none. */
export class SmallInt32Field extends Int32Field {
  override get(row: number): number {
    return this.values[row << 3] as number
  }

  override set(row: number, value: number): void {
    this.values[row << 3] = value
  }
}

/**
 * Returns a value that comes from a program without types if it is a number, else NaN. A column by itself would take true,
 * null and '1' for numbers.
 */
export const numberOrNaN = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)
