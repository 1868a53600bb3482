import { describe, expect, test } from 'vitest'
import type { Market } from '../../../src/market/market.ts'
import type { ReplaySpec } from '../../../src/market/models/replay.ts'
import type { Candle } from '../../../src/market/recordings/candle.ts'
import { asset, candle, marketOf, prices, printedIn } from '../market-of.ts'

const rising = candle(0, [100, 110, 90, 105])
const falling = candle(60, [104, 108, 80, 85], 8)
const afterGap = candle(180, [70, 75, 69, 72], 2)
const recording = [rising, falling, afterGap]

function replay(
  candles: readonly Candle[],
  gaps: ReplaySpec['gaps'] = 'hold',
  noiseVol = 0,
  gridMillis = 60_000,
): Market {
  return marketOf([asset({ kind: 'replay', candles, gaps, noiseVol })], { gridMillis })
}

describe('candles as a path', () => {
  test.each([0, 3])('pass their four prices at 0, 1/4, 3/4 and 1, with noise of %d', (noiseVol) => {
    const market = replay(recording, 'hold', noiseVol)
    const at = (minute: number): number => market.fundamentalAt(0, minute)
    expect([0, 15, 45].map(at)).toEqual([100, 90, 110])
    // A candle's close is replaced by the next one's open; the last close stays.
    expect([60, 75, 105, 120].map(at)).toEqual([104, 108, 80, 85])
    expect([180, 195, 225, 240, 999].map(at)).toEqual([70, 69, 75, 72, 72])
  })

  test('are log-linear in between without noise', () => {
    const market = replay(recording)
    expect(market.fundamentalAt(0, 30)).toBeCloseTo(Math.sqrt(90 * 110), 9)
    expect(market.fundamentalAt(0, 25)).toBeCloseTo(90 * (110 / 90) ** (1 / 3), 9)
  })

  test('stay between low and high, whatever the noise, and reach both', () => {
    const market = replay(recording, 'hold', 30, 1_000)
    for (const { atMillis, low, high } of [rising, falling]) {
      const first = (atMillis - rising.atMillis) / 1_000
      const walked = prices(market, first + 1, first + 3_599)
      expect(Math.min(...walked)).toBe(low)
      expect(Math.max(...walked)).toBe(high)
      expect(new Set(walked).size).toBeGreaterThan(100)
    }
  })

  // A quarter of 401 ms is 100.25 ms, and three quarters are 300.75 ms: both prices stand by the instant before.
  test('pass their quarters at whole milliseconds, the earlier ones', () => {
    const odd = [candle(0, [100, 110, 90, 105], 4, 401 / 60_000)]
    const market = replay(odd, 'hold', 0, 100)
    expect([0, 1, 3].map((tenth) => market.fundamentalAt(0, tenth))).toEqual([100, 90, 110])
    const printed = [1, 3, 4, 5].map((tenth) => printedIn(market, tenth - 1, tenth).map(({ price }) => price))
    expect(printed).toEqual([[100, 90], [110], [], [105]])
  })

  test('with equal prices are constant', () => {
    const market = replay([candle(0, [5, 5, 5, 5])], 'hold', 3, 1_000)
    expect(new Set(prices(market, -10, 4_000))).toEqual(new Set([5]))
  })

  test('may have any span', () => {
    const short = candle(0, [10, 12, 9, 11], 1, 1)
    const long = candle(1, [11, 14, 8, 9], 1, 60 * 24 * 30)
    const market = replay([short, long], 'hold', 0.5, 1_000)
    expect([0, 15, 45, 60].map((second) => market.fundamentalAt(0, second))).toEqual([10, 9, 12, 11])
    expect(market.fundamentalAt(0, 60 + 60 * 60 * 24 * 30 * 0.25)).toBe(14)
  })
})

