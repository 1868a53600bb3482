import { assert } from './assert.ts'

/*
 * Growing tables of records of 128 bytes: typed fields of a row lie side by side in one buffer, so that work on a row
 * touches one or two cache lines however many fields it has. Reading a row that was never written gives 0.
 *
 * A store's owner reserves rows before it writes them; growth doubles, so appending is amortised O(1). Fields are
 * read and written in the machine's own byte order; every machine that we run on is little-endian. The length of a
 * record is fixed because a shift by a literal costs nothing, and these reads are most of what an engine does.
 */
export const recordBytes = 128

/** Places of bytes are counted in 31 bits. */
const largestRows = 2147483648 / recordBytes

export class RecordStore {
  private readonly fields: Field[] = []
  private bytes = new Uint8Array(0)
  private capacity = 0

  /** Lets a field see the records, now and after they have grown. */
  addField(field: Field): void {
    this.fields.push(field)
  }

  reserve(rows: number): void {
    if (rows <= this.capacity) return
    assert(rows <= largestRows, 'a table stays below 2 GiB')
    this.adopt(this.bytes, Math.max(rows, this.capacity * 2, 8))
  }

  /** A copy of the first `rows` rows. */
  slice(rows: number): Uint8Array {
    return this.bytes.slice(0, rows * recordBytes)
  }

  /** Takes over the rows of a copy. */
  load(rows: Uint8Array): void {
    this.adopt(rows, rows.length / recordBytes)
  }

  private adopt(rows: Uint8Array, capacity: number): void {
    const buffer = new ArrayBuffer(capacity * recordBytes)
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
  private readonly offsetBytes: number

  constructor(store: RecordStore, offsetBytes: number) {
    this.offsetBytes = offsetBytes
    store.addField(this)
  }

  adopt(buffer: ArrayBuffer): void {
    this.values = viewOf(buffer, (bytes) => new Float64Array(bytes, this.offsetBytes))
  }

  get(row: number): number {
    return this.values[row << 4] as number
  }

  set(row: number, value: number): void {
    this.values[row << 4] = value + 0
  }

  add(row: number, change: number): void {
    this.values[row << 4] = (this.values[row << 4] as number) + change
  }
}

/** A row of some table, or -1 for none. */
export class Int32Field implements Field {
  private values = new Int32Array(0)
  private readonly offsetBytes: number

  constructor(store: RecordStore, offsetBytes: number) {
    this.offsetBytes = offsetBytes
    store.addField(this)
  }

  adopt(buffer: ArrayBuffer): void {
    this.values = viewOf(buffer, (bytes) => new Int32Array(bytes, this.offsetBytes))
  }

  get(row: number): number {
    return this.values[row << 5] as number
  }

  set(row: number, value: number): void {
    this.values[row << 5] = value
  }

  add(row: number, change: number): void {
    this.values[row << 5] = (this.values[row << 5] as number) + change
  }
}

/** A small code. */
export class Uint8Field implements Field {
  private values = new Uint8Array(0)
  private readonly offsetBytes: number

  constructor(store: RecordStore, offsetBytes: number) {
    this.offsetBytes = offsetBytes
    store.addField(this)
  }

  adopt(buffer: ArrayBuffer): void {
    this.values = viewOf(buffer, (bytes) => new Uint8Array(bytes, this.offsetBytes))
  }

  get(row: number): number {
    return this.values[row << 7] as number
  }

  set(row: number, value: number): void {
    this.values[row << 7] = value
  }
}

/** A view that begins at the field of row 0; of no rows, an empty one. */
function viewOf<View>(buffer: ArrayBuffer, create: (buffer: ArrayBuffer) => View): View {
  return create(buffer.byteLength === 0 ? new ArrayBuffer(recordBytes) : buffer)
}
