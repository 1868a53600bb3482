import { createHash, hash as hashAtOnce } from 'node:crypto'
import { readSync } from 'node:fs'
import { Undecodable } from './codec.ts'
import { decodeEntry, type JournalEntry, SnapshotTable } from './entry.ts'
import { decodeHeader, type JournalHeader } from './header.ts'

/*
 * A journal is a chain of lines. Each is one JSON object whose last field is `hash`: the first 32 hexadecimal digits of
 * SHA-256 over the hash of the line before (nothing for the first line) and the line's own text up to `,"hash":`. So a line
 * that was changed, lost, added or moved is found, and a program in any language can check it.
 */

/** A line with the hash that chains it to the line before. */
export interface VerifiedLine {
  /** The text without the line end. */
  readonly line: string
  readonly hash: string
}

/**
 * Adds the hash to a line that follows the one with `previousHash`. `object` is JSON text of an object with at least
 * one field.
 */
export function seal(previousHash: string, object: string): VerifiedLine {
  const open = object.slice(0, -1)
  const hash = computeHash(previousHash, open)
  return { line: `${open}${hashField}${hash}"}`, hash }
}

/**
 * Verifies that a line follows the one with `previousHash`. Returns the line's own hash, or null if it does not follow.
 * `line` has no line end.
 */
export function verifyLine(previousHash: string, line: Buffer): string | null {
  const hash = readHash(line)
  const open = line.subarray(0, line.length - tailLength)
  return hash !== null && hash === computeHash(previousHash, open) ? hash : null
}

/** Reads the hash at the end of a line without a line end. Returns null if the line does not end in one. */
export function readHash(line: Buffer): string | null {
  const openLength = line.length - tailLength
  if (openLength < 1) return null
  const tail = line.toString('latin1', openLength)
  return tail.startsWith(hashField) && tail.endsWith('"}') ? tail.slice(hashField.length, -2) : null
}

const hashField = ',"hash":"'
const hashDigits = 32
const tailLength = hashField.length + hashDigits + 2

function computeHash(previousHash: string, open: string | Buffer): string {
  // Text is hashed for each line that is written, and at once this takes half of the time.
  const digest =
    typeof open === 'string'
      ? hashAtOnce('sha256', previousHash + open)
      : createHash('sha256').update(previousHash).update(open).digest('hex')
  return digest.slice(0, hashDigits)
}

/** A line of a journal as bytes. */
export interface Line {
  /** The bytes without the line end. */
  readonly bytes: Buffer
  /** The offset of its first byte. */
  readonly offset: number
  /** Whether the line end is there. Only the last line can lack it. */
  readonly isEnded: boolean
}

const chunkBytes = 4 * 1024 * 1024
const endOfLine = 10

/**
 * Reads the lines of a file from the offset of a line on. It reads in chunks, so that a journal may be larger than
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

/** Splits bytes in memory into lines. */
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

/** A journal that was read, but not replayed. */
export interface ReadJournal {
  readonly header: JournalHeader
  readonly entries: readonly JournalEntry[]
}

/** Decodes a journal without replaying it, or returns its first mistake. An unfinished last line is left out. */
export function readEntries(lines: Iterable<Line>): ReadJournal | JournalMistake {
  const table = new SnapshotTable()
  const entries: JournalEntry[] = []
  let header: JournalHeader | null = null
  let hash = ''
  let number = 0
  for (const { bytes, offset, isEnded } of lines) {
    number += 1
    const next = verifyLine(hash, bytes)
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
      else entries.push(decodeEntry(json, table))
    } catch (failure) {
      if (!(failure instanceof Undecodable || failure instanceof SyntaxError)) throw failure
      return { line: number, offset, reason: failure.message }
    }
  }
  return header === null ? { line: 1, offset: 0, reason: 'there is no header' } : { header, entries }
}

/** Why a line of a journal cannot be what was written, and where it is. */
export interface JournalMistake {
  /** The number of the line, from 1. */
  readonly line: number
  readonly offset: number
  readonly reason: string
}
