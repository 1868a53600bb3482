import type { Candle } from '../recordings/candle.ts'

/** Candles by column, instants since 1970. */
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
}

/** The table of a recording; worlds that play the same one share it. */
export function candleTable(candles: readonly Candle[]): CandleTable {
  const known = tables.get(candles)
  if (known !== undefined) return known
  const table = createTable(candles)
  tables.set(candles, table)
  return table
}

const tables = new WeakMap<readonly Candle[], CandleTable>()

function createTable(candles: readonly Candle[]): CandleTable {
  const count = candles.length
  const column = (read: (candle: Candle) => number): Float64Array => {
    const values = new Float64Array(count)
    for (let place = 0; place < count; place += 1) {
      const candle = candles[place]
      if (candle !== undefined) values[place] = read(candle)
    }
    return values
  }
  const volume = column((candle) => candle.volume)
  return {
    count,
    atMillis: column((candle) => candle.atMillis),
    endMillis: column((candle) => candle.atMillis + candle.spanMillis),
    open: column((candle) => candle.open),
    high: column((candle) => candle.high),
    low: column((candle) => candle.low),
    close: column((candle) => candle.close),
    volume,
    hasVolume: volume.some((value) => value > 0),
  }
}
