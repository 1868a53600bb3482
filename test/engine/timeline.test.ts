import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Timeline } from '../../src/engine/timeline.ts'

type Item = readonly [atMillis: number, kind: number, row: number]

/** Few instants, kinds and rows, so that ties are common. */
const item: fc.Arbitrary<Item> = fc.tuple(fc.nat(5), fc.nat(3), fc.nat(6))

it('the timeline returns items by instant, kind and row, however pushes and pops are mixed', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 2, arbitrary: item }, fc.constant(null))), (steps) => {
      const timeline = new Timeline()
      const expected: Item[] = []
      for (const step of steps) {
        if (step !== null) {
          timeline.push(...step)
          expected.push(step)
          expected.sort((left, right) => left[0] - right[0] || left[1] - right[1] || left[2] - right[2])
        } else if (expected.length > 0) {
          timeline.pop()
          expected.shift()
        }
        const [first] = expected
        expect(timeline.nextAtMillis).toBe(first?.[0] ?? Number.POSITIVE_INFINITY)
        if (first !== undefined) expect([timeline.nextKind, timeline.nextRow]).toEqual(first.slice(1))
      }
    }),
    { seed: 7, numRuns: 300 },
  )
})
