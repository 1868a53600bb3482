import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import AdmZip from 'adm-zip'
import { describe, expect, test } from 'vitest'
import { openRecordedBook } from '../../../src/cli/recordings/books/prepared-book.ts'
import { createPreparedStore } from '../../../src/cli/recordings/prepared-store.ts'
import { formatBookFault } from '../../../src/market/books/readers/book-facts.ts'
import type { BookFault } from '../../../src/market/books/readers/book-notes.ts'
import type { BookOptions } from '../../../src/market/books/readers/book-options.ts'
import type { BookUnits } from '../../../src/market/books/readers/book-units.ts'
import type { RecordedBook } from '../../../src/market/books/recorded-book.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const header = 'ts_ms,kind,side,price,quantity\n'
const at = 1_700_000_000_000
const row = (millis: number, rest: string): string => `${at + millis},${rest}\n`
const start = `${header}${row(0, 'snapshot,buy,100.0,2')}${row(0, 'snapshot,sell,100.5,3')}`

const shown = { price: null, quantity: null }

interface Setting {
  readonly book: Readonly<Record<string, string | Uint8Array>>
  readonly trades?: Readonly<Record<string, string>> | null
  readonly options?: BookOptions
  readonly units?: BookUnits
}

/** Opens a book from files with these contents, in a folder of its own unless one is given. */
function open({ book, options = {}, trades = {}, units }: Setting, cwd = temporaryFolder()) {
  for (const [name, content] of Object.entries({ ...book, ...trades }))
    writeFileSync(join(cwd, name), content)
  const answer = openRecordedBook({
    files: { book: Object.keys(book), trades: trades === null ? null : Object.keys(trades) },
    ...{ options, units: units ?? shown, cwd, store: createPreparedStore(cwd) },
  })
  return { cwd, answer }
}

function mustOpen(setting: Setting) {
  const { answer } = open(setting)
  if (!answer.ok) throw new Error(answer.faults.map(formatBookFault).join('\n'))
  return answer
}

const faultsOf = (setting: Setting): readonly string[] => {
  const { answer } = open(setting)
  return (answer.ok ? answer.facts.faults : answer.faults).map(formatBookFault)
}

function listRows(book: RecordedBook): readonly string[] {
  const { atMillis, count, kinds, priceTicks, quantitySteps, sides } = book.chunk(0)
  return Array.from(
    { length: count },
    (_, place) =>
      `${(atMillis[place] ?? 0) - at} ${kinds[place]} ${sides[place]} ${priceTicks[place]} ${quantitySteps[place]}`,
  )
}

