import {
  element,
  RecordStore,
  SmallFloat64Field,
  SmallInt32Field,
  smallRecordBytes,
} from '../../numeric/columns.ts'

/**
 * The takers' orders of a minute, before they meet a book. They are added in any order and read by time, so a place among
 * them is not their row. Whoever draws takers writes them over those of an earlier minute, as a backtest asks for millions.
 */
export class ArrivalTable extends RecordStore {
  count = 0
  /** 1: it wants to buy, 0: to sell. What an informed one knows decides for it. */
  readonly isBuyer = new SmallInt32Field(this, 0)
  readonly valueUsd = new SmallFloat64Field(this, 8)
  /** How far ahead it knows the fundamental price; 0: it knows nothing. */
  readonly horizonMillis = new SmallFloat64Field(this, 16)
  /** How much it pays beyond the venue's own touch, basis points; NaN: up to 1 % beyond the mark. */
  readonly patienceBps = new SmallFloat64Field(this, 24)
  /** By place, once they are sorted: the instant, and below it the row. */
  private keys = new Float64Array(8)

  constructor() {
    super(smallRecordBytes)
  }

  clear(): void {
    this.count = 0
  }

  /** Adds a taker of an instant after the minute's first, in (0, 60_000]. Returns its row, which is to be written. */
  add(offsetMillis: number): number {
    const row = this.count
    this.count += 1
    this.reserve(this.count)
    if (row === this.keys.length) this.widen()
    this.keys[row] = offsetMillis * rowsOfInstant + row
    return row
  }

  /** Call it when all have been added. Those of one instant stay in their order. */
  sort(): void {
    sortFirst(this.keys, this.count)
  }

  offsetMillis(place: number): number {
    return Math.floor(element(this.keys, place) / rowsOfInstant)
  }

  row(place: number): number {
    return element(this.keys, place) - this.offsetMillis(place) * rowsOfInstant
  }

  private widen(): void {
    const wider = new Float64Array(8 * this.keys.length)
    wider.set(this.keys)
    this.keys = wider
  }
}

const rowsOfInstant = 4294967296 // 2^32

/** Sorts the first values of an array. Most are few, and to sort these costs V8 ten times as much as it takes. */
export function sortFirst(values: Float64Array, count: number): void {
  if (count > 32) {
    values.subarray(0, count).sort()
    return
  }
  for (let end = 1; end < count; end += 1) {
    const value = element(values, end)
    let place = end
    for (; place > 0 && element(values, place - 1) > value; place -= 1)
      values[place] = element(values, place - 1)
    values[place] = value
  }
}
