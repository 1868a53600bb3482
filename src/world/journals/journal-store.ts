import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nameNotesFile } from '../../api/noted-moments.ts'
import { newestCheckpointSequence } from '../../journal/checkpoints.ts'
import { encodeEntry, SnapshotTable } from '../../journal/entry.ts'
import { compileInitialWorld, encodeHeader, makeHeader } from '../../journal/header.ts'
import { JournalFile, JournalUnwritable, type SyncPolicy, systemCode } from '../../journal/journal-file.ts'
import { type KeptNotes, moveWithNotes, setNotesAside } from '../../journal/kept-notes.ts'
import type { ReadJournal } from '../../journal/lines.ts'
import {
  deleteProofs,
  findMissingLines,
  formatMissingLines,
  journalOfProof,
  readProofs,
} from '../../journal/missing-lines.ts'
import type { WorldSnapshot } from '../../journal/world-snapshot.ts'
import type { World } from '../world.ts'
import { type FileJournal, type Recovery, restoreFromReplay, startFileJournal } from './file-journal.ts'
import { EntryList, type Journal, type JournalPart, type NewJournal, startMemoryJournal } from './journal.ts'

/** Where the journals of a server's worlds are kept. */
export interface JournalStore {
  /**
   * Starts the journal of a world that was just created. When the store has an earlier journal of the world, or `past`
   * is given, the world is restored from that first. `start` is the world's state; null for its scenario's start.
   */
  begin(
    world: World,
    start: WorldSnapshot | null,
    ttlMillis: number | null,
    past?: ReplayedJournal | null,
  ): Journal
}

/** A replayed journal, after which another world continues. */
export interface ReplayedJournal {
  readonly replayed: World
  /** The replayed lines; null when there are too many to keep in memory, and then the journal begins where they end. */
  readonly read: ReadJournal | null
}

/**
 * Creates a store that keeps journals in memory. `otcsim` is the program's version, which their headers name. `notesOf`
 * says where the notes on a world are kept; null for in memory.
 */
export function createMemoryJournals(
  otcsim: string,
  notesOf: (worldId: string) => KeptNotes | null = () => null,
): JournalStore {
  return {
    begin: (world, start, ttlMillis, past = null) => {
      const journal = startInMemory(world, { otcsim, start, ttlMillis }, past)
      return { ...journal, notes: notesOf(world.id) ?? journal.notes }
    },
  }
}

function startInMemory(world: World, newJournal: NewJournal, past: ReplayedJournal | null): Journal {
  if (past === null) return startMemoryJournal(world, newJournal)
  restoreFromReplay(world, past.replayed)
  return startMemoryJournal(world, newJournal, undefined, past.read && toJournalPart(past.read))
}

function toJournalPart({ header, entries }: ReadJournal): JournalPart {
  return {
    initialWorld: { ...compileInitialWorld(header), world: header.world },
    entries: new EntryList(entries),
  }
}

export type RecoveredFile = Extract<Recovery, { readonly kind: 'recovered' | 'fresh' }>

/** Creates a store that keeps one world's journal in a file, which is already open, and all others in memory. */
export function createFileJournals(worldId: string, recovered: RecoveredFile, otcsim: string): JournalStore {
  return {
    begin: (world, start, ttlMillis, past = null) =>
      world.id === worldId
        ? startInFile(world, recovered, { otcsim, start, ttlMillis }, past)
        : startInMemory(world, { otcsim, start, ttlMillis }, past),
  }
}

/** Creates a store that keeps a file for each world in one folder. `open` has the files already open, by world. */
export function createFolderJournals(
  folder: string,
  open: ReadonlyMap<string, RecoveredFile>,
  policy: SyncPolicy,
  otcsim: string,
): JournalStore {
  const waiting = new Map(open)
  const kept = new Map([...open.keys()].map((id) => [id.toLowerCase(), id]))
  return {
    begin: (world, start, ttlMillis, past = null) => {
      const path = journalPath(folder, world.id)
      const namesake = kept.get(world.id.toLowerCase()) ?? world.id
      if (namesake !== world.id) throw new JournalUnwritable(path, 'EEXIST', sameFileReason(namesake))
      const recovered = waiting.get(world.id) ?? createJournalFile(path, policy)
      waiting.delete(world.id)
      const journal = startOrDeleteFile(world, recovered, { otcsim, start, ttlMillis }, past)
      kept.set(world.id.toLowerCase(), world.id)
      return {
        ...journal,
        discard: () => {
          journal.discardBy(findPlaceAside(path))
          kept.delete(world.id.toLowerCase())
        },
      }
    },
  }
}

/** Explains why a world cannot have a file: file systems that ignore case would mix it up with that of another. */
const sameFileReason = (id: string): string => `on some systems the file of world ${id} has the same name`

