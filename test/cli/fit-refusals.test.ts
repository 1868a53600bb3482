import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { otcsim } from './harness.ts'

const minute = 60_000
const start = Date.UTC(2025, 0, 6)

/** A file of candles whose closes go up and down. */
function candles(spanMillis: number, count: number): string {
  const rows = Array.from({ length: count }, (_, place) => {
    const price = 100 + ((place * 7919) % 101) / 10
    return `${start + place * spanMillis},${price},${price},${price},${price},1`
  })
  return `time,open,high,low,close,volume\n${rows.join('\n')}\n`
}

it.each([
  [
    'too few days of minutes',
    candles(minute, 5 * 1_440),
    [],
    5,
    'too short: a fit takes 28 × a whole day of minutes or 24 × a whole week of hours, and it has 4 × a whole day of minutes (and 0 with gaps) and 0 × a whole week of hours',
  ],
  [
    'too few weeks of hours',
    candles(60 * minute, 20 * 168),
    [],
    5,
    'it has 19 × a whole week of hours (and 0 with gaps)',
  ],
  [
    'candles of four hours',
    candles(240 * minute, 3_000),
    [],
    5,
    'its candles do not fit into an hour, which is the coarsest that a fit reads',
  ],
  ['candles of seven minutes', candles(7 * minute, 3_000), [], 5, 'its candles do not fit into an hour'],
  ['no candles', 'time,open,high,low,close,volume\n', [], 5, 'there are no candles'],
  ['a wrong symbol', candles(minute, 10), ['--asset', 'b t c'], 2, '--asset: expected a symbol such as BTC'],
])('refuses %s in words, and prints no model', async (_, text, words, code, reason) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'r.csv'), text)
  const said = await otcsim(['fit', 'r.csv', ...words], { cwd })
  expect([said.code, said.out]).toEqual([code, ''])
  expect(said.err).toContain(reason)
})

it('refuses a file that is not there', async () => {
  const said = await otcsim(['fit', 'none.csv'], { cwd: temporaryFolder() })
  expect([said.code, said.out]).toEqual([5, ''])
  expect(said.err).toContain('none.csv')
})
