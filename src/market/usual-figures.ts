/*
 * Default figures of an asset where a file states none. Choice: figures by symbol follow the market note's
 * table of dealer venues.
 */

interface UsualFigures {
  readonly spreadBps: number
  readonly depth10bpUsd: number
  /** The annual volatility, 0.5 for 50 %. */
  readonly vol: number
  /** Orders of synthetic takers per minute. */
  readonly ratePerMinute: number
  /** Rate at which the share of takers decays with each basis point beyond the best price. */
  readonly patiencePerBp: number
  /** Average daily volume, USD. */
  readonly advUsd: number
}

const symbols: Readonly<Record<string, UsualFigures>> = {
  BTC: { spreadBps: 4, depth10bpUsd: 2e6, vol: 0.55, ratePerMinute: 6, patiencePerBp: 0.15, advUsd: 400e6 },
  ETH: { spreadBps: 5, depth10bpUsd: 1.2e6, vol: 0.7, ratePerMinute: 4, patiencePerBp: 0.15, advUsd: 200e6 },
  SOL: { spreadBps: 10, depth10bpUsd: 350e3, vol: 1.05, ratePerMinute: 2, patiencePerBp: 0.1, advUsd: 40e6 },
  XRP: { spreadBps: 10, depth10bpUsd: 300e3, vol: 0.9, ratePerMinute: 2, patiencePerBp: 0.1, advUsd: 30e6 },
  DOGE: { spreadBps: 16, depth10bpUsd: 200e3, vol: 1.1, ratePerMinute: 2, patiencePerBp: 0.1, advUsd: 20e6 },
  USDT: { spreadBps: 1, depth10bpUsd: 5e6, vol: 0.004, ratePerMinute: 2, patiencePerBp: 0.15, advUsd: 300e6 },
  USDC: { spreadBps: 1, depth10bpUsd: 5e6, vol: 0.004, ratePerMinute: 2, patiencePerBp: 0.15, advUsd: 300e6 },
}

const bySymbol: ReadonlyMap<string, UsualFigures> = new Map(Object.entries(symbols))

const otherAsset: UsualFigures = {
  spreadBps: 20,
  depth10bpUsd: 100e3,
  vol: 0.95,
  ratePerMinute: 1,
  patiencePerBp: 0.1,
  advUsd: 8e6,
}

/** Returns the default figures of a symbol, or those of a small coin for a symbol that is not in the table. */
export const usualFigures = (symbol: string): UsualFigures => bySymbol.get(symbol) ?? otherAsset

/** Symbols that are stablecoins of one dollar by default. */
export const stablecoins: readonly string[] = [
  'USDT',
  'USDC',
  'DAI',
  'FDUSD',
  'PYUSD',
  'TUSD',
  'USDP',
  'USDE',
  'USDS',
]

/** Returns whether an asset is a stablecoin of one dollar: by its symbol, and by a price within 2 % of it. */
export const isStablecoin = (symbol: string, price: number): boolean =>
  stablecoins.includes(symbol) && price > 0.98 && price < 1.02
