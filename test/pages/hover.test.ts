import { describe, expect, it } from 'vitest'
import { findHeld, findMarker, joinSeries } from '../../src/pages/hover.ts'

describe('series over one column of time', () => {
  it('keep every value, several of one instant each in a row of its own', () => {
    const quotes = [
      [1, 3, 3, 3, 5],
      [10, 10, null, 11, 11],
      [12, 12, null, 13, 13],
    ] as const
    const fills = [
      [3, 3],
      [7, 8],
    ] as const
    const mark = [
      [0, 3, 6],
      [1, 2, 3],
    ] as const
    expect(joinSeries([quotes, fills, mark])).toEqual([
      [0, 1, 3, 3, 3, 5, 6],
      [undefined, 10, 10, null, 11, 11, undefined],
      [undefined, 12, 12, null, 13, 13, undefined],
      [undefined, undefined, 7, 8, undefined, undefined, undefined],
      [1, undefined, 2, undefined, undefined, undefined, 3],
    ])
    expect(joinSeries([])).toEqual([[]])
  })
})

describe('what the legend tells', () => {
  const [xs, bids, , fills] = joinSeries([
    [
      [1, 3, 3, 5],
      [10, 10, null, 11],
      [12, 12, null, 13],
    ],
    [[3], [7]],
    [
      [0, 2, 3, 4, 6],
      [1, 1, 1, 1, 1],
    ],
  ])

  it('is the value that held then, and none where there was a gap', () => {
    const told = xs.map((_, index) => {
      const at = findHeld(xs, bids ?? [], index)
      return at === null ? 'none yet' : bids?.[at]
    })
    expect(xs).toEqual([0, 1, 2, 3, 3, 4, 5, 6])
    // At 3 the quote has ended, and at 4 there is none.
    expect(told).toEqual(['none yet', 10, 10, null, null, null, 11, 11])
  })

  it('is a marker only where one is near the pointer', () => {
    const near = (pointer: number, pixels: number) =>
      findMarker(fills ?? [], xs.indexOf(pointer), (at) => Math.abs((xs[at] ?? 0) - pointer) * pixels)
    expect(near(3, 100)).toBe(xs.indexOf(3))
    expect(near(2, 100)).toBeNull()
    expect(near(2, 8)).toBe(xs.indexOf(3))
    expect(near(5, 4)).toBe(xs.indexOf(3))
    expect(near(5, 4.1)).toBeNull()
    expect(findMarker([null, 5, null, 6], 2, (at) => [9, 3, 0, 2][at] ?? 0)).toBe(3)
    expect(findMarker([], 0, () => 0)).toBeNull()
  })
})
