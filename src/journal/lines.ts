import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import { Undecodable } from './codec.ts'
import { decodeEntry, type JournalEntry, SnapshotShelf } from './entry.ts'
import { decodeHeader, type JournalHeader } from './header.ts'

/*
 * A journal is a chain of lines. Each is one JSON object whose last field is `hash`: the first 32 hexadecimal digits of
 * SHA-256 over the hash of the line before (nothing before the first) and the line's own text up to `,"hash":`. So a
 * line that was changed, lost, added or moved is found, and a program in any language can check it.
 */

export interface VerifiedLine {
  /** Without the line end. */
  readonly line: string
  readonly hash: string
}

/** Adds a line's text, an object with at least one field, to the end of the chain. */
export function seal(previousHash: string, object: string): VerifiedLine {
  const open = object.slice(0, -1)
  const hash = computeHash(previousHash, open)
  return { line: `${open}${hashField}${hash}"}`, hash }
}

/** The hash of a line, given without its line end, when it follows the line before; null when it does not. */
export function unsealed(previousHash: string, line: Buffer): string | null {
  const openLength = line.length - tailLength
  if (openLength < 1) return null
  const tail = line.toString('latin1', openLength)
  if (!tail.startsWith(hashField) || !tail.endsWith('"}')) return null
  const hash = tail.slice(hashField.length, -2)
  return hash === computeHash(previousHash, line.subarray(0, openLength)) ? hash : null
}

const hashField = ',"hash":"'
const hashDigits = 32
const tailLength = hashField.length + hashDigits + 2

function computeHash(previousHash: string, open: string | Buffer): string {
  return createHash('sha256').update(previousHash).update(open).digest('hex').slice(0, hashDigits)
}

export interface Line {
  /** Without the line end. */
  readonly bytes: Buffer
  readonly offset: number
  /** Whether its line end is there; only the last line can lack it. */
  readonly isEnded: boolean
}

const chunkBytes = 4 * 1024 * 1024
const endOfLine = 10

/** From the start of a line on, read in parts, so that a journal may be larger than memory. */
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

export interface ReadJournal {
  readonly header: JournalHeader
  readonly entries: readonly JournalEntry[]
}

/** A journal's entries, without carrying them out. An unfinished last line is left out. */
export function readEntries(lines: Iterable<Line>): ReadJournal | Damage {
  const shelf = new SnapshotShelf()
  const entries: JournalEntry[] = []
  let header: JournalHeader | null = null
  let hash = ''
  let number = 0
  for (const { bytes, offset, isEnded } of lines) {
    number += 1
    const next = unsealed(hash, bytes)
    if (next === null && !isEnded && header !== null) break
    if (next === null)
      return {
        line: number,
        offset,
        reason: 'its hash does not follow from the line before, or this is not a journal',
      }
    hash = next
    try {
      const json: unknown = JSON.parse(bytes.toString('utf8'))
      if (header === null) header = decodeHeader(json)
      else entries.push(decodeEntry(json, shelf))
    } catch (failure) {
      if (!(failure instanceof Undecodable || failure instanceof SyntaxError)) throw failure
      return { line: number, offset, reason: failure.message }
    }
  }
  return header === null ? { line: 1, offset: 0, reason: 'there is no header' } : { header, entries }
}

export interface Damage {
  /** From 1. */
  readonly line: number
  readonly offset: number
  readonly reason: string
}
