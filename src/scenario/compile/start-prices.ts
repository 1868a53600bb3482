import { createMarket } from '../../market/create-market.ts'
import type { MarketSpec } from '../../market/market-spec.ts'

/** What a unit of an asset costs at the start, USD. */
export interface StartPrice {
  readonly stated: number
  /** Points and recordings may begin elsewhere. */
  readonly first: number
}

/** By the symbols of a sound market. */
export function startPrices(spec: MarketSpec): ReadonlyMap<string, StartPrice> {
  const market = createMarket(spec)
  return new Map(
    spec.assets.map(({ symbol, price }, asset) => [
      symbol,
      { stated: price, first: market.fundamentalAt(asset, 0) },
    ]),
  )
}
