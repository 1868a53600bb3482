import { bisectPlaces, Float64Column } from '../numeric/columns.ts'

/**
 * The mark in ticks at which each order of an account arrived, by its row in the venue's table of orders. Two columns take
 * a third of the memory of a map, which counts where a run has hundreds of thousands of orders.
 */
export class ArrivalTicks {
  private readonly rows = new Float64Column()
  private readonly ticks = new Float64Column()
  private count = 0

  /** Adds an order, whose row is greater than all before: orders get their rows as they are made. */
  add(row: number, ticks: number): void {
    const { count } = this
    this.rows.reserve(count + 1)
    this.ticks.reserve(count + 1)
    this.rows.set(count, row)
    this.ticks.set(count, ticks)
    this.count += 1
  }

  /** Returns the mark of an order; null for one that was not added. */
  get(row: number): number | null {
    const place = this.find(row)
    return place < 0 ? null : this.ticks.get(place)
  }

  /** Replaces the mark of an order; nothing happens for one that was not added. */
  replace(row: number, ticks: number): void {
    const place = this.find(row)
    if (place >= 0) this.ticks.set(place, ticks)
  }

  private find(row: number): number {
    const place = bisectPlaces(this.count, (at) => this.rows.get(at) >= row)
    return place < this.count && this.rows.get(place) === row ? place : -1
  }
}
