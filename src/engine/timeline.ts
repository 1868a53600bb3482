import { Float64Column, Int32Column, Uint8Column } from '../numeric/columns.ts'

/**
 * The kinds of what is due (`due-items.ts`), in their order within an instant; the market's step follows the
 * transfers.
 */
export const dueQuoteExpiry = 0
export const dueTransfer = 1
export const dueResume = 2
export const dueConditionsEnd = 3
/** The last kind that comes before the market step of the same instant (design section 5, Time). */
export const lastKindBeforeMarket = dueTransfer

/**
 * A heap of due items ordered by (instant, kind, row).
 *
 * It is derived: the tables say what is due (a quote's expiry, a transfer's settling, a halt's end), and an item
 * whose row has since changed does nothing when it comes up. So a snapshot leaves the heap out and it is rebuilt, and
 * two venues with the same tables have the same future whatever their heaps have been through.
 */
export class Timeline {
  private size = 0
  private readonly instants = new Float64Column(16)
  private readonly kinds = new Uint8Column(16)
  private readonly rows = new Int32Column(16)

  get nextAtMillis(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.instants.get(0)
  }

  get nextKind(): number {
    return this.kinds.get(0)
  }

  get nextRow(): number {
    return this.rows.get(0)
  }

  push(atMillis: number, kind: number, row: number): void {
    let place = this.size
    this.size += 1
    this.instants.reserve(this.size)
    this.kinds.reserve(this.size)
    this.rows.reserve(this.size)
    while (place > 0) {
      const parent = (place - 1) >>> 1
      if (!this.isBefore(atMillis, kind, row, parent)) break
      this.copy(parent, place)
      place = parent
    }
    this.put(place, atMillis, kind, row)
  }

  pop(): void {
    this.size -= 1
    if (this.size === 0) return
    const atMillis = this.instants.get(this.size)
    const kind = this.kinds.get(this.size)
    const row = this.rows.get(this.size)
    let place = 0
    for (;;) {
      const left = 2 * place + 1
      if (left >= this.size) break
      const right = left + 1
      const child = right < this.size && this.isOrdered(right, left) ? right : left
      if (this.isBefore(atMillis, kind, row, child)) break
      this.copy(child, place)
      place = child
    }
    this.put(place, atMillis, kind, row)
  }

  private isOrdered(first: number, second: number): boolean {
    return this.isBefore(this.instants.get(first), this.kinds.get(first), this.rows.get(first), second)
  }

  private isBefore(atMillis: number, kind: number, row: number, place: number): boolean {
    if (atMillis !== this.instants.get(place)) return atMillis < this.instants.get(place)
    if (kind !== this.kinds.get(place)) return kind < this.kinds.get(place)
    return row < this.rows.get(place)
  }

  private copy(from: number, to: number): void {
    this.put(to, this.instants.get(from), this.kinds.get(from), this.rows.get(from))
  }

  private put(place: number, atMillis: number, kind: number, row: number): void {
    this.instants.set(place, atMillis)
    this.kinds.set(place, kind)
    this.rows.set(place, row)
  }
}
