import { describe, expect, test } from 'vitest'
import { formatFault, readTexts } from './read-texts.ts'

/* Files of CSV: our rows, Tardis, trades of several exchanges, Databento. */

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('')
const ownHeader = 'ts_ms,kind,side,price,quantity'

describe('our own rows', () => {
  test('keep their order within an instant, clears included', () => {
    const text = lines(
      ownHeader,
      '1700000000000,snapshot,buy,100,2',
      '1700000000000,snapshot,sell,101.5,1e-5',
      '1700000000001,depth,ask,101.5,0',
      '1700000000001,trade,buy,101.5,0.25',
      '1700000000002,clear,sell,102,',
      '1700000000003,clear,,,',
    )
    for (const piece of [7, 1_000]) {
      expect(readTexts([{ role: 'book', text }], {}, piece).rows).toEqual([
        '1700000000000 snapshot bid 100 2 2',
        '1700000000000 snapshot ask 101.5 0.00001 3',
        '1700000000001 depth ask 101.5 0 4',
        '1700000000001 trade bid 101.5 0.25 5',
        '1700000000002 clear ask 102 0 6',
        '1700000000003 clear none 0 0 7',
      ])
    }
  })

  const good = '1700000000000,snapshot,buy,100,2'
  test.each([
    ['a row before the one above', '1699999999000,depth,buy,100,1', 'order 3 ts_ms fatal'],
    ['times in microseconds', '1700000000000000,depth,buy,100,1', 'unit 3 ts_ms fatal'],
    ['times in seconds', '1700000000,depth,buy,100,1', 'unit 3 ts_ms fatal'],
    ['a text as time', 'yesterday,depth,buy,100,1', 'unreadable 3 ts_ms fatal'],
    ['an unknown kind', '1700000000001,level,buy,100,1', 'unreadable 3 kind fatal'],
    ['a level without side', '1700000000001,depth,,100,1', 'unreadable 3 side fatal'],
    ['a price of 0', '1700000000001,depth,buy,0,1', 'unreadable 3 price fatal'],
    ['a negative price', '1700000000001,depth,buy,-1,1', 'unreadable 3 price fatal'],
    ['a text as quantity', '1700000000001,depth,buy,100,many', 'unreadable 3 quantity fatal'],
    ['a trade of nothing', '1700000000001,trade,buy,100,0', 'unreadable 3 quantity fatal'],
    ['too few fields', '1700000000001,depth,buy,100', 'unreadable 3 fatal'],
  ])('refuse %s, with line and field', (_, line, fault) => {
    const { faults } = readTexts([{ role: 'book', text: lines(ownHeader, good, line) }])
    expect(faults.map(formatFault)).toEqual([fault])
    expect(faults[0]?.remedy).not.toBe('')
  })

  test.each([
    ['a change', ['1700000000000,depth,buy,100,2', good], ['snapshot 2 kind']],
    [
      'a trade and a change',
      ['1700000000000,trade,buy,100,2', good.replace('snapshot', 'depth')],
      ['snapshot 3 kind'],
    ],
    ['a trade and a snapshot', ['1700000000000,trade,buy,100,2', good, '1700000000000,depth,buy,99,2'], []],
    ['an empty book', ['1700000000000,clear,,,', '1700000000000,depth,buy,99,2'], []],
  ])('that begin with %s: whether something may have stood before is said', (_, rows, faults) => {
    const read = readTexts([{ role: 'book', text: lines(ownHeader, ...rows) }])
    expect(read.faults.map(formatFault)).toEqual(faults)
  })

  test('leave out what cannot be read when asked to, and count it', () => {
    const text = lines(ownHeader, good, '1700000000001,level,buy,100,1', 'x', '1700000000002,depth,buy,100,0')
    const { faults, notes, rows } = readTexts([{ role: 'book', text }], { skipBad: true })
    expect(faults).toEqual([])
    expect(rows).toHaveLength(2)
    expect(notes.listLeftOut()).toEqual([{ reason: 'cannot be read', count: 2, file: 'book', firstLine: 3 }])
  })

  test('are put in order when asked to', () => {
    const text = lines(ownHeader, good, '1699999999000,depth,buy,99,1')
    expect(readTexts([{ role: 'book', text }], { sort: true }).rows).toEqual([
      '1699999999000 depth bid 99 1 3',
      '1700000000000 snapshot bid 100 2 2',
    ])
  })

  test('say when the file ends in the middle of a line', () => {
    const cut = `${lines(ownHeader, good)}1700000000001,depth,bu`
    expect(readTexts([{ role: 'book', text: cut }]).faults.map(formatFault)).toEqual(['cut 3 side fatal'])
    const whole = `${lines(ownHeader, good)}1700000000001,depth,buy,100,0`
    const { faults, rows } = readTexts([{ role: 'book', text: whole }])
    expect(faults.map(formatFault)).toEqual(['cut 3 quantity'])
    expect(rows).toHaveLength(2)
  })
})

