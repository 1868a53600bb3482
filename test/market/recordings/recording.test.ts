import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCommonestDistance } from '../../../src/market/recordings/candle-spans.ts'
import { type Candles, listCandles } from '../../../src/market/recordings/candle-table.ts'
import { adjustCandles as adjust, type RecordingOptions } from '../../../src/market/recordings/recording.ts'
import { convertCandlesToTrades, convertTradesToCandles } from '../../../src/market/recordings/trade-table.ts'
import { parseText } from './parse-text.ts'

/** 2024-08-08T23:54:15.342Z, of Binance's BTCUSDT. */
const at = 1_723_161_255_342

const parse = (text: string) => parseText(text)

function adjustCandles(candles: Candles, options: RecordingOptions) {
  const adjusted = adjust(candles, options)
  return adjusted === null ? null : listCandles(adjusted)
}

function tradesOf(text: string) {
  const table = parse(text)
  if (table.kind !== 'trades') throw new Error('these are trades')
  if (!table.ok) throw new Error(`row ${table.problem.row} ${table.problem.column}: ${table.problem.message}`)
  return table
}

function candlesOf(text: string) {
  const table = parse(text)
  if (table.kind !== 'candles' || !table.ok) throw new Error('these are candles')
  return table.candles
}

const two = [
  { atMillis: at, price: 61_837.63, quantity: 0.02, side: 'sell' },
  { atMillis: at + 275, price: 61_838, quantity: 0.048, side: 'buy' },
]

const noSides = two.map((trade) => ({ ...trade, side: null }))

