import type { MarketSpec } from '../market/market-spec.ts'
import { formatDuration } from '../numeric/time-text.ts'
import type { Strategy } from './strategy.ts'

/**
 * What to doubt about a strategy that acts within recorded candles; null for any other. The way through a candle is
 * made up: it goes to the low first when the candle rises, so whoever looks on that way knows how the candle ends.
 */
export function candleWarning(
  { assets }: MarketSpec,
  { onTick, onTimer }: Strategy,
  tickMillis: number,
  barMillis: number | null,
): string | null {
  const spans = assets.map(({ model }) =>
    model.kind === 'replay' ? Number(model.candles[0]?.spanMillis) : 0,
  )
  const candleMillis = Math.max(...spans)
  const isCalledAnywhere = onTick !== undefined || onTimer !== undefined
  const lookMillis = isCalledAnywhere ? tickMillis : (barMillis ?? candleMillis)
  if (lookMillis >= candleMillis) return null
  const span = formatDuration(candleMillis)
  return `The way of the price through each candle of ${span} is made up, and its beginning gives away its end: believe only what is earned without looking within candles (a tick of ${span}, no shorter bars and timers).`
}
