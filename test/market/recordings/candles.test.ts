import { describe, expect, test } from 'vitest'
import { listCandles } from '../../../src/market/recordings/candle-table.ts'
import { parseColumns } from '../../../src/market/recordings/file-options.ts'
import { readTable } from '../../../src/market/recordings/recording.ts'
import { parseText } from './parse-text.ts'

const hour = 3_600_000
/** 2021-01-01T00:00:00Z. */
const newYear = 1_609_459_200_000

const table = (text: string) => parseText(text)

function good(text: string) {
  const parsed = parseText(text)
  if (!parsed.ok) throw new Error(`row ${parsed.problem.row}: ${parsed.problem.message}`)
  return parsed
}

const plain = `
ts_ms,open,high,low,close,volume
1609459200000,100,110,90,105,3.5
1609462800000,105,106,80,85,
1609466400000,85,85,85,85,0
`

describe('a table of candles', () => {
  test('is read with its span, and an empty volume is 0', () => {
    const { candles } = good(plain)
    expect(candles).toEqual([
      { atMillis: newYear, spanMillis: hour, open: 100, high: 110, low: 90, close: 105, volume: 3.5 },
      { atMillis: newYear + hour, spanMillis: hour, open: 105, high: 106, low: 80, close: 85, volume: 0 },
      { atMillis: newYear + 2 * hour, spanMillis: hour, open: 85, high: 85, low: 85, close: 85, volume: 0 },
    ])
  })

  test.each([
    ['', '2021-01-01 00:00:00'],
    ['Unnamed: 0', '2021-01-01 00:00:00+00:00'],
    ['index', '1609459200000'],
  ])('may begin with an index that is called "%s"', (name, at) => {
    const next = at.replace('00:00:00', '01:00:00').replace('1609459200000', '1609462800000')
    const { candles } = good(`${name},open,high,low,close\n${at},10,11,9,10\n${next},10,12,9,11`)
    expect(candles.map(({ atMillis, high }) => [atMillis - newYear, high])).toEqual([
      [0, 11],
      [hour, 12],
    ])
    const counted = table(`${name},open,high,low,close\n0,10,11,9,10\n1,10,12,9,11`)
    expect(counted).toMatchObject({ ok: false, problem: { row: 1 } })
  })

  test('has no volume when the column is blank', () => {
    const { candles } = good('time,volume,open,high,low,close\n1609459200, ,1,2,1,2\n1609462800, ,1,2,1,2')
    expect(candles.map(({ volume }) => volume)).toEqual([0, 0])
  })

  test.each([
    ['seconds', 'time,open,high,low,close\n1609459200,1,2,1,2\n1609462800,2,2,1,1'],
    ['seconds with a fraction', 'time,open,high,low,close\n1609459200.0,1,2,1,2\n1609462800.0,2,2,1,1'],
    ['microseconds', 'open_time,open,high,low,close\n1609459200000000,1,2,1,2\n1609462800000000,2,2,1,1'],
    ['nanoseconds', 't,o,h,l,c\n1609459200000000000,1,2,1,2\n1609462800000000000,2,2,1,1'],
    [
      'ISO instants',
      'timestamp,open,high,low,close\n2021-01-01T00:00:00Z,1,2,1,2\n2021-01-01T01:00:00.000Z,2,2,1,1',
    ],
    [
      'times without a zone',
      'Date,Open,High,Low,Close\n2021-01-01 00:00:00,1,2,1,2\n2021-01-01 01:00,2,2,1,1',
    ],
    [
      'times with an offset',
      'Date,Open,High,Low,Close\n2021-01-01 02:00:00+0200,1,2,1,2\n2021-01-01 01:00 UTC,2,2,1,1',
    ],
    [
      'other columns in between',
      'Unix,Symbol,Low,High,Open,Close\n1609459200,BTC,1,2,1,2\n1609462800,BTC,1,2,2,1',
    ],
    ['no header', '1609459200000,1,2,1,2,0,1609462799999,5\n1609462800000,2,2,1,1,0,1609466399999,5'],
    [
      'a banner',
      'https://www.example.com\nunix,date,open,high,low,close\n1609459200,x,1,2,1,2\n1609462800,y,2,2,1,1',
    ],
    [
      'a byte order mark and blank rows',
      '\ufefftime,open,high,low,close\n1609459200,1,2,1,2\n,,,,\n1609462800,2,2,1,1',
    ],
    ['newest first', 'time,open,high,low,close\n1609462800,2,2,1,1\n1609459200,1,2,1,2'],
  ])('may have %s', (_name, text) => {
    const { candles } = good(text)
    expect(candles.map(({ atMillis, open, high, low, close }) => [atMillis, open, high, low, close])).toEqual(
      [
        [newYear, 1, 2, 1, 2],
        [newYear + hour, 2, 2, 1, 1],
      ],
    )
  })

  test('is daily when its times are dates', () => {
    const { candles } = good('date,open,high,low,close\n2021-01-01,1,2,1,2\n2021-01-02,2,2,1,1')
    expect(candles.map(({ atMillis, spanMillis }) => [atMillis, spanMillis])).toEqual([
      [newYear, 24 * hour],
      [newYear + 24 * hour, 24 * hour],
    ])
  })

  test.each([
    ['date,open,high,low,close,Volume BTC,Volume USDT', 7],
    ['date,open,high,low,close,Volume USD,tradecount', 14 / 3],
    ['date,open,high,low,close,vol,x', 7],
  ])('takes the volume in the asset from %s', (header, volume) => {
    const { candles } = good(`${header}\n2021-01-01,1,2,1,2,7,9\n2021-01-02,2,2,1,1,7,9`)
    expect(candles[0]?.volume).toBe(volume)
  })

  test('keeps its gaps, and drops repeated rows', () => {
    const { candles } = good(`
      time,open,high,low,close
      2021-01-01T06:00:00Z,1,1,1,1
      2021-01-01T05:30:00Z,1,1,1,1
      2021-01-01T02:00:00Z,1,1,1,1
      2021-01-01T01:30:00Z,1,1,1,1
      2021-01-01T01:30:00Z,1,1,1,1
      2021-01-01T00:00:00Z,1,1,1,1`)
    const hours = candles.map(({ atMillis }) => (atMillis - newYear) / hour)
    expect(hours).toEqual([0, 1.5, 2, 5.5, 6])
    expect(candles.every(({ spanMillis }) => spanMillis === hour / 2)).toBe(true)
  })

  test.each(['2,2,1,1,5', '1,3,1,1,5', '1,2,0.5,1,5', '1,2,1,2,5', '1,2,1,1,6'])(
    'is refused where a repeated row says something else: %s',
    (other) => {
      const begun = 'time,open,high,low,close,volume\n1609459200,1,2,1,1,5\n'
      expect(table(`${begun}1609459200,1,2,1,1,5\n1609459260,1,2,1,1,5`)).toMatchObject({ ok: true })
      const found = table(`${begun}1609459200,${other}\n1609459260,1,2,1,1,5`)
      expect(found).toMatchObject({ ok: false, problem: { row: 3, column: 'time' } })
    },
  )

  test('of opens alone goes from open to open', () => {
    const { candles } = good(`
      ts_ms,open,day_low,day_high
      1609459200000,100,0,0
      1609462800000,105,0,0
      1609466400000,85,0,0
      1609473600000,90,0,0`)
    expect(candles.map(({ open, high, low, close }) => [open, high, low, close])).toEqual([
      [100, 105, 100, 105],
      [105, 105, 85, 85],
      [85, 85, 85, 85],
      [90, 90, 90, 90],
    ])
    expect(candles.every(({ volume }) => volume === 0)).toBe(true)
  })

  test('of a single candle has no span', () => {
    expect(table('time,open,high,low,close\n1609459200,1,2,1,2')).toMatchObject({
      ok: false,
      problem: { row: 2, column: 'time' },
    })
  })
})

