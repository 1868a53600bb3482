import { describe, expect, test } from 'vitest'
import { checkMarketSpec } from '../../src/market/check-market.ts'
import type { AssetMarketSpec } from '../../src/market/market-spec.ts'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import type { Candle, Print } from '../../src/market/recordings/candle.ts'
import { hawkesFlow } from '../engine/fixtures/lively-venue.ts'
import { type Bounds, expectBounds } from './bounds.ts'
import { asset, candle, gbm, startMillis } from './market-of.ts'
import { everyModel } from './models/every-model.ts'

const century = 100 * 365 * 86_400_000

describe('models', () => {
  const { bootstrap, garch, hawkes, heston, market, merton, ou, regimes, replay, trades, waypoints } =
    everyModel
  const jumps = (change: Partial<typeof hawkes.jumps>): ModelSpec => ({
    ...hawkes,
    jumps: { perDay: 1, branching: 0, decayMillis: 60_000, size: 1, tilt: 0, ...change },
  })
  const candles = (change: Partial<Candle>): ModelSpec => ({
    ...replay,
    candles: [{ ...candle(0, [1, 1, 1, 1]), ...change }],
  })
  const trade = (change: Partial<Print>): ModelSpec => ({
    ...trades,
    trades: [{ atMillis: startMillis, price: 1, quantity: 1, side: null, ...change }],
  })
  const price = 'a price from 1e-10 to 1e10 USD'

  test.each<Bounds<ModelSpec>>([
    { field: 'model.noiseVol', least: 0, most: 100, of: (noiseVol) => ({ ...waypoints, noiseVol }) },
    { field: 'model.noiseVol', least: 0, most: 100, of: (noiseVol) => ({ ...replay, noiseVol }) },
    { field: 'model.vol', least: 0, most: 100, of: (vol) => ({ kind: 'gbm', vol, drift: 0 }) },
    { field: 'model.drift', least: -100, most: 100, of: (drift) => ({ kind: 'gbm', vol: 1, drift }) },
    { field: 'model.mean', least: 1e-10, most: 1e10, words: price, of: (mean) => ({ ...ou, mean }) },
    {
      field: 'model.halfLifeMillis',
      least: 1000,
      most: century,
      words: 'from 1s to 36500d',
      of: (halfLifeMillis) => ({ ...ou, halfLifeMillis }),
    },
    { field: 'model.stationarySd', least: 0, most: 10, of: (stationarySd) => ({ ...ou, stationarySd }) },
    { field: 'model.vol', least: 0, most: 100, of: (vol) => ({ ...merton, vol }) },
    { field: 'model.drift', least: -100, most: 100, of: (drift) => ({ ...merton, drift }) },
    { field: 'model.jumpsPerYear', least: 0, most: 1e6, of: (jumpsPerYear) => ({ ...merton, jumpsPerYear }) },
    { field: 'model.jumpMean', least: -1, most: 1, of: (jumpMean) => ({ ...merton, jumpMean }) },
    { field: 'model.jumpSd', least: 0, most: 1, of: (jumpSd) => ({ ...merton, jumpSd }) },
    {
      field: 'model.meanVariance',
      least: 1e-8,
      most: 100,
      of: (meanVariance) => ({ ...heston, meanVariance }),
    },
    {
      field: 'model.meanReversion',
      least: 0.01,
      most: 1e5,
      of: (meanReversion) => ({ ...heston, meanReversion }),
    },
    {
      field: 'model.volOfVariance',
      least: 1e-4,
      most: 1000,
      of: (volOfVariance) => ({ ...heston, volOfVariance }),
    },
    { field: 'model.leverage', least: -0.99, most: 0.99, of: (leverage) => ({ ...heston, leverage }) },
    { field: 'model.drift', least: -100, most: 100, of: (drift) => ({ ...heston, drift }) },
    { field: 'model.vol', least: 0, most: 100, of: (vol) => ({ ...garch, vol }) },
    {
      field: 'model.barMinutes',
      least: 1,
      most: 1440,
      words: 'of whole minutes, from 1m to 1d',
      of: (barMinutes) => ({ ...garch, barMinutes }),
    },
    { field: 'model.alpha', least: 0, most: 1, of: (alpha) => ({ ...garch, alpha }) },
    { field: 'model.beta', least: 0, most: 1, of: (beta) => ({ ...garch, alpha: 0, asymmetry: 0, beta }) },
    {
      field: 'model.asymmetry',
      least: -1,
      most: 1,
      of: (asymmetry) => ({ ...garch, alpha: 0.5, beta: 0.4, asymmetry }),
    },
    { field: 'model.tails', least: 2.05, most: 1000, of: (tails) => ({ ...garch, tails }) },
    { field: 'model.vol', least: 0, most: 100, of: (vol) => ({ ...regimes, vol }) },
    {
      field: 'model.regimes[0].volMultiple',
      least: 0,
      most: 1000,
      of: (volMultiple) => ({ ...regimes, regimes: [{ volMultiple, drift: 0 }], transitions: [[1]] }),
    },
    {
      field: 'model.regimes[0].drift',
      least: -100,
      most: 100,
      of: (drift) => ({ ...regimes, regimes: [{ volMultiple: 1, drift }], transitions: [[1]] }),
    },
    { field: 'model.vol', least: 0, most: 100, of: (vol) => ({ ...hawkes, vol }) },
    { field: 'model.drift', least: -100, most: 100, of: (drift) => ({ ...hawkes, drift }) },
    { field: 'model.jumps.perDay', least: 0, most: 10_000, of: (perDay) => jumps({ perDay }) },
    { field: 'model.jumps.branching', least: 0, most: 0.95, of: (branching) => jumps({ branching }) },
    {
      field: 'model.jumps.decayMillis',
      least: 1000,
      most: 86_400_000,
      words: 'from 1s to 1d',
      of: (decayMillis) => jumps({ decayMillis }),
    },
    { field: 'model.jumps.size', least: 0, most: 1000, of: (size) => jumps({ size }) },
    { field: 'model.jumps.tilt', least: -10, most: 10, of: (tilt) => jumps({ tilt }) },
    {
      field: 'model.meanPieceMillis',
      least: 3_600_000,
      most: century,
      words: 'from 1h to 36500d',
      of: (meanPieceMillis) => ({ ...bootstrap, meanPieceMillis }),
    },
    { field: 'model.vol', least: 0, most: 100, of: (vol) => ({ ...market, vol }) },
    { field: 'model.drift', least: -100, most: 100, of: (drift) => ({ ...market, drift }) },
    { field: 'model.marketShare', least: -10, most: 10, of: (marketShare) => ({ ...market, marketShare }) },
    { field: 'model.altShare', least: -10, most: 10, of: (altShare) => ({ ...market, altShare }) },
    { field: 'model.ownShare', least: 0, most: 10, of: (ownShare) => ({ ...market, ownShare }) },
    {
      field: 'model.marketShareSd',
      least: 0,
      most: 1,
      of: (marketShareSd) => ({ ...market, marketShareSd }),
    },
    {
      field: 'model.commonVolatility',
      least: 0,
      most: 1,
      of: (commonVolatility) => ({ ...market, commonVolatility }),
    },
    {
      field: 'model.standstillBps',
      least: 0,
      most: 100,
      of: (standstillBps) => ({ ...market, standstillBps }),
    },
    {
      field: 'model.dailyVolumeUsd',
      least: 0,
      most: 1e15,
      of: (dailyVolumeUsd) => ({ ...market, dailyVolumeUsd }),
    },
    {
      field: 'model.candles[0].volume',
      least: 0,
      most: 1e15,
      words: 'from 0 to 1e15',
      of: (volume) => candles({ volume }),
    },
    {
      field: 'model.candles[0].open',
      least: 1e-10,
      most: 1e10,
      words: price,
      of: (open) => candles({ open, high: 1e10, low: 1e-10 }),
    },
    {
      field: 'model.candles[0].close',
      least: 1e-10,
      most: 1e10,
      words: price,
      of: (close) => candles({ close, high: 1e10, low: 1e-10 }),
    },
    {
      field: 'model.trades[0].price',
      least: 1e-10,
      most: 1e10,
      words: price,
      of: (at) => trade({ price: at }),
    },
    {
      field: 'model.trades[0].quantity',
      least: Number.MIN_VALUE,
      most: 1e15,
      words: 'above 0 and up to 1e15',
      of: (quantity) => trade({ quantity }),
    },
    {
      field: 'model.gapMillis',
      least: 1,
      most: century,
      words: `a whole number from 1 to ${century}`,
      of: (gapMillis) => ({ ...trades, gapMillis }),
    },
  ])('$field $least $most', (row) => {
    expectBounds(row, (model) => checkMarketSpec(marketWith({ model })))
  })

  test.each<[string, string, ModelSpec]>([
    ['model.candles[0].spanMillis', 'is not a span', candles({ spanMillis: 0.5 })],
    ['model.candles[0].high', 'is below the open or the close', candles({ open: 2, low: 1 })],
    ['model.candles[0].high', 'is below the open or the close', candles({ close: 2, low: 1 })],
    ['model.candles[0].low', 'is above the open or the close', candles({ open: 0.5, high: 1 })],
    ['model.candles[0].low', 'is above the open or the close', candles({ close: 0.5, high: 1 })],
    [
      'model.candles[0].atMillis',
      'is not a whole number at or after the end of the candle before',
      candles({ atMillis: 0.5 }),
    ],
    [
      'model.trades[0].atMillis',
      'is not a whole number at or after the trade before',
      trade({ atMillis: 0.5 }),
    ],
    [
      'model.points[1].offsetMillis',
      'is not a whole number at or after the point before',
      {
        ...waypoints,
        points: [
          { offsetMillis: 5, price: 1 },
          { offsetMillis: 4, price: 1 },
        ],
      },
    ],
    [
      'model.jumps.perDay',
      'is too many for such a branching and decay: over 100000 of them would be felt at once',
      jumps({ perDay: 10_000, branching: 0.95, decayMillis: 86_400_000 }),
    ],
    [
      'model.asymmetry',
      'is more than twice alpha, so a variance could be negative',
      { ...garch, alpha: 0.25, beta: 0.5, asymmetry: -0.5625 },
    ],
    [
      'model.beta',
      'with alpha is not above 0 and at most 0.9999, so the variance has no mean',
      { ...garch, alpha: 0, beta: 0, asymmetry: 0 },
    ],
    [
      'model.ownShare',
      'is below 0.000001 as both other shares are: nothing would move the price',
      { ...market, marketShare: -9e-7, altShare: 9e-7, ownShare: 9e-7 },
    ],
    [
      'model.regimes',
      'has no volMultiple above 0.000001',
      { ...regimes, regimes: [{ volMultiple: 9e-7, drift: 0 }], transitions: [[1]] },
    ],
  ])('%s %s', (field, message, model) => {
    expect(checkMarketSpec(marketWith({ model }))).toEqual({ symbol: 'BTC', field, message })
  })

  test.each<[string, ModelSpec]>([
    ['an asymmetry of twice alpha, either way', { ...garch, alpha: 0.25, beta: 0.5, asymmetry: -0.5 }],
    ['an asymmetry of twice alpha', { ...garch, alpha: 0.25, beta: 0.5, asymmetry: 0.5 }],
    ['one share alone', { ...market, marketShare: -1, altShare: 0, ownShare: 0 }],
    ['another share alone', { ...market, marketShare: 0, altShare: -1, ownShare: 0 }],
    ['the own share alone', { ...market, marketShare: 0, altShare: 0, ownShare: 1e-6 }],
    [
      'one regime that moves',
      {
        ...regimes,
        regimes: [
          { volMultiple: 0, drift: 0 },
          { volMultiple: 1e-6, drift: 0 },
        ],
      },
    ],
    [
      'candles and trades of one instant',
      {
        ...trades,
        trades: [1, 2].map((price) => ({ atMillis: startMillis, price, quantity: 1, side: null })),
      },
    ],
  ])('is accepted: %s', (_name, model) => {
    expect(checkMarketSpec(marketWith({ model }))).toBeNull()
  })
})

