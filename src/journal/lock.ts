import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { systemCode } from './journal-file.ts'

/*
 * One process at a time writes a journal, or the store of a sweep. A lock file beside it names the owner; the lock of a
 * process that no longer exists is taken over. On Linux the lock of a journal is also a socket name, which the kernel
 * frees when the process ends, however it ends.
 */

/** A lock that is held. */
export interface Lock {
  release(): void
}

/** The result of taking a lock: the lock, or the process that holds it. */
export type Locking =
  | { readonly ok: true; readonly lock: Lock }
  /** `owner` is the id of the process that holds the lock, null if it is not known. */
  | { readonly ok: false; readonly owner: number | null }

/** Takes the lock of a path. Throws what the file system throws if the lock file cannot be written. */
export async function lockPath(path: string): Promise<Locking> {
  const name = process.platform === 'linux' ? await holdName(path) : null
  if (name === 'taken') return { ok: false, owner: readOwner(`${path}.lock`)?.pid ?? null }
  const locking = lockByFile(path)
  if (!locking.ok) {
    name?.close()
    return locking
  }
  const release = () => {
    locking.lock.release()
    name?.close()
  }
  return { ok: true, lock: { release } }
}

/** Finds who holds the lock of a path, without taking it: null if nobody does. The owner's id may not be known. */
async function findHolder(path: string): Promise<{ readonly owner: number | null } | null> {
  const owner = readOwner(`${path}.lock`)
  if (owner !== null && isAlive(owner)) return { owner: owner.pid }
  return process.platform === 'linux' && (await isNameHeld(path)) ? { owner: null } : null
}

/** Takes the lock of a path by the lock file alone. Throws what the file system throws if it cannot be written. */
export function lockByFile(path: string): Locking {
  const file = `${path}.lock`
  const nonce = randomUUID()
  const owner = takeFile(file, nonce)
  if (owner !== null) return { ok: false, owner }
  const release = () => {
    if (readOwner(file)?.nonce === nonce) removeIfPossible(file)
  }
  return { ok: true, lock: { release } }
}

/** Takes the abstract socket name of a path: the kernel gives it to one process, and frees it when that process ends. */
function holdName(path: string): Promise<Server | 'taken'> {
  return new Promise((settle, fail) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') settle('taken')
      else fail(error)
    })
    server.listen(socketName(path), () => settle(server.unref()))
  })
}

function isNameHeld(path: string): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(socketName(path))
    socket.once('connect', () => {
      socket.destroy()
      settle(true)
    })
    // The kernel refuses at once if nobody has the name, and answers EAGAIN if many processes are connecting to its holder.
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code === 'EAGAIN'))
  })
}

function socketName(path: string): string {
  const digest = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 40)
  return `\0otcsim-journal-${digest}`
}

interface Owner {
  readonly pid: number
  /** When the process started, in the kernel's ticks, which distinguishes it from a later process with the same id. */
  readonly began: string
  readonly nonce: string
}

/** Takes a lock file. Returns null if it is ours now, otherwise the id of the process that holds it. */
function takeFile(file: string, nonce: string): number | null {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (writeOwner(file, nonce)) return null
    const owner = readOwner(file)
    if (owner !== null && isAlive(owner)) return owner.pid
    removeStale(file, owner?.nonce ?? null)
  }
  return readOwner(file)?.pid ?? 0
}

/** Creates a lock file with its text, atomically. Returns false if it exists already. */
function writeOwner(file: string, nonce: string): boolean {
  const beside = `${file}.${nonce}`
  const descriptor = openSync(beside, 'wx', 0o644)
  try {
    writeSync(descriptor, JSON.stringify({ pid: process.pid, began: readStartTicks(process.pid), nonce }))
    publish(beside, file)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  } finally {
    closeSync(descriptor)
    unlinkSync(beside)
  }
}

/**
 * Gives a finished file its name; fails with EEXIST if that is taken. Without hard links, which not all file systems have,
 * another process may for a moment see the file without its text.
 */
