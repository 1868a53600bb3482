import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  linkSync,
  lstatSync,
  openSync,
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
import { decodeText } from '../shape/decode-text.ts'
import { CliFailure, type ExitCode, exitCode, systemReason, usageFailure, writeReason } from './failure.ts'
import type { Terminal } from './terminal.ts'

type FileBytes =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly reason: string }

/** Reads a file that the user has named. Ends the command with `code` when the file cannot be read. */
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

/**
 * Reads a text file that the user has named: UTF-8, or UTF-16 with a byte order mark. Ends the command with `code`
 * when the file cannot be read, or has bytes that are no text, which would be replaced by characters that nobody
 * wrote.
 */
export function readTextFile(
  cwd: string,
  name: string,
  maximumBytes: number,
  code: ExitCode = exitCode.usage,
): string {
  const text = decodeText(readFile(cwd, name, maximumBytes, code))
  if (text === null) throw new CliFailure(code, `cannot read ${name}: it is not UTF-8 text`)
  return text
}

/** Reads a regular file. Pipes, devices and directories are refused before they are opened: they may never end. */
export function readRegularFile(path: string, maximumBytes: number): FileBytes {
  if (path.includes('\0')) return { ok: false, reason: 'its name holds a NUL' }
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return { ok: false, reason: irregularReason(stats) }
    if (stats.size > maximumBytes) return { ok: false, reason: `it is larger than ${maximumBytes} bytes` }
    // Read by path: Yarn's Plug'n'Play keeps packages in archives, whose files cannot be read whole by descriptor.
    return { ok: true, bytes: readFileSync(path) }
  } catch (error) {
    return { ok: false, reason: systemReason(error) }
  }
}

/** Returns why a file of any size cannot be read; null when it can. */
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

