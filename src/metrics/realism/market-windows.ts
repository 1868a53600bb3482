import type { Market } from '../../market/market.ts'
import { millisPerHour, millisPerMinute } from '../../numeric/time-text.ts'
import type { WindowKind } from './window-features.ts'
import { cutWindows, type WindowList } from './windows.ts'

/** A part of an asset's path in a market. */
export interface MarketSpan {
  readonly market: Market
  /** The place of the asset in the market. */
  readonly asset: number
  readonly fromMillis: number
  readonly toMillis: number
}

/**
 * Cuts the path of an asset, which nobody's trades have moved, into whole windows. The hour before is read as well, for
 * the first return.
 */
export function cutMarketWindows(
  { market, asset, fromMillis, toMillis }: MarketSpan,
  kind: WindowKind,
): WindowList {
  const first = Math.floor((fromMillis - market.startMillis - millisPerHour) / millisPerMinute)
  const count = Math.floor((toMillis - market.startMillis) / millisPerMinute) - first
  const prices = Float64Array.from({ length: count }, (_, place) => market.minuteClose(asset, first + place))
  const startMillis = Math.floor(market.startMillis / millisPerMinute) * millisPerMinute
  return cutWindows(
    { fromMillis: startMillis + first * millisPerMinute, stepMillis: millisPerMinute, prices },
    kind,
  )
}
