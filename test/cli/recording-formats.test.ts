import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRecordingFile } from '../../src/cli/recordings/read-recording.ts'
import { readRecording } from '../../src/index.ts'
import { listCandles } from '../../src/market/recordings/candle-table.ts'
import type { FileOptions } from '../../src/market/recordings/file-options.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const hour = 3_600_000
const start = Date.UTC(2025, 0, 1)
const candles = Array.from({ length: 30 }, (_, place) => {
  const [open, close] = [100 + place, 101 + place]
  return {
    atMillis: start + place * hour,
    spanMillis: hour,
    open,
    high: close + 1,
    low: open - 1,
    close,
    volume: 7.5,
  }
})
const lists = candles.map(({ atMillis, open, high, low, close, volume }) => [
  atMillis,
  open,
  high,
  low,
  close,
  volume,
])
const names = ['timestamp', 'open', 'high', 'low', 'close', 'volume']
const records = lists.map((list) => Object.fromEntries(list.map((value, place) => [names[place], value])))
const column = (place: number) => lists.map((list) => list[place])
const csv = (by: string, end: string) => [names, ...lists].map((row) => row.join(by)).join(end)

function read(name: string, text: string, options: FileOptions = {}) {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  const answer = readRecordingFile(path, options)
  return answer.ok ? { ...answer, candles: listCandles(answer.candles) } : answer
}

describe('a recording may be written as', () => {
  it.each([
    ['a list of lists (ccxt, freqtrade)', JSON.stringify(lists)],
    ['a list of records', JSON.stringify(records)],
    ['JSON lines of records', records.map((record) => JSON.stringify(record)).join('\n')],
    ['JSON lines of lists', `${lists.map((list) => JSON.stringify(list)).join('\r\n')}\n`],
    ['columns', JSON.stringify(Object.fromEntries(names.map((name, place) => [name, column(place)])))],
    [
      'columns by index (pandas)',
      JSON.stringify(
        Object.fromEntries(names.map((name, place) => [name, Object.fromEntries(column(place).entries())])),
      ),
    ],
    ['an answer with the table inside', JSON.stringify({ error: [], result: { XXBTZUSD: lists, last: 5 } })],
    ['lines that end in CR', csv(',', '\r')],
    ['lines that end in CR and LF', `\ufeff${csv(',', '\r\n')}`],
    ['pipes', csv('|', '\n')],
    ['tabs', csv('\t', '\n')],
    ['semicolons', csv(';', '\n')],
    ['decimal commas', csv(';', '\n').replaceAll('.', ',')],
    ['quoted thousands', csv(';', '\n').replaceAll(/;(1\d\d);/g, ';"$1.0";')],
  ])('%s', (_name, text) => {
    expect(read('file', text)).toMatchObject({ ok: true, candles })
  })

  it.each([
    ['{"bids": [], "asks": []}', 'it is JSON without one table'],
    [JSON.stringify({ BTC: lists, ETH: lists }), 'it is JSON without one table'],
    ['PAR1\u0000\u0001', 'it is Parquet that cannot be read'],
    ['', 'there are no rows'],
  ])('and %j is refused in words', (text, reason) => {
    expect(read('file', text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
  })
})

describe('local times', () => {
  const local = (zone: string, from: number, count: number) =>
    Array.from({ length: count }, (_, place) => {
      const shown = new Intl.DateTimeFormat('sv-SE', {
        timeZone: zone,
        dateStyle: 'short',
        timeStyle: 'medium',
      })
      return `${shown.format(from + place * hour)},10,12,9,11,${5 + place}`
    }).join('\n')
  const head = 'time,open,high,low,close,volume\n'
  const autumn = Date.UTC(2024, 10, 3, 2)

  it('are read in the zone that is named, also where clocks are set back', () => {
    const text = head + local('America/New_York', autumn, 12)
    const answer = read('local.csv', text, { zone: 'America/New_York' })
    expect(answer.ok && answer.candles.map(({ atMillis }) => atMillis)).toEqual(
      Array.from({ length: 12 }, (_, place) => autumn + place * hour),
    )
    expect(read('local.csv', text)).toMatchObject({ ok: false })
  })

  it('are refused where they do not exist, and in zones that nobody knows', () => {
    const spring = `${head}2024-03-10 01:00,1,2,1,2,5\n2024-03-10 02:00,1,2,1,2,5\n`
    const missing = read('spring.csv', spring, { zone: 'America/New_York' })
    expect(missing).toMatchObject({
      ok: false,
      reason: expect.stringContaining('does not exist in America/New_York'),
    })
    const unknown = read('spring.csv', spring, { zone: 'Mars/Base' })
    expect(unknown).toMatchObject({ ok: false, reason: expect.stringContaining('"Mars/Base" is not a zone') })
  })
})

describe('readRecording', () => {
  it('joins the files of a pattern, and says of each how it was understood', async () => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, '2025'))
    const part = (from: number, to: number) =>
      [names, ...lists.slice(from, to)].map((row) => row.join(',')).join('\n')
    writeFileSync(join(cwd, '2025', 'b.csv'), part(12, 30))
    writeFileSync(join(cwd, '2025', 'a.csv'), part(0, 13))
    const { candles: joined, notes } = await readRecording('2025/*.csv', { cwd })
    expect(joined).toEqual(candles)
    expect(notes.map(({ file }) => file)).toEqual(['2025/a.csv', '2025/b.csv'])
    expect(notes[0]?.warnings).toEqual(['1 candle is in two of the files, and count once.'])
    expect(notes[0]?.line).toContain('time timestamp (milliseconds, UTC, beginnings of candles)')
  })

  it('takes columns by name, number or not at all, and refuses the unknown', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'x.csv'), csv(',', '\n').replace('open', 'A').replace('volume', 'B'))
    const named = await readRecording('x.csv', { cwd, columns: { open: 'A', volume: '6' } })
    expect(named.candles).toEqual(candles)
    const none = await readRecording('x.csv', { cwd, columns: { open: '2', volume: 'none' } })
    expect(none.candles[0]).toMatchObject({ open: 100, volume: 0 })
    await expect(readRecording('x.csv', { cwd, columns: { open: 'C' } })).rejects.toThrow(
      'there is no column "C"',
    )
    await expect(readRecording('x.csv', { cwd })).rejects.toThrow('no column for the open')
  })

  it('sorts, leaves out bad rows and takes one of two where it is told to', async () => {
    const cwd = temporaryFolder()
    const rows = csv(',', '\n').split('\n')
    const mixed = [
      ...rows.slice(0, 5),
      ...rows.slice(6, 9),
      rows[5],
      'x,1,2',
      ...rows.slice(9),
      rows.at(-1)?.replace('7.5', '8'),
    ]
    writeFileSync(join(cwd, 'x.csv'), mixed.join('\n'))
    await expect(readRecording('x.csv', { cwd })).rejects.toThrow('skipBad: true leaves out this row')
    await expect(readRecording('x.csv', { cwd, skipBad: true })).rejects.toThrow('say sort: true')
    await expect(readRecording('x.csv', { cwd, skipBad: true, sort: true })).rejects.toThrow('dedupe: first')
    const read = await readRecording('x.csv', { cwd, skipBad: true, sort: true, dedupe: 'first' })
    expect(read.candles).toEqual(candles)
    expect(read.notes[0]?.line).toMatch(
      /left out: 1 row that cannot be read .*1 row of a time that another row has.*; 1 row sorted/,
    )
  })
})
