import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import zlib from 'node:zlib'
import type { SchemaElement } from 'hyparquet'
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { readRecordingFile } from '../../src/cli/recordings/read-recording.ts'
import { listCandles } from '../../src/market/recordings/candle-table.ts'
import type { FileOptions } from '../../src/market/recordings/file-options.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const hour = 3_600_000
const start = Date.UTC(2025, 0, 1)
const candles = Array.from({ length: 40 }, (_, place) => ({
  atMillis: start + place * hour,
  spanMillis: hour,
  open: 100.1 + place / 3,
  high: 110.7 + place / 3,
  low: 90.2,
  close: 100.1 + (place + 1) / 3,
  volume: 1e-7 * place,
}))
const times = candles.map(({ atMillis }) => atMillis)
const figures: readonly ColumnSource[] = (['open', 'high', 'low', 'close', 'volume'] as const).map(
  (name) => ({
    name,
    data: candles.map((candle) => candle[name]),
    type: 'DOUBLE',
  }),
)
const dates = times.map((at) => new Date(at))

function read(
  columnData: readonly ColumnSource[],
  options: FileOptions = {},
  codec: 'SNAPPY' | 'UNCOMPRESSED' = 'SNAPPY',
) {
  const path = join(temporaryFolder(), 'file.parquet')
  writeFileSync(
    path,
    new Uint8Array(parquetWriteBuffer({ columnData: [...columnData], codec, rowGroupSize: 16 })),
  )
  const answer = readRecordingFile(path, options)
  return answer.ok ? { ...answer, candles: listCandles(answer.candles) } : answer
}

