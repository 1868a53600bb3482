/** Prices (USD) and volume of one span of time, as a recording has them. */
export interface Candle {
  /** First instant of the candle, milliseconds since 1970. */
  readonly atMillis: number
  readonly spanMillis: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Traded quantity in units of the asset. */
  readonly volume: number
}

/** Returns whether two candles have equal prices and volumes, whenever they are. */
export function haveSameFigures(left: CandleFigures, right: CandleFigures): boolean {
  return (
    left.open === right.open &&
    left.high === right.high &&
    left.low === right.low &&
    left.close === right.close &&
    left.volume === right.volume
  )
}

type CandleFigures = Pick<Candle, 'open' | 'high' | 'low' | 'close' | 'volume'>

/** Print: a trade that a recording reports. */
export interface Print {
  /** Instant of the trade, milliseconds since 1970. */
  readonly atMillis: number
  readonly price: number
  /** Quantity in units of the asset. */
  readonly quantity: number
  /** Side of the taker; null where the recording does not tell it. */
  readonly side: 'buy' | 'sell' | null
}
