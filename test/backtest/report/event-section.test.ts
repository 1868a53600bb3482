import fc from 'fast-check'
import { expect, it } from 'vitest'
import { selectEnds } from '../../../src/backtest/report/event-section.ts'

const entries = fc.array(fc.nat(20), { maxLength: 120 })

it('keeps both ends of entries as a sort of all of them does, those of one instant as they come', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 12 }), (instants, most) => {
      const all = instants.map((atMillis, place) => ({ atMillis, place }))
      const sorted = all.toSorted((left, right) => left.atMillis - right.atMillis)
      const isCut = all.length > most * 2
      expect(selectEnds(all, most)).toEqual({
        kept: isCut ? [...sorted.slice(0, most), ...sorted.slice(-most)] : sorted,
        count: all.length,
      })
    }),
  )
})
