import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  linkSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolders, systemCode } from '../journal/journal-file.ts'
import { CliFailure, type ExitCode, exitCode, systemReason, usageFailure, writeReason } from './failure.ts'
import type { Terminal } from './terminal.ts'

type FileBytes =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: string }

/** The bytes of a file that the user has named. Ends the command, by default as wrong usage, when it cannot be read. */
export function readFile(
  cwd: string,
  name: string,
  maximumBytes: number,
  code: ExitCode = exitCode.usage,
): Buffer {
  const file = readRegularFile(resolve(cwd, name), maximumBytes)
  if (!file.ok) throw new CliFailure(code, `cannot read ${name}: ${file.reason}`)
  return file.bytes
}

/** A regular file's bytes. Pipes, devices and directories are refused before they are opened: they may never end. */
export function readRegularFile(path: string, maximumBytes: number): FileBytes {
  if (path.includes('\0')) return { ok: false, reason: 'its name holds a NUL' }
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return { ok: false, reason: irregularReason(stats) }
    if (stats.size > maximumBytes) return { ok: false, reason: `it is larger than ${maximumBytes} bytes` }
    // By its path: Yarn's Plug'n'Play keeps packages in archives, and reads none of their files whole by a descriptor.
    return { ok: true, bytes: readFileSync(path) }
  } catch (error) {
    return { ok: false, reason: systemReason(error) }
  }
}

/** Why a file cannot be read, whatever its size; null when it can. */
export function unreadableReason(path: string): string | null {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return irregularReason(stats)
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    return systemReason(error)
  }
}

const irregularReason = (stats: Stats): string =>
  stats.isDirectory() ? 'it is a directory' : 'it is not a regular file'

/** What a file is, by how it begins, that is no table; null where that cannot be told. */
export function detectFileKind(beginning: string): string | null {
  const text = beginning.replace(/^\ufeff/, '').trimStart()
  return kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

export const journalKind = 'a journal of otcsim'

const kinds: readonly (readonly [name: string, pattern: RegExp])[] = [
  // Also one whose first line is lost or forged: every line ends in its hash.
  [journalKind, /^\{[^\n]*("otcsim-journal"|,"hash":"[0-9a-f]{32}"\}\r?$)/m],
  ['a result of otcsim backtest', /^\{[^\n]{0,200}"otcsim-backtest"/],
  ['JSON', /^[{[]/],
  ['HTML', /^<(!doctype html|html)\b/i],
  ['XML', /^<\?xml\b/],
  // Its keys come after nothing but comments: a page may have a scenario in it.
  ['a scenario', /^(?=(?:[\s\S]*\n)?version: *\d)(?:(?:#[^\n]*)?\r?\n)*\w+:/],
  ['Markdown', /^#{1,6} \S[^\n]*\r?\n\r?\n/],
  ['a scenario', /^version: *\d/m],
]

/**
 * Writes a file whole or not at all: after a full disk or a kill it is as it was before, and nobody who watches it
 * reads half of it. Missing folders are made. Anything but a regular file, such as `/dev/stdout`, is written to
 * directly; a link is followed. Errors (usage): the place cannot be written to.
 */
export function writeFile(cwd: string, file: string, bytes: string | Uint8Array): void {
  withWriteFailures(file, () => {
    const named = resolve(cwd, file)
    makeFolders(dirname(named))
    const existing = statSync(named, { throwIfNoEntry: false })
    if (!isReplaceable(named, existing)) {
      writeFileSync(named, bytes)
      return
    }
    const path = existing === undefined ? named : realpathSync(named)
    if (existing !== undefined) accessSync(path, constants.W_OK)
    try {
      writeThroughTemporary(path, bytes, existing, renameSync)
    } catch (error) {
      // A file may be writable while its folder is not, or be the only file of its folder that a container has.
      if (existing === undefined || !moveErrorCodes.has(systemCode(error))) throw error
      writeFileSync(path, bytes)
    }
  })
}

/** The same, and tells people at a terminal what was written; in a pipe nobody would see it. */
export function writeOutput(
  terminal: Pick<Terminal, 'cwd' | 'err' | 'isErrTty'>,
  file: string,
  bytes: string | Uint8Array,
): void {
  writeFile(terminal.cwd, file, bytes)
  if (terminal.isErrTty) terminal.err(`written: ${file}\n`)
}

/** A result, into the file that was named for it, or on stdout. */
export function writeResult(terminal: Terminal, file: string | undefined, text: string): void {
  if (file === undefined) terminal.out(text)
  else writeOutput(terminal, file, text)
}

/** The same for a file that must not exist yet. False when it does; it then stays as it is. */
export function writeNewFile(cwd: string, file: string, bytes: string | Uint8Array): boolean {
  return withWriteFailures(file, () => {
    const path = resolve(cwd, file)
    makeFolders(dirname(path))
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return false
    try {
      writeThroughTemporary(path, bytes, undefined, moveWithoutReplacing)
      return true
    } catch (error) {
      if (systemCode(error) === 'EEXIST') return false
      throw error
    }
  })
}

/** Removes a file that may be there. Errors (usage): it cannot be removed, or is none. */
export function removeFile(cwd: string, file: string): void {
  withWriteFailures(file, () => rmSync(resolve(cwd, file), { force: true }))
}

/** Makes the folders that a file is to be in. Errors (usage): one cannot be made. */
export function makeParentFolders(cwd: string, file: string): void {
  withWriteFailures(file, () => makeFolders(dirname(resolve(cwd, file))))
}

function withWriteFailures<Result>(file: string, write: () => Result): Result {
  try {
    return write()
  } catch (error) {
    throw usageFailure(`cannot write ${file}: ${writeReason(error)}`)
  }
}

/** Devices, pipes and dangling links are written to directly; so is a redirected `/dev/stdout`. */
function isReplaceable(path: string, there: Stats | undefined): boolean {
  if (/^\/(dev|proc)\//.test(path)) return false
  return there === undefined ? lstatSync(path, { throwIfNoEntry: false }) === undefined : there.isFile()
}

type Move = (from: string, to: string) => void

function writeThroughTemporary(
  path: string,
  bytes: string | Uint8Array,
  there: Stats | undefined,
  move: Move,
): void {
  const beside = join(dirname(path), `.otcsim-${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeFileSync(beside, bytes, { flag: 'wx' })
    if (there !== undefined) chmodSync(beside, there.mode & 0o7777)
    move(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

/** Unlike a rename, a link never replaces a file that has appeared meanwhile; not all file systems have links. */
function moveWithoutReplacing(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error
    renameSync(from, to)
  }
  rmSync(from, { force: true })
}

const moveErrorCodes: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV'])
