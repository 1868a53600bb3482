import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
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

/** A regular file's bytes. Pipes, devices and directories are refused before they are read: they may never end. */
export function readRegularFile(path: string, maximumBytes: number): FileBytes {
  if (path.includes('\0')) return { ok: false, reason: 'its name holds a NUL' }
  let descriptor: number
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return { ok: false, reason: systemReason(error) }
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile())
      return { ok: false, reason: stats.isDirectory() ? 'it is a directory' : 'it is not a regular file' }
    if (stats.size > maximumBytes) return { ok: false, reason: `it is larger than ${maximumBytes} bytes` }
    return { ok: true, bytes: readFileSync(descriptor) }
  } catch (error) {
    return { ok: false, reason: systemReason(error) }
  } finally {
    closeSync(descriptor)
  }
}

/** Why a file cannot be read, whatever its size; null when it can. */
export function unreadableReason(path: string): string | null {
  try {
    closeSync(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
    const stats = statSync(path)
    if (stats.isFile()) return null
    return stats.isDirectory() ? 'it is a directory' : 'it is not a regular file'
  } catch (error) {
    return systemReason(error)
  }
}
