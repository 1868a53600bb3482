import { element, numberOrNaN } from '../../numeric/columns.ts'
import type { Candle } from './candle.ts'
import { type CandleGrid, findCandleGrid } from './candle-phases.ts'

/** Columns of candles. Instants are milliseconds since 1970, prices USD, volumes units of the asset. */
export interface CandleFields {
  readonly atMillis: Float64Array
  readonly endMillis: Float64Array
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  readonly volume: Float64Array
}

/** Candles by column, oldest first. Its columns do not change once it is made, so that it may be shared. */
export interface CandleTable extends CandleFields {
  readonly count: number
  readonly hasVolume: boolean
  readonly grid: CandleGrid
}

/** Recorded candles: a table, as files give it, or a list, as programs make it. */
export type Candles = readonly Candle[] | CandleTable

/** Creates the table of columns of one length. `grid` is that of the candles, where it is known. */
export function createCandleTable(fields: CandleFields, grid?: CandleGrid): CandleTable {
  const { atMillis, close, endMillis, high, low, open, volume } = fields
  return {
    ...{ atMillis, endMillis, open, high, low, close, volume },
    count: atMillis.length,
    hasVolume: volume.some((value) => value > 0),
    grid: grid ?? findCandleGrid({ atMillis, endMillis }),
  }
}

const none = new Float64Array(0)
/** The table of no candles. */
export const noCandles: CandleTable = createCandleTable({
  ...{ atMillis: none, endMillis: none, open: none, high: none, low: none, close: none, volume: none },
})

/** Returns whether all candles have one span; trades have a span of 0. */
export function isUniform({ atMillis, count, endMillis, grid }: CandleTable): boolean {
  for (let place = 0; place < count; place += 1)
    if (element(endMillis, place) - element(atMillis, place) !== grid.spanMillis) return false
  return true
}

/** Returns whether candles are a table. */
const isCandleTable = (candles: Candles): candles is CandleTable => 'count' in candles

/**
 * Returns the table of candles. That of a list is made once; worlds that play the same recording share it.
 */
export function getCandleTable(candles: Candles): CandleTable {
  if (isCandleTable(candles)) return candles
  const known = tables.get(candles)
  if (known !== undefined) return known
  const table = createTable(candles)
  tables.set(candles, table)
  return table
}

/**
 * Returns whether a recording is known to be sound: a list has a table and none of its candles has changed since. A table
 * whose candles have changed is dropped.
 */
export function isKnownSound(candles: Candles): boolean {
  if (isCandleTable(candles)) return soundTables.has(candles)
  const table = tables.get(candles)
  if (table === undefined) return false
  const isUnchanged =
    candles.length === table.count && candles.every((candle, place) => isSameCandle(table, place, candle))
  if (!isUnchanged) tables.delete(candles)
  return isUnchanged && soundTables.has(table)
}

/** Notes that a recording was found sound, so that `isKnownSound` need not check its rows again. */
export function noteSound(candles: Candles): void {
  soundTables.add(getCandleTable(candles))
}

/** Returns the number of candles. */
export const countCandles = (candles: Candles): number =>
  isCandleTable(candles) ? candles.count : candles.length

/** Returns the candle at a place from 0; undefined beyond the end. */
export function candleAt(candles: Candles, place: number): Candle | undefined {
  if (!isCandleTable(candles)) return candles[place]
  return place >= 0 && place < candles.count ? readCandle(candles, place) : undefined
}

/** Returns the last candle; undefined where there is none. */
export const lastCandle = (candles: Candles): Candle | undefined =>
  candleAt(candles, countCandles(candles) - 1)

/** Returns candles as a list, which knows its table. */
export function listCandles(candles: Candles): readonly Candle[] {
  if (!isCandleTable(candles)) return candles
  const list = Array.from({ length: candles.count }, (_, place) => readCandle(candles, place))
  tables.set(list, candles)
  return list
}

const tables = new WeakMap<readonly Candle[], CandleTable>()
const soundTables = new WeakSet<CandleTable>()

function readCandle(table: CandleTable, place: number): Candle {
  const atMillis = element(table.atMillis, place)
  return {
    atMillis,
    spanMillis: element(table.endMillis, place) - atMillis,
    open: element(table.open, place),
    high: element(table.high, place),
    low: element(table.low, place),
    close: element(table.close, place),
    volume: element(table.volume, place),
  }
}

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
  const column = (read: (candle: Candle) => number): Float64Array => {
    const values = new Float64Array(candles.length)
    for (const [place, candle] of candles.entries()) values[place] = numberOrNaN(read(candle))
    return values
  }
  return createCandleTable({
    atMillis: column((candle) => candle.atMillis),
    endMillis: column((candle) => numberOrNaN(candle.atMillis) + numberOrNaN(candle.spanMillis)),
    open: column((candle) => candle.open),
    high: column((candle) => candle.high),
    low: column((candle) => candle.low),
    close: column((candle) => candle.close),
    volume: column((candle) => candle.volume),
  })
}
