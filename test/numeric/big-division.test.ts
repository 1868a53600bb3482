import { expect, it } from 'vitest'
import { divideBigHalfEven } from '../../src/numeric/units.ts'

it.each<[numerator: bigint, denominator: bigint, quotient: bigint]>([
  [0n, 3n, 0n],
  [4n, 3n, 1n],
  [5n, 3n, 2n],
  [-4n, 3n, -1n],
  [-5n, 3n, -2n],
  [1n, 2n, 0n],
  [3n, 2n, 2n],
  [5n, 2n, 2n],
  [-1n, 2n, 0n],
  [-3n, 2n, -2n],
  [-5n, 2n, -2n],
  [10n ** 40n + 1n, 2n, 5n * 10n ** 39n],
])('%d / %d is %d, half-even', (numerator, denominator, quotient) => {
  expect(divideBigHalfEven(numerator, denominator)).toBe(quotient)
})
