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

/** Print: a trade that a recording reports. */
export interface Print {
  /** Instant of the trade, milliseconds since 1970. */
  readonly atMillis: number
  readonly price: number
  /** Quantity in units of the asset. */
  readonly quantity: number
  /** Side of the taker; null where the recording does not state it. */
  readonly side: 'buy' | 'sell' | null
}
