import { describe, expect, test } from 'vitest'
import { ClusteredJumps } from '../../../src/market/models/clustered-jumps.ts'
import { LogVolatilityPath } from '../../../src/market/models/log-volatility.ts'
import {
  fillSeason,
  type Season,
  volatilitySeason,
  volumeSeason,
} from '../../../src/market/models/seasons.ts'
import { blockMinutes } from '../../../src/market/models/stepped-path.ts'
import { correlation } from '../../../src/metrics/realism/moments.ts'
import { mean, variance } from '../../support/statistics.ts'
import { startMillis } from '../market-of.ts'
import { createOwnDraws } from '../own-draws.ts'

const names = { seed: '7', symbol: 'BTC' }

/** The value of one block's minute, over seeds. */
function overSeeds(halfLifeMinutes: number, block: number, minute: number, seeds: number): number[] {
  const scales = [{ halfLifeMinutes, weight: 0.4, isLeveraged: true }]
  return Array.from({ length: seeds }, (_, seed) => {
    const path = new LogVolatilityPath(scales, { seed: `${seed}`, symbol: 'BTC' }, 'vol')
    return path.block(block).logs[minute] ?? 0
  })
}

describe('the logarithm of volatility', () => {
  const seeds = 500

  test.each([
    [10, 0, 0],
    [10, 3, 128],
    [2_880, -2, 255],
    [36_000, 40, 100],
    [36_000, -500, 7],
  ])('of half-life %d minutes is stationary in block %d, minute %d', (halfLife, block, minute) => {
    const values = overSeeds(halfLife, block, minute, seeds)
    expect(Math.abs(mean(values)) / 0.4).toBeLessThan(4 / Math.sqrt(seeds))
    expect(Math.abs(variance(values) / 0.16 - 1)).toBeLessThan(4 * Math.sqrt(2 / seeds))
  })

  test.each<[string, number, [number, number], [number, number]]>([
    ['within a block', 60, [0, 100], [0, 160]],
    ['from one block to the next', 60, [0, 220], [1, 24]],
    ['over the start', 240, [-1, 200], [0, 184]],
    ['over many blocks', 36_000, [2, 0], [142, 160]],
  ])('keeps half of itself in a half-life, %s', (_name, halfLife, from, to) => {
    const left = overSeeds(halfLife, ...from, seeds)
    const right = overSeeds(halfLife, ...to, seeds)
    const minutes = (to[0] - from[0]) * blockMinutes + to[1] - from[1]
    const expected = 2 ** (-minutes / halfLife)
    expect(Math.abs(correlation(left, right) - expected)).toBeLessThan(
      (4 * (1 - expected * expected)) / Math.sqrt(seeds),
    )
  })

  test('its shocks are standard normal and uncorrelated, across the edges of blocks too', () => {
    const path = new LogVolatilityPath(
      [{ halfLifeMinutes: 240, weight: 0.4, isLeveraged: true }],
      names,
      'vol',
    )
    const shocks: number[] = []
    for (let block = -40; block < 40; block += 1) shocks.push(...path.block(block).shocks)
    expect(Math.abs(variance(shocks) - 1)).toBeLessThan(4 * Math.sqrt(2 / shocks.length))
    expect(Math.abs(correlation(shocks.slice(1), shocks.slice(0, -1)))).toBeLessThan(
      4 / Math.sqrt(shocks.length),
    )
    const atEdges = shocks.filter((_, minute) => minute % blockMinutes === blockMinutes - 1)
    expect(Math.abs(variance(atEdges) - 1)).toBeLessThan(4 * Math.sqrt(2 / atEdges.length))
  })
})

describe('clusters of jumps', () => {
  const spec = { perDay: 30, branching: 0.5, decayMillis: 3_600_000, size: 2, tilt: 0.5 }
  const sizesOf = (clusters: ClusteredJumps, block: number): number[] => {
    const sizes = new Float64Array(blockMinutes)
    clusters.addSizes(block, sizes)
    return [...sizes]
  }

  test('are the same whichever block is asked for first', () => {
    const [forwards, backwards] = [
      new ClusteredJumps(spec, createOwnDraws(names), 'x'),
      new ClusteredJumps(spec, createOwnDraws(names), 'x'),
    ]
    const blocks = Array.from({ length: 60 }, (_, place) => place - 30)
    const expected = blocks.map((block) => sizesOf(forwards, block))
    expect(
      [...blocks]
        .reverse()
        .map((block) => sizesOf(backwards, block))
        .reverse(),
    ).toEqual(expected)
  })

  test('have the mean and mean square that they state', () => {
    const clusters = new ClusteredJumps(spec, createOwnDraws(names), 'x')
    const sizes = Array.from({ length: 1_500 }, (_, block) => sizesOf(clusters, block)).flat()
    expect(clusters.perMinute).toBeCloseTo(60 / 1440, 12)
    expect(clusters.meanSize).toBeCloseTo((60 / 1440) * 2 * -0.5, 12)
    expect(mean(sizes) / clusters.meanSize).toBeCloseTo(1, 1)
    expect(clusters.meanSquare).toBeCloseTo((60 / 1440) * 4 * 1.25, 12)
    expect(mean(sizes.map((size) => size * size)) / clusters.meanSquare).toBeGreaterThan(0.9)
  })

  test('have a higher expectation after jumps, and the long-run one on average', () => {
    const clusters = new ClusteredJumps(spec, createOwnDraws(names), 'x')
    const intensities = Array.from({ length: 500 }, (_, block) => {
      const out = new Float64Array(blockMinutes)
      clusters.fillIntensities(block, out)
      return [...out]
    }).flat()
    expect(Math.min(...intensities.slice(0, 10_000))).toBeGreaterThanOrEqual(30 / 1440)
    expect(mean(intensities) / clusters.perMinute).toBeCloseTo(1, 1)
  })
})

describe('seasons', () => {
  const read = (season: Season, from: number, minutes: number): number[] => {
    const values = new Float64Array(minutes)
    fillSeason(season, from, minutes, values)
    return [...values]
  }

  test('have a mean square, or a mean, of 1 over a week', () => {
    const week = 7 * 1440
    const volatility = read(volatilitySeason, startMillis, week)
    expect(mean(volatility.map((value) => value * value))).toBeCloseTo(1, 12)
    expect(mean(read(volumeSeason, startMillis, week))).toBeCloseTo(1, 12)
  })

  test('tell weekdays, Saturdays and Sundays apart, and quarter-hours from other minutes', () => {
    const noons = Array.from({ length: 7 }, (_, day) => startMillis + day * 86_400_000 + 43_200_000)
    const [monday = 0, , , , friday = 0, saturday = 0, sunday = 0] = noons.map((noon) =>
      mean(read(volatilitySeason, noon, 60)),
    )
    expect(friday).toBe(monday)
    expect(saturday / monday).toBeLessThan(0.75)
    expect(sunday / saturday).toBeCloseTo(1.085, 10)
    const hour = read(volatilitySeason, noons[0] ?? 0, 60)
    expect(hour.indexOf(Math.max(...hour))).toBe(0)
    expect(hour[15] ?? 0).toBeGreaterThan(1.3 * (hour[14] ?? 0))
  })

  test('have the same values written in blocks as read one by one', () => {
    const from = Date.UTC(2026, 0, 9, 21, 17)
    const written = new Float64Array(300)
    fillSeason(volatilitySeason, from, 300, written)
    expect([...written]).toEqual(
      Array.from({ length: 300 }, (_, minute) => read(volatilitySeason, from + minute * 60_000, 1)[0]),
    )
  })
})
