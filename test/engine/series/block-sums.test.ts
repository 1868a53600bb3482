import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BlockSums, type TimeSeries } from '../../../src/engine/series/block-sums.ts'
import type { Hash128 } from '../../../src/numeric/hash.ts'

const blockMillis = 100

/** Entries of instant and value in a plain list. */
class PlainSeries implements TimeSeries {
  entries: [number, number][] = []
  gone = 0
  hashed = 0

  get count(): number {
    return this.entries.length
  }

  millisAt(place: number): number {
    return this.entries[place]?.[0] ?? Number.NaN
  }

  drop(count: number): void {
    this.gone += this.entries.splice(0, count).length
  }

  addTo(hash: Hash128, place: number): void {
    this.hashed += 1
    for (const number of this.entries[place] ?? []) hash.addInteger(number)
  }
}

const deed = fc.record({
  waitMillis: fc.oneof(fc.constantFrom(0, 1, 99, 100, 101, 1000), fc.nat(250)),
  value: fc.nat(9),
  changesLast: fc.boolean(),
  drops: fc.oneof(fc.constant(0), fc.nat(3), fc.constant(1000)),
  isAsked: fc.boolean(),
})

test('a sum read now and then equals that of all entries, whenever it was read before', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 60 }), (deeds) => {
      const series = new PlainSeries()
      const sums = new BlockSums(blockMillis)
      let now = 1_000
      for (const { waitMillis, value, changesLast, drops, isAsked } of deeds) {
        now += waitMillis
        series.drop(drops)
        const last = series.entries.at(-1)
        if (changesLast && last !== undefined) last[1] = value
        else series.entries.push([now, value])
        if (isAsked) expect(sums.sum(series).words()).toEqual(new BlockSums(blockMillis).sum(series).words())
      }
      expect(sums.sum(series).words()).toEqual(new BlockSums(blockMillis).sum(series).words())
    }),
    { seed: 7, numRuns: 500 },
  )
})

test('the sum depends on every entry and its instant', () => {
  const sumOf = (entries: [number, number][]) => {
    const series = new PlainSeries()
    series.entries = entries
    return new BlockSums(blockMillis).sum(series).words().join()
  }
  const entries = (): [number, number][] => Array.from({ length: 30 }, (_, at) => [at * 30, at])
  const sums = [sumOf(entries()), sumOf([])]
  for (let place = 0; place < 30; place += 1) {
    const [otherValue, otherInstant, without] = [entries(), entries(), entries()]
    otherValue[place] = [place * 30, -1]
    otherInstant[place] = [place * 30 + 1, place]
    without.splice(place, 1)
    sums.push(sumOf(otherValue), sumOf(otherInstant), sumOf(without))
  }
  expect(new Set(sums).size).toBe(sums.length)
})

test('the first block is hashed again after a removal, and of the last block only new entries', () => {
  const series = new PlainSeries()
  const sums = new BlockSums(blockMillis)
  const hashedBy = (deed: () => void): number => {
    deed()
    series.hashed = 0
    sums.sum(series)
    return series.hashed
  }
  for (let at = 0; at < 9_950; at += 1) series.entries.push([at, at % 7])
  expect(hashedBy(() => {})).toBe(9_950)
  expect(hashedBy(() => {})).toBe(1)
  expect(hashedBy(() => series.entries.push([9_950, 1], [9_951, 2]))).toBe(3)
  expect(hashedBy(() => series.drop(3))).toBe(97 + 1)
  // Two blocks end, and one begins.
  for (let at = 9_952; at < 10_110; at += 1) series.entries.push([at, at % 5])
  expect(hashedBy(() => {})).toBe(10_110 - 9_951)
})
