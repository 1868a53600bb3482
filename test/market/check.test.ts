import { describe, expect, test } from 'vitest'
import { marketProblem } from '../../src/market/check-market.ts'
import { liquidityProblem } from '../../src/market/liquidity/check-liquidity.ts'
import type { LiquidityDynamics, LiquiditySpec } from '../../src/market/liquidity/liquidity.ts'
import type { AssetMarketSpec, MarketSpec, ModelSpec } from '../../src/market/market-spec.ts'
import { dynamics } from '../engine/fixtures/lively-venue.ts'
import { asset, candle, gbm, startMillis } from './market-of.ts'
import { everyModel } from './models/every-model.ts'

const sound: MarketSpec = {
  seed: '7',
  startMillis,
  gridMillis: 1_000,
  assets: [asset(gbm), asset({ kind: 'constant' }, 'ETH')],
}
const hour = candle(0, [10, 11, 9, 10])
const flow = { kind: 'poisson', ratePerMinute: 1, medianUsd: 1, sizeSd: 1 } as const

function withAsset(change: Partial<AssetMarketSpec>): MarketSpec {
  return { ...sound, assets: [asset(gbm, 'AAVE'), { ...asset(gbm), ...change }] }
}

test('a valid market has no problem', () => {
  expect(marketProblem(sound)).toBeNull()
  const replay: ModelSpec = {
    kind: 'replay',
    candles: [hour, candle(60, [1, 1, 1, 1])],
    gaps: 'hold',
    noiseVol: 0,
  }
  expect(marketProblem(withAsset({ model: replay, price: 0 }))).toBeNull()
  const points = [5, 5, 9].map((offsetMillis) => ({ offsetMillis, price: 1 }))
  expect(marketProblem(withAsset({ model: { kind: 'waypoints', points, noiseVol: 0 } }))).toBeNull()
  expect(marketProblem(withAsset({ flow: { kind: 'none' } }))).toBeNull()
})

