/*
 * Growing tables of fixed-size records: typed fields of a row lie side by side in one buffer, so that work on a row
 * touches one or two cache lines however many fields it has. Reading a row that was never written gives 0.
 *
 * A store's owner reserves rows before it writes them; growth doubles, so appending is amortised O(1). Fields are
 * read and written in the machine's own byte order; every machine that we run on is little-endian.
 */
export class RecordStore {
  readonly recordBytes: number
  doubles = new Float64Array(0)
  ints = new Int32Array(0)
  bytes = new Uint8Array(0)
  private capacity = 0

  /** `recordBytes` is a multiple of 8, and best a divisor or a multiple of 64. */
  constructor(recordBytes: number) {
    this.recordBytes = recordBytes
  }

  reserve(rows: number): void {
    if (rows <= this.capacity) return
    const bytes = this.bytes
    this.adopt(new ArrayBuffer(Math.max(rows, this.capacity * 2, 8) * this.recordBytes))
    this.bytes.set(bytes)
  }

  /** A copy of the first `rows` rows. */
  slice(rows: number): Uint8Array {
    return this.bytes.slice(0, rows * this.recordBytes)
  }

  /** Takes over the rows of a copy. */
  load(rows: Uint8Array): void {
    this.capacity = 0
    this.adopt(new ArrayBuffer(rows.length))
    this.bytes.set(rows)
  }

  private adopt(buffer: ArrayBuffer): void {
    this.capacity = buffer.byteLength / this.recordBytes
    this.doubles = new Float64Array(buffer)
    this.ints = new Int32Array(buffer)
    this.bytes = new Uint8Array(buffer)
  }
}

/** A safe integer or a double; never -0, so that equal values are equal bytes. */
export class Float64Field {
  private readonly store: RecordStore
  private readonly offset: number
  private readonly stride: number

  constructor(store: RecordStore, offsetBytes: number) {
    this.store = store
    this.offset = offsetBytes / 8
    this.stride = store.recordBytes / 8
  }

  get(row: number): number {
    return this.store.doubles[row * this.stride + this.offset] as number
  }

  set(row: number, value: number): void {
    this.store.doubles[row * this.stride + this.offset] = value + 0
  }

  add(row: number, change: number): void {
    const place = row * this.stride + this.offset
    const { doubles } = this.store
    doubles[place] = (doubles[place] as number) + change
  }
}

/** A row of some table, or -1 for none. */
export class Int32Field {
  private readonly store: RecordStore
  private readonly offset: number
  private readonly stride: number

  constructor(store: RecordStore, offsetBytes: number) {
    this.store = store
    this.offset = offsetBytes / 4
    this.stride = store.recordBytes / 4
  }

  get(row: number): number {
    return this.store.ints[row * this.stride + this.offset] as number
  }

  set(row: number, value: number): void {
    this.store.ints[row * this.stride + this.offset] = value
  }
}

/** A small code. */
export class Uint8Field {
  private readonly store: RecordStore
  private readonly offset: number
  private readonly stride: number

  constructor(store: RecordStore, offsetBytes: number) {
    this.store = store
    this.offset = offsetBytes
    this.stride = store.recordBytes
  }

  get(row: number): number {
    return this.store.bytes[row * this.stride + this.offset] as number
  }

  set(row: number, value: number): void {
    this.store.bytes[row * this.stride + this.offset] = value
  }
}