describe('a recorded book', () => {
  const text = `${start}${row(7, 'trade,buy,100.5,1.25')}${row(7, 'depth,sell,100.5,1.75')}`
  const rows = ['0 4 0 200 200', '0 4 1 201 300', '7 2 0 201 125', '7 1 1 201 175']

  test('has ticks and steps of the widest steps that its numbers have', () => {
    const { book, facts } = mustOpen({ book: { 'a.csv': text } })
    expect(listRows(book)).toEqual(rows)
    expect(facts.units).toEqual({ price: { units: 5, scale: 1 }, quantity: { units: 1, scale: 2 } })
    expect(facts).toMatchObject({ first: { bid: 100, ask: 100.5 }, last: { trade: 100.5 } })
    expect(book.place(3)).toEqual({ file: 'a.csv', line: 5 })
    expect(book.index).toMatchObject({ count: 2, firstMillis: at })
  })

  test('is the same from a file that is packed, and from the store', () => {
    const zip = new AdmZip()
    zip.addFile('a.csv', Buffer.from(text))
    zip.addFile('__MACOSX/._a.csv', Buffer.from('Mac OS X'))
    const plain = mustOpen({ book: { 'a.csv': text } })
    for (const content of [gzipSync(text), zip.toBuffer()]) {
      const { answer, cwd } = open({ book: { 'a.csv': content } })
      const { answer: again } = open({ book: { 'a.csv': content } }, cwd)
      if (!answer.ok || !again.ok) throw new Error('it cannot be read')
      expect(listRows(answer.book)).toEqual(rows)
      expect(again).toMatchObject({ facts: answer.facts, madeAtMillis: answer.madeAtMillis })
      expect(again.book.hash).toBe(answer.book.hash)
      expect(again.book.index).toEqual(plain.book.index)
      expect(readdirSync(join(cwd, '.otcsim/recordings'))).toHaveLength(2)
    }
  })

  test('is known by its content, its names and its options', () => {
    const { answer, cwd } = open({ book: { 'a.csv': text } })
    const hashes = [
      answer,
      open({ book: { 'a.csv': `${text}${row(9, 'depth,buy,100,0')}` } }, cwd).answer,
      open({ book: { 'a.csv': text }, options: { skipBad: true } }, cwd).answer,
      open({ book: { 'b.csv': text } }, cwd).answer,
      open({ book: { 'a.csv': text }, trades: null }, cwd).answer,
    ].map((one) => (one.ok ? one.book.hash : ''))
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  test('is read again where a later price needs a finer step', () => {
    const many = Array.from({ length: 250_000 }, (_, place) => row(place, 'depth,buy,99,1')).join('')
    const { book, facts } = mustOpen({
      book: { 'a.csv': `${start}${many}${row(300_000, 'depth,buy,99.05,1')}` },
    })
    expect(facts.units.price).toEqual({ units: 5, scale: 2 })
    expect(book.rowCount).toBe(250_003)
    expect(book.levels(3).bidTicks.slice(0, 2)).toEqual(Int32Array.of(2_000, 1_980))
    expect(book.place(250_002)).toEqual({ file: 'a.csv', line: 250_004 })
  })

  test('joins files in their order, and tells the file of a row', () => {
    const { book } = mustOpen({
      book: { 'a.csv': start, 'b.csv': `${header}${row(5, 'depth,buy,100,1')}` },
      trades: { 't.csv': `ts_ms,side,price,qty\n${at + 3},sell,100,1\n` },
    })
    expect([0, 1, 2, 3].map((place) => book.place(place))).toEqual([
      { file: 'a.csv', line: 2 },
      { file: 'a.csv', line: 3 },
      { file: 't.csv', line: 2 },
      { file: 'b.csv', line: 2 },
    ])
  })

  test('is without trades where none are wanted', () => {
    const { facts } = mustOpen({ book: { 'a.csv': text }, trades: null })
    expect(facts.counts).toMatchObject({ trades: 0, rows: 3 })
  })

  test('is read without a store that can be written', () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'a.csv'), text)
    const files = { book: ['a.csv'], trades: [] }
    const store = { folder: join(cwd, 'a.csv', 'no-folder'), maximumBytes: 1 }
    for (const one of [store, null]) {
      const answer = openRecordedBook({ files, options: {}, units: shown, cwd, store: one })
      expect(answer.ok && listRows(answer.book)).toEqual(rows)
    }
  })
})