/** Recognizes a file that is not a table by how it begins; null when it may be a table. */
export function detectFileKind(beginning: string): string | null {
  const text = beginning.replace(/^\ufeff/, '').trimStart()
  return kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

export const journalKind = 'a journal of otcsim'
export const jsonKind = 'JSON'

const kinds: readonly (readonly [name: string, pattern: RegExp])[] = [
  // A journal without its first line is recognized too: every line ends in its hash.
  [journalKind, /^\{[^\n]*("otcsim-journal"|,"hash":"[0-9a-f]{32}"\}\r?$)/m],
  ['a result of otcsim backtest', /^\{[^\n]{0,200}"otcsim-backtest"/],
  [jsonKind, /^[{[]/],
  ['HTML', /^<(!doctype html|html)\b/i],
  ['XML', /^<\?xml\b/],
  // Only comments may come before the keys: a Markdown page may contain a scenario.
  ['a scenario', /^(?=(?:[\s\S]*\n)?version: *\d)(?:(?:#[^\n]*)?\r?\n)*\w+:/],
  ['Markdown', /^#{1,6} \S[^\n]*\r?\n\r?\n/],
  ['a scenario', /^version: *\d/m],
]

/** What a file is to hold: text, bytes, or a text too long for one string, whose pieces begin anew at each call. */
export type FileContent = string | Uint8Array | { pieces(): Iterable<string> }

/**
 * Writes a file whole or not at all. After a full disk or a kill the old content is still there, and no reader ever
 * sees half a file. Missing folders are created, and links are followed. Anything but a regular file, such as
 * `/dev/stdout`, is written directly. Errors (usage): the file cannot be written.
 */
export function writeFile(cwd: string, file: string, bytes: FileContent): void {
  withWriteFailures(file, () => {
    const named = resolve(cwd, file)
    makeFolders(dirname(named))
    const existing = statSync(named, { throwIfNoEntry: false })
    if (!isReplaceable(named, existing)) {
      writeContent(named, bytes, 'w')
      return
    }
    const path = existing === undefined ? named : realpathSync(named)
    if (existing !== undefined) accessSync(path, constants.W_OK)
    try {
      writeThroughTemporary(path, bytes, existing, renameSync)
    } catch (error) {
      // A file may be writable in a folder that is not, or be mounted into a container by itself.
      if (existing === undefined || !moveErrorCodes.has(systemCode(error))) throw error
      writeContent(path, bytes, 'w')
    }
  })
}

/**
 * Refuses an output that is the very file it is made of, however it is named: evidence stays. Errors (usage): it is. An
 * option that was not given is no output.
 */
export function refuseOwnInput(cwd: string, input: string, output: string | undefined): void {
  if (output === undefined) return
  const [read, written] = [input, output].map((name) => findRealPath(resolve(cwd, name)))
  if (read !== null && read === written)
    throw usageFailure(`${output} is the file that is read: name another one to write`)
}

/** Writes a file whole or not at all, and says on stderr what it is called and how large it is. */
export function writeOutput(terminal: Pick<Terminal, 'cwd' | 'err'>, file: string, bytes: FileContent): void {
  writeFile(terminal.cwd, file, bytes)
  reportWritten(terminal, file)
}

/** Says on stderr that a file has been written, and how large it is. */
export function reportWritten({ cwd, err }: Pick<Terminal, 'cwd' | 'err'>, file: string): void {
  const stats = statSync(resolve(cwd, file), { throwIfNoEntry: false })
  // What went to a device or a pipe has been read there.
  if (stats?.isFile() === true) err(`wrote ${file} (${formatSize(stats.size)})\n`)
}

/** Formats a size of a file to at most three digits: `812 bytes`, `7.4 KB`, `330 KB`. A KB is a thousand bytes. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  // Above 999.5 KB it would be rounded to the next unit.
  const [unit, size] = bytes < 999_500 ? ['KB', bytes / 1e3] : ['MB', bytes / 1e6]
  return `${size < 9.95 ? size.toFixed(1) : size.toFixed(0)} ${unit}`
}

/** Writes a result to its file, or to stdout when no file is named. */
export function writeResult(terminal: Terminal, file: string | undefined, text: string): void {
  if (file === undefined) terminal.out(text)
  else writeOutput(terminal, file, text)
}

/** Writes a new file whole or not at all. Returns false, and changes nothing, when the file already exists. */
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

/** Removes a file if it exists. Errors (usage): the path cannot be removed, or is not a file. */
export function removeFile(cwd: string, file: string): void {
  withWriteFailures(file, () => rmSync(resolve(cwd, file), { force: true }))
}

/** Creates the folders above a file. Errors (usage): a folder cannot be created. */
export function makeParentFolders(cwd: string, file: string): void {
  withWriteFailures(file, () => makeFolders(dirname(resolve(cwd, file))))
}

/** Returns a path without links; null where there is nothing, or nothing that can be looked at. */
function findRealPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** Runs `write`. Converts an error to a usage failure that names the file. */
function withWriteFailures<Result>(file: string, write: () => Result): Result {
  try {
    return write()
  } catch (error) {
    throw usageFailure(`cannot write ${file}: ${writeReason(error)}`)
  }
}

/** Returns whether a path may be replaced by a rename. Devices, pipes and dangling links are written directly. */
function isReplaceable(path: string, existing: Stats | undefined): boolean {
  if (/^\/(dev|proc)\//.test(path)) return false
  return existing === undefined ? lstatSync(path, { throwIfNoEntry: false }) === undefined : existing.isFile()
}

function writeContent(path: string, content: FileContent, flag: 'w' | 'wx'): void {
  if (typeof content === 'string' || content instanceof Uint8Array) {
    writeFileSync(path, content, { flag })
    return
  }
  const file = openSync(path, flag)
  try {
    for (const piece of content.pieces()) writeFileSync(file, piece)
  } finally {
    closeSync(file)
  }
}

type Move = (from: string, to: string) => void

/** Writes a temporary file in the same folder, with the mode of the existing file, and moves it into place. */
function writeThroughTemporary(
  path: string,
  bytes: FileContent,
  existing: Stats | undefined,
  move: Move,
): void {
  const temporary = join(dirname(path), `.otcsim-${randomBytes(6).toString('hex')}.tmp`)
  try {
    writeContent(temporary, bytes, 'wx')
    if (existing !== undefined) chmodSync(temporary, existing.mode & 0o7777)
    move(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/**
 * Moves a file by a hard link, which never replaces an existing file; by a rename where the file system has no links.
 */
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
