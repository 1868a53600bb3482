// Room: api

import { expect, it } from 'vitest'
import { explainInvalidJson } from '../../src/api/input/json-scan.ts'
import { defaultReadings } from '../../src/api/readings/readings.ts'
import { parseDecimal } from '../../src/numeric/units.ts'
import { readPreference } from '../../src/pipeline/prefer.ts'
import { loadScenarioValue } from '../../src/scenario/load-tree.ts'

/*
 * Patterns that looked at a text again from each of its characters: a request of a few kilobytes, without a key even,
 * stopped a server for minutes. Each text here took longer than a test may.
 */

const million = 1_000_000

it('a preference full of blanks', () => {
  const header = `reading.envelope=${' '.repeat(16_000)}wra"pped`
  expect(readPreference(header, defaultReadings).problem?.reason).toContain('envelope must be one of')
})

it('a body with quotes that do not end', () => {
  // A text that is not closed has no other mistakes in it.
  expect(explainInvalidJson(`{"a: 'b'${'\\"'.repeat(32_000)}`)).toBe('it ends before it is closed')
  expect(explainInvalidJson(`{"a: 'b'${'\\"'.repeat(32_000)}\\`)).toBe('it ends before it is closed')
})

it('a number full of zeros', () => {
  expect(parseDecimal(`1${'0'.repeat(million)}1`)).toBeNull()
  expect(parseDecimal(`1.5${'0'.repeat(million)}`)).toEqual({ units: 15, scale: 1 })
})

const load = (more: object) =>
  loadScenarioValue({
    version: 1,
    name: 'hostile',
    market: { assets: { BTC: { price: 50_000, model: { kind: 'constant' } } } },
    ...more,
  })

const distinct = Array.from({ length: 100_000 }, (_, index) => index)

it.each([
  ['parameters that do not end', { description: '${'.repeat(million) }, 'longer than 4000 characters'],
  [
    'parameters that make a text too long',
    { params: { a: 'x'.repeat(500_000) }, description: `\${a}`.repeat(100_000) },
    'longer than 1000 characters',
  ],
  [
    'spans without numbers',
    { matrix: { seed: `${'.'.repeat(million)}!` } },
    'a seed has 1 to 200 characters',
  ],
  ['an empty seed', { matrix: { seed: ['1', ''] } }, 'a seed has 1 to 200 characters'],
  [
    'spans without end',
    { params: { a: 1 }, matrix: { a: Array(60_000).fill('1..9999') } },
    '1 is there twice',
  ],
  ['more runs than there may be', { params: { a: 1 }, matrix: { a: distinct } }, 'more than 10000 runs'],
  ['a value that is there twice', { params: { a: 1 }, matrix: { a: [5, 6, 7, 6] } }, '6 is there twice'],
])('%s', (_name, more, reason) => {
  const loaded = load(more)
  expect(loaded.ok ? null : loaded.problems[0]?.reason).toBe(reason)
})
