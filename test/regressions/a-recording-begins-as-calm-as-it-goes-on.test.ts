// Room: market

import { expect, it } from 'vitest'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import { createStream } from '../../src/numeric/random.ts'
import { asset, marketOf, startMillis } from '../market/market-of.ts'

const minuteMillis = 60_000
const stream = createStream('calm', 'walk', 'BTC', 0)
const deviation = 0.0005

/** Minute by minute, from the market's start on. */
const walk: number[] = [100]
for (let minute = 1; minute <= 3 * 1440; minute += 1)
  walk.push(Number(walk[minute - 1]) * (1 + deviation * stream.normal()))

const candles = walk.slice(1).map((close, minute) => {
  const open = Number(walk[minute])
  const [low, high] = [Math.min(open, close), Math.max(open, close)]
  const atMillis = startMillis + minute * minuteMillis
  return { atMillis, spanMillis: minuteMillis, open, high, low, close, volume: 1 }
})
const trades = walk.map((price, minute) => ({
  atMillis: startMillis + minute * minuteMillis,
  price,
  quantity: 1,
  side: null,
}))

/*
 * The two weeks before a recording counted as weeks in which nothing moved, so its first days seemed ten times wilder
 * than usual: the ladder of bitcoin had 30 basis points of half-spread in place of 2, and hardly any depth.
 */
it.each<[string, ModelSpec]>([
  ['candles', { kind: 'replay', candles, gaps: 'hold', noiseVol: 0 }],
  ['trades', { kind: 'trades', trades, gaps: 'hold', gapMillis: 3_600_000 }],
])('the first days of recorded %s are no wilder than the next ones', (_, model) => {
  const market = marketOf([asset(model)], { gridMillis: minuteMillis })
  const activities = Array.from({ length: 3 * 144 }, (_unused, place) => market.activityAt(0, place * 10))
  expect(activities.slice(0, 1)).toEqual([1])
  expect(Math.max(...activities)).toBeLessThan(2.5)
  expect(Math.min(...activities)).toBeGreaterThan(0.4)
})
