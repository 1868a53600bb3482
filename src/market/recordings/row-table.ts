import { element } from '../../numeric/columns.ts'

/**
 * The rows of candles that a table has, by column, without their spans: prices in USD, volumes in the unit of the file.
 * The columns are as long as `count`.
 */
export interface CandleRows {
  readonly count: number
  /** Number of each row in its file, from 1. */
  readonly row: Int32Array
  readonly atMillis: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/** Candle of one row, without its span. */
export interface CandleRow {
  readonly row: number
  readonly atMillis: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Writes rows, of which there are at most as many as its capacity. */
export class RowWriter {
  count = 0
  readonly row: Int32Array
  readonly atMillis: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array

  constructor(capacity: number) {
    this.row = new Int32Array(capacity)
    this.atMillis = new Float64Array(capacity)
    this.open = new Float64Array(capacity)
    this.high = new Float64Array(capacity)
    this.low = new Float64Array(capacity)
    this.close = new Float64Array(capacity)
    this.volume = new Float64Array(capacity)
  }

  /** Adds a row of the file, in the order of the rows. */
  add({ atMillis, close, high, low, open, row, volume }: CandleRow): void {
    this.addFigures(row, atMillis, open, high, low, close, volume)
  }

  /** Adds a candle of which there is no object. `row` is its number. */
  addFigures(
    row: number,
    atMillis: number,
    open: number,
    high: number,
    low: number,
    close: number,
    volume: number,
  ): void {
    const place = this.count
    this.count += 1
    this.row[place] = row
    this.atMillis[place] = atMillis
    this.open[place] = open
    this.high[place] = high
    this.low[place] = low
    this.close[place] = close
    this.volume[place] = volume
  }

  /** Returns the rows so far. */
  finish(): CandleRows {
    const { count } = this
    return {
      count,
      row: this.row.subarray(0, count),
      atMillis: this.atMillis.subarray(0, count),
      open: this.open.subarray(0, count),
      high: this.high.subarray(0, count),
      low: this.low.subarray(0, count),
      close: this.close.subarray(0, count),
      volume: this.volume.subarray(0, count),
    }
  }
}

export const noRows: CandleRows = new RowWriter(0).finish()

/** Returns the rows at some places, in their order. */
export function pickRows(rows: CandleRows, places: readonly number[]): CandleRows {
  const picked = new RowWriter(places.length)
  for (const place of places) {
    picked.addFigures(
      rows.row[place] ?? 0,
      element(rows.atMillis, place),
      element(rows.open, place),
      element(rows.high, place),
      element(rows.low, place),
      element(rows.close, place),
      element(rows.volume, place),
    )
  }
  return picked.finish()
}
