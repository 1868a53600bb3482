import { createMarket } from '../../src/market/create-market.ts'
import type { Market } from '../../src/market/market.ts'
import type { AssetMarketSpec, ModelChange } from '../../src/market/market-spec.ts'
import { type ModelSpec, readModel } from '../../src/market/models/price-models.ts'
import type { Candle, Print } from '../../src/market/recordings/candle.ts'

/** 2026-01-05T00:00:00Z. */
export const startMillis = 1_767_571_200_000

export const gbm: ModelSpec = { kind: 'gbm', vol: 0.55, drift: 0 }

export function asset(model: ModelSpec, symbol = 'BTC', price = 50_000): AssetMarketSpec {
  return {
    symbol,
    price,
    model,
    flow: { kind: 'poisson', ratePerMinute: 6, medianUsd: 3_000, sizeSd: 1.6 },
  }
}

export function marketOf(
  assets: readonly AssetMarketSpec[],
  { seed = '7', gridMillis = 1_000, start = startMillis } = {},
): Market {
  return createMarket({ seed, startMillis: start, gridMillis, assets })
}

/** Returns a candle of a recording, `minute` minutes after the start; one hour long by default. */
export function candle(
  minute: number,
  [open, high, low, close]: readonly [number, number, number, number],
  volume = 4,
  spanMinutes = 60,
): Candle {
  return {
    atMillis: startMillis + minute * 60_000,
    spanMillis: spanMinutes * 60_000,
    open,
    high,
    low,
    close,
    volume,
  }
}

export function prices(market: Market, from: number, to: number, row = 0): number[] {
  return Array.from({ length: to - from + 1 }, (_, place) => market.fundamentalAt(row, from + place))
}

/** Returns a copy of what a recording prints after one grid index and up to another. */
export function printedIn(
  market: Market,
  afterIndex: number,
  lastIndex: number,
  row = 0,
  to: ModelChange | null = null,
): readonly Omit<Print, 'side'>[] {
  const prints = market.recordedPrints(row, afterIndex, lastIndex, to)
  return Array.from({ length: prints.count }, (_, place) => ({
    atMillis: prints.atMillis.get(place),
    price: prints.price.get(place),
    quantity: prints.quantity.get(place),
  }))
}

/** Returns the model of an asset that states none: `market`, or for stablecoins a return to one dollar. */
export const defaultModel = (symbol: string, price: number): ModelSpec =>
  readModel(null, { symbol, price, candles: [] }, [])
