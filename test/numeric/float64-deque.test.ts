import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Float64Deque } from '../../src/numeric/columns.ts'

describe('a deque', () => {
  it('behaves like an array whose values keep their numbers, however it has grown', () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ kind: fc.constant('push'), times: fc.integer({ min: 1, max: 90 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('first'), times: fc.integer({ min: 1, max: 80 }) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ kind: fc.constant('last'), times: fc.integer({ min: 1, max: 20 }) }),
      },
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const deque = new Float64Deque()
        const naive: number[] = []
        let dropped = 0
        let next = 0
        for (const { kind, times } of steps) {
          for (let time = 0; time < times; time += 1) {
            next += 1
            if (kind === 'push') {
              deque.push(next)
              naive.push(next)
            } else if (naive.length > 0) {
              if (kind === 'first') {
                deque.dropFirst()
                naive.shift()
                dropped += 1
              } else {
                deque.dropLast()
                naive.pop()
              }
            }
          }
          expect([deque.first, deque.count]).toEqual([dropped, naive.length])
          expect(naive.map((_, place) => deque.at(dropped + place))).toEqual(naive)
        }
      }),
      { seed: 7, numRuns: 100 },
    )
  })
})
