import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { compileBeginning } from '../../journal/header.ts'
import { JournalFile, JournalUnwritable, type SyncPolicy, systemCode } from '../../journal/journal-file.ts'
import { dropSnapshots, newestSnapshotSequence } from '../../journal/journal-snapshots.ts'
import type { ReadJournal } from '../../journal/lines.ts'
import type { WorldSnapshot } from '../../journal/world-snapshot.ts'
import type { World } from '../world.ts'
import { becomeReplayed, fileJournal, type Recovery } from './file-journal.ts'
import { EntryList, type Journal, memoryJournal, type Newborn, type Part } from './journal.ts'

export interface JournalStore {
  /**
   * The journal of a world that has just been made; a world with a past takes that on first. `start` is the state of
   * the world, unless that is its scenario's start.
   */
  begin(world: World, start: WorldSnapshot | null, ttlMillis: number | null): Journal
}

/** Journals in memory, gone with the process. `otcsim` is the version that they name. */
export function memoryJournals(otcsim: string): JournalStore {
  return { begin: (world, start, ttlMillis) => memoryJournal(world, { otcsim, start, ttlMillis }) }
}

/**
 * Like `memoryJournals`, for one world that goes on after what was replayed. `read` are the lines, and null where they
 * are too many to be held.
 */
export function continuedJournal(replayed: World, read: ReadJournal | null, otcsim: string): JournalStore {
  return {
    begin: (world, from, ttlMillis) => {
      becomeReplayed(world, replayed)
      return memoryJournal(world, { otcsim, start: from, ttlMillis }, undefined, read && toldBy(read))
    },
  }
}

function toldBy({ header, entries }: ReadJournal): Part {
  return { begins: { ...compileBeginning(header), world: header.world }, entries: new EntryList(entries) }
}

export type Recovered = Extract<Recovery, { readonly kind: 'recovered' | 'fresh' }>

/** One world's journal in a file that is already open; those of the others in memory. */
export function fileJournals(worldId: string, recovered: Recovered, otcsim: string): JournalStore {
  return {
    begin: (world, start, ttlMillis) =>
      world.id === worldId
        ? beginIn(world, recovered, { otcsim, start, ttlMillis })
        : memoryJournal(world, { otcsim, start, ttlMillis }),
  }
}

/** A file for each world, in one folder. `past` has those that are already open, by world. */
export function folderJournals(
  folder: string,
  past: ReadonlyMap<string, Recovered>,
  policy: SyncPolicy,
  otcsim: string,
): JournalStore {
  const waiting = new Map(past)
  const kept = new Map([...past.keys()].map((id) => [id.toLowerCase(), id]))
  return {
    begin: (world, start, ttlMillis) => {
      const path = journalPath(folder, world.id)
      const namesake = kept.get(world.id.toLowerCase()) ?? world.id
      if (namesake !== world.id) throw new JournalUnwritable(path, 'EEXIST', sameName(namesake))
      const recovered = waiting.get(world.id) ?? freshFile(path, policy)
      waiting.delete(world.id)
      const journal = beginOrGiveUp(world, recovered, { otcsim, start, ttlMillis })
      kept.set(world.id.toLowerCase(), world.id)
      return {
        ...journal,
        discard: () => {
          // First, because it may fail: then the world goes on.
          setAside(path)
          kept.delete(world.id.toLowerCase())
          journal.discard()
          dropSnapshots(path)
        },
      }
    },
  }
}

/** One file, where the file system takes capitals and small letters for the same. */
const sameName = (id: string): string => `on some systems the file of world ${id} has the same name`

const ending = '.journal'

export const journalPath = (folder: string, worldId: string): string => join(folder, `${worldId}${ending}`)

/** The journals in a folder, as sorted ids of worlds. */
export function worldsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort()
}

/** Throws a `JournalUnwritable` when there can be no such file. */
function freshFile(path: string, policy: SyncPolicy): Recovered {
  return orUnwritable(path, () => {
    if (existsSync(path)) {
      setAside(path)
      dropSnapshots(path)
    }
    return { kind: 'fresh', file: new JournalFile(path, policy) }
  })
}

/** Of a journal that cannot even have its first line, nothing is left. */
function beginOrGiveUp(world: World, recovered: Recovered, newborn: Newborn): Journal {
  try {
    return beginIn(world, recovered, newborn)
  } catch (failure) {
    recovered.file.close()
    if (recovered.kind === 'fresh') rmSync(recovered.file.path, { force: true })
    throw failure
  }
}

/**
 * The journal of a deleted world is kept in a folder of its own, numbered, because others may have had its id. Throws a
 * `JournalUnwritable` when that cannot be done.
 */
function setAside(path: string): void {
  // Somebody has deleted it already. Without its folder nobody knows: a disk may only be away.
  if (!existsSync(path) && existsSync(dirname(path))) return
  orUnwritable(path, () => {
    const folder = join(dirname(path), 'deleted')
    // Alone: if the folder of the journals is gone, it is not for us to make another.
    if (!existsSync(folder)) mkdirSync(folder)
    const place = join(folder, basename(path))
    renameSync(path, `${place}-${freeNumber((count) => existsSync(`${place}-${count}`))}`)
  })
}

/** A number from 1 that is free, found quickly also where there are thousands. */
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

function orUnwritable<Result>(path: string, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (error instanceof JournalUnwritable) throw error
    throw new JournalUnwritable(path, systemCode(error))
  }
}

function beginIn(world: World, recovered: Recovered, newborn: Newborn): Journal {
  if (recovered.kind === 'fresh') return fileJournal(world, recovered.file, newborn)
  const { file, replay } = recovered
  becomeReplayed(world, replay.world)
  return fileJournal(world, file, { keptSequence: newestSnapshotSequence(file.path) })
}
