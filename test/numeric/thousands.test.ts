import { expect, test } from 'vitest'
import { formatCounted, withCommas } from '../../src/numeric/units.ts'

test.each([
  ['0', '0'],
  ['999', '999'],
  ['1000', '1,000'],
  ['-1000', '-1,000'],
  ['-100', '-100'],
  ['1234567.8901', '1,234,567.8901'],
  ['0.000001', '0.000001'],
])('%s is written %s', (text, shown) => {
  expect(withCommas(text)).toBe(shown)
})

test.each([
  [0, '0 rows'],
  [1, '1 row'],
  [2000, '2,000 rows'],
])('%i of a thing is %s', (count, shown) => {
  expect(formatCounted(count, 'row')).toBe(shown)
})
