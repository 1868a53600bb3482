import { expect, it } from 'vitest'
import { formatCsvCell, parseSortKey } from '../../../src/backtest/report/page/texts.ts'
import { monthSection, rollingSection } from '../../../src/backtest/report/period-sections.ts'
import { millisPerDay } from '../../../src/numeric/time-text.ts'
import { collectPictures } from '../../../src/pages/pictures.ts'
import { sampleResult } from './sample-result.ts'

/** The sample with an equity of its own: a point a day from a date on. */
function runOf(from: string, equity: readonly number[], flow: readonly number[] = equity.map(() => 0)) {
  const start = Date.parse(from)
  const sample = sampleResult()
  const atMillis = equity.map((_, day) => start + day * millisPerDay)
  const grid = {
    ...sample.equity,
    stepMillis: millisPerDay,
    atMillis,
    equity,
    flow,
    assets: [],
    cash: equity,
  }
  return { ...sample, fromMillis: start, toMillis: atMillis.at(-1) ?? start, equity: grid }
}

const cellsOf = (markup: string): readonly string[] =>
  [...markup.matchAll(/<t[dh][^>]*>([^<]*)<\/t[dh]>/g)].map(([, text = '']) => text)

it('has the return of each month and of the year, deposits removed', () => {
  // 100 at the end of January is 110, then 100 are paid in, and February adds a tenth once more.
  const days = Array.from({ length: 60 }, (_, day) => (day < 31 ? 100 : day < 59 ? 110 : 231))
  const flow = days.map((_, day) => (day === 59 ? 100 : 0))
  const { body } = monthSection(runOf('2026-01-01T00:00:00Z', days, flow)) ?? { body: '' }
  const cells = cellsOf(body)
  expect(cells.slice(14, 18)).toEqual(['2026', '10.00 %', '19.09 %', '–'])
  expect(body).toContain('2 of 2 gained, the best 19.09 %, the worst 10.00 %')
  expect(cells.at(-1)).toBe('31.00 %')
})

it('has no return of a month that begins after everything was lost', () => {
  const days = Array.from({ length: 100 }, (_, day) => (day < 40 ? 100 : -5))
  const { body } = monthSection(runOf('2026-01-01T00:00:00Z', days)) ?? { body: '' }
  expect(cellsOf(body).slice(14, 19)).toEqual(['2026', '0.00 %', '−100.00 %', '–', '–'])
  expect(body).toContain('0 of 2 gained, the best 0.00 %, the worst −100.00 %')
})

it('has no months of a run within one, and no rolling ratios of fewer than 60 days', () => {
  const short = runOf(
    '2026-01-01T00:00:00Z',
    Array.from({ length: 20 }, () => 100),
  )
  expect(monthSection(short)).toBeNull()
  expect(rollingSection(short, collectPictures())).toBeNull()
})

it('draws the ratio of the last 30 days for each day from the 30th on', () => {
  const equity = Array.from({ length: 91 }, (_, day) => 100 * (day % 2 === 0 ? 1 : 1.01))
  const pictures = collectPictures()
  const section = rollingSection(runOf('2026-01-01T00:00:00Z', equity), pictures)
  expect(section?.body).toContain('Rolling ratios of 30 days')
  expect(pictures.zooms[0]?.panels.map(({ series }) => series.length)).toEqual([1, 1])
})

it.each([
  ['1,234.50 USD', 1234.5],
  ['−3.00 %', -3],
  ['12 bp', 12],
  ['2026-01-05 00:00:00 UTC', '2026-01-05 00:00:00 UTC'],
  ['ord_7', 'ord_7'],
])('sorts %s by its value', (text, key) => {
  expect(parseSortKey(text)).toBe(key)
})

it.each([
  ['a "b", c', '"a ""b"", c"'],
  ['1,234.50 USD', '1234.5'],
])('writes %s into CSV as %s', (text, cell) => {
  expect(formatCsvCell(text)).toBe(cell)
})
