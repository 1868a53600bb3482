import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ArrivalTicks } from '../../src/metrics/arrival-ticks.ts'

it('knows of each order what a map would', () => {
  const aStep = fc.record({ gap: fc.nat(3), ticks: fc.nat(9_000_000), replaced: fc.nat(400) })
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 150 }), (steps) => {
      const arrivals = new ArrivalTicks()
      const naive = new Map<number, number>()
      let row = 0
      for (const { gap, replaced, ticks } of steps) {
        row += gap + 1
        arrivals.add(row, ticks)
        naive.set(row, ticks)
        arrivals.replace(replaced, ticks + 1)
        if (naive.has(replaced)) naive.set(replaced, ticks + 1)
      }
      for (let one = 0; one < row + 3; one += 1) expect(arrivals.get(one)).toBe(naive.get(one) ?? null)
    }),
    { seed: 21 },
  )
})