describe('the first rows below a header are rows', () => {
  const figures = [
    [100.5, 110.25, 90.75, 105.5, 3.5],
    [1105.5, 1106.25, 1080.75, 1085.5, 1004.25],
    [1085.5, 1285.75, 1085.25, 1185.5, 2.5],
    [1185.5, 1285.75, 1085.25, 1186.5, 4.5],
  ]
  const days = figures.map((_, place) => `2021-01-${String(place + 13)}`)
  const comma = (value: number): string => String(value).replace('.', ',')
  const german = (value: number): string => comma(value).replace(/^(\d)(\d{3})/, '$1.$2')
  const english = (value: number): string => String(value).replace(/^(\d)(\d{3})/, '$1,$2')

  test.each([
    ['days first, decimal commas', (day: string) => day.split('-').reverse().join('.'), comma, true],
    [
      'days first, points between thousands',
      (day: string) => day.split('-').reverse().join('.'),
      german,
      true,
    ],
    ['days first, slashes', (day: string) => day.split('-').reverse().join('/'), english, false],
    ['names of months', (day: string) => `Jan ${day.slice(8)}, 2021`, english, false],
    ['days before the names of months', (day: string) => `${day.slice(8)}-Jan-2021`, comma, true],
    ['months first, an hour', (day: string) => `01/${day.slice(8)}/2021 12:00 AM`, english, false],
  ])('however they are written: %s', (_, toDate, toText, hasSemicolons) => {
    const rows = figures.map((row, place) => [toDate(days[place] ?? ''), ...row.map(toText)])
    for (const order of [rows, rows.toReversed()]) {
      const header = ['Date', 'Open', 'High', 'Low', 'Close', 'Volume']
      const reading = readTable({ rows: [header, ...order], hasSemicolons, firstRowNumber: 1 })
      if (reading.kind !== 'candles' || reading.problem !== null) throw new Error(reading.problem?.message)
      const read = listCandles(reading.candles)
      expect(read.map(({ open, high, low, close, volume }) => [open, high, low, close, volume])).toEqual(
        figures,
      )
      expect(read[0]?.atMillis).toBe(Date.UTC(2021, 0, 13))
    }
  })

  test('of trades, too', () => {
    const rows = figures.map(([price = 0], place) => [`${13 + place}.01.2021 06:00:00`, comma(price), '1,5'])
    const reading = readTable({
      rows: [['time', 'price', 'amount'], ...rows],
      hasSemicolons: true,
      firstRowNumber: 1,
    })
    expect(reading.kind === 'trades' ? reading.trades.map(({ price }) => price) : reading).toEqual(
      figures.map(([price]) => price),
    )
  })
})

