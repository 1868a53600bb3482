import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFileWhole } from '../../src/cli/recordings/read-recording.ts'
import { PlainFields, PlainRows } from '../../src/market/recordings/plain-rows.ts'
import { readTable } from '../../src/market/recordings/recording.ts'
import { caseBudget } from '../support/full-run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * Rows of plain numbers are read by a loop of our own. Its naive twin splits every text by csv-parse and reads every
 * field by `Number`: both must say the same of any file, to the last bit.
 */

/** Reads a text as a file, and as csv-parse splits it. */
function readBoth(path: string, text: string) {
  writeFileSync(path, text)
  const ours = readFileWhole(path, {})
  const rows: string[][] = parse(Buffer.from(text), {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: false,
    trim: true,
    record_delimiter: text.includes('\n') ? ['\r\n', '\n'] : ['\r'],
  })
  const naive = readTable({ rows, hasSemicolons: false, firstRowNumber: 1 })
  return { ours: ours.ok ? ours.reading : ours.reason, naive }
}

const minute = 60_000
const start = Date.UTC(2024, 0, 1)

const spellings: readonly ((value: string) => string)[] = [
  (value) => ` ${value}`,
  (value) => `${value} `,
  (value) => `+${value}`,
  (value) => `-${value}`,
  (value) => `${value}e0`,
  (value) => `${value}E+00`,
  (value) => `0${value}`,
  (value) => `${value}0000000000000000`,
  (value) => `00000000000000000${value}`,
  (value) => value.replace('.', ''),
  (value) => value.replace(/^\d+/, ''),
  (value) => `"${value}"`,
  (value) => `${value},`,
  (value) => `${value},0`,
  (value) => value.replace('.', ','),
  (value) => `${value}.`,
  (value) => `${value}x`,
  () => '',
  () => '-',
  () => 'nan',
  () => '.',
  () => '9007199254740993',
  () => '0.1234567890123456789',
  () => '123456789012345678901234567890',
  () => '4.35',
  () => '1e400',
]

const times: readonly ((millis: number) => string)[] = [
  (millis) => String(millis),
  (millis) => String(millis / 1000),
  (millis) => `${millis}000`,
  (millis) => `${millis}000000`,
  (millis) => `${millis / 1000}.000`,
  (millis) => new Date(millis).toISOString(),
  (millis) => new Date(millis).toISOString().slice(0, 19).replace('T', ' '),
  (millis) => new Date(millis).toISOString().slice(0, 16),
  (millis) => `${new Date(millis).toISOString().slice(0, 19)}Z`,
  (millis) => `${new Date(millis).toISOString().slice(0, 19)}+00:00`,
]

const headers = [
  'time,open,high,low,close,volume',
  'timestamp,open,high,low,close,volume,vwap,symbol',
  'open_time,symbol,open,high,low,close,volume,confirm',
  'date,open',
]

const oddity = fc.record({
  row: fc.nat(40),
  column: fc.nat(7),
  spelling: fc.constantFrom(...spellings),
})

const aFile = fc.record({
  header: fc.constantFrom(...headers),
  time: fc.constantFrom(...times),
  rows: fc.integer({ min: 0, max: 40 }),
  prices: fc.array(fc.double({ min: 0.001, max: 90_000, noNaN: true }), { minLength: 1, maxLength: 8 }),
  decimals: fc.integer({ min: 0, max: 12 }),
  oddities: fc.array(oddity, { maxLength: 3 }),
  inserted: fc.array(fc.tuple(fc.nat(40), fc.constantFrom('', ',,,,,', 'HEADER', 'time,open,high', '1,2')), {
    maxLength: 2,
  }),
  removed: fc.array(fc.nat(40), { maxLength: 2 }),
  end: fc.constantFrom('\n', '\r\n', '\r'),
  hasLastEnd: fc.boolean(),
  hasMark: fc.boolean(),
})

type Chosen = typeof aFile extends fc.Arbitrary<infer Value> ? Value : never

function writeText(chosen: Chosen): string {
  const { decimals, header, prices, rows, time } = chosen
  const names = header.split(',')
  const table = Array.from({ length: rows }, (_, place) => {
    const open = prices[place % prices.length] ?? 1
    const close = prices[(place + 1) % prices.length] ?? 1
    const spell = (value: number): string => value.toFixed(decimals)
    const figures = {
      ...{ open: spell(open), close: spell(close), volume: spell(place % 7), vwap: spell(open) },
      ...{ high: spell(Math.max(open, close) + 1), low: spell(Math.min(open, close)) },
      ...{ symbol: 'BTC', confirm: place === rows - 1 ? '0' : '1' },
    }
    const found = new Map<string, string>(Object.entries(figures))
    return names.map((name) => found.get(name) ?? time(start + place * minute))
  })
  for (const { column, row, spelling } of chosen.oddities) {
    const fields = table[row]
    const field = fields?.[column]
    if (fields !== undefined && field !== undefined) fields[column] = spelling(field)
  }
  const lines = [header, ...table.map((fields) => fields.join(','))]
  for (const place of chosen.removed) if (place > 0) lines.splice(place, 1)
  for (const [place, line] of chosen.inserted)
    lines.splice(Math.min(place, lines.length), 0, line === 'HEADER' ? header : line)
  return (chosen.hasMark ? '\ufeff' : '') + lines.join(chosen.end) + (chosen.hasLastEnd ? chosen.end : '')
}

describe('a table of plain numbers', () => {
  it('is read as csv-parse and Number would', () => {
    const path = join(temporaryFolder(), 'file.csv')
    fc.assert(
      fc.property(aFile, (chosen) => {
        const text = writeText(chosen)
        const { naive, ours } = readBoth(path, text)
        // Files that are no table at all are refused before they are split.
        if (typeof ours !== 'string') expect(ours).toEqual(naive)
      }),
      { seed: 11, numRuns: caseBudget(300) },
    )
  })

  it('has the numbers that Number gives, to the last bit', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 })
    const number = fc.tuple(digits, fc.constantFrom('', '.', '.'), digits).map((parts) => parts.join(''))
    fc.assert(
      fc.property(number, (text) => {
        const fields = new PlainFields(new PlainRows(Buffer.from(`${text}\n`), ','), Uint8Array.of(1))
        const isRead = fields.split(0, text.length)
        // What is not read here is read by `Number` itself.
        if (isRead && text !== '') expect(fields.values[0]).toBe(Number(text))
        const isShort = text.replace('.', '').length <= 15 && /\d/.test(text)
        expect(isRead || !isShort).toBe(true)
      }),
      { seed: 12, numRuns: caseBudget(5_000) },
    )
  })

  it('has its rows split where csv-parse splits them', () => {
    const line = fc.string({ unit: fc.constantFrom(...'1.,- \t'), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, end, hasLast) => {
        const text = lines.join(end) + (hasLast ? end : '')
        // A last line of blanks is a row to us, and none to csv-parse; nobody reads it.
        const isBlankAtEnd = /(^|\n)[ \t]+$/.test(text)
        if (!text.includes('\n') || isBlankAtEnd) return
        const rows = new PlainRows(Buffer.from(text), ',')
        const found = Array.from({ length: rows.length }, (_, place) => rows.at(place))
        const parsed: string[][] = parse(text, {
          relax_column_count: true,
          skip_empty_lines: false,
          trim: true,
          record_delimiter: ['\r\n', '\n'],
        })
        expect(found).toEqual(parsed)
        expect(rows.at(rows.length)).toBeUndefined()
      }),
      { seed: 13, numRuns: caseBudget(500) },
    )
  })
})
