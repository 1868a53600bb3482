import { assert } from './assert.ts'
import type { Hash128 } from './hash.ts'

/*
 * Growing tables of records: typed fields of a row lie side by side in one buffer, so that work on a row touches one or
 * two cache lines however many fields it has. Reading a row that was never written gives 0.
 *
 * A store's owner reserves rows before it writes them. What a table has not used yet costs addresses and no memory, but
 * each page that a copy touches costs a fault; so growth is eightfold at first, and fourfold for large tables. Fields
 * are read and written in the machine's own byte order; every machine that we run on is little-endian. There are two
 * lengths of records, and a class of fields for each, because a shift by a literal costs nothing, and these reads are
 * most of what an engine does.
 */
export const recordBytes = 128
/** Of records that are touched out of order, with their neighbours: more of them are in the cache. */
export const smallRecordBytes = 32

/** Places of bytes are counted in 31 bits. */
const maximumBytes = 2147483648
const eightfoldUpToBytes = 33554432

export class RecordStore {
  private words = new Int32Array(0)
  private bytes = new Uint8Array(0)
  private readonly fields: Field[] = []
  private readonly leadBytes: number
  private readonly recordBytes: number
  private capacity = 0

  /** Records begin `leadBytes` into the buffer; a large buffer itself begins 16 bytes into a page. */
  constructor(leadBytes = 0, bytesOfRecord = recordBytes) {
    this.leadBytes = leadBytes
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
    const isSmall = this.capacity * this.recordBytes * 8 <= eightfoldUpToBytes
    const most = Math.floor((maximumBytes - this.leadBytes) / this.recordBytes)
    const wanted = Math.min(this.capacity * (isSmall ? 8 : 4), most)
    this.adopt(this.bytes, Math.max(rows, wanted, 8))
  }

  /** Adds all bytes of a row to a hash. */
  addTo(hash: Hash128, row: number): void {
    hash.addInt32Array(this.words, row << 5, (row + 1) << 5)
  }

  slice(rows: number): Uint8Array {
    return this.bytes.slice(0, rows * recordBytes)
  }

  load(rows: Uint8Array): void {
    this.adopt(rows, rows.length / recordBytes)
  }

  private adopt(rows: Uint8Array, capacity: number): void {
    const { leadBytes } = this
    const bytes = leadBytes + Math.max(1, capacity) * this.recordBytes
    assert(bytes <= maximumBytes, 'a table stays below 2 GiB')
    const buffer = new ArrayBuffer(bytes)
    this.capacity = capacity
    this.words = new Int32Array(buffer, leadBytes)
    this.bytes = new Uint8Array(buffer, leadBytes)
    this.bytes.set(rows)
    for (const field of this.fields) field.adopt(buffer, leadBytes)
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

  /** The store has moved to another buffer, in which the records begin at byte `leadBytes`. */
  abstract adopt(buffer: ArrayBuffer, leadBytes: number): void
}

/** A safe integer or a double; never -0, so that equal values are equal bytes. */
export class Float64Field extends Field {
  protected values: Float64Array = new Float64Array(0)

  constructor(store: RecordStore, offsetBytes: number) {
    super(store, offsetBytes, 8)
  }

  adopt(buffer: ArrayBuffer, leadBytes: number): void {
    this.values = new Float64Array(buffer, leadBytes + this.offsetBytes)
  }

  get(row: number): number {
    return this.values[row << 4] as number
  }

  set(row: number, value: number): void {
    this.values[row << 4] = value + 0
  }
}

/** A row of some table, or -1 for none. */
export class Int32Field extends Field {
  protected values: Int32Array = new Int32Array(0)

  constructor(store: RecordStore, offsetBytes: number) {
    super(store, offsetBytes, 4)
  }

  adopt(buffer: ArrayBuffer, leadBytes: number): void {
    this.values = new Int32Array(buffer, leadBytes + this.offsetBytes)
  }

  get(row: number): number {
    return this.values[row << 5] as number
  }

  set(row: number, value: number): void {
    this.values[row << 5] = value
  }
}

/** A small code. */
export class Uint8Field extends Field {
  private values = new Uint8Array(0)

  constructor(store: RecordStore, offsetBytes: number) {
    super(store, offsetBytes, 1)
  }

  adopt(buffer: ArrayBuffer, leadBytes: number): void {
    this.values = new Uint8Array(buffer, leadBytes + this.offsetBytes)
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
