import { describe, expect, test } from 'vitest'
import type { BookOptions } from '../../../../src/market/books/readers/book-options.ts'
import { formatFault, readTexts } from './read-texts.ts'

/* Lines of JSON as exchanges send them, behind the time of a recorder or alone. */

const at = 1_700_000_000_000
const read = (messages: readonly unknown[], options: BookOptions = {}) =>
  readTexts(
    [
      {
        role: 'book',
        text: messages.map((message, place) => `${at + place}000000 ${JSON.stringify(message)}\n`).join(''),
      },
    ],
    options,
    64,
  )

type Levels = readonly (readonly [string, string])[]

const spot = (millis: number, first: number, last: number, b: Levels, a: Levels = []) => ({
  stream: 'btcusdt@depth@100ms',
  data: { e: 'depthUpdate', E: at + millis, s: 'BTCUSDT', U: first, u: last, b, a },
})
const futures = (millis: number, previous: number, first: number, last: number, b: Levels) => ({
  stream: 'btcusdt@depth@0ms',
  data: { ...spot(millis + 5, first, last, b).data, T: at + millis, pu: previous },
})
const snapshot = (lastUpdateId: number, bids: Levels, asks: Levels = [], more = {}) => ({
  lastUpdateId,
  ...more,
  bids,
  asks,
})
const trade = (millis: number, p: string, q: string, m: boolean, more = {}) => ({
  stream: 'btcusdt@trade',
  data: { e: 'trade', E: at + millis + 3, T: at + millis, s: 'BTCUSDT', t: 1, p, q, m, ...more },
})

