import type { Candle } from './candle.ts'
import { type CandleGrid, findCandleGrid } from './candle-phases.ts'

/** Candles by column. Instants are milliseconds since 1970, prices USD, volumes units of the asset. */
export interface CandleTable {
  readonly count: number
  readonly atMillis: Float64Array
  readonly endMillis: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
  readonly hasVolume: boolean
  readonly grid: CandleGrid
}

/**
 * Returns the table of a recording that was found sound. It is made once; worlds that play the same recording
 * share it.
 */
export function getCandleTable(candles: readonly Candle[]): CandleTable {
  const known = tables.get(candles)
  if (known !== undefined) return known
  const table = createTable(candles)
  tables.set(candles, table)
  return table
}

/**
 * Returns whether a recording has a table and none of its candles has changed since. A table whose candles have
 * changed is dropped.
 */
export function hasCurrentTable(candles: readonly Candle[]): boolean {
  const table = tables.get(candles)
  if (table === undefined) return false
  const isUnchanged =
    candles.length === table.count && candles.every((candle, place) => isSameCandle(table, place, candle))
  if (!isUnchanged) tables.delete(candles)
  return isUnchanged
}

const tables = new WeakMap<readonly Candle[], CandleTable>()

function isSameCandle(table: CandleTable, place: number, candle: Candle): boolean {
  return (
    candle.close === table.close[place] &&
    candle.open === table.open[place] &&
    candle.high === table.high[place] &&
    candle.low === table.low[place] &&
    candle.volume === table.volume[place] &&
    candle.atMillis === table.atMillis[place] &&
    candle.atMillis + candle.spanMillis === table.endMillis[place]
  )
}

function createTable(candles: readonly Candle[]): CandleTable {
  const column = (read: (candle: Candle) => number): Float64Array => new Float64Array(candles.map(read))
  const volume = column((candle) => candle.volume)
  const times = {
    atMillis: column((candle) => candle.atMillis),
    endMillis: column((candle) => candle.atMillis + candle.spanMillis),
  }
  return {
    count: candles.length,
    ...times,
    open: column((candle) => candle.open),
    high: column((candle) => candle.high),
    low: column((candle) => candle.low),
    close: column((candle) => candle.close),
    volume,
    hasVolume: volume.some((value) => value > 0),
    grid: findCandleGrid(times),
  }
}
