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
 * One process at a time writes a journal, or the store of a sweep. A file beside it says who has the lock; one whose
 * process is gone, for example killed, is taken over. Where the kernel can, it holds a journal's lock besides, as a
 * socket name that disappears with the process, however that ends.
 */

export interface Lock {
  release(): void
}

export type Locking =
  | { readonly ok: true; readonly lock: Lock }
  /** `owner` is the process that has it, as far as that is known. */
  | { readonly ok: false; readonly owner: number | null }

/** Takes the lock of a path. Throws what the file system throws when nothing can be written there. */
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

/** Who holds the lock of a path, without taking it: null when nobody does. `owner` as far as that is known. */
async function findHolder(path: string): Promise<{ readonly owner: number | null } | null> {
  const owner = readOwner(`${path}.lock`)
  if (owner !== null && isAlive(owner)) return { owner: owner.pid }
  return process.platform === 'linux' && (await isNameHeld(path)) ? { owner: null } : null
}

/** The same by the file alone. */
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

/** An abstract socket: the kernel gives its name to one process, and frees it when that process is gone. */
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
    // The kernel says so at once when nobody has the name, and asks for patience when many are looking.
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code === 'EAGAIN'))
  })
}

function socketName(path: string): string {
  const digest = createHash('sha256').update(resolve(path)).digest('hex').slice(0, 40)
  return `\0otcsim-journal-${digest}`
}

interface Owner {
  readonly pid: number
  /** When the process began, in the kernel's ticks: it tells a process from a later one with the same number. */
  readonly began: string
  readonly nonce: string
}

/** Null when the file is ours now, else who has it. */
function takeFile(file: string, nonce: string): number | null {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (writeOwner(file, nonce)) return null
    const owner = readOwner(file)
    if (owner !== null && isAlive(owner)) return owner.pid
    removeStale(file, owner?.nonce ?? null)
  }
  return readOwner(file)?.pid ?? 0
}

/** The file appears with its text, or not at all. */
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

/** Not all file systems have links; without them, another process may for a moment see the file without its text. */
function publish(beside: string, file: string): void {
  try {
    linkSync(beside, file)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error
    copyFileSync(beside, file, constants.COPYFILE_EXCL)
  }
}

/** Removes only the file that was found to be stale: another process may have replaced it since. */
function removeStale(file: string, nonce: string | null): void {
  if ((readOwner(file)?.nonce ?? null) === nonce) rmSync(file, { force: true })
}

/** What stays, because its folder can no longer be written to, is stale as soon as this process is gone. */
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
    // No permission to signal it means that it lives.
    return systemCode(error) === 'EPERM'
  }
  return began === '' || (readStartTicks(pid) === began && !isDefunct(pid))
}

/** When a process began, in the kernel's ticks; empty where the system does not say. */
const readStartTicks = (pid: number): string => readProcessStat(pid)[19] ?? ''

/**
 * Whether a process has ended but still has its number: one that was killed keeps it until its parent asks after it,
 * and some parents never do.
 */
function isDefunct(pid: number): boolean {
  const [state] = readProcessStat(pid)
  return state === 'Z' || state === 'X'
}

/** What the kernel says of a process, from its state on. */
function readProcessStat(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

/*
 * A journal has one writer, who uses it by itself or with all that are in its folder. Each takes a lock of its own and
 * only then looks for one that excludes it; nobody takes for a moment what it does not want. So any number of files of a
 * folder can be taken at once, and of two that exclude each other one at least sees the other.
 */

/** Takes one file; refused where somebody has it, or its folder. */
export async function lockJournal(path: string): Promise<Locking> {
  const locking = await lockPath(path)
  return locking.ok ? keepUnlessHeld(locking.lock, () => findHolder(folderLockPath(dirname(path)))) : locking
}

/**
 * Takes a folder with all journals in it, those that are yet to be made included. It looks once before, so that a folder
 * that can't be had is in nobody's way meanwhile.
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
 * Somebody who has a file of a folder, also where only its lock is there yet. Who takes a file at the same moment sees
 * the folder taken, and gives the file up: that is waited for, so that not both are refused.
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