test('reading many prices at once equals reading each of them', () => {
  const spans = [1, 0.5, 0.00005, 1, 1.5, 3, 1, 1]
  let minute = 0
  const candles = spans.map((span, place) => {
    minute += place === 5 ? 4 : 1
    const begun = candle(minute, [100 + place, 120, 80, 90 + place], 0, span)
    minute += Math.ceil(span) - 1
    return begun
  })
  for (const gaps of ['hold', 'interpolate', 'halt'] as const) {
    for (const [gridMillis, step] of [
      [60_000, 1],
      [60_000, 2],
      [20_000, 3],
      [120_000, 1],
    ] as const) {
      const written = new Float64Array(30)
      const market = replay(candles, gaps, 0.8, gridMillis)
      for (const first of [-3, 1, 7, 2]) {
        market.writeFundamentals(0, { first, step, count: 30 }, written)
        const other = replay(candles, gaps, 0.8, gridMillis)
        expect([...written]).toEqual([...written].map((_, row) => other.fundamentalAt(0, first + row * step)))
      }
    }
  }
})

describe('gaps', () => {
  test.each(['hold', 'halt'] as const)('%s keeps the last close', (gaps) => {
    const market = replay(recording, gaps, 2)
    expect(new Set(prices(market, 120, 179))).toEqual(new Set([85]))
  })

  test('interpolate goes to the next open', () => {
    const market = replay(recording, 'interpolate')
    expect(market.fundamentalAt(0, 120)).toBe(85)
    expect(market.fundamentalAt(0, 150)).toBeCloseTo(Math.sqrt(85 * 70), 9)
    expect(market.fundamentalAt(0, 180)).toBe(70)
    const noisy = replay(recording, 'interpolate', 1)
    expect(noisy.fundamentalAt(0, 180)).toBe(70)
    expect(noisy.fundamentalAt(0, 150)).not.toBe(market.fundamentalAt(0, 150))
  })

  test('only `halt` halts, in gaps and outside the recording', () => {
    const halts = [-1, 0, 60, 120, 121, 150, 179, 180, 240, 241]
    const halted = (gaps: ReplaySpec['gaps']): readonly boolean[] =>
      halts.map((minute) => replay(recording, gaps).isHaltedAt(0, minute))
    expect(halted('halt')).toEqual([true, false, false, false, true, true, true, false, false, true])
    expect(halted('hold')).toEqual(halts.map(() => false))
    expect(halted('interpolate')).toEqual(halts.map(() => false))
  })

  test('the price before the recording is its first open', () => {
    expect(new Set(prices(replay(recording, 'interpolate', 1), -500, 0))).toEqual(new Set([100]))
  })
})

describe('prints', () => {
  test('are the four prices with a quarter of the volume each, once, in order', () => {
    const market = replay(recording)
    const printed = (from: number, to: number): (readonly [number, number])[] => {
      const all: (readonly [number, number])[] = []
      for (let minute = from; minute <= to; minute += 1) {
        for (const { price, quantity } of printedIn(market, minute - 1, minute)) all.push([price, quantity])
      }
      return all
    }
    const first = [100, 90, 110, 105].map((price) => [price, 1])
    const second = [104, 108, 80, 85].map((price) => [price, 2])
    const third = [70, 69, 75, 72].map((price) => [price, 0.5])
    expect(printed(-10, 300)).toEqual([...first, ...second, ...third])
    expect(printed(46, 61)).toEqual([
      [105, 1],
      [104, 2],
    ])
    // Reading backwards gives the same.
    expect(printedIn(market, 14, 15)).toMatchObject([{ price: 90, quantity: 1 }])
  })

  test('tell nothing of a candle at the instant at which it begins', () => {
    const seen = (next: Candle): readonly unknown[] => {
      const market = replay([rising, next], 'hold', 0, 60_000)
      return [printedIn(market, 59, 60), market.minuteBar(0, 59).volumeUsd]
    }
    expect(seen(candle(60, [104, 108, 80, 85], 8))).toEqual(seen(candle(60, [104, 300, 1, 200], 9_999)))
  })

  test('are all there on a grid coarser than the candles', () => {
    const market = replay(recording, 'hold', 0, 3_600_000)
    expect([0, 1, 2, 3, 4, 5].map((hour) => printedIn(market, hour - 1, hour).length)).toEqual([
      0, 4, 4, 0, 4, 0,
    ])
    const halves = [candle(0, [1, 2, 1, 2], 4, 30), candle(30, [3, 4, 3, 4], 4, 30)]
    const printed = printedIn(replay(halves, 'hold', 0, 3_600_000), 0, 1)
    expect(printed.map(({ price }) => price)).toEqual([1, 1, 2, 2, 3, 3, 4, 4])
  })

  test('without volume there are none, and generated models have none', () => {
    const market = replay([candle(0, [1, 2, 1, 2], 0)], 'hold', 0, 3_600_000)
    expect([0, 1, 2].flatMap((hour) => printedIn(market, hour - 1, hour))).toEqual([])
    expect(printedIn(marketOf([asset({ kind: 'constant' })]), 0, 1)).toEqual([])
  })

  test('make the volume of the minute bars', () => {
    const market = replay(recording)
    expect(market.minuteBar(0, 14)).toMatchObject({ close: 90, low: 90, volumeUsd: 90, trades: 1 })
    expect(market.minuteBar(0, 59)).toMatchObject({ close: 104, volumeUsd: 105, trades: 1 })
    expect(market.minuteBar(0, 60)).toMatchObject({ volumeUsd: 2 * 104, trades: 1 })
    expect(market.minuteBar(0, 20)).toMatchObject({ volumeUsd: 0, trades: 0 })
  })
})

