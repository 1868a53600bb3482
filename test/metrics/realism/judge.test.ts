import { describe, expect, test } from 'vitest'
import { compareScores, type JudgedWindow, judgeWindows } from '../../../src/metrics/realism/judge.ts'
import { createStream } from '../../../src/numeric/random.ts'

/** Windows of five features: normal values, then spread, shifted or with a wider tail. */
function windowsOf(
  seed: string,
  change: (value: number, feature: number) => number,
): readonly JudgedWindow[] {
  const stream = createStream(seed, 'judge', '', 0)
  return Array.from({ length: 300 }, (_, place) => ({
    group: Math.floor(place / 10),
    values: [0, 1, 2, 3, 4].map((feature) => change(stream.normal(), feature)),
  }))
}

const aucOf = (left: readonly JudgedWindow[], right: readonly JudgedWindow[]): number =>
  judgeWindows(left, right)?.auc ?? Number.NaN

const same = windowsOf('real', (value) => value)

describe('the judge', () => {
  test.each([
    ['the same law', (value: number) => value, 0.4, 0.6],
    [
      'one feature shifted by a deviation',
      (value: number, at: number) => (at === 2 ? value + 1 : value),
      0.7,
      0.8,
    ],
    [
      'one feature three times as wide',
      (value: number, at: number) => (at === 2 ? 3 * value : value),
      0.7,
      0.85,
    ],
    ['all features far away', (value: number) => value + 5, 0.999, 1],
  ])('tells %s as often as can be', (_, change, least, most) => {
    const auc = aucOf(same, windowsOf('other', change))
    expect(auc).toBeGreaterThanOrEqual(least)
    expect(auc).toBeLessThanOrEqual(most)
  })

  test('says the same whatever the order of windows, and whatever the units of features', () => {
    const other = windowsOf('other', (value, at) => (at === 2 ? value + 1 : value))
    const scale = ({ group, values }: JudgedWindow): JudgedWindow => ({
      group,
      values: values.map((value) => 1e4 * value + 7),
    })
    const auc = aucOf(same, other)
    expect(aucOf(same.toReversed(), other.toReversed())).toBeCloseTo(auc, 10)
    expect(aucOf(same.map(scale), other.map(scale))).toBeCloseTo(auc, 8)
  })

  test('is not moved by one window beyond all measure', () => {
    const other = windowsOf('other', (value) => value)
    const wild = other.map((one, place) => (place === 7 ? { ...one, values: [1e12, 0, 0, 0, 0] } : one))
    expect(Math.abs(aucOf(same, wild) - aucOf(same, other))).toBeLessThan(0.02)
  })

  test('judges nothing on fewer than five groups of either side', () => {
    const few = same.filter(({ group }) => group < 4)
    expect([judgeWindows(few, same), judgeWindows(same, few), judgeWindows([], [])]).toEqual([
      null,
      null,
      null,
    ])
  })

  test('trains on no window of a group that it judges', () => {
    // Groups are points far from each other: who has seen a group knows its windows.
    const clustered = (seed: string): readonly JudgedWindow[] => {
      const stream = createStream(seed, 'judge', '', 0)
      return Array.from({ length: 15 }, (_, group) => group).flatMap((group) => {
        const centre = [0, 1, 2, 3, 4].map(() => 3 * stream.normal())
        return Array.from({ length: 20 }, () => ({
          group,
          values: centre.map((value) => value + 0.01 * stream.normal()),
        }))
      })
    }
    expect(aucOf(clustered('a'), clustered('b'))).toBeLessThan(0.75)
  })
})

describe('scores', () => {
  test.each([
    [[1, 2, 3], [0, 0, 0], 1],
    [[0, 0], [1, 1], 0],
    [[1, 2], [1, 2], 0.5],
    [[3, 1], [2, 0], 0.75],
  ])('of %j against %j: %s of the pairs', (real, generated, auc) => {
    expect(compareScores(real, generated).auc).toBe(auc)
  })

  test('have the standard error of Hanley and McNeil', () => {
    // Of their table of 1982: an area of 0.7 on 50 and 50 has 0.0522 or so.
    const stream = createStream('scores', 'judge', '', 0)
    const draw = (shift: number): number[] => Array.from({ length: 50 }, () => stream.normal() + shift)
    const errors = Array.from({ length: 200 }, () => compareScores(draw(0.74), draw(0)))
    const aucs = errors.map(({ auc }) => auc)
    const mean = aucs.reduce((sum, value) => sum + value, 0) / aucs.length
    const spread = Math.sqrt(aucs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / aucs.length)
    const stated = errors.reduce((sum, { standardError }) => sum + standardError, 0) / errors.length
    expect(stated / spread).toBeGreaterThan(0.85)
    expect(stated / spread).toBeLessThan(1.15)
  })
})
