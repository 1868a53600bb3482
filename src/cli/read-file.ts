import { accessSync, constants, readFileSync, type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliFailure, type ExitCode, exitCode, systemReason } from './failure.ts'

export type FileBytes =
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
    if (!stats.isFile()) return { ok: false, reason: reasonAgainst(stats) }
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
    if (!stats.isFile()) return reasonAgainst(stats)
    accessSync(path, constants.R_OK)
    return null
  } catch (error) {
    return systemReason(error)
  }
}

const reasonAgainst = (stats: Stats): string =>
  stats.isDirectory() ? 'it is a directory' : 'it is not a regular file'

/** What a file is, by how it begins, that is no table; null where that cannot be told. */
export function fileKind(beginning: string): string | null {
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
  ['a scenario', /^version: *\d/m],
  ['Markdown', /^#{1,6} \S[^\n]*\r?\n\r?\n/],
]