describe('Binance spot', () => {
  test('begins with the snapshot at the time of the last change that it holds, and drops what it holds', () => {
    const { faults, format, rows } = read([
      spot(100, 5, 8, [['100', '9']]),
      spot(200, 9, 11, [['100', '8']]),
      snapshot(11, [['100', '8']], [['101', '3']]),
      trade(250, '101', '1', false),
      spot(300, 12, 14, [['100', '7']], [['101', '0']]),
      { stream: 'btcusdt@bookTicker', data: { u: 14, s: 'BTCUSDT', b: '1', B: '1', a: '2', A: '1' } },
    ])
    expect(faults).toEqual([])
    expect(format).toContain('Binance spot')
    expect(rows).toEqual([
      `${at + 200} snapshot bid 100 8 3`,
      `${at + 200} snapshot ask 101 3 3`,
      `${at + 250} trade bid 101 1 4`,
      `${at + 300} depth bid 100 7 5`,
      `${at + 300} depth ask 101 0 5`,
    ])
  })

  test('takes a change that holds the update behind the snapshot, and one that comes before the snapshot', () => {
    const { faults, rows } = read([
      spot(100, 5, 8, [['100', '9']]),
      spot(200, 9, 13, [['100', '8']]),
      spot(300, 14, 15, [['99', '1']]),
      snapshot(11, [['100', '8.5']]),
      spot(400, 16, 16, [['98', '2']]),
    ])
    expect(faults).toEqual([])
    expect(rows).toEqual([
      `${at + 100} snapshot bid 100 8.5 4`,
      `${at + 200} depth bid 100 8 2`,
      `${at + 300} depth bid 99 1 3`,
      `${at + 400} depth bid 98 2 5`,
    ])
  })

  const broken = [
    spot(100, 5, 8, [['100', '9']]),
    snapshot(8, [['100', '9']]),
    spot(200, 9, 10, [['100', '8']]),
    spot(400, 13, 14, [['99', '1']]),
  ]

  test('waits for the next snapshot where updates are missing, and refuses a file without one', () => {
    const { faults } = read(broken)
    expect(faults.map(formatFault)).toEqual(['sequence 4 U', 'sequence 4 U fatal'])
    expect(faults[0]?.message).toBe('is 13 where 11 follows: updates are missing')
    const {
      faults: repaired,
      notes,
      rows,
    } = read([...broken, snapshot(14, [['99', '1']]), spot(500, 15, 15, [['99', '2']])])
    expect(repaired.map(formatFault)).toEqual(['sequence 4 U'])
    expect(rows.slice(2)).toEqual([
      `${at + 400} clear none 0 0 5`,
      `${at + 400} snapshot bid 99 1 5`,
      `${at + 500} depth bid 99 2 6`,
    ])
    expect(notes.gaps).toMatchObject([{ line: 5, isRepaired: true }])
  })

  test('keeps the book through missing updates when asked to', () => {
    const { faults, rows } = read(broken, { holdGaps: true })
    expect(faults.map(formatFault)).toEqual(['sequence 4 U'])
    expect(rows.at(-1)).toBe(`${at + 400} depth bid 99 1 4`)
  })

  test('needs no second snapshot within an unbroken sequence', () => {
    const { notes, rows } = read([...broken.slice(0, 3), snapshot(10, [['100', '8']])])
    expect(rows).toHaveLength(2)
    expect(notes.listLeftOut()).toMatchObject([{ count: 1, firstLine: 4 }])
  })

  test.each([
    ['no snapshot', broken.slice(2), 'snapshot 1 lastUpdateId fatal'],
    [
      'a snapshot that is too new',
      [snapshot(20, [['1', '1']]), ...broken.slice(2)],
      'snapshot 1 lastUpdateId fatal',
    ],
    [
      'a gap behind the snapshot',
      [snapshot(3, [['1', '1']]), spot(100, 5, 8, [])],
      'snapshot 1 lastUpdateId fatal',
    ],
    [
      'a level without quantity',
      [...broken.slice(0, 2), spot(200, 9, 9, [['100', 'x']])],
      'unreadable 3 bids fatal',
    ],
    [
      'two symbols',
      [...broken.slice(0, 3), { data: { ...trade(1, '1', '1', true).data, s: 'ETHUSDT' } }],
      'symbols 4 s fatal',
    ],
    [
      'a trade without its side',
      [...broken.slice(0, 3), trade(1, '1', '1', true, { m: 'yes' })],
      'unreadable 4 m fatal',
    ],
  ])('names %s', (_, messages, fault) => {
    expect(read(messages).faults.map(formatFault)).toContain(fault)
  })

  test('puts messages of two streams in the order of the exchange', () => {
    const { notes, rows } = read([
      ...broken.slice(0, 3),
      trade(150, '100', '1', true),
      trade(200, '100', '2', true),
    ])
    expect(rows).toEqual([
      `${at + 100} snapshot bid 100 9 2`,
      `${at + 150} trade ask 100 1 4`,
      `${at + 200} trade ask 100 2 5`,
      `${at + 200} depth bid 100 8 3`,
    ])
    expect(notes.surveyClocks()).toMatchObject({ count: 4, negativeCount: 4 })
  })
})

describe('Binance futures', () => {
  test('go by pu, begin with the change that holds the snapshot, and use T', () => {
    const { faults, format, rows } = read([
      futures(100, 3, 5, 8, [['100', '9']]),
      futures(200, 8, 10, 14, [['100', '8']]),
      snapshot(12, [['100', '8.5']], [['101', '1']], { E: at + 190, T: at + 180 }),
      futures(300, 14, 17, 18, [['99', '1']]),
      trade(310, '99', '1', true, { X: 'MARKET' }),
      trade(320, '99', '1', true, { X: 'INSURANCE_FUND' }),
      futures(400, 18, 20, 22, [['98', '1']]),
    ])
    expect(faults).toEqual([])
    expect(format).toContain('Binance futures')
    expect(rows).toEqual([
      `${at + 190} snapshot bid 100 8.5 3`,
      `${at + 190} snapshot ask 101 1 3`,
      `${at + 200} depth bid 100 8 2`,
      `${at + 300} depth bid 99 1 4`,
      `${at + 310} trade ask 99 1 5`,
      `${at + 400} depth bid 98 1 7`,
    ])
  })

  test('a change that names another update before it is a gap, whatever its U', () => {
    const { faults } = read([
      futures(100, 3, 5, 8, [['100', '9']]),
      snapshot(8, [['100', '9']]),
      futures(200, 9, 9, 10, [['100', '8']]),
    ])
    expect(faults.map(formatFault)).toEqual(['sequence 3 pu', 'sequence 3 pu fatal'])
  })
})