function publish(beside: string, file: string): void {
  try {
    linkSync(beside, file)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error
    copyFileSync(beside, file, constants.COPYFILE_EXCL)
  }
}

/** Removes a stale lock file, unless another process has replaced it since it was read. */
function removeStale(file: string, nonce: string | null): void {
  if ((readOwner(file)?.nonce ?? null) === nonce) rmSync(file, { force: true })
}

/** Removes a lock file if its folder can still be written to. One that remains is stale when this process has ended. */
function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {}
}

function readOwner(file: string): Owner | null {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isOwner(json) ? json : null
  } catch {
    return null
  }
}

const isOwner = (json: unknown): json is Owner =>
  typeof json === 'object' &&
  json !== null &&
  'pid' in json &&
  Number.isSafeInteger(json.pid) &&
  'began' in json &&
  typeof json.began === 'string' &&
  'nonce' in json &&
  typeof json.nonce === 'string'

function isAlive({ pid, began }: Owner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists, but we may not signal it.
    return systemCode(error) === 'EPERM'
  }
  return began === '' || (readStartTicks(pid) === began && !isDefunct(pid))
}

/** Reads when a process started, in the kernel's ticks; empty on systems that do not report it. */
const readStartTicks = (pid: number): string => readProcessStat(pid)[19] ?? ''

/** Returns whether a process is a zombie: it has ended, but its parent has not waited for it, and some parents never do. */
function isDefunct(pid: number): boolean {
  const [state] = readProcessStat(pid)
  return state === 'Z' || state === 'X'
}

/** Reads the fields of `/proc/PID/stat` from the process state on; empty on systems without it. */
function readProcessStat(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/*
 * A journal has one writer, which has locked the file alone or its whole folder. A writer first takes its own lock and then
 * looks for one that excludes it, and it never takes a lock that it does not need. So any number of files of a folder can be
 * locked at the same time, and of two writers that exclude each other at least one sees the other.
 */

/** Locks one journal file. It is refused if another process has locked the file or its folder. */
export async function lockJournal(path: string): Promise<Locking> {
  const locking = await lockPath(path)
  return locking.ok ? keepUnlessHeld(locking.lock, () => findHolder(folderLockPath(dirname(path)))) : locking
}

/**
 * Locks a folder with all journals in it, future ones included. It looks for holders once before it takes the lock, so
 * that an attempt that must fail does not disturb others.
 */
export async function lockFolder(folder: string): Promise<Locking> {
  const holder = await findHolderWithin(folder, 1)
  if (holder !== null) return { ok: false, owner: holder.owner }
  const locking = await lockPath(folderLockPath(folder))
  return locking.ok ? keepUnlessHeld(locking.lock, () => findHolderWithin(folder, patientLooks)) : locking
}

const folderLockPath = (folder: string): string => join(folder, 'otcsim')

async function keepUnlessHeld(lock: Lock, find: () => ReturnType<typeof findHolder>): Promise<Locking> {
  try {
    const holder = await find()
    if (holder === null) return { ok: true, lock }
    lock.release()
    return { ok: false, owner: holder.owner }
  } catch (failure) {
    lock.release()
    throw failure
  }
}

/**
 * Finds who holds the lock of any journal in a folder, even of one that has only its lock file yet. A process that
 * locks a file at this moment sees the folder's lock and gives the file up. Looking several times waits for that, so
 * that not both fail.
 */
async function findHolderWithin(folder: string, mostLooks: number): ReturnType<typeof findHolder> {
  const names = readdirSync(folder).flatMap((name) => /^(.+\.journal)(\.lock)?$/.exec(name)?.[1] ?? [])
  for (const name of new Set(names)) {
    let holder = await findHolder(join(folder, name))
    for (let looks = 1; holder !== null && looks < mostLooks; looks += 1) {
      await setTimeout(pauseMillis)
      holder = await findHolder(join(folder, name))
    }
    if (holder !== null) return holder
  }
  return null
}

const patientLooks = 20
const pauseMillis = 10
