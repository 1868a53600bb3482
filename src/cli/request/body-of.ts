import { resolve } from 'node:path'
import { CliFailure, exitCode } from '../failure.ts'
import { readRegularFile } from '../read-text-file.ts'
import type { Terminal } from '../terminal.ts'

const maximumBodyBytes = 16 * 1024 * 1024

/**
 * The body that `-d` means: the text itself, a file's with `@`, standard input's with `-`; none when it is not given.
 */
export function bodyOf(data: string | undefined, terminal: Terminal): string {
  if (data === undefined) return ''
  if (data === '-') return terminal.readInput()
  if (!data.startsWith('@')) return data
  const file = readRegularFile(resolve(terminal.cwd, data.slice(1)), maximumBodyBytes)
  if (!file.ok) throw new CliFailure(exitCode.usage, `cannot read ${data.slice(1)}: ${file.reason}`)
  return file.bytes.toString('utf8')
}