describe('a fault of files', () => {
  const trades = (millis: number, price: number): string =>
    Array.from({ length: 30 }, (_, place) => `${at + millis + 1_000 * place},buy,${price + place},1\n`).join(
      '',
    )
  /** The price rises by a dollar a second. */
  const rising = Array.from(
    { length: 40 },
    (_, place) =>
      row(1_000 * place, `depth,sell,${100.5 + place},3`) +
      (place === 0 ? '' : row(1_000 * place, `depth,sell,${99.5 + place},0`)) +
      row(1_000 * place, `depth,buy,${100 + place},3`),
  ).join('')

  test.each<[string, Setting, string]>([
    ['a file that is not there', { book: {}, trades: {} }, 'no row of a book'],
    [
      'a broken gzip',
      { book: { 'a.csv': gzipSync(start).subarray(0, 40) } },
      'the gzip file is not complete',
    ],
    ['Parquet', { book: { 'a.parquet': 'PAR1...' } }, 'it is Parquet'],
    [
      'a crossed book',
      { book: { 'a.csv': `${start}${row(5, 'depth,buy,101,1')}${row(6, 'depth,buy,102,1')}` } },
      'a.csv:4 price: reaches the best price of the other side',
    ],
    ['no trades', { book: { 'a.csv': start } }, 'there are no trades'],
    [
      'trades twice',
      {
        book: { 'a.csv': `${start}${row(5, 'trade,buy,100.5,1')}` },
        trades: { 't.csv': `ts_ms,side,price,qty\n${at},buy,100.5,1\n` },
      },
      'a.csv:4: is a trade, and there are trades beside the book',
    ],
    [
      'trades in another unit',
      {
        book: { 'a.csv': `${header}${rising}` },
        trades: { 't.csv': `ts_ms,side,price,qty\n${at + 500},buy,0.1005,1\n${at + 900},buy,0.1005,1\n` },
      },
      't.csv:2 price: trades are at 0.001 times the prices of the book',
    ],
    [
      'trades of another day',
      {
        book: { 'a.csv': `${header}${rising}` },
        trades: { 't.csv': `ts_ms,side,price,qty\n${trades(86_400_000, 100.5)}` },
      },
      't.csv:2 time: no trade is within the time of the book',
    ],
    [
      'trades of another clock',
      {
        book: { 'a.csv': `${header}${rising}` },
        trades: { 't.csv': `ts_ms,side,price,qty\n${trades(3_500, 100.5)}` },
      },
      't.csv:2 time: trades and book are on two clocks',
    ],
    [
      'trades with the sides of makers',
      {
        book: { 'a.csv': `${header}${rising}` },
        trades: { 't.csv': `ts_ms,side,price,qty\n${trades(500, 100)}` },
      },
      't.csv:2 side: the sides of trades are those of makers: 0 % of 30 trades are at the best price that they would take, and 100 % with their sides exchanged; exchange buy and sell',
    ],
    [
      'a price off the step of the pair',
      {
        book: { 'a.csv': start },
        units: { price: { units: 1, scale: 0 }, quantity: { units: 1, scale: 0 } },
      },
      'a.csv:3 price: 100.5 is no multiple of the price step 1',
    ],
    [
      'a price of more than eight decimals',
      { book: { 'a.csv': `${header}${row(0, 'snapshot,buy,0.000000001,2')}` } },
      'a.csv:2 price: 1e-9 has more than eight decimals',
    ],
  ])('%s is named with its place and a remedy', (_, setting, words) => {
    const faults = faultsOf(setting)
    expect(faults.join('\n')).toContain(words)
  })

  const bybit = (millis: number, type: string, u: number): string =>
    `${JSON.stringify({
      ...{ topic: 'orderbook.50.BTCUSDT', type, ts: at + millis, cts: at + millis },
      data: { s: 'BTCUSDT', b: [['100', '1']], a: type === 'snapshot' ? [['101', '1']] : [], u, seq: 1 },
    })}\n`
  const trade = `${JSON.stringify({
    ...{ topic: 'publicTrade.BTCUSDT', type: 'snapshot', ts: at },
    data: [{ T: at, s: 'BTCUSDT', S: 'Buy', v: '1', p: '100' }],
  })}\n`
  const binance = (update: number): string =>
    `${JSON.stringify({ e: 'depthUpdate', E: at + update, s: 'BTCUSDT', U: update, u: update, b: [['1', '1']], a: [] })}\n`
  const tardis = 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount\n'

  // The kinds of faults that issue 38 lists, each with file, line, field and what to do.
  test.each<[string, Setting, string, BookFault['kind'], RegExp]>([
    [
      'cut',
      { book: { 'a.csv': `${start}${at + 5},depth,bu` } },
      'a.csv:4 side',
      'cut',
      /bring the file again|skipBad/,
    ],
    [
      'cut in a message',
      { book: { 'a.jsonl': `${bybit(0, 'snapshot', 7)}${bybit(9, 'delta', 8).slice(0, -20)}` } },
      ...(['a.jsonl:2 b', 'cut', /bring the file again/] as const),
    ],
    [
      'out of order',
      { book: { 'a.csv': `${start}${row(-9, 'depth,buy,99,1')}` } },
      'a.csv:4 ts_ms',
      'order',
      /sort/,
    ],
    [
      'crossed',
      { book: { 'a.csv': `${start}${row(5, 'depth,buy,101,1')}${row(6, 'depth,buy,102,1')}` } },
      ...(['a.csv:4 price', 'crossed', /rows are missing or out of order/] as const),
    ],
    [
      'without a snapshot',
      { book: { 'a.csv': `${tardis}v,C,${at}000,${at}000,false,bid,1,1\n` } },
      ...(['a.csv:2 is_snapshot', 'snapshot', /from the start of a day/] as const),
    ],
    [
      'of messages without a snapshot, in a second file',
      {
        book: { 'a.jsonl': trade, 'b.jsonl': trade + bybit(9, 'delta', 8), 'c.jsonl': bybit(20, 'delta', 9) },
      },
      ...(['b.jsonl:2 type', 'snapshot', /first/] as const),
    ],
    [
      'of changes at Binance without a snapshot',
      { book: { 'a.jsonl': binance(1) + binance(2) } },
      ...(['a.jsonl:1 lastUpdateId', 'snapshot', /snapshot first/] as const),
    ],
    [
      'of a snapshot at Binance from which no change goes on',
      { book: { 'a.jsonl': `${binance(1)}{"lastUpdateId":9,"bids":[["1","1"]],"asks":[["2","1"]]}\n` } },
      ...(['a.jsonl:2 lastUpdateId', 'snapshot', /snapshot first/] as const),
    ],
    [
      'of a broken sequence',
      { book: { 'a.jsonl': bybit(0, 'snapshot', 7) + bybit(9, 'delta', 9) } },
      ...(['a.jsonl:2 data.u', 'sequence', /holdGaps|snapshot/] as const),
    ],
    [
      'of a restart, which is no gap',
      { book: { 'a.jsonl': bybit(0, 'snapshot', 7) + bybit(9, 'snapshot', 1) + bybit(20, 'delta', 2) } },
      ...(['a.jsonl:2 data.u', 'restart', /./] as const),
    ],
    [
      'in a wrong unit',
      { book: { 'a.csv': `${start}${at}000,depth,buy,99,1\n` } },
      ...(['a.csv:4 ts_ms', 'unit', /milliseconds/] as const),
    ],
    [
      'of two clocks',
      {
        book: { 'a.csv': `${header}${rising}` },
        trades: { 't.csv': `ts_ms,side,price,qty\n${trades(3_500, 100.5)}` },
      },
      ...(['t.csv:2 time', 'clocks', /shiftTrades: -2500/] as const),
    ],
  ])('%s: file, line, field, and what to do', (_, setting, place, kind, remedy) => {
    const { answer } = open(setting)
    const faults = answer.ok ? answer.facts.faults : answer.faults
    const [fault] = faults.filter((one) => one.kind === kind)
    if (fault === undefined) throw new Error(`no ${kind}: ${faults.map(formatBookFault).join('\n')}`)
    expect(formatBookFault(fault)).toContain(`${place}: `)
    expect(fault.remedy).toMatch(remedy)
    expect(fault.message).not.toBe('')
  })

  test('a level that a message crosses and removes at once is none', () => {
    const text = `${start}${row(5, 'depth,buy,101,1')}${row(5, 'depth,sell,100.5,0')}${row(5, 'depth,sell,101.5,1')}`
    expect(faultsOf({ book: { 'a.csv': text } }).join('\n')).not.toContain('reaches')
  })

  test('what a broken gzip still has is read when asked to', () => {
    const random = Array.from({ length: 5_000 }, (_, place) =>
      row(place, `depth,buy,${90 + ((place * 7_919) % 997) / 100},${(place * 31) % 17}`),
    ).join('')
    const packed = gzipSync(`${start}${random}`)
    const broken = packed.subarray(0, packed.length / 2)
    const answer = mustOpen({ book: { 'a.csv': broken }, options: { skipBad: true } })
    expect(answer.book.rowCount).toBeGreaterThan(500)
    expect(answer.facts.faults).toMatchObject([{ kind: 'cut', isFatal: false }, { kind: 'trades' }])
  })
})
