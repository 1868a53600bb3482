import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../../journal/journal-file.ts'
import { systemReason } from '../failure.ts'
import { version } from '../version.ts'
import { PreparedFile, PreparedFileError, PreparedWriter } from './prepared-file.ts'

/*
 * The store of prepared recordings: files that were read once, as columns that open at once. It is a cache: what is in it
 * can be deleted at any time, is made again when it is damaged, and never says more than the file that it was made from.
 */

/** Where prepared recordings are kept, and how many bytes they may have together. */
export interface PreparedStore {
  readonly folder: string
  readonly maximumBytes: number
}

/** The most that a store holds by default, bytes. */
const defaultMaximumBytes = 4_294_967_296

/** Creates the store of a working directory, in `.otcsim/recordings`. Nothing is written before something is kept. */
export const createPreparedStore = (cwd: string, maximumBytes = defaultMaximumBytes): PreparedStore => ({
  folder: join(cwd, '.otcsim', 'recordings'),
  maximumBytes,
})

/** What a prepared recording is made from: whatever decides what is in it. */
export interface PreparedSource {
  /** What is prepared, with the version of its columns: `candles 1`. */
  readonly format: string
  /** The options of the reading, as a text that is equal for options that read alike. */
  readonly options: string
  /** The contents of the files, in their order. */
  readonly contents: readonly Uint8Array[]
}

/**
 * Computes the key of a prepared recording: of the contents, the options, the format, the version of the program, and the
 * time zones that its runtime knows.
 */
export function computePreparedKey({ contents, format, options }: PreparedSource): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([format, options, version, process.versions['tz'] ?? '', contents.length]))
  for (const bytes of contents) hash.update(`\n${bytes.length}\n`).update(bytes)
  return hash.digest('hex')
}

/**
 * Opens what is kept under a key; null where nothing is, or where it cannot be read. What is damaged is removed. Whoever
 * opens it closes it.
 */
export function openPrepared({ folder }: PreparedStore, key: string): PreparedFile | null {
  const path = join(folder, key)
  try {
    const file = new PreparedFile(path)
    markAsUsed(path)
    return file
  } catch (error) {
    if (error instanceof PreparedFileError) removeQuietly(path)
    return null
  }
}

/**
 * Opens the file of a key, reads it with `read`, and closes it. Returns null if there is no such file or it cannot be
 * read; a damaged file is removed.
 */
export function readPrepared<Result>(
  store: PreparedStore,
  key: string,
  read: (file: PreparedFile) => Result,
): Result | null {
  const file = openPrepared(store, key)
  if (file === null) return null
  try {
    return read(file)
  } catch (error) {
    if (!(error instanceof PreparedFileError)) throw error
    removeQuietly(join(store.folder, key))
    return null
  } finally {
    file.close()
  }
}

/**
 * Keeps a recording under a key, whole or not at all. `write` adds its columns and returns what is to be known of them, as
 * JSON; what it throws is thrown. Returns null, or why nothing could be kept: a full disk, a folder that cannot be
 * written. Two processes may keep one recording at once: either file is good. Afterwards, those that were not used for
 * the longest time are removed until the rest fits.
 */
export function keepPrepared(
  store: PreparedStore,
  key: string,
  write: (writer: PreparedWriter) => unknown,
  nowMillis = Date.now(),
): string | null {
  const path = join(store.folder, key)
  const temporary = `${path}.${randomBytes(6).toString('hex')}${temporaryEnding}`
  try {
    makeStoreFolder(store.folder)
    const writer = new PreparedWriter(temporary)
    try {
      writer.finish(write(writer), nowMillis)
    } finally {
      writer.close()
    }
    renameSync(temporary, path)
    removeOldest(store, key, nowMillis)
    return null
  } catch (error) {
    removeQuietly(temporary)
    if (!isOfFileSystem(error)) throw error
    return systemReason(error)
  }
}

const temporaryEnding = '.tmp'
/** After how long a temporary file is one that a killed process has left, milliseconds. */
const leftoverMillis = 3_600_000

const isOfFileSystem = (error: unknown): boolean => error instanceof Error && 'syscall' in error

/** Creates the folder, with a file that keeps git from seeing what is in it. */
function makeStoreFolder(folder: string): void {
  makeFolders(folder)
  const ignore = join(folder, '.gitignore')
  if (statSync(ignore, { throwIfNoEntry: false }) === undefined) writeFileSync(ignore, '*\n')
}

/** Sets the time of a file, by which the oldest are found. A store that cannot be written is still read. */
function markAsUsed(path: string): void {
  try {
    const now = new Date()
    utimesSync(path, now, now)
  } catch {}
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}

/** Removes what was not used for the longest time until the rest fits, and what killed processes have left. */
function removeOldest({ folder, maximumBytes }: PreparedStore, kept: string, nowMillis: number): void {
  const files = readdirSync(folder).flatMap((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    return stats?.isFile() === true && !name.startsWith('.')
      ? [{ name, size: stats.size, usedAtMillis: stats.mtimeMs }]
      : []
  })
  const [unfinished, finished] = [true, false].map((isUnfinished) =>
    files.filter(({ name }) => name.endsWith(temporaryEnding) === isUnfinished),
  )
  for (const { name, usedAtMillis } of unfinished ?? [])
    if (usedAtMillis < nowMillis - leftoverMillis) removeQuietly(join(folder, name))
  let bytes = (finished ?? []).reduce((sum, { size }) => sum + size, 0)
  for (const { name, size } of (finished ?? []).sort(
    (left, right) => left.usedAtMillis - right.usedAtMillis,
  )) {
    if (bytes <= maximumBytes) return
    if (name === kept) continue
    removeQuietly(join(folder, name))
    bytes -= size
  }
}
