import { describe, expect, test } from 'vitest'
import { readTable } from '../../../src/market/recordings/recording.ts'
import { summarizeReading } from '../../../src/market/recordings/recording-summary.ts'
import { tableOf } from './parse-text.ts'

const summarize = (text: string) => summarizeReading(readTable(tableOf(text)))

/** 2024-08-08T23:54:15.342Z, of Binance's BTCUSDT. */
const at = 1_723_161_255_342

describe('the summary of a recording', () => {
  test('counts all mistakes, where parsing stops at the first', () => {
    const survey = summarize(
      `ts_ms,open,high,low,close,volume
1609459200000,10,12,8,11,5
1609459260000,10,9,8,11,5
1609459320000,10,12,8,11,0
1609459320000,10,12,8,11,0
1609459380000,10,12,8,11,5
1609459380000,10,13,8,11,5
1609459740000,10,12,8,11,5
1609459440000,10,12,8,11,5
x,10,12,8,11,5`,
    )
    expect(survey).toMatchObject({
      kind: 'candles',
      goodRows: 7,
      badRows: 2,
      problems: [
        { row: 3, column: 'high' },
        { row: 10, column: 'time' },
      ],
      order: 'ascending',
      outOfOrder: 1,
      repeated: 1,
      contradicting: 1,
      stepMillis: 60_000,
      gaps: 2,
      gapsMillis: 300_000,
      longestGap: { fromMillis: 1_609_459_500_000, toMillis: 1_609_459_740_000 },
      price: { first: 10, last: 11, least: 8, greatest: 13 },
      volume: { total: 25, rowsWithout: 2 },
    })
  })

  test('of trades reports gaps, and accepts several at one instant', () => {
    const survey = summarize(`time,price,qty\n${at},10,1\n${at},11,2\n${at + 7_200_000},9,1`)
    expect(survey).toMatchObject({
      kind: 'trades',
      repeated: 0,
      gaps: 1,
      longestGap: { fromMillis: at, toMillis: at + 7_200_000 },
      volume: { total: 4, usd: 41 },
    })
  })

  test('of rows that stand newest first has the earliest price as its first', () => {
    const rows = ['300000000,12,14,11,13,5', '200000000,40,41,11,12,5', '100000000,10,12,8,11,5']
    const survey = summarize(['unix,open,high,low,close,volume', ...rows].join('\n'))
    expect(survey).toMatchObject({
      order: 'descending',
      fromMillis: 100_000_000_000,
      price: { first: 10, last: 13 },
      leaps: 1,
      firstLeapMillis: 200_000_000_000,
    })
  })

  test.each([
    ['open', '9,12,8,11,5'],
    ['high', '10,13,8,11,5'],
    ['low', '10,12,7,11,5'],
    ['close', '10,12,8,9,5'],
    ['volume', '10,12,8,11,6'],
  ])('tells rows of one time with another %s from repeated ones', (_name, other) => {
    const rows = ['10,12,8,11,5', other].map((figures) => `${at},${figures}`)
    const survey = summarize(['time,open,high,low,close,volume', ...rows].join('\n'))
    expect(survey).toMatchObject({ repeated: 0, contradicting: 1 })
  })

  test.each([
    ['first', [60_000, 360_000, 420_000, 540_000], 60_000],
    ['last', [60_000, 180_000, 240_000, 540_000], 240_000],
  ])('finds the longest gap where it is the %s', (_place, offsets, fromMillis) => {
    const rows = [0, ...offsets].map((offset) => `${at + offset},10,12,8,11,5`)
    const survey = summarize(['time,open,high,low,close,volume', ...rows].join('\n'))
    const toMillis = at + fromMillis + 300_000
    expect(survey).toMatchObject({ gaps: 2, longestGap: { fromMillis: at + fromMillis + 60_000, toMillis } })
  })

  test('counts rows out of order where the newest stand first', () => {
    const rows = [400, 300, 100, 200, 0].map((seconds) => `${at + seconds * 1000},10,12,8,11,5`)
    const survey = summarize(['time,open,high,low,close,volume', ...rows].join('\n'))
    expect(survey).toMatchObject({ order: 'descending', outOfOrder: 1 })
  })

  test.each([
    ['threefold', '30,33,30,33,1', 0],
    ['more', '30,34,30,34,1', 1],
    ['a third', '4,4,3.6666666666666665,4,1', 0],
    ['less', '4,4,3.5,4,1', 1],
  ])('counts a price as a leap beyond %s of the one before', (_name, figures, leaps) => {
    const rows = [`${at},10,12,8,11,5`, `${at + 1000},${figures}`]
    const survey = summarize(['time,open,high,low,close,volume', ...rows].join('\n'))
    expect(survey).toMatchObject({ leaps, firstLeapMillis: leaps === 0 ? null : at + 1000 })
  })

  test('finds the least and the greatest price in any row', () => {
    const rows = ['10,12,8,11,5', '10,15,9,11,5', '10,12,7,11,5'].map(
      (row, place) => `${at + place * 1000},${row}`,
    )
    const survey = summarize(['time,open,high,low,close,volume', ...rows].join('\n'))
    expect(survey).toMatchObject({ price: { least: 7, greatest: 15 }, volume: { usd: 157.5 } })
  })
})
