import { describe, expect, test } from 'vitest'
import { checkCorrelation, computeNoiseWeights } from '../../src/market/correlation.ts'
import { createMarket } from '../../src/market/create-market.ts'
import type { Market } from '../../src/market/market.ts'
import type { AssetMarketSpec, CorrelationSpec } from '../../src/market/market-spec.ts'
import { type ModelSpec, readModel } from '../../src/market/models/price-models.ts'
import { correlation } from '../../src/metrics/realism/moments.ts'
import { mean } from '../support/statistics.ts'
import { asset, gbm, prices, startMillis } from './market-of.ts'
import { everyModel } from './models/every-model.ts'

const three: CorrelationSpec = {
  symbols: ['BTC', 'ETH', 'SOL'],
  matrix: [
    [1, 0.85, 0.66],
    [0.85, 1, 0.7],
    [0.66, 0.7, 1],
  ],
}

function correlated(
  assets: readonly AssetMarketSpec[],
  spec: CorrelationSpec | null = three,
  gridMillis = 60_000,
): Market {
  const market = { seed: '7', startMillis, gridMillis, assets }
  return createMarket(spec === null ? market : { ...market, correlation: spec })
}

function returnsOf(market: Market, row: number, count: number): number[] {
  const path = prices(market, 0, count, row)
  return path.slice(1).map((price, place) => Math.log(price / (path[place] ?? 1)))
}

describe('an impossible correlation', () => {
  const pair = (value: number, back = value): CorrelationSpec => ({
    symbols: ['A', 'B'],
    matrix: [
      [1, value],
      [back, 1],
    ],
  })

  test.each<[string, CorrelationSpec, number, number, string]>([
    ['names an asset twice', { symbols: ['A', 'A'], matrix: [] }, -1, -1, 'twice'],
    ['lacks rows', { symbols: ['A', 'B'], matrix: [[1, 0]] }, -1, -1, '1 rows for 2 assets'],
    ['lacks values', { symbols: ['A', 'B'], matrix: [[1, 0], [0]] }, 1, -1, '1 values for 2 assets'],
    ['is not 1 with itself', { symbols: ['A'], matrix: [[0.9]] }, 0, 0, 'not 1'],
    ['is beyond 0.999', pair(0.9995), 0, 1, 'not from -0.999 to 0.999'],
    ['is not a number', pair(Number.NaN), 0, 1, 'not from'],
    ['is not the same both ways', pair(0.5, 0.4), 0, 1, 'other way round'],
  ])('%s', (_name, spec, row, column, message) => {
    expect(checkCorrelation(spec)).toEqual({ row, column, message: expect.stringContaining(message) })
  })

  test('of three assets names the third', () => {
    const matrix = [
      [1, 0.9, 0.9],
      [0.9, 1, -0.9],
      [0.9, -0.9, 1],
    ]
    expect(checkCorrelation({ symbols: ['A', 'B', 'C'], matrix })).toEqual({
      row: 2,
      column: -1,
      message: expect.stringContaining('not positive definite: no assets can move so together; C'),
    })
  })

  test('a valid correlation has no problem', () => {
    expect(checkCorrelation(three)).toBe(null)
    expect(checkCorrelation(pair(-0.999))).toBe(null)
    expect(checkCorrelation(pair(0.999))).toBe(null)
  })
})

test('the weights are a factor of the matrix, in the order of the names', () => {
  const weights = computeNoiseWeights({ ...three, symbols: ['SOL', 'BTC', 'ETH'] })
  expect([...weights.keys()]).toEqual(['BTC', 'ETH', 'SOL'])
  for (const [left, leftWeights] of weights) {
    for (const [right, rightWeights] of weights) {
      let sum = 0
      for (const { symbol, weight } of leftWeights) {
        sum += weight * (rightWeights.find((other) => other.symbol === symbol)?.weight ?? 0)
      }
      const names = ['SOL', 'BTC', 'ETH']
      expect(sum).toBeCloseTo(three.matrix[names.indexOf(left)]?.[names.indexOf(right)] ?? 9, 12)
    }
  }
})

