import type { Candle } from '../../../src/market/recordings/candle.ts'
import { createStream } from '../../../src/numeric/random.ts'

const minuteMillis = 60_000
const startMillis = Date.UTC(2025, 0, 1)

/** Minute candles of a random walk: 100,000 are seventy days. */
export function randomCandles(count: number, seed: string): readonly Candle[] {
  const stream = createStream(seed, 'bench-candles', '', 0)
  const candles: Candle[] = []
  let price = 50_000
  for (let place = 0; place < count; place += 1) {
    const open = price
    const close = Math.round(open * (1 + 0.0008 * stream.normal()) * 100) / 100
    const high = Math.round(Math.max(open, close) * (1 + 0.0002 * stream.uniform()) * 100) / 100
    const low = Math.round(Math.min(open, close) * (1 - 0.0002 * stream.uniform()) * 100) / 100
    candles.push({
      atMillis: startMillis + place * minuteMillis,
      spanMillis: minuteMillis,
      open,
      high,
      low,
      close,
      volume: 0,
    })
    price = close
  }
  return candles
}
