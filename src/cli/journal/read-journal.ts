import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Line, linesOfBytes, linesOfFile } from '../../world/journal/lines/read-lines.ts'
import { CliFailure, exitCode, systemReason } from '../failure.ts'
import { readFile } from '../read-file.ts'
import type { Terminal } from '../terminal.ts'

const maximumPackedBytes = 512 * 1024 * 1024

/** Hands a journal's lines, plain or gzip, to a reader. */
export function withJournal<Value>(
  name: string,
  terminal: Terminal,
  read: (lines: Iterable<Line>) => Value,
): Value {
  const path = resolve(terminal.cwd, name)
  if (isPacked(path, name)) {
    const bytes = readFile(terminal.cwd, name, maximumPackedBytes, exitCode.unusableData)
    return read(linesOfBytes(unpacked(bytes, name)))
  }
  const descriptor = opened(path, name)
  try {
    return read(linesOfFile(descriptor))
  } finally {
    closeSync(descriptor)
  }
}

function isPacked(path: string, name: string): boolean {
  const descriptor = opened(path, name)
  try {
    const start = Buffer.alloc(2)
    readSync(descriptor, start, 0, 2, 0)
    return start[0] === 0x1f && start[1] === 0x8b
  } catch (error) {
    throw new CliFailure(exitCode.unusableData, `cannot read ${name}: ${systemReason(error)}`)
  } finally {
    closeSync(descriptor)
  }
}

function unpacked(bytes: Buffer, name: string): Buffer {
  try {
    return gunzipSync(bytes)
  } catch {
    throw new CliFailure(exitCode.unusableData, `cannot read ${name}: it is not a complete gzip file`)
  }
}

function opened(path: string, name: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw new CliFailure(exitCode.unusableData, `cannot read ${name}: ${systemReason(error)}`)
  }
}
