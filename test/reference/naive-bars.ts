import type { Bar } from '../../src/backtest/strategy.ts'
import type { Candle } from '../../src/market/recordings/candle.ts'

/**
 * Groups candles into bars as `resample` of pandas does, whose `offset` is the phase of the candles: of each stretch
 * with one phase, those with the same quotient make a bar. Only bars within [from, to] count.
 */
export function groupIntoBars(
  asset: string,
  candles: readonly Candle[],
  barMillis: number,
  fromMillis: number,
  toMillis: number,
): readonly Bar[] {
  const bars = new Map<string, { -readonly [Key in keyof Bar]: Bar[Key] }>()
  let stretch = 0
  let phase: number | null = null
  for (const { atMillis, close, high, low, open, spanMillis, volume } of candles) {
    const own = atMillis % spanMillis
    if (phase !== null && own !== phase) stretch += 1
    phase = own
    const begin = Math.floor((atMillis - own) / barMillis) * barMillis + own
    const key = `${stretch} ${begin}`
    const bar = bars.get(key)
    if (bar === undefined) {
      const edges = { fromMillis: begin, toMillis: begin + barMillis }
      bars.set(key, { asset, ...edges, open, high, low, close, volume })
    } else {
      bar.high = Math.max(bar.high, high)
      bar.low = Math.min(bar.low, low)
      bar.close = close
      bar.volume = (bar.volume ?? 0) + volume
    }
  }
  return [...bars.values()].filter((bar) => bar.fromMillis >= fromMillis && bar.toMillis <= toMillis)
}
