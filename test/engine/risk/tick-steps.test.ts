import { expect, it } from 'vitest'
import { TickSteps } from '../../../src/engine/risk/admission.ts'

const million = 1_000_000

it.each([
  ['a number', 3, 5_000_000_000, 151],
  ['more than a number can hold', 9_000_000_000_000_000, 5, 450_450_000],
])('a sum of %s, times a fraction and a fee, is rounded up once', (_name, ticks, steps, expected) => {
  const sum = new TickSteps()
  sum.add(ticks, steps)
  expect(sum.timesCeil(1, 100 * million, 1_001_000, million)).toBe(expected)
})
