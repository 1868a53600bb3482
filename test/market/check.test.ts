import { describe, expect, test } from 'vitest'
import { checkMarketSpec } from '../../src/market/check-market.ts'
import type { AssetMarketSpec, MarketSpec } from '../../src/market/market-spec.ts'
import type { ModelSpec } from '../../src/market/models/price-models.ts'
import { asset, candle, gbm, startMillis } from './market-of.ts'
import { everyModel } from './models/every-model.ts'

const sound: MarketSpec = {
  seed: '7',
  startMillis,
  gridMillis: 1_000,
  assets: [asset(gbm), asset({ kind: 'constant' }, 'ETH')],
}
const hour = candle(0, [10, 11, 9, 10])

function withAsset(change: Partial<AssetMarketSpec>): MarketSpec {
  return { ...sound, assets: [asset(gbm, 'AAVE'), { ...asset(gbm), ...change }] }
}

test('a valid market has no problem', () => {
  expect(checkMarketSpec(sound)).toBeNull()
  const replay: ModelSpec = {
    kind: 'replay',
    candles: [hour, candle(60, [1, 1, 1, 1])],
    gaps: 'hold',
    noiseVol: 0,
  }
  expect(checkMarketSpec(withAsset({ model: replay, price: 0 }))).toBeNull()
  const points = [5, 5, 9].map((offsetMillis) => ({ offsetMillis, price: 1 }))
  expect(checkMarketSpec(withAsset({ model: { kind: 'waypoints', points, noiseVol: 0 } }))).toBeNull()
  expect(checkMarketSpec(withAsset({ flow: { kind: 'none' } }))).toBeNull()
})

/** Every model is valid; each change makes one field wrong. */
describe('a model with a problem names the field', () => {
  const { garch, regimes, hawkes, bootstrap, trades, market } = everyModel
  const [first, second] = bootstrap.candles
  if (first === undefined || second === undefined) throw new Error('There are candles')
  const jumps = (change: Partial<typeof hawkes.jumps>): ModelSpec => ({
    ...hawkes,
    jumps: { ...hawkes.jumps, ...change },
  })

  test.each<[string, ModelSpec]>(Object.entries(everyModel))('%s has none', (_kind, model) => {
    expect(checkMarketSpec(withAsset({ model }))).toBeNull()
  })

  test.each<[string, string, ModelSpec]>([
    ['model.barMinutes', 'whole minutes', { ...garch, barMinutes: 1.5 }],
    ['model.beta', 'the variance has no mean', { ...garch, alpha: 0.2, beta: 0.8 }],
    ['model.asymmetry', 'negative', { ...garch, asymmetry: 0.2 }],
    ['model.regimes', '1 to 20', { ...regimes, regimes: [], transitions: [] }],
    [
      'model.regimes[1].volMultiple',
      'is not from',
      { ...regimes, regimes: [...regimes.regimes.slice(0, 1), { volMultiple: -1, drift: 0 }] },
    ],
    ['model.regimes', 'above 0', { ...regimes, regimes: [{ volMultiple: 0, drift: 0 }], transitions: [[1]] }],
    ['model.transitions', '1 rows for 2 regimes', { ...regimes, transitions: [[1, 0]] }],
    ['model.transitions[1]', '1 values for 2 regimes', { ...regimes, transitions: [[1, 0], [1]] }],
    [
      'model.transitions[0]',
      'adds up to 0.9',
      {
        ...regimes,
        transitions: [
          [0.5, 0.4],
          [0, 1],
        ],
      },
    ],
    [
      'model.transitions[0][0]',
      'is not from 0 to 1',
      {
        ...regimes,
        transitions: [
          [1.5, -0.5],
          [0, 1],
        ],
      },
    ],
    ['model.jumps.perDay', 'is too many for', jumps({ perDay: 10_000, branching: 0.9 })],
    ['model.candles', 'is empty', { ...bootstrap, candles: [] }],
    ['model.candles[0].open', 'is not a price', { ...bootstrap, candles: [{ ...first, open: 0 }] }],
    ['model.candles[0].high', 'is not a price', { ...bootstrap, candles: [{ ...first, high: 1e11 }] }],
    ['model.candles[0].low', 'is not a price', { ...bootstrap, candles: [{ ...first, low: -1 }] }],
    [
      'model.candles[0].close',
      'is not a price',
      { ...bootstrap, candles: [{ ...first, close: Number.NaN }] },
    ],
    [
      'model.candles[0].high',
      'is below the open',
      { ...bootstrap, candles: [{ ...first, high: first.low }] },
    ],
    ['model.candles[0].low', 'is above the open', { ...bootstrap, candles: [{ ...first, low: first.high }] }],
    [
      'model.candles[0].spanMillis',
      'whole minutes',
      { ...bootstrap, candles: [{ ...first, spanMillis: 90_000 }] },
    ],
    [
      'model.candles[1].spanMillis',
      'first candle',
      { ...bootstrap, candles: [first, { ...second, spanMillis: 60_000 }] },
    ],
    ['model.trades', 'is empty', { ...trades, trades: [] }],
    ['model.trades[1].atMillis', 'at or after', { ...trades, trades: trades.trades.slice(0, 2).reverse() }],
    [
      'model.trades[0].price',
      'is not a price',
      { ...trades, trades: [{ atMillis: 0, price: 0, quantity: 1, side: null }] },
    ],
    [
      'model.trades[0].quantity',
      'above 0',
      { ...trades, trades: [{ atMillis: 0, price: 1, quantity: 0, side: null }] },
    ],
    ['model.gapMillis', 'whole number', { ...trades, gapMillis: 0 }],
    ['model.ownShare', 'nothing would move', { ...market, marketShare: 0, altShare: 0, ownShare: 0 }],
    [
      'model.regimes',
      '1 to 20',
      {
        ...regimes,
        regimes: Array.from({ length: 21 }, () => regimes.regimes[0] ?? { volMultiple: 1, drift: 0 }),
      },
    ],
  ])('%s %s', (field, message, model) => {
    expect(checkMarketSpec(withAsset({ model }))).toEqual({
      symbol: 'BTC',
      field,
      message: expect.stringContaining(message),
    })
  })

  test('a persistence of 0.9999 is the most that has a mean', () => {
    const most = { ...garch, alpha: 0, beta: 0.9999, asymmetry: 0 }
    expect(checkMarketSpec(withAsset({ model: most }))).toBeNull()
    expect(checkMarketSpec(withAsset({ model: { ...most, beta: 0.99991 } }))).not.toBeNull()
  })

  test('a correlation names the place in its matrix', () => {
    const correlation = {
      symbols: ['BTC', 'ETH'],
      matrix: [
        [1, 2],
        [2, 1],
      ],
    }
    expect(checkMarketSpec({ ...sound, correlation })).toMatchObject({
      symbol: null,
      field: 'correlation.matrix[0][1]',
    })
    expect(checkMarketSpec({ ...sound, correlation: { ...correlation, matrix: [[1], [1]] } })).toMatchObject({
      field: 'correlation.matrix[0]',
    })
    expect(checkMarketSpec({ ...sound, correlation: { symbols: ['BTC'], matrix: [] } })).toMatchObject({
      field: 'correlation.matrix',
    })
  })

  test('assets that are drawn together need candles of the same times', () => {
    const other: ModelSpec = { ...bootstrap, candles: bootstrap.candles.slice(1) }
    const assets = [asset(bootstrap), asset(bootstrap, 'ETH'), asset(other, 'SOL')]
    expect(checkMarketSpec({ ...sound, assets: assets.slice(0, 2) })).toBeNull()
    const beside = [asset(bootstrap), asset(everyModel.replay, 'ETH')]
    expect(checkMarketSpec({ ...sound, assets: beside })).toBeNull()
    expect(checkMarketSpec({ ...sound, assets })).toMatchObject({
      symbol: 'SOL',
      field: 'model.candles',
      message: expect.stringContaining('those of BTC'),
    })
  })
})