const tardisHeader = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount'
const change = (micros: number, isSnapshot: boolean, side: string, price: string, amount: string): string =>
  `binance,BTCUSDT,${micros},${micros + 700},${isSnapshot},${side},${price},${amount}`
const second = 1_700_000_000_000_000

describe('Tardis', () => {
  test('incremental_book_L2 begins with its first snapshot, and begins anew with a later one', () => {
    const text = lines(
      tardisHeader,
      change(second, false, 'bid', '99.9', '1'),
      change(second + 1_500, true, 'bid', '100', '2'),
      change(second + 1_500, true, 'ask', '100.1', '3'),
      change(second + 2_000, false, 'ask', '100.1', '0'),
      change(second + 9_000, true, 'bid', '100', '5'),
      change(second + 9_000, true, 'ask', '100.2', '6'),
    )
    const { faults, notes, rows } = readTexts([{ role: 'book', text }])
    expect(faults).toEqual([])
    expect(rows).toEqual([
      '1700000000001.5 snapshot bid 100 2 3',
      '1700000000001.5 snapshot ask 100.1 3 4',
      '1700000000002 depth ask 100.1 0 5',
      '1700000000009 clear none 0 0 6',
      '1700000000009 snapshot bid 100 5 6',
      '1700000000009 snapshot ask 100.2 6 7',
    ])
    expect(notes.listLeftOut()).toEqual([
      { reason: 'before the first snapshot', count: 1, file: 'book', firstLine: 2 },
    ])
    expect(notes.surveyClocks()).toMatchObject({ leastMicros: 700, mostMicros: 700, negativeCount: 0 })
  })

  test('rows that the recorder received too early wait for the older ones, trades before the book', () => {
    const book = lines(
      tardisHeader,
      change(second, true, 'bid', '100', '2'),
      change(second + 3_000, false, 'bid', '100', '1'),
      change(second + 2_000, false, 'bid', '99', '4'),
    )
    const trades = lines(
      'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
      `binance,BTCUSDT,${second + 3_000},${second + 3_700},1,sell,100,1`,
      `binance,BTCUSDT,${second + 1_000},${second + 3_800},2,unknown,100,2`,
    )
    expect(
      readTexts([
        { role: 'book', text: book },
        { role: 'trades', text: trades },
      ]).rows,
    ).toEqual([
      '1700000000000 snapshot bid 100 2 2',
      '1700000000001 trade none 100 2 3',
      '1700000000002 depth bid 99 4 4',
      '1700000000003 trade ask 100 1 2',
      '1700000000003 depth bid 100 1 3',
    ])
  })

  test('a row that comes more than five seconds late counts at the time of the others, and is counted', () => {
    const text = lines(
      tardisHeader,
      change(second, true, 'bid', '100', '2'),
      change(second + 60_000_000, false, 'bid', '100', '1'),
      change(second + 1_000_000, false, 'bid', '99', '4'),
    )
    const queue = readTexts([{ role: 'book', text }], {}, 30)
    expect(queue.rows).toEqual([
      '1700000000000 snapshot bid 100 2 2',
      '1700000055000 depth bid 99 4 4',
      '1700000060000 depth bid 100 1 3',
    ])
    expect(queue.late).toMatchObject({ count: 1, mostMicros: 54_000_000 })
  })

  test('book_snapshot is read as changes; levels that leave the window are gone', () => {
    const header = [
      'exchange,symbol,timestamp,local_timestamp',
      ...[0, 1].map(
        (level) => `asks[${level}].price,asks[${level}].amount,bids[${level}].price,bids[${level}].amount`,
      ),
    ].join(',')
    const row = (micros: number, levels: string): string => `x,BTCUSDT,${micros},${micros},${levels}`
    const text = lines(
      header,
      row(second, '101,1,100,2,102,3,99,4'),
      row(second + 1_000, '101,1,100,2.5,102,3,99,4'),
      row(second + 2_000, '101,1,100.5,7,,,100,2.5'),
    )
    const { format, rows } = readTexts([{ role: 'book', text }])
    expect(format).toContain('book_snapshot_2')
    expect(rows).toEqual([
      '1700000000000 snapshot bid 100 2 2',
      '1700000000000 snapshot bid 99 4 2',
      '1700000000000 snapshot ask 101 1 2',
      '1700000000000 snapshot ask 102 3 2',
      '1700000000001 depth bid 100 2.5 3',
      '1700000000002 depth bid 99 0 4',
      '1700000000002 depth ask 102 0 4',
      '1700000000002 depth bid 100.5 7 4',
    ])
  })

  test.each([
    ['no snapshot', [change(second, false, 'bid', '1', '1')], 'snapshot 2 is_snapshot fatal'],
    [
      'milliseconds for microseconds',
      [change(second / 1_000, true, 'bid', '1', '1').replace(`,${second / 1_000 + 700}`, ',1')],
      'unit 2 timestamp fatal',
    ],
    ['an unknown side', [change(second, true, 'mid', '1', '1')], 'unreadable 2 side fatal'],
    ['a broken amount', [change(second, true, 'bid', '1', '1,5x')], 'unreadable 2 amount fatal'],
    [
      'two symbols',
      [change(second, true, 'bid', '1', '1'), change(second, true, 'bid', '1', '1').replace('BTC', 'ETH')],
      'symbols 3 symbol fatal',
    ],
  ])('names %s', (_, rows, fault) => {
    const text = lines(tardisHeader, ...rows.map((row) => row.replace('1,5x', '5x')))
    expect(readTexts([{ role: 'book', text }]).faults.map(formatFault)).toContain(fault)
  })

  test.each([
    tardisHeader,
    'side,price,amount,is_snapshot,exchange,symbol,timestamp,local_timestamp',
    'timestamp,symbol,is_snapshot,price,amount,side,exchange,local_timestamp',
  ])('rows of one message are read as if each stood alone: %s', (header) => {
    // A piece shorter than a line shows the reader one line at a time.
    const names = header.split(',')
    const rows = Array.from({ length: 400 }, (_, row) => {
      const at = 1_700_000_000_000_000 + 1_000 * Math.floor(row / 7) - (row % 50 === 0 ? 3_000 : 0)
      const values: Record<string, unknown> = {
        exchange: row % 11 === 0 ? '"venue"' : 'venue',
        symbol: row % 13 === 5 ? 'ETHUSDT' : 'BTCUSDT',
        timestamp: at,
        local_timestamp: row % 17 === 0 ? ` ${at + 40}` : at + 40,
        is_snapshot: row < 5,
        side: row % 2 === 0 ? 'bid' : 'ask',
        price: row % 2 === 0 ? 100 - (row % 9) : 101 + (row % 9),
        amount: row % 5,
      }
      return names.map((name) => String(values[name])).join()
    })
    const text = lines(header, ...rows, rows[0]?.slice(3) ?? '')
    const read = (piece: number) => {
      const { faults, notes, rows: told } = readTexts([{ role: 'book', text }], { symbol: 'BTCUSDT' }, piece)
      return { faults, told, leftOut: notes.listLeftOut(), clocks: notes.surveyClocks() }
    }
    const alone = read(20)
    expect(alone.told.length).toBeGreaterThan(300)
    expect(alone.leftOut.length).toBeGreaterThan(0)
    for (const piece of [500, 1_000_000]) expect(read(piece)).toEqual(alone)
  })

  test('a named symbol leaves the others out', () => {
    const text = lines(
      tardisHeader,
      change(second, true, 'bid', '1', '1'),
      change(second, true, 'bid', '2', '1').replace('BTC', 'ETH'),
    )
    const { notes, rows } = readTexts([{ role: 'book', text }], { symbol: 'ETHUSDT' })
    expect(rows).toEqual(['1700000000000 snapshot bid 2 1 3'])
    expect(notes.listLeftOut()).toMatchObject([{ reason: 'of other symbols', count: 1 }])
  })

  test('the next day goes on with the same book', () => {
    const [first, next] = [
      lines(tardisHeader, change(second, true, 'bid', '100', '2')),
      lines(tardisHeader, change(second + 1_000, false, 'bid', '100', '3')),
    ]
    expect(
      readTexts([
        { role: 'book', text: first, name: 'day1' },
        { role: 'book', text: next, name: 'day2' },
      ]).rows,
    ).toEqual(['1700000000000 snapshot bid 100 2 2', '1700000000001 depth bid 100 3 2'])
  })
})