test.each([
  ['t,T,o,h,l,c,v', 'time'],
  ['T,t,o,h,l,c,v', 'time'],
  ['time,open,high,low,close,Close', 'close'],
  ['time,open,o,high,High,low,close', 'high'],
  ['time,open,high,low,close,volume,Volume', 'volume'],
  ['date,Date,price,amount', 'time'],
  ['date,price,Price,amount', 'price'],
  ['date,price,amount,Amount', 'quantity'],
  ['when,open,high,low,close', 'time'],
  ['time,Eröffnung,high,low,close', 'open'],
  ['time,open,top,low,close', 'high'],
  ['time,open,high,low,Price', 'close'],
])('the columns that a refusal of %s names decide it', (header, role) => {
  const width = header.split(',').length
  const row = (hours: number) =>
    Array.from({ length: width }, (_, place) =>
      // Every column could be a time or a price.
      header.split(',')[place]?.match(/^(t|T|time|date|Date|when)$/) ? newYear + hours * hour : 10,
    ).join(',')
  const text = [header, row(0), row(1), row(2)].join('\n')
  const refused = parseText(text)
  const remedy = refused.ok ? '' : (/columns: (\S+)$/.exec(refused.problem.message)?.[1] ?? '')
  const [named = '', column = ''] = remedy.split('=')
  expect(named).toBe(role)
  const columns = parseColumns(`${named}=${column === 'NAME' ? findUnnamed(header) : column}`)
  if (typeof columns === 'string') throw new Error(columns)
  expect(parseText(text, { columns })).toMatchObject({ ok: true })
})

const findUnnamed = (header: string): string =>
  header.split(',').find((name) => /^(when|Eröffnung|top|Price)$/.test(name)) ?? ''

describe('candles of two spans', () => {
  const rowsOf = (count: number, spanMillis: number, fromMillis: number): readonly string[] =>
    Array.from({ length: count }, (_, place) => `${fromMillis + place * spanMillis},10,12,9,11`)
  const minute = hour / 60
  const day = 24 * hour
  const header = 'ts_ms,open,high,low,close'

  test.each([
    [
      'hours before minutes',
      [...rowsOf(30, hour, newYear), ...rowsOf(90, minute, newYear + 30 * hour)],
      2,
      32,
    ],
    [
      'minutes before hours',
      [...rowsOf(120, minute, newYear), ...rowsOf(30, hour, newYear + 2 * hour)],
      122,
      151,
    ],
    ['weeks before days', [...rowsOf(30, 7 * day, newYear), ...rowsOf(90, day, newYear + 210 * day)], 2, 32],
  ])('are refused: %s', (_, rows, from, to) => {
    for (const options of [{}, { times: 'close' as const }]) {
      const read = parseText([header, ...rows].join('\n'), options)
      expect(read).toMatchObject({ ok: false, problem: { row: from, column: 'time' } })
      expect(!read.ok && read.problem.message).toContain(`the rows to row ${to} are `)
    }
  })

  test.each([
    ['few hours', [...rowsOf(20, hour, newYear), ...rowsOf(90, minute, newYear + 20 * hour)]],
    ['weekends', rowsOf(300, day, newYear).filter((_, place) => place % 7 < 5)],
    ['nights', rowsOf(600, hour, newYear).filter((_, place) => place % 24 < 7)],
    ['months', Array.from({ length: 60 }, (_, place) => `${Date.UTC(2021, place, 1)},10,12,9,11`)],
    [
      'minutes without trades',
      rowsOf(3000, minute, newYear).filter((_, place) => (place * place * 7919) % 101 < 40),
    ],
  ])('are not gaps of one: %s', (_, rows) => {
    expect(parseText([header, ...rows].join('\n'))).toMatchObject({ ok: true })
  })
})

