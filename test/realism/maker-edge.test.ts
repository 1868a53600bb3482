import { expect, test } from 'vitest'
import { makerCases, measureMakerEdge } from './maker-edge.ts'

/* Twelve hours per figure; `npm run bench maker` takes thirty days. */
test('a passive maker earns what market.md section 3 measured, and can lose', () => {
  const measured = makerCases.map((of) => ({ ...of, ...measureMakerEdge(of, 720) }))
  for (const { edgeBps, notedBps, fills } of measured) {
    expect(fills).toBeGreaterThan(3500)
    expect(Math.abs(edgeBps - notedBps)).toBeLessThan(0.8)
    if (Math.abs(notedBps) > 0.5) expect(Math.sign(edgeBps)).toBe(Math.sign(notedBps))
  }
  for (const one of measured) {
    for (const other of measured) {
      if (one.notedBps > other.notedBps + 0.9) expect(one.edgeBps).toBeGreaterThan(other.edgeBps)
    }
  }
})