describe('Bybit', () => {
  const book = (millis: number, type: string, u: number, b: Levels, a: Levels = []) => ({
    topic: 'orderbook.50.BTCUSDT',
    type,
    ts: at + millis + 4,
    data: { s: 'BTCUSDT', b, a, u, seq: 1 },
    cts: at + millis,
  })
  const first = book(0, 'snapshot', 7, [['100', '1']], [['101', '1']])

  test('reads deltas behind a snapshot, and trades', () => {
    const { faults, rows } = read([
      book(-10, 'delta', 6, [['100', '2']]),
      first,
      book(10, 'delta', 8, [['100', '0']]),
      {
        topic: 'publicTrade.BTCUSDT',
        data: [{ T: at + 10, s: 'BTCUSDT', S: 'Sell', v: '0.5', p: '100' }],
      },
    ])
    expect(faults).toEqual([])
    expect(rows).toEqual([
      `${at} snapshot bid 100 1 2`,
      `${at} snapshot ask 101 1 2`,
      `${at + 10} trade ask 100 0.5 4`,
      `${at + 10} depth bid 100 0 3`,
    ])
  })

  test('a restart with update 1 is a new book and no gap', () => {
    const { faults, notes, rows } = read([
      first,
      book(10, 'snapshot', 1, [['99', '4']]),
      book(20, 'delta', 2, [['99', '5']]),
    ])
    expect(faults.map(formatFault)).toEqual(['restart 2 data.u'])
    expect(notes.gaps).toEqual([])
    expect(rows.slice(2)).toEqual([
      `${at + 10} clear none 0 0 2`,
      `${at + 10} snapshot bid 99 4 2`,
      `${at + 20} depth bid 99 5 3`,
    ])
  })

  test('a missing update is a gap up to the next snapshot', () => {
    const broken = [first, book(10, 'delta', 10, [['100', '3']]), book(20, 'delta', 11, [['100', '4']])]
    expect(read(broken).faults.map(formatFault)).toEqual(['sequence 2 data.u', 'sequence 2 data.u fatal'])
    expect(read(broken, { holdGaps: true }).rows).toHaveLength(4)
    const { notes, rows } = read([...broken, book(30, 'snapshot', 12, [['100', '4']])])
    expect(rows.slice(2)).toEqual([`${at + 30} clear none 0 0 4`, `${at + 30} snapshot bid 100 4 4`])
    expect(notes.gaps).toMatchObject([{ isRepaired: true }])
  })

  test('deltas alone have no book', () => {
    expect(read([book(10, 'delta', 10, [])]).faults.map(formatFault)).toEqual(['snapshot 1 type fatal'])
  })
})

test('Hyperliquid shows the best levels; trades from before the subscription are left out', () => {
  const book = (millis: number, px: string, sz: string) => ({
    channel: 'l2Book',
    data: { coin: 'BTC', time: at + millis, levels: [[{ n: 1, px, sz }], [{ n: 2, px: '101', sz: '1' }]] },
  })
  const trades = (millis: number) => ({
    channel: 'trades',
    data: [{ coin: 'BTC', side: 'B', px: '101', sz: '0.5', time: at + millis, tid: 1 }],
  })
  const { faults, notes, rows } = read([
    book(0, '100', '1'),
    trades(-50_000),
    book(500, '100', '2'),
    trades(600),
  ])
  expect(faults).toEqual([])
  expect(rows).toEqual([
    `${at} snapshot bid 100 1 1`,
    `${at} snapshot ask 101 1 1`,
    `${at + 500} depth bid 100 2 3`,
    `${at + 600} trade bid 101 0.5 4`,
  ])
  expect(notes.listLeftOut()).toMatchObject([{ count: 1, reason: 'trades from before the recording' }])
})

test('messages of others only are refused, with what is needed', () => {
  const { faults } = read([{ topic: 'tickers.BTCUSDT', data: {} }])
  expect(faults.map(formatFault)).toEqual(['format 0 fatal'])
})
