export interface Candle {
  /** The candle's first instant, since 1970. */
  readonly atMillis: number
  readonly spanMillis: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** In units of the asset. */
  readonly volume: number
}

/** A trade that a recording shows. */
export interface Print {
  /** Since 1970. */
  readonly atMillis: number
  readonly price: number
  /** In units of the asset. */
  readonly quantity: number
  /** Of the taker, where the recording tells it. */
  readonly side: 'buy' | 'sell' | null
}
