import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { makeFolders, type SyncPolicy } from '../../journal/journal-file.ts'
import { keepNotesBeside } from '../../journal/kept-notes.ts'
import { type Lock, type Locking, lockFolder, lockJournal } from '../../journal/lock.ts'
import { digestSource } from '../../scenario/file/source.ts'
import { setClock } from '../../world/change-world.ts'
import { recoverJournal } from '../../world/journals/file-journal.ts'
import {
  createFileJournals,
  createFolderJournals,
  createMemoryJournals,
  type JournalStore,
  journalPath,
  listJournaledWorlds,
  type RecoveredFile,
} from '../../world/journals/journal-store.ts'
import type { World } from '../../world/world.ts'
import { aWorldId } from '../../world/world-options.ts'
import { defaultWorld, type Worlds } from '../../world/worlds.ts'
import { CliFailure, dataFailure, exitCode, writeReason } from '../failure.ts'
import { makeParentFolders } from '../files.ts'
import { resolveChosenReadings } from '../flags.ts'
import { journalFailure, MissingLinesFailure } from '../read-journal.ts'
import type { Terminal } from '../terminal.ts'
import { version } from '../version.ts'
import { type FirstWorldOptions, loadScenario, makeFirstWorld } from './local-venue.ts'

export interface JournalOptions {
  /** The journal file of the default world. */
  readonly journal?: string
  /** A folder with a journal file for each world. */
  readonly journalDir?: string
  readonly journalSync?: SyncPolicy
}

/** The journals of a server. Those of an earlier run have been read, and are continued. */
export interface ServedJournals {
  readonly store: JournalStore
  readonly recovered: ReadonlyMap<string, RecoveredFile>
  /** Releases the locks, so that another process can use the files. */
  readonly release: () => void
}

/** Opens the journals. Errors: another process uses them (4), they are unusable (5), or their replay diverges (3). */
export async function openJournals(options: JournalOptions, terminal: Terminal): Promise<ServedJournals> {
  const { journal, journalDir, journalSync = 'os' } = options
  if (journal !== undefined) {
    makeParentFolders(terminal.cwd, journal)
    const path = resolveJournalFile(terminal.cwd, journal)
    const lock = await acquireLock(lockJournal(path), journal)
    const recovered = releaseOnFailure(lock, () => recover(path, journal, journalSync, terminal))
    const past = new Map([[defaultWorld, recovered]])
    return {
      store: createFileJournals(defaultWorld, recovered, version),
      recovered: past,
      release: () => lock.release(),
    }
  }
  if (journalDir !== undefined) {
    const folder = withFileErrors(journalDir, () => {
      const named = resolve(terminal.cwd, journalDir)
      makeFolders(named)
      return realpathSync(named)
    })
    const lock = await acquireLock(lockFolder(folder), journalDir)
    const past = releaseOnFailure(lock, () => {
      const ids = withFileErrors(journalDir, () => listJournaledWorlds(folder))
      return new Map(
        ids.map((id) => {
          if (!aWorldId.holds(id))
            throw dataFailure(
              `${join(journalDir, `${id}.journal`)} is not named by the id of a world: rename it, or move it elsewhere`,
            )
          const path = journalPath(folder, id)
          return [id, recover(path, join(journalDir, basename(path)), journalSync, terminal)]
        }),
      )
    })
    return {
      store: createFolderJournals(folder, past, journalSync, version),
      recovered: past,
      release: () => lock.release(),
    }
  }
  return { store: createMemoryJournals(version), recovered: new Map(), release: () => undefined }
}

/**
 * Resolves the real path of a journal, so that it has one lock under all its names. Errors: it is not a regular file.
 */
function resolveJournalFile(cwd: string, journal: string): string {
  const path = resolve(cwd, journal)
  const there = withFileErrors(journal, () => statSync(path, { throwIfNoEntry: false }))
  if (there === undefined)
    return withFileErrors(journal, () => join(realpathSync(dirname(path)), basename(path)))
  if (there.isFile()) return realpathSync(path)
  const reason = there.isDirectory() ? 'it is a directory' : 'it is not a regular file'
  throw dataFailure(`cannot use ${journal}: ${reason}`)
}

/**
 * Restores all worlds from their journals. Without a journal, makes the default world by the options. Returns that one.
 */