describe('tables of trades', () => {
  test('say how many rows stand above their header', () => {
    const read = parseText('https://www.example.com\n# trades\ntime,price,amount\n1609459200,2,1')
    expect(read.ok && read.explanation?.leftOut).toEqual([
      { reason: 'above the header', count: 2, firstRow: 1 },
    ])
  })

  test('name the options that change nothing in them', () => {
    const read = parseText('time,price,amount\n1609459200,2,1', {
      dedupe: 'last',
      times: 'close',
      sort: true,
    })
    expect(read.ok && read.explanation?.warnings).toEqual([
      'dedupe: last is for candles, and changes nothing in trades.',
      'times: close is for candles, and changes nothing in trades.',
    ])
  })

  test.each([
    [
      'our own',
      'ts_ms,trade_id,price,qty,buyer_is_maker',
      [`${at},1,61837.63,0.02,1`, `${at + 275},2,61838,0.048,0`],
      two,
    ],
    ...['is_buyer_maker', 'buyer_maker', 'm'].map((name): [string, string, string[], typeof two] => [
      `a maker named ${name}`,
      `ts_ms,price,qty,${name}`,
      [`${at},61837.63,0.02,true`, `${at + 275},61838,0.048,false`],
      two,
    ]),
    [
      'Binance trades',
      null,
      [`1,61837.63,0.02,1236.75,${at},True,True`, `2,61838.00,0.048,2968.2,${at + 275},False,True`],
      two,
    ],
    [
      'Binance trades in microseconds',
      null,
      [`1,61837.63,0.02,1236.75,${at}999,True,True`, `2,61838,0.048,2968.2,${at + 275}001,False,True`],
      two,
    ],
    [
      'Binance futures trades',
      'id,price,qty,quote_qty,time,is_buyer_maker',
      [`1,61837.63,0.02,1236.75,${at},true`, `2,61838,0.048,2968.2,${at + 275},false`],
      two,
    ],
    [
      'Binance aggTrades',
      null,
      [`1,61837.63,0.02,11,12,${at},True,True`, `2,61838,0.048,13,13,${at + 275},False,True`],
      two,
    ],
    [
      'Binance futures aggTrades',
      'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker',
      [`1,61837.63,0.02,11,12,${at},true`, `2,61838,0.048,13,13,${at + 275},false`],
      two,
    ],
    [
      'Bybit',
      'timestamp,symbol,side,size,price,tickDirection,trdMatchID,grossValue,homeNotional,foreignNotional',
      [
        '1723161255.3429,BTCUSDT,Sell,0.02,61837.63,ZeroMinusTick,x,1,0.02,1236',
        '1723161255.6171,BTCUSDT,Buy,0.048,61838,PlusTick,y,1,0.048,2968',
      ],
      two,
    ],
    [
      'Coinbase, which names the side of the maker',
      'trade_id,side,size,price,time',
      ['2,sell,0.048,61838,2024-08-08T23:54:15.617123Z', '1,buy,0.02,61837.63,2024-08-08T23:54:15.342999Z'],
      two,
    ],
    [
      'Binance streams',
      'a,p,q,f,l,T,m,M',
      [`1,61837.63,0.02,11,12,${at},true,true`, `2,61838,0.048,13,13,${at + 275},false,true`],
      two,
    ],
    [
      'OKX',
      'instrument_name,trade_id,side,price,size,created_time',
      [`BTC-USDT,1,sell,61837.63,0.02,${at}`, `BTC-USDT,2,buy,61838,0.048,${at + 275}`],
      two,
    ],
    ['Kraken and Bitstamp', null, ['1723161255.342,61837.63,0.02', '1723161255.6170,61838,0.048'], noSides],
    [
      'plain names',
      'time,price,amount',
      ['2024-08-08 23:54:15.342,61837.63,0.02', '2024-08-08 23:54:15.617,61838,0.048'],
      noSides,
    ],
  ])('of %s are known', (_name, header, rows, expected) => {
    const text = [...(header === null ? [] : [header]), ...rows].join('\n')
    expect(tradesOf(text).trades).toEqual(expected)
  })

  test.each([
    ...['ts_ms', 'timestamp_ms', 'transact_time', 'trade_time', 'exec_time', 'created_time', 'created_at'],
    ...['timestamp', 'unix', 'time', 'ts', 't', 'datetime', 'date'],
  ])('may call the time %s', (name) => {
    expect(tradesOf(`${name},price,qty\n${at},10,1`).trades).toMatchObject([{ atMillis: at, price: 10 }])
  })

  test.each(['price', 'p', 'trade_price', 'exec_price'])('may call the price %s', (name) => {
    expect(tradesOf(`time,${name},qty\n${at},10,1`).trades).toMatchObject([{ price: 10 }])
  })

  test.each([...['quantity', 'qty', 'size', 'amount', 'volume', 'vol', 'q', 'exec_qty', 'base_volume']])(
    'may call the quantity %s',
    (name) => {
      expect(tradesOf(`time,price,${name}\n${at},10,3`).trades).toMatchObject([{ quantity: 3 }])
    },
  )

  test.each([
    ...['trade_id', 'agg_trade_id', 'tid', 'id', 'trd_match_id', 'exec_id', 'a', 'aggregate_tradeid'],
  ])('drop a repeated row by its %s', (name) => {
    expect(tradesOf(`time,price,qty,${name}\n${at},10,1,7\n${at},10,1,7\n${at},10,1,8`).trades).toHaveLength(
      2,
    )
  })

  test.each(['buy', 'B', 'bid', 'sell', 's', 'ASK'])(
    'may call a side %s, in the first column too',
    (side) => {
      const { trades } = tradesOf(`side,time,price,qty\n${side},${at},10,1`)
      expect(trades).toMatchObject([{ side: /^b/i.test(side) ? 'buy' : 'sell' }])
    },
  )

  test.each([
    ['side', 'buy'],
    ['taker_side', 'buy'],
    ['direction', 'buy'],
    ['type', 'buy'],
    ['maker_side', 'sell'],
  ])('may call the side %s', (name, side) => {
    expect(tradesOf(`time,price,qty,${name}\n${at},10,1,buy`).trades).toMatchObject([{ side }])
  })

  test.each(['is_buyer_maker', 'buyer_is_maker', 'buyer_maker', 'm'])(
    'may have whether the buyer was the maker as %s, in the first column too',
    (name) => {
      const { trades } = tradesOf(`${name},time,price,qty\ntrue,${at},10,1\nfalse,${at},10,1`)
      expect(trades.map(({ side }) => side)).toEqual(['sell', 'buy'])
    },
  )

  test.each(['open', 'high', 'o', 'open_price'])('are candles where there is a column %s', (name) => {
    expect(parse(`time,price,qty,${name}\n${at},1,1,1`).kind).toBe('candles')
  })

  test.each([
    'time,qty\n1723161255342,1',
    'time,price\n1723161255342,1',
    'price,qty\n1,1',
    'time,price,qty,open\n1723161255342,1,1,1',
    '1723161255,61837.63,x',
    '1,61837.63,0.02,1236.75,soon,True,True',
    '1,61837.63,0.02,1236.75,1723161255342,1,1',
    '1,61837.63,0.02,11,12,5,True,True',
  ])('are not %j', (text) => {
    expect(parse(text).kind).toBe('candles')
  })

  test('may have blank rows, and rows without a side', () => {
    const { trades } = tradesOf(`time,price,qty,side\n${at},10,1,SELL\n\n${at + 5},12,1,`)
    expect(trades.map(({ side }) => side)).toEqual(['sell', null])
  })

  test('keep their order where all are of one instant', () => {
    const { trades } = tradesOf(`time,price,qty\n${at},10,1\n${at},12,1\n${at},11,1`)
    expect(trades.map(({ price }) => price)).toEqual([10, 12, 11])
  })

  test('keep trades of one instant in their order, and drop repeated ones', () => {
    const { trades } = tradesOf(
      `id,price,qty,time\n1,10,1,${at}\n2,11,2,${at}\n2,11,2,${at}\n3,12,1,${at + 5}`,
    )
    expect(trades.map(({ price }) => price)).toEqual([10, 11, 12])
  })

  test.each([
    ['time,price,size', [`${at},1,1`, 'soon,1,1'], 3, 'time', '"soon" is not a time'],
    ['time,price,size', [`${at},-1,1`], 2, 'price', '"-1" is not a price from 1e-10 to 1e10 USD'],
    ['time,price,size', [`${at},1,x`], 2, 'quantity', '"x" is not a quantity above 0'],
    ['time,price,size', [`${at},1,1`, '', `${at},1,0`], 4, 'quantity', '"0" is not a quantity above 0'],
    ['time,price,size,side', [`${at},1,1,up`], 2, 'side', '"up" is not a side'],
    ['side,time,price,size', [`up,${at},1,1`], 2, 'side', '"up" is not a side'],
    ['time,price,size,is_buyer_maker', [`${at},1,1,maybe`], 2, 'side', '"maybe" is not a side'],
    ['time,price,size', [`${at},1`], 2, '', '2 fields where at least 3 are needed'],
    ['time,price,size,id', [`${at},1,1,7`, `${at},1,1`], 3, '', '3 fields where other rows have 4'],
    ['time,price,size', [`${at},1,1`, `${at},1,1,000`], 3, '', '4 fields where other rows have 3'],
    ['time,price,size', [`${at},1,1`, `${at - 5},1,1`, `${at + 9},1,1`], 3, 'time', 'out of order'],
    ['time,price,size', [], 1, '', 'there are no trades'],
  ])('%s %j are refused by row and column', (header, rows, row, column, message) => {
    const table = parse([header, ...rows].join('\n'))
    expect(table).toMatchObject({ ok: false, problem: { row, column } })
    expect(table.ok ? '' : table.problem.message).toContain(message)
  })
})