const book = lines(ownHeader, '1700000000000,snapshot,buy,100,2')

describe('trades beside a book', () => {
  test.each([
    ['ts_ms,trade_id,price,qty,buyer_is_maker', '1700000000005,7,100.5,0.5,True'],
    ['id,price,qty,quote_qty,time,is_buyer_maker', '7,100.5,0.5,50.25,1700000000005,true'],
    ['timestamp,symbol,side,size,price,tickDirection', '1700000000.005,BTCUSDT,Sell,0.5,100.5,PlusTick'],
    ['timestamp,local_timestamp,side,price,amount', '1700000000004001,1700000000004001,sell,100.5,0.5'],
  ])('are read by the names %s', (header, row) => {
    const { rows } = readTexts([
      { role: 'book', text: book },
      { role: 'trades', text: lines(header, row) },
    ])
    expect(rows.map((one) => one.replace('.001 ', ' ').replace('004 ', '005 '))[1]).toBe(
      '1700000000005 trade ask 100.5 0.5 2',
    )
  })

  test('are read without a header where Binance writes none', () => {
    const text = lines('7,100.5,0.5,50.25,1700000000005000,False,True')
    const { rows } = readTexts([
      { role: 'book', text: book },
      { role: 'trades', text },
    ])
    expect(rows[1]).toBe('1700000000005 trade bid 100.5 0.5 1')
  })

  test('are moved by what is stated', () => {
    const text = lines('ts_ms,trade_id,price,qty,buyer_is_maker', '1700000000005,7,100.5,0.5,false')
    const texts = [
      { role: 'book', text: book },
      { role: 'trades', text },
    ] as const
    expect(readTexts(texts, { shiftTrades: 1_270 }).rows[1]).toContain('1700000001275 trade bid')
  })

  test('are refused as a book', () => {
    const text = lines('ts_ms,trade_id,price,qty,buyer_is_maker', '1700000000005,7,100.5,0.5,false')
    expect(readTexts([{ role: 'book', text }]).faults.map(formatFault)).toEqual(['format 1 fatal'])
  })
})