const ending = '.journal'

export const journalPath = (folder: string, worldId: string): string => join(folder, `${worldId}${ending}`)

/**
 * Lists the ids of the worlds that have a journal in a folder, or of whose journal only the files beside it are left, sorted.
 */
export function listJournaledWorlds(folder: string): readonly string[] {
  const journals = readdirSync(folder).map((name) => journalOfProof(name) ?? name)
  const ids = journals.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
  return [...new Set(ids)].sort()
}

/**
 * Creates a new journal file, and sets aside an old one in its place. Throws a `JournalUnwritable` when it cannot, and
 * when files beside it prove lines that it lacks.
 */
function createJournalFile(path: string, policy: SyncPolicy): RecoveredFile {
  return runOrUnwritable(path, () => {
    const proofs = readProofs(path)
    const old = existsSync(path) ? new JournalFile(path, policy) : null
    const missing = findMissingLines(proofs, old?.descriptor ?? null)
    old?.close()
    if (missing !== null) throw new JournalUnwritable(path, 'EEXIST', formatMissingLines(path, missing))
    const setAside = findPlaceAside(path)
    deleteProofs(path)
    setAside()
    return { kind: 'fresh', file: new JournalFile(path, policy), torn: null }
  })
}

/** Starts a journal. When not even its first line can be written, its new file is deleted again. */
function startOrDeleteFile(
  world: World,
  recovered: RecoveredFile,
  newJournal: NewJournal,
  past: ReplayedJournal | null,
): FileJournal {
  try {
    return startInFile(world, recovered, newJournal, past)
  } catch (failure) {
    recovered.file.close()
    if (recovered.kind === 'fresh') {
      deleteProofs(recovered.file.path)
      rmSync(recovered.file.path, { force: true })
    }
    throw failure
  }
}

/**
 * Finds the place to which the journal of a deleted world is moved: the folder `deleted`, with a number, because other
 * worlds may have had the same id. Returns what moves it there. Throws a `JournalUnwritable`, as that does when the
 * file cannot be moved.
 */
function findPlaceAside(path: string): () => void {
  // Somebody has already deleted the file. If its folder is missing too, the disk may only be disconnected.
  if (!existsSync(path) && existsSync(dirname(path))) return () => undefined
  return runOrUnwritable(path, () => {
    const folder = join(dirname(path), 'deleted')
    // Not recursive: if the folder of the journals itself is gone, creating another one is not this program's business.
    if (!existsSync(folder)) mkdirSync(folder)
    const place = join(folder, basename(path))
    const isTaken = (count: number) =>
      existsSync(`${place}-${count}`) || existsSync(nameNotesFile(`${place}-${count}`))
    const free = `${place}-${freeNumber(isTaken)}`
    return () => moveWithNotes(path, free)
  })
}

/** Finds a free number, 1 or greater, in few steps even when thousands are taken. */
function freeNumber(isTaken: (count: number) => boolean): number {
  let free = 1
  while (isTaken(free)) free *= 2
  let taken = free === 1 ? 0 : free / 2
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2)
    if (isTaken(middle)) taken = middle
    else free = middle
  }
  return free
}

/** Calls `act`, and turns any error of the file system into a `JournalUnwritable`. */
function runOrUnwritable<Result>(path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (error instanceof JournalUnwritable) throw error
    throw new JournalUnwritable(path, systemCode(error))
  }
}

function startInFile(
  world: World,
  recovered: RecoveredFile,
  newJournal: NewJournal,
  past: ReplayedJournal | null,
): FileJournal {
  const { file } = recovered
  if (recovered.kind === 'recovered') {
    restoreFromReplay(world, recovered.replay.world)
    return startFileJournal(world, file, { snapshotSequence: newestCheckpointSequence(file.path) })
  }
  setNotesAside(file.path)
  if (past !== null) restoreFromReplay(world, past.replayed)
  if (past === null || past.read === null) return startFileJournal(world, file, newJournal)
  file.appendAll(encodeJournal(past.read, world.id, newJournal))
  return startFileJournal(world, file, { snapshotSequence: 0 })
}

/** Encodes the lines of a journal as those of a world with this id: its header has the id, by which keys are named. */
function* encodeJournal(
  { header, entries }: ReadJournal,
  id: string,
  { otcsim, ttlMillis = null }: NewJournal,
) {
  const initialWorld = compileInitialWorld(header)
  const start = initialWorld.start?.snapshot.sequence ?? 0
  yield {
    object: encodeHeader(makeHeader({ ...initialWorld, world: id }, otcsim, ttlMillis)),
    sequence: start,
  }
  const table = new SnapshotTable()
  for (const entry of entries) yield { object: encodeEntry(entry, table), sequence: entry.sequence }
}
