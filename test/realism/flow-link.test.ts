import { expect, test } from 'vitest'
import { linkFigures, rates } from './flow-link.ts'

/* The short form; `npm run realism` has forty days of the rarest and ten of the others, on four seeds. */

test.each(rates)('at %i a minute takers move with the price of their minute, and foretell none', (rate) => {
  const figures = linkFigures('1', rate, (rate < 10 ? 6 : 1) * 1_440)
  const distanceFrom = (name: string, asked: number): number =>
    Math.abs((figures[name] ?? Number.NaN) - asked)
  expect(distanceFrom('signed flow, return of the minute', 0.4)).toBeLessThan(0.15)
  expect(distanceFrom('signed flow, return of the next minute', 0)).toBeLessThan(0.1)
  expect(distanceFrom('sign memory 1', 0.4)).toBeLessThan(0.06)
  expect(distanceFrom('sign memory 10', 0.16)).toBeLessThan(0.05)
  expect(distanceFrom('sign memory 50', 0.04)).toBeLessThan(0.05)
})
