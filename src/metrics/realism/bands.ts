/** The band in which a figure of a generated path must lie to be like a real market's. */
export interface Band {
  readonly least: number
  readonly most: number
  /** The number of the stylized fact in section 1 of market.md. */
  readonly fact: number
}

const band = (fact: number, least: number, most: number): Band => ({ fact, least, most })

/**
 * The bands of figures by name, measured on Binance and Coinbase data of 2017 to 2025 (market.md section 1). They hold for
 * medians over windows and seeds. Single windows leave them now and then, those of real markets included.
 */
export const bands: Readonly<Record<string, Band>> = {
  'kurtosis 1m': band(1, 10, 150),
  'kurtosis 1h': band(2, 6, 60),
  'kurtosis 1d': band(2, 1.5, 20),
  'tail index 1m': band(3, 2.5, 4.2),
  'tail index 1h': band(3, 2.5, 4.2),
  'up over down tail 1h': band(3, 0.625, 1.6),
  'linear memory 1m': band(4, 0, 0.05),
  'linear memory 1h': band(4, 0, 0.06),
  'variance ratio 60m': band(4, 0.8, 1.2),
  'memory of size 1m': band(5, 0.25, 0.48),
  'memory of size 60m': band(5, 0.1, 0.27),
  'memory of size 1440m': band(5, 0.03, 0.19),
  'memory of size 1h': band(5, 0.18, 0.4),
  'memory of size 24h': band(5, 0.08, 0.25),
  'memory of size 168h': band(5, 0.03, 0.16),
  'memory decay': band(6, 0.15, 0.6),
  'memory day over hour': band(6, 0.2, Number.POSITIVE_INFINITY),
  'sd of log realized volatility': band(7, 0.4, 0.75),
  'memory of it 1d': band(7, 0.5, 0.8),
  'kurtosis of return over it': band(7, -1, 1),
  'leverage 1h': band(8, -0.15, 0.03),
  'size and volume': band(9, 0.35, 0.75),
  'memory of volume 1m': band(9, 0.4, 0.85),
  'power of volume in range 1h': band(9, 0.7, 1.2),
  'peak over trough hour': band(10, 1.4, 2),
  'peak at 0 or 13 to 15 h': band(10, 1, 1),
  'weekend over weekday': band(10, 0.75, 0.95),
  'sign memory 1': band(14, 0.25, 0.6),
  'sign memory 10': band(14, 0.08, 1),
  'burstiness 10s': band(14, 3, Number.POSITIVE_INFINITY),
  'burstiness 10s over 1s': band(14, 1, Number.POSITIVE_INFINITY),
  'size tail index': band(14, 1.2, 2),
  'jumps beyond 8 sd a day': band(13, 0.1, 1.5),
  'clustering of jumps beyond 5 sd': band(13, 0.9, Number.POSITIVE_INFINITY),
}

/** Returns whether a figure lies in its band. A figure without a band always does, and NaN never does. */
export function isWithinBand(name: string, value: number): boolean {
  const known = bands[name]
  return known === undefined || (value >= known.least && value <= known.most)
}
