import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { type PackedFile, unpackAside } from '../../../src/cli/recordings/books/unpack-aside.ts'

const folder = mkdtempSync(join(tmpdir(), 'otcsim-unpack-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Nine megabytes: more than the places between the threads hold. */
const content = Buffer.from(
  Array.from({ length: 9e5 }, (_, row) => String(row * row).padStart(9, '0')).join('\n'),
)

function write(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

function unpack(packed: PackedFile) {
  const pieces: Buffer[] = []
  const reading = unpackAside(packed)
  for (;;) {
    const { done, value } = reading.next()
    if (done === true) return { bytes: Buffer.concat(pieces), failure: value }
    pieces.push(Buffer.from(value))
  }
}

describe('unpacking by a thread', () => {
  const gzip = gzipSync(content)
  const two = Buffer.concat([gzipSync(content.subarray(0, 4e6)), gzipSync(content.subarray(4e6))])

  test.each<[string, PackedFile]>([
    ['a file', { stream: 'createGunzip', packed: write('whole.gz', gzip) }],
    ['a file of two members', { stream: 'createGunzip', packed: write('two.gz', two) }],
    ['bytes', { stream: 'createInflateRaw', packed: deflateRawSync(content) }],
  ])('gives the whole content of %s', (_, packed) => {
    const { bytes, failure } = unpack(packed)
    expect(failure).toBeNull()
    expect(bytes.equals(content)).toBe(true)
  })

  test('gives what there is of a file that is cut off, the same each time', () => {
    const path = write('cut.gz', gzip.subarray(0, gzip.length / 2))
    const [once, again] = [
      unpack({ stream: 'createGunzip', packed: path }),
      unpack({ stream: 'createGunzip', packed: path }),
    ]
    expect(once.failure).toMatchObject({ isBroken: true })
    expect(once.bytes.length).toBeGreaterThan(1e6)
    expect(content.subarray(0, once.bytes.length).equals(once.bytes)).toBe(true)
    expect(again.failure).toEqual(once.failure)
    expect(again.bytes.equals(once.bytes)).toBe(true)
  })

  test('tells why a file cannot be read', () => {
    const { bytes, failure } = unpack({ stream: 'createGunzip', packed: join(folder, 'none.gz') })
    expect(bytes.length).toBe(0)
    expect(failure).toMatchObject({ isBroken: false, reason: expect.stringContaining('ENOENT') })
  })

  test('can be left in the middle, and begun again', () => {
    for (let time = 0; time < 3; time += 1) {
      const reading = unpackAside({ stream: 'createGunzip', packed: write('left.gz', gzip) })
      expect(reading.next().done).toBe(false)
      reading.return(null)
      expect(reading.next().done).toBe(true)
    }
  })
})
