import { RecordStore, recordBytes } from '../../numeric/records.ts'

/** Records in one buffer. A row's number is its identity and never changes. */
export abstract class Table {
  count = 0
  readonly store: RecordStore
  /** Fields from this byte of a record on are derived: they are rebuilt after a snapshot is loaded. */
  private readonly derivedFromBytes: number

  constructor(derivedFromBytes: number = recordBytes, leadBytes = 0) {
    this.store = new RecordStore(leadBytes)
    this.derivedFromBytes = derivedFromBytes
  }

  /** A copy of the rows in use with the derived part of each cleared, so that equal states have equal bytes. */
  capture(): Uint8Array {
    const copy = this.store.slice(this.count)
    if (this.derivedFromBytes === recordBytes) return copy
    const words = new Int32Array(copy.buffer)
    const step = recordBytes / 4
    for (let record = 0; record < words.length; record += step)
      for (let word = this.derivedFromBytes / 4; word < step; word += 1) words[record + word] = 0
    return copy
  }

  load(rows: Uint8Array): void {
    this.store.load(rows)
    this.count = rows.length / recordBytes
  }

  protected appendRows(rows: number): number {
    const first = this.count
    this.count = first + rows
    this.store.reserve(this.count)
    return first
  }
}