describe('Parquet', () => {
  it.each<[string, ColumnSource]>([
    ['times as timestamps', { name: 'time', data: dates, type: 'TIMESTAMP' }],
    ['times in milliseconds', { name: 'open_time', data: times.map(BigInt), type: 'INT64' }],
    [
      'times in nanoseconds',
      { name: 'timestamp', data: times.map((at) => BigInt(at) * 1_000_000n), type: 'INT64' },
    ],
    ['times as texts', { name: 'date', data: dates.map((date) => date.toISOString()), type: 'STRING' }],
    ['the nameless index of pandas', { name: '__index_level_0__', data: dates, type: 'TIMESTAMP' }],
  ])('with %s is read to the last bit, whatever the order of its columns', (_, time) => {
    expect(read([time, ...figures])).toMatchObject({ ok: true, candles })
    expect(read([...figures, time], {}, 'UNCOMPRESSED')).toMatchObject({ ok: true, candles })
  })

  it('obeys the options of other files, and names the row at fault', () => {
    const time: ColumnSource = { name: 'time', data: dates, type: 'TIMESTAMP' }
    const closes = read([time, ...figures], { times: 'close' })
    expect(closes.ok && closes.candles[0]?.atMillis).toBe(start - hour)
    const [open, ...others] = figures
    const broken = { name: 'open', data: [...(open?.data ?? [])], type: 'DOUBLE' as const }
    broken.data[7] = -1
    expect(read([time, broken, ...others])).toMatchObject({
      ok: false,
      reason: expect.stringContaining(':9 open: '),
    })
    const skipped = read([time, broken, ...others], { skipBad: true })
    expect(skipped.ok && skipped.candles).toHaveLength(candles.length - 1)
  })

  it('has values that are missing where it has nulls', () => {
    const time: ColumnSource = { name: 'time', data: dates, type: 'TIMESTAMP' }
    const volume = {
      name: 'volume',
      data: candles.map(({ volume }, place) => (place < 3 ? null : volume)),
      type: 'DOUBLE' as const,
      nullable: true,
    }
    const answer = read([time, ...figures.slice(0, 4), volume])
    expect(answer.ok && answer.candles.slice(0, 4).map((candle) => candle.volume)).toEqual([
      0,
      0,
      0,
      1e-7 * 3,
    ])
  })

  it.each([
    ['of 32 bits', { type: 'INT32', precision: 9, scale: 4 }],
    ['of 64 bits', { type: 'INT64', precision: 18, scale: 8 }],
    ['of 16 bytes', { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, precision: 38, scale: 18 }],
    ['of 32 bytes', { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 32, precision: 60, scale: 30 }],
    ['of any bytes', { type: 'BYTE_ARRAY', precision: 38, scale: 18 }],
  ] as const)('has the prices that its decimals %s are, without the noise of a multiplication', (_, kind) => {
    const element = { ...kind, repetition_type: 'OPTIONAL', converted_type: 'DECIMAL' } as const
    const prices = [42_094.5, 42_105.1, null, 42_115.7, 42_094.4999]
    const names = ['open', 'high', 'low', 'close']
    const schema: readonly SchemaElement[] = [
      { name: 'root', num_children: 5 },
      { name: 'time', type: 'INT64', repetition_type: 'REQUIRED' },
      ...names.map((name) => ({ name, ...element })),
    ]
    const columnData = [
      { name: 'time', data: times.slice(0, prices.length).map(BigInt) },
      // As bigints: the writer would multiply numbers.
      ...names.map((name) => ({ name, data: prices.map((price) => scaleUp(price, kind.scale)) })),
    ]
    const path = join(temporaryFolder(), 'decimals.parquet')
    writeFileSync(path, new Uint8Array(parquetWriteBuffer({ columnData, schema: [...schema] })))
    const answer = readRecordingFile(path, { skipBad: true })
    expect(answer.ok && listCandles(answer.candles).map(({ close }) => close)).toEqual(
      prices.filter((price) => price !== null),
    )
  })

  it('says that it has no rows, and which name it has twice', () => {
    const time: ColumnSource = { name: 'time', data: dates, type: 'TIMESTAMP' }
    const empty = [time, ...figures].map((column) => ({ ...column, data: [] }))
    expect(read(empty)).toMatchObject({ ok: false, reason: expect.stringContaining('there are no rows') })
    expect(read([time, ...figures, ...figures.slice(3, 4)])).toMatchObject({
      ok: false,
      reason: expect.stringContaining('two of its columns are called "close"'),
    })
  })

  it('names another way for a compression that nothing here unpacks', () => {
    const columnData = [{ name: 'time', data: dates, type: 'TIMESTAMP' as const }, ...figures]
    const path = join(temporaryFolder(), 'file.parquet')
    const compressors = { LZ4_RAW: (input: Uint8Array) => input }
    const bytes = parquetWriteBuffer({ columnData, codec: 'LZ4_RAW', compressors })
    writeFileSync(path, new Uint8Array(bytes))
    expect(readRecordingFile(path)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(
        'it is compressed with LZ4, which is not unpacked here: write it with gzip or snappy',
      ),
    })
  })

  it('of trades gives trades', () => {
    const columns: readonly ColumnSource[] = [
      { name: 'time', data: times.map(BigInt), type: 'INT64' },
      { name: 'price', data: candles.map(({ open }) => open), type: 'DOUBLE' },
      { name: 'size', data: candles.map(() => 2), type: 'DOUBLE' },
    ]
    const answer = read(columns)
    expect(answer.ok && answer.candles[0]).toMatchObject({
      atMillis: start,
      spanMillis: 0,
      open: 100.1,
      volume: 2,
    })
  })
})

/** The whole number that a decimal of a scale is kept as. */
function scaleUp(price: number | null, scale: number): bigint | null {
  if (price === null) return null
  const [whole = '', fraction = ''] = String(price).split('.')
  return BigInt(whole + fraction.padEnd(scale, '0'))
}

describe('zstd', () => {
  const text = `time,open,high,low,close\n${times.map((at) => `${at},1,2,1,2`).join('\n')}`
  const compress =
    'zstdCompressSync' in zlib && typeof zlib.zstdCompressSync === 'function' ? zlib.zstdCompressSync : null

  it('is unpacked where Node can, and refused with the remedy where it cannot', () => {
    const path = join(temporaryFolder(), 'file.csv.zst')
    const frame = Buffer.from('28b52ffd2400010000', 'hex')
    writeFileSync(path, compress === null ? frame : compress(text))
    const answer = readRecordingFile(path)
    if (compress !== null) expect(answer).toMatchObject({ ok: true, candles: { count: 40 } })
    else
      expect(answer).toMatchObject({
        ok: false,
        reason: expect.stringMatching(
          /compressed with zstd, which Node 2\d.* take Node 22\.15 or later, or unpack it/,
        ),
      })
  })
})
