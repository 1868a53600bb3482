import { describe, expect, test } from 'vitest'
import { conditionsProblem, liquidityProblem } from '../../src/market/check-liquidity.ts'
import { marketProblem } from '../../src/market/check-market.ts'
import type { LiquiditySpec } from '../../src/market/liquidity.ts'
import type { AssetMarketSpec, MarketSpec, ModelSpec } from '../../src/market/market.ts'
import { asset, candle, gbm, startMillis } from './market-of.ts'

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

test('a sound market has no problem', () => {
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

  test('conditions', () => {
    const calm = { spreadMultiplier: 1, depthMultiplier: 1, sides: 'both' } as const
    expect(conditionsProblem(calm)).toBeNull()
    expect(conditionsProblem({ ...calm, spreadMultiplier: -1 })?.field).toBe('spreadMultiplier')
    expect(conditionsProblem({ ...calm, depthMultiplier: Number.NaN })?.field).toBe('depthMultiplier')
  })
})
