import { describe, expect, it } from 'vitest'
import { Ring } from '../../src/world/ring.ts'

const filled = (capacity: number, count: number) => {
  const ring = new Ring<string>(capacity)
  for (let entry = 1; entry <= count; entry += 1) ring.push(`e${entry}`)
  return ring
}

describe('Ring', () => {
  it.each([
    [3, 0, 0, []],
    [3, 2, 0, ['e1', 'e2']],
    [3, 3, 1, ['e2', 'e3']],
    [3, 5, 0, ['e3', 'e4', 'e5']],
    [3, 5, 4, ['e5']],
    [3, 5, 5, []],
    [3, 5, 9, []],
  ])('of %d with %d entries, since %d', (capacity, count, since, expected) => {
    expect(filled(capacity, count).since(since)).toEqual(expected)
  })

  it('forgets entries but never gives a sequence twice', () => {
    const ring = filled(3, 4)
    ring.clear()
    expect(ring.since(0)).toEqual([])
    ring.push('e5')
    expect(ring.since(0)).toEqual(['e5'])
    expect(ring.lastSequence).toBe(5)
  })
})
