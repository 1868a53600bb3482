import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noLevel, PriceLevels } from '../../../src/engine/book/order-book.ts'

/*
 * The price levels of one side against a sorted map: after any additions and removals, near and far, the best level,
 * each level by its key, and the order of a visit equal those of the map.
 */

/** Keys of a few neighbouring pages and of pages far away, of either sign. */
const key = fc.oneof(
  fc.integer({ min: -3_000, max: 3_000 }),
  fc.integer({ min: -60, max: 60 }).map((page) => page * 1_024 * 1_000),
  fc.constantFrom(9e15, 9e15 - 1, -9e15, 1_023, 1_024, -1_024, -1_025),
)

test('levels are found, visited and removed as in a sorted map', () => {
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 400 }), (keys) => {
      const levels = new PriceLevels()
      const known = new Map<number, number>()
      for (const [step, at] of keys.entries()) {
        if (known.delete(at)) levels.remove(at)
        else {
          expect(levels.findOrAdd(at, step + 1)).toBe(step + 1)
          known.set(at, step + 1)
        }
        const sorted = [...known].sort(([left], [right]) => right - left)
        expect(levels.best).toBe(sorted[0]?.[1] ?? noLevel)
        if (levels.best !== noLevel) expect(levels.bestKey).toBe(sorted[0]?.[0])
        for (const [there, level] of known) expect(levels.findOrAdd(there, 1_000)).toBe(level)
        expect(visited(levels)).toEqual(sorted.map(([, level]) => level))
      }
    }),
    { seed: 7, numRuns: 60 },
  )
})

test('a price added to and removed from an empty side leaves nothing behind', () => {
  const levels = new PriceLevels()
  for (let page = 0; page < 50; page += 1) {
    levels.findOrAdd(page * 1_024, 1)
    levels.remove(page * 1_024)
    expect([levels.best, visited(levels)]).toEqual([noLevel, []])
  }
})

test('a visit ends when its callback asks for that', () => {
  const levels = new PriceLevels()
  for (const at of [5, 5_000, 7]) levels.findOrAdd(at, at)
  const met: number[] = []
  levels.visit((level) => {
    met.push(level)
    return met.length < 2
  })
  expect(met).toEqual([5_000, 7])
})

test('a missing level cannot be removed', () => {
  const levels = new PriceLevels()
  levels.findOrAdd(1, 1)
  expect(() => levels.remove(1_000_000)).toThrow('a level that is removed is in the book')
})

function visited(levels: PriceLevels): number[] {
  const met: number[] = []
  levels.visit((level) => met.push(level) > 0)
  return met
}
