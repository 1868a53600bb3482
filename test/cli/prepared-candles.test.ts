import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPreparedStore } from '../../src/cli/recordings/prepared-store.ts'
import { readRecordingFile } from '../../src/cli/recordings/read-recording.ts'
import type { FileOptions } from '../../src/market/recordings/file-options.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const minute = 60_000
const start = Date.UTC(2024, 0, 1)
const rowCount = 9_000

/** A text of candles, large enough to be kept, with a gap, a leap and a repeated row. */
function writeCandles(place: (row: number) => number = (row) => row * minute): string {
  const lines = ['timestamp,open,high,low,close,volume']
  for (let row = 0; row < rowCount; row += 1) {
    if (row === 50) continue
    const price = row === 700 ? 999 : 100 + (row % 13)
    lines.push(`${start + place(row)},${price},${price + 2.25},${price - 1},${price + 1},${(row % 7) / 8}`)
    if (row === 60) lines.push(lines.at(-1) ?? '')
  }
  return `${lines.join('\n')}\n`
}

const writeTrades = (): string =>
  [
    'time,price,size',
    ...Array.from(
      { length: rowCount * 2 },
      (_, row) => `${start + row * 400},${100 + (row % 9)},0.${1 + (row % 8)}`,
    ),
  ].join('\n')

const writeMonths = (): string => {
  const months = Array.from({ length: 30 }, (_, month) => Date.UTC(2020, month, 1))
  const blanks = `${','.repeat(5)}\n`.repeat(50_000)
  return `date,open,high,low,close,volume\n${months.map((at) => `${at},10,12,9,11,5`).join('\n')}\n${blanks}`
}

function setUp(text: string) {
  const cwd = temporaryFolder()
  const path = join(cwd, 'file.csv')
  writeFileSync(path, text)
  const store = createPreparedStore(cwd)
  const read = (options: FileOptions = {}) => readRecordingFile(path, options, 'file.csv', store)
  const listKept = (): readonly string[] => readdirSync(store.folder).filter((name) => !name.startsWith('.'))
  return { path, store, read, listKept }
}

type Answer = ReturnType<ReturnType<typeof setUp>['read']>

/** An answer without what it says of the store. */
function withoutStore(answer: Answer) {
  if (!answer.ok || answer.note === undefined) return answer
  const { store: _, ...note } = answer.note
  return { ...answer, note }
}

const storeOf = (answer: Answer) => (answer.ok ? answer.note?.store : answer.reason)

describe('a recording in the store', () => {
  it.each([
    ['candles', writeCandles()],
    ['candles of two phases', writeCandles((row) => row * minute + (row > 4_000 ? 7_000 : 0))],
    ['candles without gaps', writeCandles((row) => (row > 50 ? row - 1 : row) * minute)],
    ['trades', writeTrades()],
    ['months', writeMonths()],
  ])('of %s is what the file gives, with the same words', (_, text) => {
    const { listKept, read } = setUp(text)
    const first = read()
    expect(first.ok).toBe(true)
    expect(storeOf(first)).toBeUndefined()
    expect(listKept()).toHaveLength(1)
    const second = read()
    expect(withoutStore(second)).toEqual(first)
    expect(storeOf(second)).toMatch(/^prepared at 20\d\d-/)
  })

  it('is another for other options, and for another content', () => {
    const { listKept, path, read } = setUp(writeCandles())
    read()
    expect(storeOf(read({ volumeIn: 'asset' }))).toBeUndefined()
    expect(storeOf(read({ times: 'close' }))).toBeUndefined()
    expect(listKept()).toHaveLength(3)
    writeFileSync(path, readFileSync(path, 'utf8').replace(',999,', ',998,'))
    expect(storeOf(read())).toBeUndefined()
    expect(listKept()).toHaveLength(4)
  })

  it('is made again where it was damaged or deleted', () => {
    const { listKept, read, store } = setUp(writeCandles())
    const first = read()
    const path = join(store.folder, listKept()[0] ?? '')
    const bytes = readFileSync(path)
    bytes[5_000] = (bytes[5_000] ?? 0) ^ 255
    writeFileSync(path, bytes)
    expect(read()).toEqual(first)
    expect(storeOf(read())).toMatch(/^prepared/)
    rmSync(store.folder, { recursive: true })
    expect(read()).toEqual(first)
    expect(storeOf(read())).toMatch(/^prepared/)
  })

  it('is not there for files that are refused, and for small ones', () => {
    const { listKept, read } = setUp(writeCandles().replace(',999,', ',x,'))
    expect(read().ok).toBe(false)
    expect(() => listKept()).toThrow('ENOENT')
    const small = setUp('time,open,high,low,close\n1609459200,1,2,1,2\n1609459260,2,3,2,3\n')
    small.read()
    expect(() => small.listKept()).toThrow('ENOENT')
  })

  it('says why it was not kept', () => {
    const { path, store } = setUp(writeCandles())
    writeFileSync(join(store.folder, '..', '..', '.otcsim'), '')
    const answer = readRecordingFile(path, {}, 'file.csv', store)
    expect(storeOf(answer)).toMatch(/^not kept: /)
    expect(answer.ok).toBe(true)
  })
})
