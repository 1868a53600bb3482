import { closeSync, openSync } from 'node:fs'
import { assert } from '../../numeric/assert.ts'
import { decodeEntry, type JournalEntry } from './entry.ts'
import { beginningOf, decodeHeader } from './header.ts'
import { newestSnapshots } from './journal-snapshot.ts'
import type { Past } from './past.ts'
import { type Line, linesOfFile } from './read-lines.ts'
import type { Leap } from './replay.ts'
import { SnapshotShelf } from './snapshot-shelf.ts'

/**
 * The past that a file of a living world holds, which has been held to its hashes already. Choice: it goes back to the
 * older of the snapshots beside the file, some 20,000 lines or more; what is before is for `otcsim replay`.
 */
export function pastOfFile(path: string): Past {
  const leap = [...newestSnapshots(path)].at(-1) ?? null
  const shelf = new SnapshotShelf()
  const { header, offset } = readStart(path, leap, shelf)
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
      const entry = decodeEntry(JSON.parse(bytes.toString('utf8')), shelf)
      entries.push(entry)
      read = entry.sequence
      position = start + bytes.length + 1
      return true
    })
    return entries
  }
  return { begins, beginsAfter, after }
}

/** The header, and where the lines begin that count; the snapshots of those before are put on the shelf. */
function readStart(path: string, leap: Leap | null, shelf: SnapshotShelf) {
  let header: unknown = null
  let offset = 0
  forLines(path, 0, ({ bytes, offset: start, isEnded }) => {
    if (!isEnded || (leap !== null && start >= leap.offset) || (leap === null && start > 0)) return false
    if (start === 0) header = JSON.parse(bytes.toString('utf8'))
    else if (bytes.includes('"kind":"restored"')) decodeEntry(JSON.parse(bytes.toString('utf8')), shelf)
    offset = start + bytes.length + 1
    return true
  })
  assert(header !== null, 'the journal of a living world has its first line')
  return { header, offset }
}

function forLines(path: string, from: number, visit: (line: Line) => boolean): void {
  const descriptor = openSync(path, 'r')
  try {
    for (const line of linesOfFile(descriptor, from)) if (!visit(line)) return
  } finally {
    closeSync(descriptor)
  }
}