/** Every model is valid; each change makes one field wrong. */
describe('a model with a problem names the field', () => {
  const { merton, heston, garch, regimes, hawkes, bootstrap, trades, market } = everyModel
  const [first, second] = bootstrap.candles
  if (first === undefined || second === undefined) throw new Error('There are candles')
  const jumps = (change: Partial<typeof hawkes.jumps>): ModelSpec => ({
    ...hawkes,
    jumps: { ...hawkes.jumps, ...change },
  })

  test.each<[string, ModelSpec]>(Object.entries(everyModel))('%s has none', (_kind, model) => {
    expect(marketProblem(withAsset({ model }))).toBeNull()
  })

  test.each<[string, string, ModelSpec]>([
    ['model.vol', 'is not from 0 to 100', { ...merton, vol: Number.NaN }],
    ['model.jumpsPerYear', 'is not from', { ...merton, jumpsPerYear: -1 }],
    ['model.jumpMean', 'is not from', { ...merton, jumpMean: 2 }],
    ['model.jumpSd', 'is not from', { ...merton, jumpSd: -0.1 }],
    ['model.meanVariance', 'is not from', { ...heston, meanVariance: 0 }],
    ['model.meanReversion', 'is not from', { ...heston, meanReversion: 0 }],
    ['model.volOfVariance', 'is not from', { ...heston, volOfVariance: 0 }],
    ['model.leverage', 'is not from', { ...heston, leverage: -1 }],
    ['model.barMinutes', 'whole minutes', { ...garch, barMinutes: 1.5 }],
    ['model.alpha', 'is not from', { ...garch, alpha: -0.1 }],
    ['model.beta', 'the variance has no mean', { ...garch, alpha: 0.2, beta: 0.8 }],
    ['model.asymmetry', 'negative', { ...garch, asymmetry: 0.2 }],
    ['model.tails', 'is not from', { ...garch, tails: 2 }],
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
    ['model.jumps.branching', 'is not from 0 to 0.95', jumps({ branching: 1 })],
    ['model.jumps.decayMillis', 'is not from', jumps({ decayMillis: 0 })],
    ['model.jumps.perDay', 'is not from', jumps({ perDay: -1 })],
    ['model.jumps.size', 'is not from', jumps({ size: -1 })],
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
    ['model.meanPieceMillis', 'is not from 1h', { ...bootstrap, meanPieceMillis: 60_000 }],
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
    ['model.marketShare', 'is not from', { ...market, marketShare: 11 }],
    ['model.ownShare', 'nothing would move', { ...market, marketShare: 0, altShare: 0, ownShare: 0 }],
    ['model.ownShare', 'is not from 0 to 10', { ...market, ownShare: -1 }],
    ['model.vol', 'is not from', { ...hawkes, vol: -1 }],
    [
      'model.regimes',
      '1 to 20',
      {
        ...regimes,
        regimes: Array.from({ length: 21 }, () => regimes.regimes[0] ?? { volMultiple: 1, drift: 0 }),
      },
    ],
    ['model.dailyVolumeUsd', 'is not from', { ...market, dailyVolumeUsd: -1 }],
  ])('%s %s', (field, message, model) => {
    expect(marketProblem(withAsset({ model }))).toEqual({
      symbol: 'BTC',
      field,
      message: expect.stringContaining(message),
    })
  })

  test('a persistence of 0.9999 is the most that has a mean', () => {
    const most = { ...garch, alpha: 0, beta: 0.9999, asymmetry: 0 }
    expect(marketProblem(withAsset({ model: most }))).toBeNull()
    expect(marketProblem(withAsset({ model: { ...most, beta: 0.99991 } }))).not.toBeNull()
  })

  test('a correlation names the place in its matrix', () => {
    const correlation = {
      symbols: ['BTC', 'ETH'],
      matrix: [
        [1, 2],
        [2, 1],
      ],
    }
    expect(marketProblem({ ...sound, correlation })).toMatchObject({
      symbol: null,
      field: 'correlation.matrix[0][1]',
    })
    expect(marketProblem({ ...sound, correlation: { ...correlation, matrix: [[1], [1]] } })).toMatchObject({
      field: 'correlation.matrix[0]',
    })
    expect(marketProblem({ ...sound, correlation: { symbols: ['BTC'], matrix: [] } })).toMatchObject({
      field: 'correlation.matrix',
    })
  })

  test('assets that are drawn together need candles of the same times', () => {
    const other: ModelSpec = { ...bootstrap, candles: bootstrap.candles.slice(1) }
    const assets = [asset(bootstrap), asset(bootstrap, 'ETH'), asset(other, 'SOL')]
    expect(marketProblem({ ...sound, assets: assets.slice(0, 2) })).toBeNull()
    const beside = [asset(bootstrap), asset(everyModel.replay, 'ETH')]
    expect(marketProblem({ ...sound, assets: beside })).toBeNull()
    expect(marketProblem({ ...sound, assets })).toMatchObject({
      symbol: 'SOL',
      field: 'model.candles',
      message: expect.stringContaining('those of BTC'),
    })
  })
})

describe('a market with a problem names the asset and the field', () => {
  test.each([
    ['gridMillis', { ...sound, gridMillis: 99 }],
    ['gridMillis', { ...sound, gridMillis: 3_600_001 }],
    ['gridMillis', { ...sound, gridMillis: 250.5 }],
    ['startMillis', { ...sound, startMillis: Number.NaN }],
  ])('%s', (field, spec) => {
    expect(marketProblem(spec)).toMatchObject({ symbol: null, field })
  })

  test.each<[string, Partial<AssetMarketSpec>]>([
    ['symbol', { symbol: 'AAVE' }],
    ['symbol', { symbol: '' }],
    ['price', { price: 0 }],
    ['price', { price: Number.POSITIVE_INFINITY }],
    ['model.vol', { model: { ...gbm, kind: 'gbm', vol: -0.1, drift: 0 } }],
    ['model.drift', { model: { kind: 'gbm', vol: 1, drift: Number.NaN } }],
    ['model.mean', { model: { kind: 'ou', mean: 0, halfLifeMillis: 5_000, stationarySd: 1 } }],
    ['model.halfLifeMillis', { model: { kind: 'ou', mean: 1, halfLifeMillis: 0, stationarySd: 1 } }],
    ['model.stationarySd', { model: { kind: 'ou', mean: 1, halfLifeMillis: 5_000, stationarySd: -1 } }],
    ['model.points', { model: { kind: 'waypoints', points: [], noiseVol: 0 } }],
    ['model.noiseVol', { model: { kind: 'waypoints', points: [], noiseVol: -1 } }],
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
    ['flow.ratePerMinute', { flow: { ...flow, ratePerMinute: -1 } }],
    ['flow.medianUsd', { flow: { ...flow, medianUsd: 0 } }],
    ['flow.sizeSd', { flow: { ...flow, sizeSd: Number.NaN } }],
  ])('%s', (field, change) => {
    const found = marketProblem(withAsset(change))
    expect(found).toMatchObject({ symbol: change.symbol ?? 'BTC', field })
  })
})

