import { makeRecordedBook } from '../../../src/market/books/make-recorded-book.ts'
import type { ModelSpec } from '../../../src/market/models/price-models.ts'
import type { Candle, Print } from '../../../src/market/recordings/candle.ts'
import { candle, gbm, startMillis } from '../market-of.ts'

/* One specification of each model, for tests of what they have in common. */

const jumps = { perDay: 40, branching: 0.5, decayMillis: 600_000, size: 8, tilt: 0.1 }

/** A day of hourly candles with swings. */
export const swingingCandles: readonly Candle[] = Array.from({ length: 24 }, (_, hour) => {
  const open = 50_000 + 160 * ((hour * 7) % 25)
  const close = 50_000 + 160 * (((hour + 1) * 7) % 25)
  return candle(hour * 60, [open, Math.max(open, close) + 150, Math.min(open, close) - 90, close])
})

/** A trade each seven seconds or so, for two and a half hours either side of the start. */
const trades: readonly Print[] = Array.from({ length: 2_600 }, (_, place) => ({
  atMillis: startMillis + (place - 1_300) * 7_000 + ((place * 7_919) % 5_000),
  price: 50_000 + ((place * 31) % 97) - 48,
  quantity: 0.01 * (1 + (place % 13)),
  side: place % 3 === 0 ? ('sell' as const) : ('buy' as const),
}))

/** A book whose mid wanders, with a change each second or so and a trade each three seconds. */
const recordedBook = makeRecordedBook(
  Array.from({ length: 9_000 }, (_, place) => {
    const middle = 5_000_000 + ((place * 31) % 971)
    const atMillis = startMillis + (place >> 1) * 1_700 - 3_600_000
    if (place % 6 === 5)
      return { atMillis, kind: 2, side: 0, priceTicks: middle, quantitySteps: 1 + (place % 7) }
    const side = place % 2
    return { atMillis, kind: 1, side, priceTicks: middle + (side === 0 ? -3 : 3), quantitySteps: 5 }
  }),
)

export const everyModel = {
  constant: { kind: 'constant' },
  gbm,
  ou: { kind: 'ou', mean: 50_500, halfLifeMillis: 3_600_000, stationarySd: 0.01 },
  waypoints: {
    kind: 'waypoints',
    points: [
      { offsetMillis: 90_000, price: 48_000 },
      { offsetMillis: 200_500, price: 52_000 },
      { offsetMillis: 5_400_000, price: 51_000 },
    ],
    noiseVol: 0.8,
  },
  replay: {
    kind: 'replay',
    candles: [candle(-120, [50_000, 50_400, 49_800, 50_100]), candle(0, [50_100, 50_900, 50_000, 50_800])],
    gaps: 'interpolate',
    noiseVol: 0.6,
  },
  merton: { kind: 'merton', vol: 0.55, drift: 0.1, jumpsPerYear: 20_000, jumpMean: -0.001, jumpSd: 0.01 },
  heston: {
    kind: 'heston',
    meanVariance: 0.3,
    meanReversion: 15,
    volOfVariance: 3,
    leverage: -0.2,
    drift: 0,
  },
  garch: { kind: 'garch', vol: 0.55, barMinutes: 7, alpha: 0.06, beta: 0.93, asymmetry: 0.02, tails: 4 },
  regimes: {
    kind: 'regimes',
    vol: 0.55,
    regimes: [
      { volMultiple: 0.4, drift: 0 },
      { volMultiple: 2.2, drift: -0.5 },
    ],
    transitions: [
      [0.7, 0.3],
      [0.4, 0.6],
    ],
  },
  hawkes: { kind: 'hawkes', vol: 0.55, drift: 0, jumps },
  bootstrap: { kind: 'bootstrap', candles: swingingCandles, meanPieceMillis: 14_400_000 },
  trades: { kind: 'trades', trades, gapMillis: 60_000, gaps: 'hold' },
  book: {
    kind: 'book',
    book: recordedBook,
    tickUsd: 0.01,
    stepUnits: 0.0001,
    gaps: 'hold',
    gapAfterMillis: 60_000,
  },
  market: {
    kind: 'market',
    vol: 0.55,
    drift: 0,
    marketShare: 1,
    altShare: 0.3,
    ownShare: 0.2,
    marketShareSd: 0.1,
    commonVolatility: 0.5,
    standstillBps: 1,
    dailyVolumeUsd: 400e6,
  },
} satisfies Record<ModelSpec['kind'], ModelSpec>
