import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PreparedFile } from '../../src/cli/recordings/prepared-file.ts'
import {
  computePreparedKey,
  createPreparedStore,
  keepPrepared,
  openPrepared,
  type PreparedStore,
  readPrepared,
} from '../../src/cli/recordings/prepared-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const content = (text: string): Uint8Array => new TextEncoder().encode(text)
const source = { format: 'candles 1', options: '', contents: [content('a,b')] }
const key = computePreparedKey(source)
const prices = Float64Array.of(1.5, -0, Number.NaN, 2 ** 60)
const counts = Int32Array.of(1, -2, 3)

function keep(store: PreparedStore, name = key): string | null {
  return keepPrepared(
    store,
    name,
    (writer) => {
      writer.add('prices', prices)
      writer.add('counts', counts)
      writer.add('bytes', Uint8Array.of(7))
      writer.add('places', Uint32Array.of(4_000_000_000))
      return { line: 'read as it is' }
    },
    1_700_000_000_000,
  )
}

const readAll = (file: PreparedFile) => ({
  prices: [...file.readFloat64('prices')],
  counts: [...file.readInt32('counts')],
  bytes: [...file.readUint8('bytes')],
  places: [...file.readUint32('places')],
  facts: file.facts,
  madeAtMillis: file.madeAtMillis,
})

const whole = {
  prices: [1.5, -0, Number.NaN, 2 ** 60],
  counts: [1, -2, 3],
  bytes: [7],
  places: [4_000_000_000],
  facts: { line: 'read as it is' },
  madeAtMillis: 1_700_000_000_000,
}

const listKept = ({ folder }: PreparedStore): readonly string[] =>
  readdirSync(folder).filter((name) => !name.startsWith('.'))

describe('the store of prepared recordings', () => {
  it('gives back every column to the last bit, with what is known of them', () => {
    const store = createPreparedStore(temporaryFolder())
    expect(readPrepared(store, key, readAll)).toBeNull()
    expect(keep(store)).toBeNull()
    expect(readPrepared(store, key, readAll)).toEqual(whole)
    expect(
      Object.is(
        readPrepared(store, key, (file) => file.readFloat64('prices')[1]),
        -0,
      ),
    ).toBe(true)
    expect(listKept(store)).toEqual([key])
    expect(readFileSync(join(store.folder, '.gitignore'), 'utf8')).toBe('*\n')
  })

  it.each([
    ['another content', { ...source, contents: [content('a,c')] }],
    ['other options', { ...source, options: '{"times":"close"}' }],
    ['another format', { ...source, format: 'candles 2' }],
    ['the same bytes in two files', { ...source, contents: [content('a'), content(',b')] }],
  ])('has another key for %s', (_, other) => {
    expect(computePreparedKey(other)).not.toBe(key)
    expect(computePreparedKey({ ...source })).toBe(key)
  })

  it('finds damage at every byte, and removes what is damaged', () => {
    const store = createPreparedStore(temporaryFolder())
    keep(store)
    const path = join(store.folder, key)
    const bytes = readFileSync(path)
    const read = (damaged: Uint8Array) => {
      writeFileSync(path, damaged)
      const found = readPrepared(store, key, readAll)
      return { found, isKept: statSync(path, { throwIfNoEntry: false }) !== undefined }
    }
    for (let place = 8; place < bytes.length; place += 1) {
      const damaged = Uint8Array.from(bytes)
      damaged[place] = (damaged[place] ?? 0) ^ 1
      const { found, isKept } = read(damaged)
      // The bytes that fill up a column to its alignment say nothing.
      expect(found === null ? isKept : JSON.stringify(found) !== JSON.stringify(whole)).toBe(false)
    }
    for (let length = 0; length < bytes.length; length += 1)
      expect(read(bytes.subarray(0, length))).toEqual({ found: null, isKept: false })
    expect(read(Buffer.concat([bytes, bytes.subarray(0, 4)]))).toEqual({ found: null, isKept: false })
  })

  it('keeps nothing of a writing that fails, and passes on why', () => {
    const store = createPreparedStore(temporaryFolder())
    const fail = () => {
      throw new RangeError('a gap in the rows')
    }
    expect(() => keepPrepared(store, key, fail)).toThrow('a gap in the rows')
    expect(listKept(store)).toEqual([])
  })

  it('says why nothing can be kept, where its folder is a file', () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, '.otcsim'), '')
    const store = createPreparedStore(cwd)
    expect(keep(store)).toEqual(expect.any(String))
    expect(readPrepared(store, key, readAll)).toBeNull()
  })

  it('removes what was not used for the longest time, and what killed processes have left', () => {
    const cwd = temporaryFolder()
    const size = (() => {
      const first = createPreparedStore(cwd)
      keep(first, 'a')
      return statSync(join(first.folder, 'a')).size
    })()
    const store = createPreparedStore(cwd, size * 2)
    const age = (name: string, seconds: number) => utimesSync(join(store.folder, name), seconds, seconds)
    keep(store, 'b')
    age('a', 1_600_000_000)
    age('b', 1_600_000_001)
    // Opening is using: from here on, b is older than a.
    openPrepared(store, 'a')?.close()
    writeFileSync(join(store.folder, 'd.tmp'), '')
    age('d.tmp', 1_600_000_000)
    writeFileSync(join(store.folder, 'e.tmp'), '')
    keep(store, 'c')
    expect(listKept(store)).toEqual(['a', 'c', 'e.tmp'])
  })

  it('keeps the newest even where it alone is larger than the store', () => {
    const store = createPreparedStore(temporaryFolder(), 10)
    keep(store, 'a')
    keep(store, 'b')
    expect(listKept(store)).toEqual(['b'])
  })

  it('can be deleted while it is open', () => {
    const store = createPreparedStore(temporaryFolder())
    keep(store)
    const file = openPrepared(store, key)
    rmSync(store.folder, { recursive: true })
    expect(file === null ? null : readAll(file)).toEqual(whole)
    file?.close()
    expect(keep(store)).toBeNull()
    expect(readPrepared(store, key, readAll)).toEqual(whole)
  })

  it('is whole for whoever reads while others write', () => {
    const store = createPreparedStore(temporaryFolder())
    mkdirSync(store.folder, { recursive: true })
    keep(store)
    const path = join(store.folder, key)
    // Another process replaces the file, again and again, as one does that prepares the same recording.
    const script = `const fs = require('node:fs'); const [path, copy] = process.argv.slice(1)
      for (let time = 0; time < 300; time += 1) { fs.copyFileSync(copy, path + '.tmp'); fs.renameSync(path + '.tmp', path) }`
    const copy = join(temporaryFolder(), 'copy')
    writeFileSync(copy, readFileSync(path))
    const file = openPrepared(store, key)
    expect(spawnSync(process.execPath, ['-e', script, path, copy]).status).toBe(0)
    expect(file === null ? null : readAll(file)).toEqual(whole)
    file?.close()
    expect(readPrepared(store, key, readAll)).toEqual(whole)
  })
})
