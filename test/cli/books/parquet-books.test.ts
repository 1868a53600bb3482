import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { readRecordedBook } from '../../../src/index.ts'
import type { RecordedBook } from '../../../src/market/books/recorded-book.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { otcsim } from '../harness.ts'
import { at, project } from './queue-project.ts'

/* Books in Parquet are read by the names of their columns as the same book in CSV. */

/** Writes a table of texts as Parquet, with the types that the columns of such files have, in several row groups. */
function writeParquet(path: string, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const columnData = header.map((name, place): ColumnSource => {
    const texts = rows.map((row) => row[place] ?? '')
    if (name === 'is_snapshot') return { name, data: texts.map((text) => text === 'true'), type: 'BOOLEAN' }
    if (/^(origin_|received_)time$/.test(name))
      return { name, data: texts.map((text) => new Date(Number(text) / 1_000)), type: 'TIMESTAMP' }
    if (/time|^ts_ms$/.test(name)) return { name, data: texts.map(BigInt), type: 'INT64' }
    if (/price|quantity|amount|size|qty/.test(name))
      return {
        name,
        data: texts.map((text) => (text === '' ? null : Number(text))),
        type: 'DOUBLE',
        nullable: true,
      }
    return { name, data: texts, type: 'STRING' }
  })
  writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 7 })))
}

const parse = (csv: string): { header: readonly string[]; rows: string[][] } => {
  const [header = [], ...rows] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  return { header, rows }
}

/** Lists the rows of a book without their places. */
function listRows({ rowCount, ...book }: RecordedBook): readonly (readonly number[])[] {
  const { atMillis, kinds, priceTicks, quantitySteps, sides } = book.chunk(0)
  return Array.from({ length: rowCount }, (_, row) =>
    [atMillis, kinds, sides, priceTicks, quantitySteps].map((column) => column[row] ?? Number.NaN),
  )
}

const changes = [
  'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
  ...['bid,100', 'bid,99.5', 'ask,100.5', 'ask,101'].map(
    (level) => `deribit,BTC,${at}000,${at}100,true,${level},20.5`,
  ),
  `deribit,BTC,${at + 1_000}000,${at + 1_000}200,false,bid,100,12.25`,
  `deribit,BTC,${at + 2_000}001,${at + 2_000}200,false,ask,100.5,0`,
  `deribit,BTC,${at + 3_000}000,${at + 3_000}200,false,ask,101,0.00001`,
].join('\n')

/** A snapshot of two levels; Lake names the same columns otherwise. */
const tardisNames =
  'exchange,symbol,timestamp,local_timestamp,asks[0].price,asks[0].amount,bids[0].price,bids[0].amount,asks[1].price,asks[1].amount,bids[1].price,bids[1].amount'
const lakeNames =
  'exchange,symbol,origin_time,received_time,ask_0_price,ask_0_size,bid_0_price,bid_0_size,ask_1_price,ask_1_size,bid_1_price,bid_1_size'
const shots = [0, 1, 2, 3].map(
  (step) =>
    `binance,BTC,${at + 1_000 * step}000,${at + 1_000 * step + 5}000,100.5,${20 + step},100,${30 - step},101,5,${step === 2 ? ',' : '99.5,7'}`,
)

