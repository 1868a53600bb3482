import { type CandleTable, candleTable } from '../../market/models/candle-table.ts'
import type { ModelSpec } from '../../market/models/price-models.ts'
import type { Trade } from '../../market/recordings/candle.ts'

/** What a recording traded in (from, to], in units of the asset. */
export type VolumeBetween = (fromMillis: number, toMillis: number) => number

/**
 * The volume of a recording; null for generated markets and for recordings without volumes.
 *
 * Choice: a candle's volume is spread evenly over its span, so a bar of the candles' own span has exactly the recorded
 * volume, and a shorter one its share. Where the recording has nothing, nothing was traded.
 */
export function recordedVolume(model: ModelSpec): VolumeBetween | null {
  if (model.kind === 'trades') {
    const { trades } = model
    return (fromMillis, toMillis) => volumeOfTrades(trades, fromMillis, toMillis)
  }
  if (model.kind !== 'replay') return null
  const table = candleTable(model.candles)
  return table.hasVolume ? (fromMillis, toMillis) => volumeOfCandles(table, fromMillis, toMillis) : null
}

function volumeOfCandles(table: CandleTable, fromMillis: number, toMillis: number): number {
  const { atMillis, count, endMillis, volume } = table
  let total = 0
  let place = firstPlace(count, (candidate) => Number(endMillis[candidate]) > fromMillis)
  for (; place < count; place += 1) {
    const begin = Number(atMillis[place])
    const end = Number(endMillis[place])
    if (begin >= toMillis) break
    const own = Number(volume[place])
    const within = Math.min(end, toMillis) - Math.max(begin, fromMillis)
    total += within === end - begin ? own : (own * within) / (end - begin)
  }
  return total
}

function volumeOfTrades(trades: readonly Trade[], fromMillis: number, toMillis: number): number {
  let total = 0
  let place = firstPlace(trades.length, (candidate) => (trades[candidate]?.atMillis ?? 0) > fromMillis)
  for (; place < trades.length; place += 1) {
    const trade = trades[place]
    if (trade === undefined || trade.atMillis > toMillis) break
    total += trade.quantity
  }
  return total
}

/** The first place from which on something holds. */
export function firstPlace(count: number, holds: (place: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
