import { expect, test } from 'vitest'
import { withCommas } from '../../src/numeric/units.ts'

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
