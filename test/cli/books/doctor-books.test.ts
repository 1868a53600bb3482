import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../support/temporary-folder.ts'
import { otcsim } from '../harness.ts'

/* What `doctor` says of recorded books, with what it looked at in numbers. */

const at = 1_700_000_000_000
const book = (millis: number, type: string, u: number, b: readonly (readonly [string, string])[]): string =>
  `${at + millis + 40}000000 ${JSON.stringify({
    topic: 'orderbook.50.BTCUSDT',
    type,
    ts: at + millis,
    data: { s: 'BTCUSDT', b, a: type === 'snapshot' ? [['101', '1']] : [], u, seq: 1 },
    cts: at + millis,
  })}\n`

const lines = [
  book(0, 'snapshot', 7, [['100', '1']]),
  book(100, 'delta', 8, [['100', '2']]),
  book(200, 'snapshot', 1, [['100', '3']]),
  book(300, 'delta', 3, [['100', '4']]),
  book(400, 'snapshot', 5, [['99', '4']]),
  book(500, 'delta', 6, [['101', '4']]),
  book(20_500, 'delta', 7, [['101', '0']]),
]
const trades = `ts_ms,side,price,qty\n${at + 150},sell,100,0.5\n${at + 160},buy,103,0.5\n`

test('says what it looked at in numbers, what is wrong where, and how to use the files', async () => {
  const cwd = folderWith({ 'bybit.jsonl': lines.join(''), 'trades.csv': trades })
  const { code, out } = await otcsim(['doctor', '--book', 'bybit.jsonl', '--trades', 'trades.csv'], { cwd })
  expect(code).toBe(0)
  expect(out).toContain('4 updates compared with the one before, missing once')
  expect(out).toContain('crossed    1 instant,')
  expect(out).toContain('1 of at least 10s without a row, the longest 20s')
  expect(out).toContain('2 of 2 trades at the best price before them or beyond')
  expect(out).toContain('7 messages received 40.0 ms to 40.0 ms after they were sent')
  expect(out).toContain('bybit.jsonl:4 data.u: is 3 where 2 follows: updates are missing')
  expect(out).toContain('bybit.jsonl:6 price: reaches the best price of the other side')
  expect(out).toContain('backtest STRATEGY --book bybit.jsonl --trades trades.csv')
  expect(out).toContain('--latency feed=40ms')
  expect(out).not.toContain('restarted')
})

test('says one of a thing as one', async () => {
  const cwd = folderWith({
    'bybit.jsonl': lines.slice(0, 2).join(''),
    'trades.csv': `${trades.split('\n').slice(0, 2).join('\n')}\n`,
  })
  const { out } = await otcsim(['doctor', '--book', 'bybit.jsonl', '--trades', 'trades.csv'], { cwd })
  expect(out).toMatch(/ of snapshots, 1 change, 1 trade;/)
  expect(out).toContain('1 update compared with the one before, none missing')
  expect(out).not.toMatch(/(?<![\d.,])1 (?:rows|lines|changes|trades|updates|messages|instants)\b/)
})

test('finds a book among files, and gives all of it as JSON', async () => {
  const cwd = folderWith({ 'bybit.jsonl': lines.join(''), 'trades.csv': trades })
  const { out } = await otcsim(['doctor', 'bybit.jsonl', 'trades.csv', '--json'], { cwd })
  const { files } = JSON.parse(out)
  expect(files[0]).toMatchObject({
    ok: true,
    book: {
      comparedUpdates: 4,
      counts: { rows: 11, crossedInstants: 1, trades: 0 },
      faults: [{ kind: 'restart' }, { kind: 'sequence' }, { kind: 'crossed' }, { kind: 'trades' }],
    },
  })
  expect(files[1]).toMatchObject({ file: 'trades.csv', explanation: { kind: 'trades' } })
})

test('a book that cannot be used fails, with every fault', async () => {
  const cwd = folderWith({ 'bybit.jsonl': lines.slice(3, 4).join('') })
  const { code, out, err } = await otcsim(['doctor', 'bybit.jsonl'], { cwd })
  expect(code).toBe(5)
  expect(out).toContain('unusable   bybit.jsonl:1 type: no message is a snapshot')
  expect(err).toContain('the file cannot be used as it is')
})

const ownRow = (millis: number, side: string, price: number): string =>
  `${at + millis},snapshot,${side},${price},1`

test.each([
  ['of one side', [ownRow(0, 'buy', 100), ownRow(900, 'buy', 99)], 'no instant has a bid and an ask'],
  [
    'of one instant',
    [ownRow(0, 'buy', 100), ownRow(0, 'sell', 101)],
    'all rows are of 2023-11-14T22:13:20.000Z',
  ],
])('a book %s is read, but cannot be used', async (_, rows, reason) => {
  const cwd = folderWith({ 'own.csv': `ts_ms,kind,side,price,quantity\n${rows.join('\n')}\n` })
  const { code, out } = await otcsim(['doctor', '--book', 'own.csv'], { cwd })
  expect(code).toBe(5)
  expect(out).toContain(`unusable   own.csv: ${reason}`)
  expect(out).toContain('looked at: 2 rows')
  expect(out).not.toContain('backtest STRATEGY')
})

/** Hashes the columns of rows or of an index: comparing their elements one by one takes minutes. */
function digest(columns: object): string {
  const hash = createHash('sha256')
  for (const column of Object.values(columns))
    hash.update(
      ArrayBuffer.isView(column)
        ? new Uint8Array(column.buffer, column.byteOffset, column.byteLength)
        : String(column),
    )
  return hash.digest('hex')
}

const data = join(process.env['TEST_RECORDINGS'] ?? '/no-data', 'books')

// The files are too large to ship: TEST_RECORDINGS names the folder that has them.
if (existsSync(data))
  test('real messages give the rows that were made of them by other means', async () => {
    const { openRecordedBook } = await import('../../../src/cli/recordings/books/prepared-book.ts')
    const units = { price: null, quantity: null }
    const open = (names: readonly string[]) => {
      const answer = openRecordedBook({
        files: { book: names, trades: [] },
        options: {},
        units,
        cwd: data,
        store: null,
      })
      if (!answer.ok) throw new Error(JSON.stringify(answer.faults))
      return answer.book
    }
    for (const symbol of ['BTC', 'ETH']) {
      const raw = ['08', '09'].map(
        (day) => `raw_binance_spot_${symbol.toLowerCase()}usdt_202408${day}.jsonl.gz`,
      )
      const [read, wanted] = [open(raw), open([`events_B_${symbol}USDT.csv.gz`])]
      expect(read.rowCount).toBe(wanted.rowCount)
      for (let chunk = 0; chunk * 65_536 < read.rowCount; chunk += 1)
        expect(digest(read.chunk(chunk))).toBe(digest(wanted.chunk(chunk)))
      expect(digest(read.index)).toBe(digest(wanted.index))
    }
  })