describe('liquidity', () => {
  test.each<[string | null, LiquiditySpec]>([
    [null, { kind: 'none' }],
    [null, { kind: 'power', spreadBps: 0, depth10bpUsd: 0 }],
    [null, { kind: 'ladder', bids: [], asks: [[1, 1]] }],
    [null, { kind: 'flat', spreadBps: 1, levelUsd: 1, stepBps: 0, levels: 50 }],
    ['spreadBps', { kind: 'power', spreadBps: -1, depth10bpUsd: 0 }],
    ['depth10bpUsd', { kind: 'power', spreadBps: 1, depth10bpUsd: Number.NaN }],
    ['maxUsd', { kind: 'exponential', spreadBps: 1, maxUsd: 1e10, scaleBps: 1 }],
    ['scaleBps', { kind: 'exponential', spreadBps: 1, maxUsd: 1, scaleBps: 0 }],
    ['levels', { kind: 'flat', spreadBps: 1, levelUsd: 1, stepBps: 0, levels: 51 }],
    ['levels', { kind: 'flat', spreadBps: 1, levelUsd: 1, stepBps: 0, levels: 2.5 }],
    ['stepBps', { kind: 'flat', spreadBps: 1, levelUsd: 1, stepBps: -1, levels: 5 }],
    ['levelUsd', { kind: 'flat', spreadBps: 1, levelUsd: -1, stepBps: 1, levels: 5 }],
    ['bids[0][0]', { kind: 'ladder', bids: [[0, 1]], asks: [] }],
    [
      'asks[1][1]',
      {
        kind: 'ladder',
        bids: [],
        asks: [
          [1, 1],
          [2, -1],
        ],
      },
    ],
    [
      'asks',
      {
        kind: 'ladder',
        bids: [[5, 1]],
        asks: [
          [6, 1],
          [5, 1],
        ],
      },
    ],
  ])('problem with %s', (field, spec) => {
    expect(liquidityProblem(spec)?.field ?? null).toBe(field)
  })

  test.each<[string | null, Partial<LiquidityDynamics>]>([
    [null, {}],
    ['spreadExponent', { spreadExponent: 3.1 }],
    ['depthExponent', { depthExponent: -0.1 }],
    ['flickerSd', { flickerSd: 2.1 }],
    ['flickerHalfLifeMillis', { flickerHalfLifeMillis: 99 }],
    ['refillHalfLifeMillis', { refillHalfLifeMillis: -1 }],
    ['pull', { pull: 1.1 }],
    ['pullHalfLifeMillis', { pullHalfLifeMillis: 999 }],
    ['skew', { skew: -0.1 }],
    ['inventoryUsd', { inventoryUsd: 0 }],
  ])('problem with the dynamics: %s', (field, change) => {
    const spec = {
      kind: 'power',
      spreadBps: 4,
      depth10bpUsd: 2e6,
      dynamics: { ...dynamics, ...change },
    } as const
    expect(liquidityProblem(spec)?.field ?? null).toBe(field === null ? null : `dynamics.${field}`)
  })
})
