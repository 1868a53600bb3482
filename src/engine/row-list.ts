import { Int32Column } from '../numeric/columns.ts'

/** A growing list of rows of some table, oldest first. */
export class RowList {
  count = 0
  private readonly rows = new Int32Column(8)

  at(index: number): number {
    return this.rows.get(index)
  }

  push(row: number): void {
    this.rows.reserve(this.count + 1)
    this.rows.set(this.count, row)
    this.count += 1
  }
}
