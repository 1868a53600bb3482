import { readFile } from '../read-file.ts'
import type { Terminal } from '../terminal.ts'

const maximumBodyBytes = 16 * 1024 * 1024

/**
 * The body that `-d` means: the text itself, a file's with `@`, standard input's with `-`; none when it is not given.
 */
export function bodyOf(data: string | undefined, terminal: Terminal): string {
  if (data === undefined) return ''
  if (data === '-') return terminal.readInput()
  if (!data.startsWith('@')) return data
  return readFile(terminal.cwd, data.slice(1), maximumBodyBytes).toString('utf8')
}
