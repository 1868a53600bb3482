import { type Candles, getCandleTable } from '../../market/recordings/candle-table.ts'
import { element } from '../../numeric/columns.ts'
import { millisPerHour, millisPerMinute } from '../../numeric/time-text.ts'
import type { CloseSeries } from './windows.ts'

/** The most steps that are laid out: thirty years of minutes. */
const mostSteps = 15_768_000

/**
 * Lays out the closes of recorded candles, or of trades by the minute, at equal steps. Returns in words why that cannot be
 * done.
 */
export function layOutCloses(candles: Candles): CloseSeries | string {
  const table = getCandleTable(candles)
  if (table.count === 0) return 'it has no rows'
  const spanMillis = element(table.endMillis, 0) - element(table.atMillis, 0)
  const stepMillis = Math.max(millisPerMinute, spanMillis)
  if (millisPerHour % stepMillis !== 0)
    return 'its candles do not fit into an hour, which is the coarsest that a fit reads'
  const fromMillis = Math.floor(element(table.atMillis, 0) / stepMillis) * stepMillis
  const count = Math.floor((element(table.atMillis, table.count - 1) - fromMillis) / stepMillis) + 1
  if (count > mostSteps) return `it spans more than ${mostSteps} steps`
  const prices = new Float64Array(count).fill(Number.NaN)
  for (let row = 0; row < table.count; row += 1)
    prices[Math.floor((element(table.atMillis, row) - fromMillis) / stepMillis)] = element(table.close, row)
  return { fromMillis, stepMillis, prices }
}

/** Computes what was traded a day, USD, over the days that the candles span; null without volumes. */
export function computeDailyVolumeUsd(candles: Candles): number | null {
  const table = getCandleTable(candles)
  if (!table.hasVolume || table.count === 0) return null
  let usd = 0
  for (let row = 0; row < table.count; row += 1) usd += element(table.volume, row) * element(table.close, row)
  const millis = element(table.endMillis, table.count - 1) - element(table.atMillis, 0)
  return (usd / Math.max(millis, millisPerHour)) * 24 * millisPerHour
}