describe('mistakes are reported by row and column', () => {
  const header = 'time,open,high,low,close,volume'
  const first = '1609459200,10,11,9,10,1'
  test.each([
    [1, '', 'no rows', ''],
    [2, '', 'no candles', `${header}\n,,,,,`],
    [1, '', 'no column for the time', 'when,open,high,low,close'],
    [1, '', 'no column for the open', 'time,price'],
    [1, '', 'no column for the low; the columns are time, open, high, close', 'time,open,high,close'],
    [2, '', '4 fields where at least 5', `${header}\n1609459200,10,11,9`],
    // The file ends here, and the close may have had more digits.
    [3, '', '5 fields where other rows have 6', `${header}\n${first}\n1609462800,10,11,9,1`],
    [3, '', '7 fields where other rows have 6', `${header}\n${first}\n1609462800,10,11,9,10,1,000`],
    [3, 'time', '"soon" is not a time', `${header}\n${first}\nsoon,10,11,9,10,1`],
    [3, 'time', '"2021-02-30" is not a time', `${header}\n${first}\n2021-02-30,10,11,9,10,1`],
    [1, '', 'no column for the high', 'close,time,open'],
    [3, 'time', '"0" is not a time', `${header}\n${first}\n0,10,11,9,10,1`],
    [3, 'time', '"-5" is not a time', `${header}\n${first}\n-5,10,11,9,10,1`],
    [3, 'open', '"" is not a price', `${header}\n${first}\n1609462800,,11,9,10,1`],
    [3, 'open', '"1e999" is not a price', `${header}\n${first}\n1609462800,1e999,11,9,10,1`],
    [3, 'volume', '"1e999" is not', `${header}\n${first}\n1609462800,10,11,9,10,1e999`],
    [
      3,
      'high',
      '"$11" is not a price from 1e-10 to 1e10 USD; numbers are written as 1234.5',
      `${header}\n${first}\n1609462800,10,$11,9,10,1`,
    ],
    [
      3,
      'open',
      '"40000000000000" is not a price from 1e-10 to 1e10 USD',
      `${header}\n${first}\n1609462800,40000000000000,11,9,10,1`,
    ],
    [3, 'high', '"0x10" is not a price', `${header}\n${first}\n1609462800,10,0x10,9,10,1`],
    [3, 'low', '"0" is not a price', `${header}\n${first}\n1609462800,10,11,0,10,1`],
    [3, 'close', '"-3" is not a price', `${header}\n${first}\n1609462800,10,11,9,-3,1`],
    [3, 'volume', '"-1" is not a quantity', `${header}\n${first}\n1609462800,10,11,9,10,-1`],
    [3, 'volume', '"much" is not a quantity', `${header}\n${first}\n1609462800,10,11,9,10,much`],
    [3, 'high', '9.5 is below the open 10', `${header}\n${first}\n1609462800,10,9.5,9,9,1`],
    [3, 'high', '10.5 is below the close 11', `${header}\n${first}\n1609462800,10,10.5,9,11,1`],
    [3, 'low', '10.1 is above the open 10', `${header}\n${first}\n1609462800,10,11,10.1,10.2,1`],
    [3, 'low', '9.9 is above the close 9', `${header}\n${first}\n1609462800,10,11,9.9,9,1`],
    [
      4,
      'time',
      'out of order',
      `${header}\n1609462800,1,1,1,1,1\n1609466400,1,1,1,1,1\n${first}\n1609470000,1,1,1,1,1`,
    ],
    [
      3,
      'time',
      'same time as row 2',
      `${header}\n${first}\n1609459200,10,11,9,10,2\n1609462800,10,11,9,10,2`,
    ],
    [
      5,
      'time',
      'within its candle',
      `${header}\n${first}\n1609462800,1,1,1,1,1\n1609466400,1,1,1,1,1\n1609467000,1,1,1,1,1`,
    ],
  ])('row %d %s: %s', (row, column, message, text) => {
    expect(table(text)).toMatchObject({
      ok: false,
      problem: { row, column, message: expect.stringContaining(message) },
    })
  })
})