describe('correlated markets', () => {
  test.each<[string, ModelSpec, number]>([
    ['gbm by the minute', gbm, 60_000],
    ['gbm by the second', gbm, 1_000],
    ['merton', everyModel.merton, 60_000],
    ['hawkes', everyModel.hawkes, 60_000],
  ])('%s move as they are told', (_name, model, gridMillis) => {
    const market = correlated(
      ['BTC', 'ETH', 'SOL'].map((symbol) => asset(model, symbol)),
      three,
      gridMillis,
    )
    const returns = [0, 1, 2].map((row) => returnsOf(market, row, 20_000))
    for (const [left, right] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const expected = three.matrix[left]?.[right] ?? 9
      const measured = correlation(returns[left] ?? [], returns[right] ?? [])
      // Few large jumps weigh as much as all else.
      expect(Math.abs(measured - expected)).toBeLessThan(model.kind === 'merton' ? 0.06 : 0.03)
    }
  })

  const usualOf = (kind: string, symbol: string): ModelSpec =>
    readModel({ kind }, { symbol, price: 50_000, candles: [] }, [])

  test.each([
    ['heston', 0.85],
    ['heston', -0.5],
    ['regimes', 0.85],
    ['garch', 0.85],
    ['garch', 0.4],
  ])('%s move by %f, over seeds, though their volatilities wander', (kind, wanted) => {
    const seeds = ['1', '2', '3', '4', '5', '6']
    const measured = seeds.map((seed) => {
      const market = createMarket({
        seed,
        startMillis,
        gridMillis: 3_600_000,
        assets: ['BTC', 'ETH'].map((symbol) => asset(usualOf(kind, symbol), symbol)),
        correlation: {
          symbols: ['BTC', 'ETH'],
          matrix: [
            [1, wanted],
            [wanted, 1],
          ],
        },
      })
      return correlation(returnsOf(market, 0, 2_000), returnsOf(market, 1, 2_000))
    })
    expect(Math.abs(mean(measured) - wanted)).toBeLessThan(kind === 'garch' ? 0.05 : 0.03)
  })

  test('with a leverage that no correlation can undo, each keeps a volatility of its own', () => {
    const strong: ModelSpec = { ...everyModel.heston, leverage: -0.9 }
    const market = correlated(
      ['BTC', 'ETH'].map((symbol) => asset(strong, symbol)),
      {
        symbols: ['BTC', 'ETH'],
        matrix: [
          [1, 0.1],
          [0.1, 1],
        ],
      },
    )
    expect(market.activityAt(0, 900)).not.toBe(market.activityAt(1, 900))
    expect(Math.abs(correlation(returnsOf(market, 0, 9_000), returnsOf(market, 1, 9_000)))).toBeLessThan(0.12)
  })

  test('the first asset by name is unaffected, and so are all others when an asset is added after them', () => {
    const alone = correlated([asset(gbm)], null)
    const two = correlated([asset(gbm), asset(gbm, 'ETH')], {
      symbols: ['BTC', 'ETH'],
      matrix: [
        [1, 0.85],
        [0.85, 1],
      ],
    })
    const all = correlated(['BTC', 'ETH', 'SOL'].map((symbol) => asset(gbm, symbol)))
    expect(prices(two, -50, 50, 0)).toEqual(prices(alone, -50, 50, 0))
    expect(prices(all, -50, 50, 0)).toEqual(prices(alone, -50, 50, 0))
    expect(prices(all, -50, 50, 1)).toEqual(prices(two, -50, 50, 1))
  })

  test('the order of the assets in the market does not matter', () => {
    const forwards = correlated(['BTC', 'ETH', 'SOL'].map((symbol) => asset(gbm, symbol)))
    const backwards = correlated(['SOL', 'ETH', 'BTC'].map((symbol) => asset(gbm, symbol)))
    expect(prices(backwards, 0, 50, 0)).toEqual(prices(forwards, 0, 50, 2))
  })
})
