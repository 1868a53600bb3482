import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readingEntries } from '../../../src/api/readings/readings.ts'
import { shrinkList } from '../../../src/cli/journal/shrink.ts'
import { type Factor, findCoveringRows } from '../../../src/cli/matrix/matrix-cells.ts'

/** Every pair of values of two factors that the rows have to cover. */
function pairsOf(factors: readonly Factor[]): Set<string> {
  const pairs = new Set<string>()
  for (const [a, first] of factors.entries())
    for (const [b, second] of factors.entries())
      if (a < b)
        for (const va of first.values) for (const vb of second.values) pairs.add(`${a}${va} ${b}${vb}`)
  return pairs
}

function covered(rows: readonly (readonly string[])[]): Set<string> {
  const pairs = new Set<string>()
  for (const row of rows)
    for (const [a, va] of row.entries())
      for (const [b, vb] of row.entries()) if (a < b) pairs.add(`${a}${va} ${b}${vb}`)
  return pairs
}

const factors = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 12 }).map((counts) =>
  counts.map((count) => ({
    values: Array.from({ length: count }, (_, value) => `v${value}`),
  })),
)

it('has every pair of values in some row, and no row without a new pair', () => {
  fc.assert(
    fc.property(factors, (given) => {
      const rows = findCoveringRows(given)
      expect(covered(rows)).toEqual(pairsOf(given))
      const largest = given.map(({ values }) => values.length).sort((left, right) => right - left)
      expect(rows.length).toBeGreaterThanOrEqual((largest[0] ?? 1) * (largest[1] ?? 1))
      expect(rows.length).toBeLessThanOrEqual((largest[0] ?? 1) * (largest[1] ?? 1) * 4)
    }),
    { seed: 7, numRuns: 100 },
  )
})

it('covers all readings in few runs', () => {
  const all = readingEntries.map(({ default: first, alternatives }) => ({ values: [first, ...alternatives] }))
  const rows = findCoveringRows(all)
  expect(covered(rows)).toEqual(pairsOf(all))
  expect(rows.length).toBeLessThan(50)
})

it('has one row per value of a single factor', () => {
  expect(findCoveringRows([{ values: ['a', 'b'] }])).toEqual([['a'], ['b']])
  expect(findCoveringRows([])).toEqual([])
})

it('shrinks to exactly the needed values, whatever else was there', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
      async (length, picks) => {
        const items = Array.from({ length }, (_, index) => index)
        const needed = [...new Set(picks.map((pick) => pick % length))].sort((left, right) => left - right)
        const fails = (candidate: readonly number[]) => needed.every((item) => candidate.includes(item))
        expect(await shrinkList(items, fails)).toEqual(needed)
      },
    ),
    { seed: 7, numRuns: 100 },
  )
})
