import { describe, expect, test } from 'vitest'
import type { ModelSpec } from '../../../src/market/models/price-models.ts'
import { mean, variance } from '../../support/statistics.ts'
import { asset, marketOf, prices } from '../market-of.ts'

const minutesPerYear = 525_600

function logReturns(path: readonly number[]): number[] {
  return path.slice(1).map((price, place) => Math.log(price / (path[place] ?? 1)))
}

function minutePath(model: ModelSpec, from: number, to: number, seed = '7'): number[] {
  return prices(marketOf([asset(model)], { gridMillis: 60_000, seed }), from, to)
}

describe('geometric Brownian motion', () => {
  test.each([
    [0.55, -20_000],
    [1.2, 0],
  ])('of volatility %d has it in its minutes, from minute %d on', (vol, from) => {
    const returns = logReturns(minutePath({ kind: 'gbm', vol, drift: 0 }, from, from + 20_000))
    expect(Math.sqrt(variance(returns) * minutesPerYear) / vol).toBeCloseTo(1, 1)
  })

  test('drifts by its drift less half its variance per year', () => {
    const [first = 0, last = 0] = [0, minutesPerYear].map(
      (minute) => minutePath({ kind: 'gbm', vol: 0.001, drift: 0.3 }, minute, minute)[0],
    )
    expect(first).toBe(50_000)
    expect(Math.log(last / first)).toBeCloseTo(0.3, 2)
    const halved = Array.from({ length: 400 }, (_, seed) => {
      return Math.log(
        (minutePath({ kind: 'gbm', vol: 1, drift: 0 }, 525_600, 525_600, `${seed}`)[0] ?? 1) / 50_000,
      )
    })
    expect(Math.abs(mean(halved) + 0.5)).toBeLessThan(4 / Math.sqrt(halved.length))
  })

  test('without volatility only drifts', () => {
    const path = minutePath({ kind: 'gbm', vol: 0, drift: 0.5 }, -10, 10)
    for (const step of logReturns(path)) expect(step).toBeCloseTo(0.5 / minutesPerYear, 12)
  })
})

describe('Ornstein-Uhlenbeck', () => {
  const ou: ModelSpec = { kind: 'ou', mean: 1, halfLifeMillis: 600_000, stationarySd: 0.0004 }

  test('has its mean and its deviation', () => {
    const market = marketOf([asset(ou, 'USDC', 1)], { gridMillis: 60_000 })
    const logs = prices(market, 0, 40_000).map(Math.log)
    expect(mean(logs)).toBeCloseTo(0, 4)
    expect(Math.sqrt(variance(logs)) / 0.0004).toBeCloseTo(1, 1)
  })

  test('moves within a second as far as between seconds, even where it returns within seconds', () => {
    const fast: ModelSpec = { kind: 'ou', mean: 1, halfLifeMillis: 2_000, stationarySd: 0.01 }
    const market = marketOf([asset(fast, 'USDC', 1)], { gridMillis: 100 })
    const logs = prices(market, 0, 40_000).map(Math.log)
    for (const steps of [1, 5, 10]) {
      const moves = logs.slice(steps).map((value, place) => value - (logs[place] ?? 0))
      const expected = 2 * 0.01 * 0.01 * (1 - 0.5 ** (steps / 20))
      expect(Math.abs(variance(moves) / expected - 1)).toBeLessThan(0.05)
    }
  })

  test('returns from a depeg by half in a half-life', () => {
    const ends = Array.from({ length: 300 }, (_, seed) => {
      const market = marketOf([asset({ ...ou, kind: 'ou' }, 'USDC', 0.9)], {
        gridMillis: 60_000,
        seed: `${seed}`,
      })
      expect(market.fundamentalAt(0, 0)).toBe(0.9)
      return Math.log(market.fundamentalAt(0, 10))
    })
    expect(mean(ends) / Math.log(0.9)).toBeCloseTo(0.5, 2)
  })
})

describe('waypoints', () => {
  const line = [
    { offsetMillis: 3_600_000, price: 60_000 },
    { offsetMillis: 7_200_000, price: 40_000 },
  ]

  test('are log-linear from the price at the start, and stay at the last', () => {
    const path = minutePath({ kind: 'waypoints', points: line, noiseVol: 0 }, 0, 200)
    expect([0, 60, 120, 200].map((minute) => path[minute])).toEqual([50_000, 60_000, 40_000, 40_000])
    expect(path[30]).toBeCloseTo(Math.sqrt(50_000 * 60_000), 6)
    expect(path[90]).toBeCloseTo(Math.sqrt(60_000 * 40_000), 6)
    expect(new Set(minutePath({ kind: 'waypoints', points: line, noiseVol: 0 }, -99, 0))).toEqual(
      new Set([50_000]),
    )
  })

  test('may state the start, and jump', () => {
    const points = [
      { offsetMillis: 0, price: 70_000 },
      { offsetMillis: 60_000, price: 70_000 },
      { offsetMillis: 60_000, price: 35_000 },
      { offsetMillis: 120_000, price: 35_000 },
    ]
    const market = marketOf([asset({ kind: 'waypoints', points, noiseVol: 0 })], { gridMillis: 250 })
    expect([0, 239, 240, 241, 999].map((index) => market.fundamentalAt(0, index))).toEqual([
      70_000, 70_000, 35_000, 35_000, 35_000,
    ])
  })

  test('are reached at any millisecond of the grid, with any noise', () => {
    const points = Array.from({ length: 200 }, (_, place) => ({
      offsetMillis: 100 * (place + 1) * (place + 2),
      price: 50_000 + 137 * (place % 7),
    }))
    const market = marketOf([asset({ kind: 'waypoints', points, noiseVol: 5 })], { gridMillis: 100 })
    for (const { offsetMillis, price } of points)
      expect(market.fundamentalAt(0, offsetMillis / 100)).toBe(price)
  })

  test('have the noise of a bridge: most in the middle, and its volatility everywhere', () => {
    const noise = (minute: number): number[] =>
      Array.from({ length: 1_000 }, (_, seed) => {
        const flat = [{ offsetMillis: 7_200_000, price: 50_000 }]
        const model: ModelSpec = { kind: 'waypoints', points: flat, noiseVol: 0.8 }
        return Math.log((minutePath(model, minute, minute, `${seed}`)[0] ?? 1) / 50_000)
      })
    for (const minute of [1, 60, 90]) {
      const expected = ((0.8 * 0.8) / minutesPerYear) * ((minute * (120 - minute)) / 120)
      expect(Math.abs(variance(noise(minute)) / expected - 1)).toBeLessThan(4 * Math.sqrt(2 / 1_000))
    }
  })

  test('have a history that moves by the noise and ends at the start', () => {
    const path = minutePath({ kind: 'waypoints', points: line, noiseVol: 0.8 }, -10_000, 0)
    expect(path.at(-1)).toBe(50_000)
    expect(Math.sqrt(variance(logReturns(path)) * minutesPerYear) / 0.8).toBeCloseTo(1, 1)
  })
})

test('a constant price is constant', () => {
  expect(new Set(minutePath({ kind: 'constant' }, -100, 100))).toEqual(new Set([50_000]))
})

test('asking for an unknown asset is a violated invariant', () => {
  expect(() => marketOf([]).fundamentalAt(0, 0)).toThrow('market asset 0')
})
