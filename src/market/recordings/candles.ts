import type { Candle } from '../market.ts'
import type { CandleColumns } from './candle-columns.ts'
import { detectColumns } from './candle-columns.ts'
import type { CandleProblem, ReadRow } from './candle-row.ts'
import { readRow } from './candle-row.ts'
import { isBlank } from './table-fields.ts'

/** Candles in order, or the first thing that is wrong. */
export type CandleTable =
  | { readonly ok: true; readonly candles: readonly Candle[]; readonly summary: CandleSummary }
  | { readonly ok: false; readonly problem: CandleProblem }

export interface CandleSummary {
  readonly candles: number
  /** First instant of the first candle, and last of the last. */
  readonly fromMillis: number
  readonly toMillis: number
  readonly spanMillis: number
  readonly gaps: readonly CandleGap[]
  /** Rows that said again what another had said, and were dropped. */
  readonly duplicates: number
  readonly order: 'ascending' | 'descending'
  readonly layout: CandleColumns['layout']
  readonly hasVolume: boolean
}

/** A span without candles: from one's end to the next one's begin. */
export interface CandleGap {
  readonly fromMillis: number
  readonly toMillis: number
}

/**
 * Reads a table of candles that was already split into fields. Times are ISO texts (UTC where they name no zone) or
 * numbers of seconds, milli-, micro- or nanoseconds, told apart by their size. Rows may stand in either order. The
 * candles' span is the most common distance of two rows, unless it is given.
 *
 * Problems, in order: the header; per row the number of fields, the time, open, high, low, close, volume, the high
 * below or the low above another price; then across rows: order, contradicting duplicates, overlaps, no span.
 * Choice: an empty volume is 0; rows that repeat another are dropped and counted; gaps are reported, never filled.
 */
export function parseCandles(
  rows: readonly (readonly string[])[],
  givenSpanMillis: number | null = null,
): CandleTable {
  const columns = detectColumns(rows)
  if ('message' in columns) return { ok: false, problem: { ...columns, column: '' } }
  const read: ReadRow[] = []
  for (let place = columns.headerRows; place < rows.length; place += 1) {
    const fields = rows[place] ?? []
    if (isBlank(fields)) continue
    const candle = readRow(fields, columns, place + 1)
    if ('message' in candle) return { ok: false, problem: candle }
    read.push(candle)
  }
  const first = read[0]
  const last = read.at(-1)
  if (first === undefined || last === undefined) return failed(rows.length, '', 'there are no candles')
  const order = first.atMillis <= last.atMillis ? 'ascending' : 'descending'
  if (order === 'descending') read.reverse()
  return assemble(read, columns, order, givenSpanMillis)
}

function assemble(
  read: readonly ReadRow[],
  columns: CandleColumns,
  order: CandleSummary['order'],
  givenSpanMillis: number | null,
): CandleTable {
  const rows: ReadRow[] = []
  for (const row of read) {
    const before = rows.at(-1)
    if (before !== undefined && row.atMillis < before.atMillis) {
      return failed(
        row.row,
        'time',
        `out of order: the rows are ${order}, but row ${before.row} is not before it`,
      )
    }
    if (before === undefined || row.atMillis > before.atMillis) rows.push(row)
    else if (!isSame(before, row))
      return failed(row.row, 'time', `same time as row ${before.row}, other figures`)
  }
  const spanMillis = givenSpanMillis ?? commonDistance(rows)
  if (spanMillis === 0)
    return failed(1 + columns.headerRows, 'time', 'one candle alone does not tell its span')
  const candles: Candle[] = []
  const gaps: CandleGap[] = []
  for (const [place, row] of rows.entries()) {
    const next = rows[place + 1]
    const endMillis = row.atMillis + spanMillis
    if (next !== undefined && next.atMillis < endMillis) {
      return failed(
        next.row,
        'time',
        `${next.atMillis - row.atMillis} ms after row ${row.row}, within its candle`,
      )
    }
    if (next !== undefined && next.atMillis > endMillis) {
      gaps.push({ fromMillis: endMillis, toMillis: next.atMillis })
    }
    candles.push(
      toCandle(row, columns, spanMillis, next !== undefined && next.atMillis === endMillis ? next : row),
    )
  }
  const summary = {
    candles: candles.length,
    fromMillis: rows[0]?.atMillis ?? 0,
    toMillis: (rows.at(-1)?.atMillis ?? 0) + spanMillis,
    spanMillis,
    gaps,
    duplicates: read.length - rows.length,
    order,
    layout: columns.layout,
    hasVolume: candles.some((candle) => candle.volume > 0),
  }
  return { ok: true, candles, summary }
}

/** Choice: where only opens are recorded, a candle goes straight to the next open, and stands still before a gap. */
function toCandle(row: ReadRow, columns: CandleColumns, spanMillis: number, next: ReadRow): Candle {
  const { atMillis, open, volume } = row
  if (columns.layout === 'candles') {
    return { atMillis, spanMillis, open, high: row.high, low: row.low, close: row.close, volume }
  }
  const close = next.open
  return {
    atMillis,
    spanMillis,
    open,
    high: Math.max(open, close),
    low: Math.min(open, close),
    close,
    volume,
  }
}

/** The most common distance of neighbours, the shortest of several; 0 when there are no two rows. */
function commonDistance(rows: readonly ReadRow[]): number {
  const counts = new Map<number, number>()
  for (const [place, row] of rows.entries()) {
    const next = rows[place + 1]
    if (next === undefined) break
    const distance = next.atMillis - row.atMillis
    counts.set(distance, (counts.get(distance) ?? 0) + 1)
  }
  let common = 0
  for (const [distance, count] of counts) {
    const most = counts.get(common) ?? 0
    if (count > most || (count === most && distance < common)) common = distance
  }
  return common
}

function isSame(left: ReadRow, right: ReadRow): boolean {
  return (
    left.open === right.open &&
    left.high === right.high &&
    left.low === right.low &&
    left.close === right.close &&
    left.volume === right.volume
  )
}

function failed(row: number, column: CandleProblem['column'], message: string): CandleTable {
  return { ok: false, problem: { row, column, message } }
}