test('worlds that share a recording find the prices and the activity that each would find alone', () => {
  const parts = [
    { first: 40, step: 1, count: 100 },
    { first: 1, step: 1, count: 90 },
    { first: 0, step: 3, count: 120 },
    { first: -5, step: 1, count: 700 },
  ]
  const minutes = Array.from({ length: 1_000 }, (_, place) => (place * 7) % 400)
  const worlds: readonly (readonly [ReplaySpec['gaps'], number, number])[] = [
    ['hold', 0, 60_000],
    ['hold', 3, 60_000],
    ['interpolate', 0, 60_000],
    ['hold', 0, 30_000],
  ]
  for (const [gaps, noiseVol, gridMillis] of worlds) {
    const alone = replay(structuredClone(recording), gaps, noiseVol, gridMillis)
    const shared = replay(recording, gaps, noiseVol, gridMillis)
    const sharing = replay(recording, gaps, noiseVol, gridMillis)
    for (const part of parts) {
      const [expected, ...others] = [alone, shared, sharing].map((market) => {
        const written = new Float64Array(part.count)
        market.writeFundamentals(0, part, written)
        return written
      })
      expect(others).toEqual([expected, expected])
    }
    for (const minute of minutes) {
      const expected = alone.activityAt(0, minute)
      expect([shared.activityAt(0, minute), sharing.activityAt(0, minute)]).toEqual([expected, expected])
    }
  }
  const later = { start: rising.atMillis + 3_600_000 }
  const model: ReplaySpec = { kind: 'replay', candles: recording, gaps: 'hold', noiseVol: 0 }
  const clone: ReplaySpec = { ...model, candles: structuredClone(recording) }
  for (const minute of [0, 15, 100])
    expect(marketOf([asset(model)], later).activityAt(0, minute)).toBe(
      marketOf([asset(clone)], later).activityAt(0, minute),
    )
})

test('the real bad print of 2017, an open and low of 0.06, is reached and left', () => {
  const market = replay([
    candle(0, [1188.97, 1190.99, 1180.65, 1182.99], 800, 240),
    candle(240, [0.06, 1186.6, 0.06, 1178.85], 489, 240),
    candle(480, [1178.84, 1187.99, 1175.82, 1186.7], 583, 240),
  ])
  expect([239, 240, 300, 420, 480].map((minute) => market.fundamentalAt(0, minute))).toEqual([
    expect.closeTo(1182.99, 0),
    0.06,
    0.06,
    1186.6,
    1178.84,
  ])
})