describe('a market with a problem names the asset and the field', () => {
  test.each([['startMillis', { ...sound, startMillis: Number.NaN }]])('%s', (field, spec) => {
    expect(checkMarketSpec(spec)).toMatchObject({ symbol: null, field })
  })

  test.each<[string, Partial<AssetMarketSpec>]>([
    ['symbol', { symbol: 'AAVE' }],
    ['symbol', { symbol: '' }],
    ['price', { price: 0 }],
    ['price', { price: Number.POSITIVE_INFINITY }],
    ['model.points', { model: { kind: 'waypoints', points: [], noiseVol: 0 } }],
    [
      'model.points[0].offsetMillis',
      { model: { kind: 'waypoints', points: [{ offsetMillis: -1, price: 1 }], noiseVol: 0 } },
    ],
    [
      'model.points[0].price',
      { model: { kind: 'waypoints', points: [{ offsetMillis: 0, price: 0 }], noiseVol: 0 } },
    ],
    ['model.candles', { model: { kind: 'replay', candles: [], gaps: 'hold', noiseVol: 0 } }],
    [
      'model.candles[1].atMillis',
      { model: { kind: 'replay', candles: [hour, hour], gaps: 'hold', noiseVol: 0 } },
    ],
    [
      'model.candles[0].high',
      { model: { kind: 'replay', candles: [{ ...hour, high: 9 }], gaps: 'hold', noiseVol: 0 } },
    ],
    [
      'model.candles[0].low',
      { model: { kind: 'replay', candles: [{ ...hour, low: 10.5 }], gaps: 'hold', noiseVol: 0 } },
    ],
    [
      'model.candles[0].spanMillis',
      { model: { kind: 'replay', candles: [{ ...hour, spanMillis: 0 }], gaps: 'hold', noiseVol: 0 } },
    ],
    [
      'model.candles[0].volume',
      { model: { kind: 'replay', candles: [{ ...hour, volume: -1 }], gaps: 'hold', noiseVol: 0 } },
    ],
  ])('%s', (field, change) => {
    const found = checkMarketSpec(withAsset(change))
    expect(found).toMatchObject({ symbol: change.symbol ?? 'BTC', field })
  })
})
