import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeEquitySeries } from '../../src/metrics/equity-series.ts'
import { mergeMidnights } from '../../src/metrics/midnights.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 5)

interface Hour {
  readonly change: number
  readonly flow: number
}

/** The equity of every hour, and of every `step` hours with the midnights between them. */
function gridsOf(hours: readonly Hour[], step: number) {
  const equity = [1000]
  for (const { change, flow } of hours) equity.push((equity.at(-1) ?? 0) * (1 + change) + flow)
  const flows = [0, ...hours.map(({ flow }) => flow)]
  const pick = (isPicked: (place: number) => boolean) => {
    const places = equity.map((_, place) => place).filter(isPicked)
    return {
      atMillis: places.map((place) => start + place * hour),
      equity: places.map((place) => equity[place] ?? 0),
      flow: places.map((place, row) =>
        flows.slice((places[row - 1] ?? -1) + 1, place + 1).reduce((total, flow) => total + flow, 0),
      ),
    }
  }
  const isOnGrid = (place: number): boolean => place % step === 0 || place === hours.length
  return {
    hourly: { stepMillis: hour, ...pick(() => true) },
    coarse: {
      stepMillis: step * hour,
      ...pick(isOnGrid),
      midnights: pick((place) => place % 24 === 0 && !isOnGrid(place)),
    },
  }
}

const noFlow = (changes: readonly number[]): readonly Hour[] => changes.map((change) => ({ change, flow: 0 }))

describe('midnights between the points of a grid', () => {
  it('come in the order of time, each with what flowed since the point before', () => {
    const hours = Array.from({ length: 30 }, (_, place) => ({ change: 0, flow: place === 22 ? 500 : 0 }))
    const merged = mergeMidnights(gridsOf(hours, 7).coarse)
    expect([...merged.atMillis].map((at) => (at - start) / hour)).toEqual([0, 7, 14, 21, 24, 28, 30])
    expect([...(merged.isOnGrid ?? [])]).toEqual([1, 1, 1, 1, 0, 1, 1])
    expect([...merged.flow]).toEqual([0, 0, 0, 0, 500, 0, 0])
  })

  it('make the same daily returns as a finer grid, and leave those of the grid alone', () => {
    const change = fc.integer({ min: -9, max: 9 }).map((permille) => permille / 1000)
    const hours = fc.array(fc.record({ change, flow: fc.constant(0) }), { minLength: 20, maxLength: 24 * 5 })
    fc.assert(
      fc.property(hours, fc.integer({ min: 2, max: 60 }), (given, step) => {
        const { coarse, hourly } = gridsOf(given, step)
        const [fine, found] = [computeEquitySeries(hourly), computeEquitySeries(coarse)]
        const { midnights, ...alone } = coarse
        const without = computeEquitySeries(alone)
        expect([...found.days.endMillis]).toEqual([...fine.days.endMillis])
        expect(midnights.atMillis.length).toBeLessThanOrEqual(5)
        for (const [own, wanted] of [
          [found.days.values, fine.days.values],
          [found.grid.values, without.grid.values],
          [found.index, without.index],
          [[found.profit], [fine.profit]],
        ] as const)
          expect([...own]).toEqual([...wanted].map((value) => expect.closeTo(value, 9)))
      }),
      { seed: 7, numRuns: 200 },
    )
  })

  it('end the returns where everything is lost between two points of the grid', () => {
    const hours = noFlow(Array.from({ length: 80 }, (_, place) => (place === 23 ? -2 : 0.001)))
    const series = computeEquitySeries(gridsOf(hours, 7).coarse)
    expect(series.ruinedAtMillis).toBe(start + 24 * hour)
    expect([...series.grid.values].at(-1)).toBe(-1)
    expect(series.grid.values).toHaveLength(4)
    expect([...series.days.values]).toEqual([-1])
  })
})
