import { readSync } from 'node:fs'

export interface Line {
  /** Without the line end. */
  readonly bytes: Buffer
  /** The position of its first byte. */
  readonly offset: number
  /** Whether its line end is there; only the last line can lack it. */
  readonly isEnded: boolean
}

const chunkBytes = 4 * 1024 * 1024
const endOfLine = 10

/**
 * The lines of an open file from the start of one of them, read in parts, so that a journal may be larger than
 * memory.
 */
export function* linesOfFile(descriptor: number, from = 0): Generator<Line> {
  let rest = Buffer.alloc(0)
  let restOffset = from
  let position = from
  for (;;) {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    const length = readSync(descriptor, chunk, 0, chunkBytes, position)
    if (length === 0) break
    position += length
    rest = rest.length === 0 ? chunk.subarray(0, length) : Buffer.concat([rest, chunk.subarray(0, length)])
    let start = 0
    for (let end = rest.indexOf(endOfLine); end !== -1; end = rest.indexOf(endOfLine, start)) {
      yield { bytes: rest.subarray(start, end), offset: restOffset + start, isEnded: true }
      start = end + 1
    }
    rest = rest.subarray(start)
    restOffset += start
  }
  if (rest.length > 0) yield { bytes: rest, offset: restOffset, isEnded: false }
}

/** The same, for bytes in memory. */
export function* linesOfBytes(bytes: Buffer): Generator<Line> {
  let start = 0
  while (start < bytes.length) {
    const end = bytes.indexOf(endOfLine, start)
    if (end === -1) {
      yield { bytes: bytes.subarray(start), offset: start, isEnded: false }
      return
    }
    yield { bytes: bytes.subarray(start, end), offset: start, isEnded: true }
    start = end + 1
  }
}
