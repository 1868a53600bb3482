import { describe, expect, test } from 'vitest'
import { GaussianPath } from '../../../src/market/models/gaussian-path.ts'
import {
  brownianMotion,
  createOrnsteinUhlenbeckProcess,
} from '../../../src/market/models/gaussian-process.ts'
import type { Grid } from '../../../src/market/models/price-model.ts'
import { autocorrelation, mean, variance } from '../../support/statistics.ts'

const minute: Grid = { firstMillis: 60_000, stepMillis: 60_000, count: 1 }
const seconds: Grid = { firstMillis: 1_000, stepMillis: 1_000, count: 60 }
const tenths: Grid = { firstMillis: 100, stepMillis: 100, count: 600 }

function walk(path: GaussianPath, fromMinute: number, minutes: number, grid = minute): number[] {
  const buffer = new Float64Array(grid.count)
  const values: number[] = []
  for (let place = 0; place < minutes; place += 1) {
    path.fill(fromMinute + place, grid, buffer)
    values.push(...buffer)
  }
  return values
}

function steps(values: readonly number[]): number[] {
  return values.slice(1).map((value, place) => value - (values[place] ?? 0))
}

const names = { seed: '7', symbol: 'BTC' }

describe('Brownian motion', () => {
  const path = new GaussianPath(brownianMotion, names, 'path')

  test('starts at 0, with no jump there', () => {
    expect(walk(path, -1, 1)).toEqual([0])
    expect(path.at(0)).toBe(0)
    expect(Math.abs(walk(path, -2, 1)[0] ?? 9)).toBeLessThan(4)
  })

  test.each([
    ['a minute', minute, 40_000, 1],
    ['a second', seconds, 700, 1 / 60],
    ['a tenth of a second', tenths, 70, 1 / 600],
  ])('%s adds its share of variance, without memory', (_name, grid, minutes, expected) => {
    const increments = steps(walk(path, -(minutes >> 1), minutes, grid))
    const error = 4 * Math.sqrt(2 / increments.length)
    expect(Math.abs(variance(increments) / expected - 1)).toBeLessThan(error)
    expect(Math.abs(mean(increments)) / Math.sqrt(expected)).toBeLessThan(4 / Math.sqrt(increments.length))
    for (const lag of [1, 2, 5, 15, 16, 17, 59, 60]) {
      expect(Math.abs(autocorrelation(increments, lag))).toBeLessThan(4 / Math.sqrt(increments.length))
    }
  })

  test('steps across the edges of nodes are like any others', () => {
    const edges = Array.from({ length: 3_000 }, (_, node) => {
      const [before = 0, after = 0] = walk(path, node * 16 - 1, 2)
      return after - before
    })
    expect(Math.abs(variance(edges) - 1)).toBeLessThan(4 * Math.sqrt(2 / edges.length))
  })

  test('over a day its variance is a day, over many seeds', () => {
    const ends = Array.from({ length: 1_500 }, (_, seed) => {
      return new GaussianPath(brownianMotion, { seed: String(seed), symbol: 'X' }, 'path').at(86_400_000)
    })
    expect(Math.abs(variance(ends) / 1_440 - 1)).toBeLessThan(4 * Math.sqrt(2 / ends.length))
    expect(Math.abs(mean(ends)) / Math.sqrt(1_440)).toBeLessThan(4 / Math.sqrt(ends.length))
  })
})

describe('Ornstein-Uhlenbeck', () => {
  const halfLifeMinutes = 10
  const pull = Math.LN2 / halfLifeMinutes
  const path = new GaussianPath(createOrnsteinUhlenbeckProcess(3, pull, 2), names, 'path')

  test.each([1_000, -61_000])('is stationary from minute %d on, with the stated autocorrelation', (from) => {
    const values = walk(path, from, 60_000)
    // Because of the autocorrelation there are fewer independent values: about one per half-life / ln 2 * 2 minutes.
    const independent = values.length / (2 / pull)
    expect(Math.abs(mean(values)) / 2).toBeLessThan(4 / Math.sqrt(independent))
    expect(Math.abs(variance(values) / 4 - 1)).toBeLessThan(4 * Math.sqrt(2 / independent))
    for (const [lag, expected] of [
      [1, 0.933],
      [10, 0.5],
      [20, 0.25],
      [60, 0.0156],
    ] as const) {
      expect(autocorrelation(values, lag)).toBeCloseTo(expected, 1)
    }
  })

  test('returns from its start by half in a half-life, on average over seeds, in both directions of time', () => {
    for (const direction of [1, -1]) {
      const values = Array.from({ length: 2_000 }, (_, seed) => {
        const own = new GaussianPath(
          createOrnsteinUhlenbeckProcess(3, pull, 2),
          { seed: `${seed}`, symbol: 'X' },
          'path',
        )
        return own.at(direction * halfLifeMinutes * 60_000)
      })
      expect(mean(values)).toBeCloseTo(1.5, 0)
      expect(Math.abs(mean(values) - 1.5)).toBeLessThan((4 * Math.sqrt(3)) / Math.sqrt(values.length))
      expect(Math.abs(variance(values) / 3 - 1)).toBeLessThan(4 * Math.sqrt(2 / values.length))
    }
  })

  test('its seconds add up to its minutes: the distribution of a second is exact', () => {
    const values = walk(path, 500, 1_500, seconds)
    const kept = 0.9988454 // 2^(-1 / 600)
    const shocks = values.slice(1).map((value, place) => value - kept * (values[place] ?? 0))
    expect(Math.abs(variance(shocks) / (4 * (1 - kept * kept)) - 1)).toBeLessThan(
      4 * Math.sqrt(2 / shocks.length),
    )
    expect(Math.abs(autocorrelation(shocks, 1))).toBeLessThan(4 / Math.sqrt(shocks.length))
  })

  test.each([
    ['a half-life of a second', Math.LN2 * 60],
    ['a half-life of a century', Math.LN2 / 52_560_000],
  ])('%s is finite everywhere', (_name, pullPerMinute) => {
    const extreme = new GaussianPath(createOrnsteinUhlenbeckProcess(0.5, pullPerMinute, 0.1), names, 'path')
    for (const value of walk(extreme, -66, 132, tenths)) {
      if (!(Math.abs(value) < 10)) expect(value).toBe('within 10')
    }
  })

  test('without deviation it only decays', () => {
    const still = new GaussianPath(createOrnsteinUhlenbeckProcess(1, pull, 0), names, 'path')
    expect(still.at(600_000)).toBeCloseTo(0.5, 12)
    expect(still.at(1_200_000)).toBeCloseTo(0.25, 12)
    expect(still.at(-600_000)).toBeCloseTo(0.5, 12)
    expect(still.at(30_000)).toBeCloseTo(0.9659363289, 9)
  })
})
