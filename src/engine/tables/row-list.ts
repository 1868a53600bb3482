import { Int32Column } from '../../numeric/columns.ts'

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

/** The rows of a growing list that are still live, oldest first; brought up to date when read. */
export class LiveRows {
  private rows: readonly number[] = []
  /** How many rows of the list have been looked at. */
  private seen = 0

  /** Costs what was live at the last reading and what came since. The caller may keep the list: it never changes. */
  read(all: RowList, isLive: (row: number) => boolean): readonly number[] {
    const live = this.rows.filter(isLive)
    for (; this.seen < all.count; this.seen += 1) {
      const row = all.at(this.seen)
      if (isLive(row)) live.push(row)
    }
    this.rows = live
    return live
  }
}
