import { describe, expect, test } from 'vitest'
import { normalizeName, readBoolean } from '../../../src/market/recordings/table-fields.ts'
import { readTime } from '../../../src/market/recordings/table-times.ts'

const newYear = Date.UTC(2021, 0, 1)

describe('a time', () => {
  test.each([
    ['1609459200', newYear],
    ['1609459200.5', newYear + 500],
    ['1609459200000', newYear],
    ['1609459200000000', newYear],
    ['1609459200000000000', newYear],
    ['1.6094592e9', newYear],
    ['2021-01-01', newYear],
    ['2021/01/01', newYear],
    ['20210101', newYear],
    ['2021-01-01 02:00+02:00', newYear],
    ['2021-01-01T02:00:00+0200', newYear],
    ['2021-01-01 00:00:00 UTC', newYear],
    // HistData and NinjaTrader, QuantConnect, the basic form of ISO 8601, and kdb, as BitMEX publishes trades.
    ['20210101 000000', newYear],
    ['20210101 063000', newYear + 6.5 * 3_600_000],
    ['20210101 00:00', newYear],
    ['20210101T020000+0200', newYear],
    ['20210101T063000.5Z', newYear + 6.5 * 3_600_000 + 500],
    ['2021-01-01D00:00:00.500000000', newYear + 500],
    // Where one unit ends and the next begins.
    ['99999999999', 99_999_999_999_000],
    ['100000000000', 100_000_000_000],
    ['99999999999999', 99_999_999_999_999],
    ['100000000000000', 100_000_000_000],
    ['100000000000000000', 100_000_000_000],
  ])('%s is known', (text, millis) => {
    expect(readTime(text)).toBe(millis)
    expect(readTime(` ${text} `, true)).toBe(millis)
  })

  test.each([
    '',
    'soon',
    '44197',
    '20211301',
    '20211301 000000',
    '20210101 250000',
    '20210101 0',
    '20210101 00000',
    '20210101-000000',
    '-1609459200',
    '01/02/2021',
    '00:00:00',
    '2021-01-01 00:00 EST',
  ])('"%s" is none', (text) => {
    expect(readTime(text)).toBeNull()
  })

  test.each(['1609459200.0001', '1609459200000500', '2021-01-01T00:00:00.0005Z'])(
    '%s is cut to milliseconds only where that is wanted',
    (text) => {
      expect(readTime(text)).toBeNull()
      expect(readTime(text, true)).toBe(newYear)
    },
  )
})

test.each([
  ['true', true],
  [' True ', true],
  ['1', true],
  ['FALSE', false],
  ['0', false],
  ['2', null],
  ['', null],
])('"%s" as a truth is %s', (text, truth) => {
  expect(readBoolean(text)).toBe(truth)
})

test.each([
  ['openPrice', 'open_price'],
  ['<OPEN>', 'open'],
  ['\ufeffts_ms ', 'ts_ms'],
  ['Volume (BTC)', 'volume_btc'],
])('the column %s is called %s', (name, own) => {
  expect(normalizeName(name)).toBe(own)
})
