import { expect, test } from 'vitest'
import type { MarketSpec } from '../../src/market/market-spec.ts'
import { listMistakes, load } from './fixtures.ts'

/* Price models and correlations in scenario files. */

function scenarioOf(assets: string, market = ''): string {
  return `version: 1
name: probe
market:
  flow: {kind: none}
${market}
  assets:
${assets}
`
}

const marketOf = (assets: string, market = ''): MarketSpec => load(scenarioOf(assets, market)).venue.market

const assetWith = (model: string): string =>
  `    BTC: {price: 50000, liquidity: {kind: none}, model: ${model}}`

test('an asset without a model has the default one, and a stablecoin reverts to one dollar', () => {
  const { assets } = marketOf(`    BTC: {price: 50000}
    ADA: {price: 0.8}
    USDC: {price: 0.9995}
    USDT: {price: 0.7}`)
  expect(assets.map(({ model }) => model)).toEqual([
    {
      kind: 'market',
      vol: 0.6,
      drift: 0,
      marketShare: 1,
      marketShareSd: 0.04,
      altShare: 0,
      ownShare: 0.16,
      commonVolatility: 0.4,
      standstillBps: 0.42,
      dailyVolumeUsd: 400_000_000,
    },
    {
      kind: 'market',
      vol: 1.05,
      drift: 0,
      marketShare: 1.3,
      marketShareSd: 0.24,
      altShare: 0,
      ownShare: 0.8,
      commonVolatility: 0.15,
      standstillBps: 1,
      dailyVolumeUsd: 8_000_000,
    },
    { kind: 'ou', mean: 1, halfLifeMillis: 14_400_000, stationarySd: 0.0004 },
    expect.objectContaining({ kind: 'market' }),
  ])
})

test.each<[string, object]>([
  [
    '{kind: merton, jumpsPerYear: 10, drift: 0.1}',
    { vol: 0.55, drift: 0.1, jumpsPerYear: 10, jumpMean: -0.001, jumpSd: 0.01 },
  ],
  [
    '{kind: heston, meanVariance: 0.2}',
    { meanVariance: 0.2, meanReversion: 15, volOfVariance: 3, leverage: -0.2 },
  ],
  [
    '{kind: garch, bar: 1m, tails: 5}',
    { barMinutes: 1, alpha: 0.044, beta: 0.951, asymmetry: 0.02, tails: 5 },
  ],
  ['{kind: regimes}', { vol: 0.55, regimes: expect.objectContaining({ length: 3 }) }],
  [
    '{kind: regimes, vol: 1, regimes: [{volMultiple: 1}, {volMultiple: 3, drift: -1}], transitions: [[0.9, 0.1], [1, 0]]}',
    {
      vol: 1,
      regimes: [
        { volMultiple: 1, drift: 0 },
        { volMultiple: 3, drift: -1 },
      ],
      transitions: [
        [0.9, 0.1],
        [1, 0],
      ],
    },
  ],
  [
    '{kind: hawkes, jumps: {perDay: 3, decay: 1m}}',
    { jumps: { perDay: 3, branching: 0.3, decayMillis: 60_000, size: 8, tilt: 0.1 } },
  ],
  ['{kind: market, vol: 0.3, dailyVolumeUsd: 1e6}', { vol: 0.3, marketShare: 1, dailyVolumeUsd: 1_000_000 }],
])('%s is that model, with its defaults', (model, expected) => {
  expect(marketOf(assetWith(model)).assets[0]?.model).toMatchObject(expected)
})

test.each<[string, string]>([
  ['{kind: merton, jumpSd: 2}', 'model.jumpSd'],
  ['{kind: garch, alpha: 0.5, beta: 0.6}', 'model.beta: with alpha is not above 0 and at most 0.9999'],
  ['{kind: garch, bar: 90s}', 'model.bar: is not of whole minutes, from 1m to 1d'],
  ['{kind: ou, halfLife: 1ms}', 'model.halfLife: is not from 1s to 36500d'],
  ['{kind: regimes, regimes: [{volMultiple: 1}]}', '"regimes" and "transitions" are given together'],
  ['{kind: regimes, regimes: [{volMultiple: 1}], transitions: [[0.9]]}', 'adds up to 0.9, not to 1'],
  ['{kind: hawkes, jumps: {branching: 1}}', 'branching'],
  ['{kind: bootstrap}', 'data'],
  ['{kind: bootstrap, data: hours.csv}', '"hours.csv" is not read here'],
  ['{kind: market, volatility: 1}', 'vol'],
])('%s is refused where it stands', (model, words) => {
  const [first, ...rest] = listMistakes(scenarioOf(assetWith(model)))
  expect(rest).toEqual([])
  expect(first).toContain(words)
  expect(first).toMatch(/^s\.yaml:7:/)
})

test('a bootstrap takes its candles from a file, which does not bound the clock', () => {
  const candles = [0, 1, 2].map((index) => ({
    atMillis: index * 3_600_000,
    spanMillis: 3_600_000,
    open: 100,
    high: 110,
    low: 90,
    close: 101 + index,
    volume: 5,
  }))
  const scenario = load(scenarioOf(assetWith('{kind: bootstrap, data: hours.csv, meanPiece: 6h}')), {
    readCandles: () => ({ ok: true, candles }),
  })
  expect(scenario.venue.market.assets[0]?.model).toEqual({
    kind: 'bootstrap',
    candles,
    meanPieceMillis: 21_600_000,
  })
  expect(scenario.venue.startMillis).toBe(Date.UTC(2026, 0, 5))
})

const three = ['BTC', 'ETH', 'SOL']
  .map((symbol) => `    ${symbol}: {price: 100, model: {kind: gbm}}`)
  .join('\n')

test('a correlation is a matrix over all assets', () => {
  expect(marketOf(three).correlation).toBe(undefined)
  expect(marketOf(three, '  correlation: {matrix: {ETH: {BTC: 0.8}}}').correlation).toEqual({
    symbols: ['BTC', 'ETH', 'SOL'],
    matrix: [
      [1, 0.8, 0],
      [0.8, 1, 0],
      [0, 0, 1],
    ],
  })
  expect(marketOf(three, '  correlation: {matrix: default}').correlation?.matrix).toEqual([
    [1, 0.85, 0.66],
    [0.85, 1, 0.7],
    [0.66, 0.7, 1],
  ])
})

test.each<[string, string]>([
  ['{BTC: {ADA: 0.5}}', 'unknown asset "ADA"'],
  ['{BTC: {ETH: 0.9995}}', '0.9995 is not from -0.999 to 0.999'],
  ['{BTC: {ETH: 0.5}, ETH: {BTC: 0.4}}', 'BTC with ETH has another correlation'],
  ['{BTC: {BTC: 0.5}}', 'not 1'],
  ['{BTC: {ETH: 0.9, SOL: 0.9}, ETH: {SOL: -0.9}}', 'not positive definite'],
])('the correlation %s is refused where it stands', (matrix, words) => {
  const found = listMistakes(scenarioOf(three, `  correlation: {matrix: ${matrix}}`))
  expect(found[0]).toContain(words)
  expect(found[0]).toMatch(/^s\.yaml:5:/)
})
