import type { CandleColumns } from './candle-columns.ts'
import { numberHint, readNumber, readTime } from './table-fields.ts'

export interface CandleProblem {
  /** From 1, the header included. */
  readonly row: number
  /** The column in our words; empty when the row as a whole is wrong. */
  readonly column: '' | 'time' | 'open' | 'high' | 'low' | 'close' | 'volume'
  readonly message: string
}

/** One row's candle, all but its span. */
export interface ReadRow {
  readonly row: number
  readonly atMillis: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** The first thing that is wrong with a row, else its candle; `row` counts from 1. */
export function readRow(
  fields: readonly string[],
  columns: CandleColumns,
  row: number,
): ReadRow | CandleProblem {
  const needed = Math.max(columns.time, columns.open, columns.high, columns.low, columns.close)
  if (fields.length <= needed) {
    return { row, column: '', message: `${fields.length} fields where at least ${needed + 1} are needed` }
  }
  const atMillis = readTime(fields[columns.time] ?? '')
  if (atMillis === null) {
    return {
      row,
      column: 'time',
      message: `"${fields[columns.time]}" is not a time (ISO 8601, or a number since 1970)`,
    }
  }
  const open = readNumber(fields[columns.open])
  if (!isPrice(open)) return { row, column: 'open', message: notPrice(fields[columns.open]) }
  const volume = readVolume(fields[columns.volume])
  if (!(volume >= 0)) {
    const field = fields[columns.volume]
    return { row, column: 'volume', message: `"${field}" is not a quantity of 0 or more${numberHint(field)}` }
  }
  if (columns.layout === 'opens') return { row, atMillis, open, high: open, low: open, close: open, volume }
  const prices = { high: open, low: open, close: open }
  for (const column of ['high', 'low', 'close'] as const) {
    const price = readNumber(fields[columns[column]])
    if (!isPrice(price)) return { row, column, message: notPrice(fields[columns[column]]) }
    prices[column] = price
  }
  const { high, low, close } = prices
  if (high < Math.max(open, close)) {
    return {
      row,
      column: 'high',
      message: `${high} is below the ${high < open ? `open ${open}` : `close ${close}`}`,
    }
  }
  if (low > Math.min(open, close)) {
    return {
      row,
      column: 'low',
      message: `${low} is above the ${low > open ? `open ${open}` : `close ${close}`}`,
    }
  }
  return { row, atMillis, open, high, low, close, volume }
}

function readVolume(field: string | undefined): number {
  return field === undefined || field.trim() === '' ? 0 : readNumber(field)
}

/** The range in which the market keeps every price. */
function isPrice(price: number): boolean {
  return price >= 1e-10 && price <= 1e10
}

function notPrice(field: string | undefined): string {
  return `"${field}" is not a price above 0${numberHint(field)}`
}

/**
 * The commonest distance between neighbours in time, milliseconds; the shortest of equally common ones; 0 where no two
 * rows differ. Rows stand by ascending instant; those at one instant have no distance.
 */
export function commonestDistance(rows: readonly { readonly atMillis: number }[]): number {
  const counts = new Map<number, number>()
  for (const [place, row] of rows.entries()) {
    const distance = (rows[place + 1]?.atMillis ?? row.atMillis) - row.atMillis
    if (distance > 0) counts.set(distance, (counts.get(distance) ?? 0) + 1)
  }
  let commonest = 0
  for (const [distance, count] of counts) {
    const most = counts.get(commonest) ?? 0
    if (count > most || (count === most && distance < commonest)) commonest = distance
  }
  return commonest
}