test.each(['2021/01/01', '2021.01.01', '2021-01-01'])('%s is the day of a candle', (day) => {
  const [candle] = candlesOf(`date,open,high,low,close\n${day},2,4,1,3\n2021-01-02,3,5,2,4`)
  expect(candle).toMatchObject({ atMillis: 1_609_459_200_000, spanMillis: 86_400_000 })
})

describe('tables of candles', () => {
  test.each([
    ['Coinbase with a header', 'time,low,high,open,close,volume\n1609459200,1,4,2,3,9\n1609459260,2,5,3,4,9'],
    ['Coinbase without', '1609459200,1,4,2,3,9\n1609459260,2,5,3,4,9'],
    [
      'Bybit',
      'startTime,openPrice,highPrice,lowPrice,closePrice,volume,turnover\n1609459200000,2,4,1,3,9,27\n1609459260000,3,5,2,4,9,36',
    ],
    ['Bybit for MetaTrader', '2021.01.01 00:00,2,4,1,3,9\n2021.01.01 00:01,3,5,2,4,9'],
    ['Kraken', '1609459200,2,4,1,3,9,17\n1609459260,3,5,2,4,9,12'],
    [
      'Binance in microseconds',
      '1609459200000000,2,4,1,3,9,1609459259999999,1,1,1,1,0\n1609459260000000,3,5,2,4,9,1609459319999999,1,1,1,1,0',
    ],
    [
      'Bitstamp by CryptoDataDownload',
      'https://www.CryptoDataDownload.com\nunix,date,symbol,open,high,low,close,Volume BTC,Volume USD\n1609459260,2021-01-01 00:01:00,BTC/USD,3,5,2,4,9,30\n1609459200,2021-01-01 00:00:00,BTC/USD,2,4,1,3,9,30',
    ],
  ])('of %s are known', (_name, text) => {
    const common = { spanMillis: 60_000, volume: 9 }
    expect(candlesOf(text)).toEqual([
      { ...common, atMillis: 1_609_459_200_000, open: 2, high: 4, low: 1, close: 3 },
      { ...common, atMillis: 1_609_459_260_000, open: 3, high: 5, low: 2, close: 4 },
    ])
  })
})

