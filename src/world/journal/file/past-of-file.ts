import { assert } from '../../../numeric/assert.ts'
import { decodeEntry, type JournalEntry } from '../lines/entry.ts'
import { beginningOf, decodeHeader } from '../lines/header.ts'
import { SnapshotShelf } from '../lines/snapshot-shelf.ts'
import type { Past } from '../recording/past.ts'
import type { Leap } from '../replay/replay.ts'
import type { JournalFile } from './journal-file.ts'
import { newestSnapshots } from './journal-snapshot.ts'

/**
 * The past in the file of a living world, whose hashes have already been checked. Choice: it goes back to the older
 * of the snapshots beside the file, some 20,000 lines or more; `otcsim replay` has what came before.
 */
export function pastOfFile(file: JournalFile): Past {
  const oldestFirst = [...newestSnapshots(file.path)].reverse()
  const { leap, header, offset, shelf } =
    firstOf(oldestFirst, (candidate) => readStart(file, candidate)) ?? readHeader(file)
  const beginning = beginningOf(decodeHeader(header))
  const begins =
    leap === null ? beginning : { ...beginning, start: { check: leap.check, snapshot: leap.snapshot } }
  const beginsAfter = leap?.sequence ?? beginning.start?.snapshot.sequence ?? 0
  let read = beginsAfter
  let position = offset
  const after = (sequence: number): Iterable<JournalEntry> | null => {
    if (sequence !== read) return null
    const entries: JournalEntry[] = []
    for (const { bytes, offset: start, isEnded } of file.lines(position)) {
      if (!isEnded) break
      const entry = decodeEntry(parse(bytes), shelf)
      entries.push(entry)
      read = entry.sequence
      position = start + bytes.length + 1
    }
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
function readStart(file: JournalFile, leap: Leap): Start | null {
  const shelf = new SnapshotShelf()
  let header: unknown = null
  let offset = 0
  let isSealed = false
  for (const { bytes, offset: start, isEnded } of file.lines()) {
    if (!isEnded || start >= leap.offset) break
    if (start === 0) header = parse(bytes)
    else if (bytes.includes('"kind":"restored"')) decodeEntry(parse(bytes), shelf)
    offset = start + bytes.length + 1
    isSealed = bytes.includes(leap.hash)
  }
  return isSealed && offset === leap.offset ? { leap, header, offset, shelf } : null
}

function readHeader(file: JournalFile): Start {
  const [first] = file.lines()
  assert(first !== undefined, 'the journal of a living world has its first line')
  return {
    leap: null,
    header: parse(first.bytes),
    offset: first.bytes.length + 1,
    shelf: new SnapshotShelf(),
  }
}

const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8'))

function firstOf<From, To>(list: readonly From[], find: (from: From) => To | null): To | null {
  for (const from of list) {
    const found = find(from)
    if (found !== null) return found
  }
  return null
}