export async function openWorlds(
  worlds: Worlds,
  { recovered: past }: ServedJournals,
  options: FirstWorldOptions & { readonly chosen: ReadonlySet<string> },
  terminal: Terminal,
): Promise<World> {
  const first = past.get(defaultWorld)
  const world =
    first?.kind === 'recovered'
      ? await continueWorld(worlds, first, options, terminal)
      : await makeFirstWorld(worlds, options, terminal)
  for (const [id, recovered] of past) {
    if (id !== defaultWorld && recovered.kind === 'recovered') recreateWorld(worlds, id, recovered)
  }
  return world
}

type RecoveredJournal = Extract<RecoveredFile, { readonly kind: 'recovered' }>

/** Restores the default world. Ends the command when its journal has another scenario or seed than was asked for. */
async function continueWorld(
  worlds: Worlds,
  recovered: RecoveredJournal,
  options: FirstWorldOptions & { readonly chosen: ReadonlySet<string> },
  terminal: Terminal,
): Promise<World> {
  const { header } = recovered.replay
  const foreign = (what: string): CliFailure =>
    dataFailure(`the journal ${recovered.file.path} belongs to another run: it is of ${what}`)
  if (header.world !== defaultWorld) throw foreign(`world ${header.world}, and not of ${defaultWorld}`)
  const { chosen } = options
  if (options.seed !== undefined && options.seed !== header.seed)
    throw foreign(`seed "${header.seed}", and not of "${options.seed}"`)
  if (chosen.has('scenario') || chosen.has('param')) {
    const asked = await loadScenario(options, terminal)
    if (digestSource(asked.source) !== header.scenario.digest)
      throw foreign(
        `the scenario ${header.scenario.name} as it was then, and not of ${options.scenario} as it is`,
      )
  }
  const world = recreateWorld(worlds, defaultWorld, recovered)
  if (options.clock !== undefined && options.clock !== world.clock.mode)
    setClock(world, { mode: options.clock })
  if (options.readings !== undefined)
    world.setReadings(resolveChosenReadings(options.readings, world.readings))
  return world
}

/** Makes a world in its recovered state, which the store then continues to journal. */
function recreateWorld(worlds: Worlds, id: string, { replay, file }: RecoveredJournal): World {
  const { scenario, seed, startClock: clock, readings } = replay.world
  const snapshot = replay.world.snapshot()
  const { ttlMillis, parent = null } = replay.header
  const made = worlds.create(scenario, { id, seed, clock, readings, snapshot, ttlMillis, parent })
  if (!made.ok) throw dataFailure(`${file.path}: the world ${id} already exists`)
  return made.world
}

function recover(path: string, shown: string, policy: SyncPolicy, terminal: Terminal): RecoveredFile {
  const recovery = withFileErrors(shown, () => recoverJournal(path, policy))
  if (recovery.kind === 'missing') throw new MissingLinesFailure(shown, recovery.missing)
  if (recovery.kind === 'damaged' || recovery.kind === 'diverged') throw journalFailure(shown, recovery)
  if (recovery.kind === 'fresh') {
    if (recovery.torn !== null)
      terminal.err(`${shown}: the first line was not whole and has been put into ${shown}.torn-0\n`)
    return recovery
  }
  const { torn, sequence } = recovery.replay.end
  if (torn !== null)
    terminal.err(`${shown}: the last line was not whole and has been put into ${shown}.torn-${sequence}\n`)
  for (const snapshot of recovery.unusable)
    terminal.err(`${join(dirname(shown), basename(snapshot))} is damaged: lines before it were repeated\n`)
  const problem = keepNotesBeside(path).problem()
  if (problem !== null) terminal.err(`${problem}; it is left as it is, and the world takes no notes\n`)
  return recovery
}

/** Acquires a lock. Ends the command when another process holds it (4), or there can be no lock (5). */
async function acquireLock(taking: Promise<Locking>, shown: string): Promise<Lock> {
  const locking = await taking.catch((error: unknown) => {
    throw dataFailure(`cannot lock ${shown}: ${writeReason(error)}`)
  })
  if (locking.ok) return locking.lock
  const who = locking.owner === null ? 'another process' : `process ${locking.owner}`
  throw new CliFailure(exitCode.unreachable, `${shown} is in use by ${who}`)
}

/** Runs `act`, and releases the lock if it fails. */
function releaseOnFailure<Value>(lock: Lock | null, act: () => Value): Value {
  try {
    return act()
  } catch (failure) {
    lock?.release()
    throw failure
  }
}

/** Runs `act`. Converts an error of the file system to a failure that names the file. */
function withFileErrors<Value>(shown: string, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'syscall' in error)
      throw dataFailure(`cannot use ${shown}: ${writeReason(error)}`)
    throw error
  }
}
