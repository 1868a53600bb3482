import { assert } from './assert.ts'

/** Places are counted in 31 bits: 16 million records of 128 bytes. */
const largestBytes = 2147483648

/*
 * Growing tables of fixed-size records: typed fields of a row lie side by side in one buffer, so that work on a row
 * touches one or two cache lines however many fields it has. Reading a row that was never written gives 0.
 *
 * A store's owner reserves rows before it writes them; growth doubles, so appending is amortised O(1). Fields are
 * read and written in the machine's own byte order; every machine that we run on is little-endian.
 */
export class RecordStore {
  readonly recordBytes: number
  private readonly fields: Field[] = []
  private bytes = new Uint8Array(0)
  private capacity = 0

  /** `recordBytes` is a power of two from 8 on. */
  constructor(recordBytes: number) {
    assert(recordBytes >= 8 && (recordBytes & (recordBytes - 1)) === 0, 'records are powers of two long')
    this.recordBytes = recordBytes
  }

  /** Lets a field see the records, now and after they have grown. */
  addField(field: Field): void {
    this.fields.push(field)
  }

  reserve(rows: number): void {
    assert(rows * this.recordBytes <= largestBytes, 'a table stays below 2 GiB')
    if (rows > this.capacity) this.adopt(this.bytes, Math.max(rows, this.capacity * 2, 8))
  }

  /** A copy of the first `rows` rows. */
  slice(rows: number): Uint8Array {
    return this.bytes.slice(0, rows * this.recordBytes)
  }

  /** Takes over the rows of a copy. */
  load(rows: Uint8Array): void {
    this.adopt(rows, rows.length / this.recordBytes)
  }

  private adopt(rows: Uint8Array, capacity: number): void {
    const buffer = new ArrayBuffer(capacity * this.recordBytes)
    this.capacity = capacity
    this.bytes = new Uint8Array(buffer)
    this.bytes.set(rows)
    for (const field of this.fields) field.adopt(buffer)
  }
}

/** One typed field of every record of a store. */
interface Field {
  /** The store has moved to another buffer. */
  adopt(buffer: ArrayBuffer): void
}

/** A safe integer or a double; never -0, so that equal values are equal bytes. */
export class Float64Field implements Field {
  private values = new Float64Array(0)
  private readonly offset: number
  private readonly shift: number

  constructor(store: RecordStore, offsetBytes: number) {
    this.offset = offsetBytes / 8
    this.shift = shiftOf(store.recordBytes / 8)
    store.addField(this)
  }

  adopt(buffer: ArrayBuffer): void {
    this.values = new Float64Array(buffer)
  }

  get(row: number): number {
    return this.values[(row << this.shift) + this.offset] as number
  }

  set(row: number, value: number): void {
    this.values[(row << this.shift) + this.offset] = value + 0
  }

  add(row: number, change: number): void {
    const place = (row << this.shift) + this.offset
    this.values[place] = (this.values[place] as number) + change
  }
}

/** A row of some table, or -1 for none. */
export class Int32Field implements Field {
  private values = new Int32Array(0)
  private readonly offset: number
  private readonly shift: number

  constructor(store: RecordStore, offsetBytes: number) {
    this.offset = offsetBytes / 4
    this.shift = shiftOf(store.recordBytes / 4)
    store.addField(this)
  }

  adopt(buffer: ArrayBuffer): void {
    this.values = new Int32Array(buffer)
  }

  get(row: number): number {
    return this.values[(row << this.shift) + this.offset] as number
  }

  set(row: number, value: number): void {
    this.values[(row << this.shift) + this.offset] = value
  }
}

/** A small code. */
export class Uint8Field implements Field {
  private values = new Uint8Array(0)
  private readonly offset: number
  private readonly shift: number

  constructor(store: RecordStore, offsetBytes: number) {
    this.offset = offsetBytes
    this.shift = shiftOf(store.recordBytes)
    store.addField(this)
  }

  adopt(buffer: ArrayBuffer): void {
    this.values = new Uint8Array(buffer)
  }

  get(row: number): number {
    return this.values[(row << this.shift) + this.offset] as number
  }

  set(row: number, value: number): void {
    this.values[(row << this.shift) + this.offset] = value
  }
}

function shiftOf(powerOfTwo: number): number {
  return 31 - Math.clz32(powerOfTwo)
}