test('columns may stand in any order', () => {
  expect(tradesOf(`qty,price,time\n3,10,${at}`).trades).toMatchObject([
    { atMillis: at, price: 10, quantity: 3 },
  ])
  const [candle] = candlesOf('high,low,close,open,time\n4,1,3,2,1609459200\n5,2,4,3,1609459260')
  expect(candle).toMatchObject({ atMillis: 1_609_459_200_000, open: 2, high: 4, low: 1, close: 3 })
})

test('a table without a header may lack a volume, but has no texts', () => {
  expect(candlesOf('1609459200,2,4,1,3,\n1609459260,3,5,2,4,9').map(({ volume }) => volume)).toEqual([0, 9])
  expect(parse('1609459200,2,4,1,x\n1609459260,3,5,2,4')).toMatchObject({ ok: false, problem: { row: 1 } })
})

describe('an adjusted recording', () => {
  const candles = candlesOf(
    'time,open,high,low,close,volume\n1609459200,10,12,8,11,5\n1609459320,11,11,6,8,5',
  )

  test('keeps its ratios at another price, and its quantities', () => {
    expect(adjustCandles(candles, { rebaseTo: 100, timeShiftMillis: 0, speed: 1 })).toMatchObject([
      { open: 100, high: 120, low: 80, close: 110, volume: 5 },
      { open: 110, low: 60, close: 80 },
    ])
  })

  test('is shifted in time, and sped up from its first instant', () => {
    expect(adjustCandles(candles, { rebaseTo: null, timeShiftMillis: 1_000, speed: 2 })).toMatchObject([
      { atMillis: 1_609_459_201_000, spanMillis: 60_000 },
      { atMillis: 1_609_459_261_000, spanMillis: 60_000 },
    ])
  })

  test('is refused when its pace leaves no whole milliseconds, or its scaled prices are out of bounds', () => {
    expect(adjustCandles(candles, { rebaseTo: null, timeShiftMillis: 0, speed: 7 })).toBeNull()
    for (const rebaseTo of [1e10, 1e-10])
      expect(adjustCandles(candles, { rebaseTo, timeShiftMillis: 0, speed: 1 })).toBeNull()
    expect(adjustCandles(candles, { rebaseTo: null, timeShiftMillis: 0, speed: 1 })).toBe(candles)
  })

  test('of trades keeps their order at any pace', () => {
    const trade = fc.record({
      atMillis: fc.integer({ min: 0, max: 1e6 }).map((offset) => at + offset),
      price: fc.double({ min: 1, max: 1000, noNaN: true }),
      quantity: fc.constant(1),
      side: fc.constant(null),
    })
    fc.assert(
      fc.property(
        fc.array(trade, { minLength: 1 }),
        fc.double({ min: 0.1, max: 50, noNaN: true }),
        (given, speed) => {
          const trades = given.sort((left, right) => left.atMillis - right.atMillis)
          const asCandles = convertTradesToCandles(trades)
          expect(convertCandlesToTrades(asCandles)).toEqual({
            count: trades.length,
            atMillis: Float64Array.from(trades, ({ atMillis }) => atMillis),
            price: Float64Array.from(trades, ({ price }) => price),
            quantity: Float64Array.from(trades, ({ quantity }) => quantity),
          })
          const moved = adjustCandles(asCandles, { rebaseTo: 50, timeShiftMillis: -at, speed })
          const back = convertCandlesToTrades(moved ?? [])
          expect(back?.atMillis[0]).toBe((trades[0]?.atMillis ?? 0) - at)
          expect(back?.price[0]).toBeCloseTo(50, 9)
          for (const [place, atMillis] of (back?.atMillis ?? []).entries())
            expect(atMillis).toBeGreaterThanOrEqual(back?.atMillis[place - 1] ?? 0)
        },
      ),
      { seed: 7, numRuns: 100 },
    )
  })
})

test.each([[[0, 60, 120, 240, 360]], [[0, 120, 240, 300, 360]]])(
  'of distances that are as common as each other the shortest counts: %j',
  (instants) => {
    expect(findCommonestDistance(Float64Array.from(instants))).toBe(60)
  },
)