describe('flow', () => {
  const flow = (change: object): Partial<AssetMarketSpec> => ({ flow: { ...hawkesFlow, ...change } })
  const informed = (change: object): Partial<AssetMarketSpec> =>
    flow({ informed: { ...hawkesFlow.informed, ...change } })

  test.each<Bounds<Partial<AssetMarketSpec>>>([
    { field: 'flow.ratePerMinute', least: 0, most: 10_000, of: (ratePerMinute) => flow({ ratePerMinute }) },
    { field: 'flow.medianUsd', least: 1e-6, most: 1e12, of: (medianUsd) => flow({ medianUsd }) },
    { field: 'flow.sizeSd', least: 0, most: 5, of: (sizeSd) => flow({ sizeSd }) },
    { field: 'flow.maximumUsd', least: 1e-6, most: 1e12, of: (maximumUsd) => flow({ maximumUsd }) },
    { field: 'flow.informed.share', least: 0, most: 1, of: (share) => informed({ share }) },
    {
      field: 'flow.informed.horizonMillis',
      least: 1,
      most: 86_400_000,
      words: 'from 1ms to 1d',
      of: (horizonMillis) => informed({ horizonMillis }),
    },
    { field: 'flow.informed.costBps', least: 0, most: 10_000, of: (costBps) => informed({ costBps }) },
    { field: 'flow.patiencePerBp', least: 0, most: 1000, of: (patiencePerBp) => flow({ patiencePerBp }) },
    { field: 'flow.touchBps', least: 0, most: 10_000, of: (touchBps) => flow({ touchBps }) },
    { field: 'flow.snipers', least: 0, most: 1, of: (snipers) => flow({ snipers }) },
  ])('$field', (row) => {
    expectBounds(row, (change) => checkMarketSpec(marketWith(change)))
  })
})