describe('Databento MBP-10', () => {
  const names = Array.from({ length: 10 }, (_, level) =>
    ['bid_px', 'ask_px', 'bid_sz', 'ask_sz', 'bid_ct', 'ask_ct'].map((name) => `${name}_0${level}`),
  ).flat()
  const head =
    'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,ts_in_delta,sequence'
  const none = '9223372036854775807'
  const rest = Array.from({ length: 9 }, () => `${none},${none},0,0,0,0`).join(',')
  const at = 1_700_000_000_000_000_001n
  const row = (nanos: bigint, action: string, flags: number, best: string): string =>
    `${nanos + 90_000n},${nanos},10,1,42,${action},A,0,100500000000,3,${flags},0,1,${best},${rest}`

  test('shows changes of the best levels when a message ends, and trades', () => {
    const text = lines(
      [head, ...names].join(','),
      row(at, 'A', 128, '100000000000,101000000000,5,6,1,1'),
      row(at + 1_000n, 'T', 0, '100000000000,101000000000,5,6,1,1'),
      row(at + 1_000n, 'C', 128, '100000000000,101000000000,2,6,1,1'),
    )
    expect(readTexts([{ role: 'book', text }]).rows).toEqual([
      '1700000000000.001 snapshot bid 100 5 2',
      '1700000000000.001 snapshot ask 101 6 2',
      '1700000000000.002 trade ask 100.5 3 3',
      '1700000000000.002 depth bid 100 2 4',
    ])
  })
})

test.each([
  ['a table of candles', 'time,open,high,low,close,volume\n1,2,3,4,5,6\n', 'format 1 fatal'],
  ['an empty file', '', 'format 0 fatal'],
  ['words', 'hello\n', 'format 1 fatal'],
])('%s is refused, and the readable forms are named', (_, text, fault) => {
  const { faults } = readTexts([{ role: 'book', text }])
  expect(faults.map(formatFault)).toEqual([fault])
  expect(faults[0]?.remedy).toContain('incremental_book_L2')
})
