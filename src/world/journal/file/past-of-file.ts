import { closeSync, openSync } from 'node:fs'
import { assert } from '../../../numeric/assert.ts'
import { decodeEntry, type JournalEntry } from '../lines/entry.ts'
import { beginningOf, decodeHeader } from '../lines/header.ts'
import { type Line, linesOfFile } from '../lines/read-lines.ts'
import { SnapshotShelf } from '../lines/snapshot-shelf.ts'
import type { Past } from '../recording/past.ts'
import type { Leap } from '../replay/replay.ts'
import { newestSnapshots } from './journal-snapshot.ts'

/**
 * The past in the file of a living world, whose hashes have already been checked. Choice: it goes back to the older
 * of the snapshots beside the file, some 20,000 lines or more; `otcsim replay` has what came before.
 */
export function pastOfFile(path: string): Past {
  const oldestFirst = [...newestSnapshots(path)].reverse()
  const { leap, header, offset, shelf } =
    firstOf(oldestFirst, (candidate) => readStart(path, candidate)) ?? readHeader(path)
  const beginning = beginningOf(decodeHeader(header))
  const begins =
    leap === null ? beginning : { ...beginning, start: { check: leap.check, snapshot: leap.snapshot } }
  const beginsAfter = leap?.sequence ?? beginning.start?.snapshot.sequence ?? 0
  let read = beginsAfter
  let position = offset
  const after = (sequence: number): Iterable<JournalEntry> | null => {
    if (sequence !== read) return null
    const entries: JournalEntry[] = []
    forLines(path, position, ({ bytes, offset: start, isEnded }) => {
      if (!isEnded) return false
      const entry = decodeEntry(parse(bytes), shelf)
      entries.push(entry)
      read = entry.sequence
      position = start + bytes.length + 1
      return true
    })
    return entries
  }
  return { begins, beginsAfter, after }
}

interface Start {
  readonly leap: Leap | null
  readonly header: unknown
  /** Where the lines that count begin. */
  readonly offset: number
  /** Holds the snapshots of the lines before. */
  readonly shelf: SnapshotShelf
}

/** Null when the snapshot does not belong to this file. */
function readStart(path: string, leap: Leap): Start | null {
  const shelf = new SnapshotShelf()
  let header: unknown = null
  let offset = 0
  let isSealed = false
  forLines(path, 0, ({ bytes, offset: start, isEnded }) => {
    if (!isEnded || start >= leap.offset) return false
    if (start === 0) header = parse(bytes)
    else if (bytes.includes('"kind":"restored"')) decodeEntry(parse(bytes), shelf)
    offset = start + bytes.length + 1
    isSealed = bytes.includes(leap.hash)
    return true
  })
  return isSealed && offset === leap.offset ? { leap, header, offset, shelf } : null
}

function readHeader(path: string): Start {
  let found: Start | null = null
  forLines(path, 0, ({ bytes }) => {
    found = { leap: null, header: parse(bytes), offset: bytes.length + 1, shelf: new SnapshotShelf() }
    return false
  })
  assert(found !== null, 'the journal of a living world has its first line')
  return found
}

const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'))

function firstOf<From, To>(list: readonly From[], find: (from: From) => To | null): To | null {
  for (const from of list) {
    const found = find(from)
    if (found !== null) return found
  }
  return null
}

function forLines(path: string, from: number, visit: (line: Line) => boolean): void {
  const descriptor = openSync(path, 'r')
  try {
    for (const line of linesOfFile(descriptor, from)) if (!visit(line)) return
  } finally {
    closeSync(descriptor)
  }
}
