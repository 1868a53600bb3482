import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { formatNotesFile, type Note, nameNotesFile, putNote, readNotesFile } from '../api/noted-moments.ts'
import { JournalUnwritable, syncParentFolder, systemCode } from './journal-file.ts'

/** The notes on moments of one world, for as long as its journal. */
export interface KeptNotes {
  /** Lists the notes, oldest moment first; none where `problem` says that they cannot be read. */
  list(): readonly Note[]
  /** Why the notes cannot be read, so that none can be added; null when they can. */
  problem(): string | null
  /** Puts notes in their places, all or none: an empty text removes one. Throws a `JournalUnwritable`. */
  put(notes: readonly Note[]): void
}

/** Keeps notes for as long as the process runs. */
export function keepNotesInMemory(): KeptNotes {
  let kept: readonly Note[] = []
  return {
    list: () => kept,
    problem: () => null,
    put: (notes) => {
      kept = notes.reduce(putNote, kept)
    },
  }
}

/**
 * Keeps notes in the file beside a journal, which is read when it is first needed and again before each change: `otcsim
 * show` may have added to it. It goes when the last note does. A file that cannot be read is left as it is.
 */
export function keepNotesBeside(journal: string): KeptNotes {
  const path = nameNotesFile(journal)
  let known: NotesFile | null = null
  const read = (): NotesFile => {
    known ??= readNotes(path)
    return known
  }
  return {
    list: () => read().notes,
    problem: () => read().problem,
    put: (added) => {
      known = null
      const { notes, problem } = read()
      if (problem !== null) throw new JournalUnwritable(path, 'EINVAL', problem)
      const next = added.reduce(putNote, notes)
      writeNotes(path, next)
      known = { notes: next, problem: null }
    },
  }
}

interface NotesFile {
  readonly notes: readonly Note[]
  readonly problem: string | null
}

function readNotes(path: string): NotesFile {
  if (!existsSync(path)) return { notes: [], problem: null }
  try {
    return { notes: readNotesFile(readFileSync(path, 'utf8')), problem: null }
  } catch (error) {
    const reason = error instanceof Error && !('code' in error) ? error.message : systemCode(error)
    return { notes: [], problem: `${path} cannot be read: ${reason}` }
  }
}

/** Writes a file of notes whole or not at all. Throws a `JournalUnwritable`. */
function writeNotes(path: string, notes: readonly Note[]): void {
  const beside = `${path}.tmp`
  try {
    if (notes.length > 0) {
      writeFileSync(beside, formatNotesFile(notes))
      const descriptor = openSync(beside, 'r+')
      fsyncSync(descriptor)
      closeSync(descriptor)
      renameSync(beside, path)
    } else rmSync(path, { force: true })
    syncParentFolder(path)
  } catch (error) {
    try {
      rmSync(beside, { force: true })
    } catch {} // the failure itself says more
    throw new JournalUnwritable(path, systemCode(error))
  }
}

/**
 * Sets aside the notes of a journal that is no longer there, so that a new one in its place does not have them. Throws a
 * `JournalUnwritable`.
 */
export function setNotesAside(journal: string): void {
  const path = nameNotesFile(journal)
  if (!existsSync(path)) return
  let number = 1
  while (existsSync(`${path}.old-${number}`)) number += 1
  moveFile(path, `${path}.old-${number}`)
}

/**
 * Moves a journal, and before it the notes beside it. When the journal cannot be moved the notes go back, as far as they can.
 * Throws a `JournalUnwritable`.
 */
export function moveWithNotes(journal: string, to: string): void {
  const [notes, notesTo] = [nameNotesFile(journal), nameNotesFile(to)]
  const hasNotes = existsSync(notes)
  if (hasNotes) moveFile(notes, notesTo)
  try {
    moveFile(journal, to)
  } catch (error) {
    try {
      if (hasNotes) moveFile(notesTo, notes)
    } catch {} // the journal's own failure says more
    throw error
  }
}

function moveFile(path: string, to: string): void {
  try {
    renameSync(path, to)
  } catch (error) {
    throw new JournalUnwritable(path, systemCode(error))
  }
}