test('a market is checked from its grid to its assets', () => {
  const sound = marketWith({})
  for (const gridMillis of [100, 3_600_000]) expect(checkMarketSpec({ ...sound, gridMillis })).toBeNull()
  const grid = { symbol: null, field: 'gridMillis', message: 'is not a whole number from 100 to 3600000' }
  for (const gridMillis of [99, 3_600_001, 100.5])
    expect(checkMarketSpec({ ...sound, gridMillis })).toEqual(grid)
  const start = { symbol: null, field: 'startMillis', message: 'is not a whole number of milliseconds' }
  expect(checkMarketSpec({ ...sound, startMillis: 0.5 })).toEqual(start)
  const twice = { symbol: 'BTC', field: 'symbol', message: 'is that of another asset' }
  expect(checkMarketSpec({ ...sound, assets: [asset(gbm), asset(gbm)] })).toEqual(twice)
  const unnamed = { symbol: '', field: 'symbol', message: 'is empty' }
  expect(checkMarketSpec(marketWith({ symbol: '' }))).toEqual(unnamed)
  const { replay } = everyModel
  const recording = { ...replay, noiseVol: -1 }
  const recorded = { symbol: 'BTC', field: 'recordings[1].noiseVol', message: 'is not from 0 to 100' }
  expect(checkMarketSpec(marketWith({ recordings: [replay, recording] }))).toEqual(recorded)
})

test('assets drawn together have candles of the same spans, and as many', () => {
  const { bootstrap } = everyModel
  const beside = (candles: readonly Candle[]): string | undefined =>
    checkMarketSpec({
      ...marketWith({}),
      assets: [asset(bootstrap), asset({ ...bootstrap, candles }, 'ETH')],
    })?.field
  const { candles } = bootstrap
  expect(beside([...candles])).toBeUndefined()
  expect(beside(candles.slice(0, -1))).toBe('model.candles')
  expect(beside([...candles, candle(24 * 60, [1, 1, 1, 1])])).toBe('model.candles')
  expect(beside(candles.map((one) => ({ ...one, spanMillis: 1_800_000 })))).toBe('model.candles')
})

function marketWith(change: Partial<AssetMarketSpec>) {
  return { seed: '7', startMillis, gridMillis: 1_000, assets: [{ ...asset(gbm), ...change }] }
}