describe('a book in Parquet', () => {
  it.each<[string, string, string]>([
    ['changes of levels', changes, changes],
    ['snapshots', [tardisNames, ...shots].join('\n'), [tardisNames, ...shots].join('\n')],
    ['snapshots of Crypto Lake', [lakeNames, ...shots].join('\n'), [tardisNames, ...shots].join('\n')],
  ])('of %s is the book of the CSV file', async (_, packed, plain) => {
    const cwd = temporaryFolder()
    const { header, rows } = parse(packed)
    // By name, never by order.
    const turned = header.map((_, place) => header.length - 1 - place)
    writeParquet(
      join(cwd, 'book.parquet'),
      turned.map((place) => header[place] ?? ''),
      rows.map((row) => turned.map((place) => row[place] ?? '')),
    )
    writeFileSync(join(cwd, 'book.csv'), plain)
    const [parquet, csv] = [
      await readRecordedBook('book.parquet', { cwd }),
      await readRecordedBook('book.csv', { cwd }),
    ]
    expect(listRows(parquet.book)).toEqual(listRows(csv.book))
    expect([parquet.priceStep, parquet.quantityStep]).toEqual([csv.priceStep, csv.quantityStep])
    expect(parquet.book.place(4)).toEqual({ file: 'book.parquet', line: csv.book.place(4)?.line })
  })

  it('runs a backtest with trades in Parquet, and doctor finds it', async () => {
    const cwd = project()
    for (const name of ['book', 'trades']) {
      const { header, rows } = parse(readFileSync(join(cwd, `${name}.csv`), 'utf8'))
      writeParquet(join(cwd, `${name}.parquet`), header, rows)
    }
    const run = async (ending: string) => {
      const words = ['--book', `book.${ending}`, '--trades', `trades.${ending}`, '--margin', '--json']
      const { code, err, out } = await otcsim(['backtest', 'join.mjs', ...words], { cwd })
      expect([code, err]).toEqual([0, ''])
      return JSON.parse(out)
    }
    const [packed, plain] = [await run('parquet'), await run('csv')]
    expect(packed.fills.map(({ cause: _, ...fill }: { cause: unknown }) => fill)).toEqual(
      plain.fills.map(({ cause: _, ...fill }: { cause: unknown }) => fill),
    )
    const found = await otcsim(['doctor', 'book.parquet'], { cwd })
    expect([found.code, found.out]).toEqual([0, expect.stringContaining('rows of ts_ms, kind')])
  })

  it('that is broken is refused with the reason', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'book.parquet'), 'PAR1 and nothing else')
    await expect(readRecordedBook('book.parquet', { cwd })).rejects.toThrow(
      'book.parquet: cannot be read: it is Parquet that cannot be read',
    )
  })
})

describe('how files are read', () => {
  it('is kept nowhere with --no-cache, nor with cache: false', async () => {
    const cwd = project()
    mkdirSync(join(cwd, '.otcsim'))
    const words = ['--book', 'book.csv', '--trades', 'trades.csv', '--no-cache']
    expect((await otcsim(['backtest', 'join.mjs', ...words], { cwd })).code).toBe(0)
    await readRecordedBook('book.csv', { cwd, cache: false })
    expect(readdirSync(join(cwd, '.otcsim'))).toEqual([])
  })

  it('is stated in a scenario as on the command line', async () => {
    const cwd = project()
    const rows = readFileSync(join(cwd, 'book.csv'), 'utf8').trim().split('\n')
    writeFileSync(
      join(cwd, 'bad.csv'),
      `${[...rows.slice(0, 6), 'not a row', ...rows.slice(6)].join('\n')}\n`,
    )
    const write = (data: string) =>
      writeFileSync(
        join(cwd, 'book.yaml'),
        `version: 1
name: book
clock: { start: data, end: data, grid: 100ms }
market:
  assets:
    BTC:
      liquidity: { kind: recorded, data: ${data} }
      flow: { kind: recorded, data: trades.csv }
accounts: [{ id: desk, type: margin, balances: { USD: 100000 } }]
`,
      )
    const run = () => otcsim(['backtest', 'join.mjs', '--scenario', 'book.yaml', '--json'], { cwd })
    write('bad.csv')
    const refused = await run()
    expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('bad.csv:7')])
    write('{ file: [bad.csv], skipBad: true, shiftTrades: 0 }')
    const { code, err, out } = await run()
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out).fills).toHaveLength(2)
    write('{ file: bad.csv, skipbad: true }')
    expect((await run()).err).toContain('skipBad')
  })
})
