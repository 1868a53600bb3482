import { Undecodable } from '../lines/codec.ts'
import { decodeEntry, type JournalEntry } from '../lines/entry.ts'
import { decodeHeader, type JournalHeader } from '../lines/header.ts'
import type { Line } from '../lines/read-lines.ts'
import { unsealed } from '../lines/seal.ts'
import { SnapshotShelf } from '../lines/snapshot-shelf.ts'

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
