import type { Float64Column, Int32Column, Uint8Column } from '../numeric/columns.ts'

export type Column = Float64Column | Int32Column | Uint8Column
export type Rows = Float64Array | Int32Array | Uint8Array

/** Rows in typed columns; a row number is an identity and never changes. All columns grow together. */
export abstract class Table {
  count = 0
  private capacity = 0

  /** The columns that are state, in a fixed order: they make up snapshot and digest. */
  abstract stateColumns(): readonly Column[]

  /** The columns that are made again from the others when a snapshot is loaded. */
  derivedColumns(): readonly Column[] {
    return []
  }

  /** Adds a row of zeros (in the first place: loaded columns hold no more than their rows). */
  protected appendRow(): number {
    const row = this.count
    this.count = row + 1
    if (this.count > this.capacity) this.grow()
    return row
  }

  /** A copy of the rows in use, column by column. */
  capture(): Rows[] {
    return this.stateColumns().map((column) => column.slice(this.count))
  }

  load(count: number, columns: readonly Rows[]): void {
    this.count = count
    for (const [place, column] of this.stateColumns().entries()) column.load(columns[place] ?? [])
    this.grow()
  }

  private grow(): void {
    this.capacity = Math.max(64, this.count, this.capacity * 2)
    for (const column of this.stateColumns()) column.reserve(this.capacity)
    for (const column of this.derivedColumns()) column.reserve(this.capacity)
  }
}
