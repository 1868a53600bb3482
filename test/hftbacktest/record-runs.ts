import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { findProgram, lackOf } from '../support/wanted-programs.ts'

const script = fileURLToPath(new URL('record_runs.py', import.meta.url))
/** Where `pip install --target` puts the wheel, beside the other programs of tests. */
const wheelFolder = fileURLToPath(new URL('../../.otcsim/programs/python', import.meta.url))
const wheel = 'hftbacktest==2.4.4'

const lots: Readonly<Record<string, number>> = { BTCUSDT: 0.00001, ETHUSDT: 0.0001 }

/**
 * Makes new runs with the published wheel over the books of a folder, and writes them to another one. Returns null, or why
 * it cannot: no book, no Python, no wheel, or what the wheel has said.
 */
export function recordRuns(data: string, folder: string, write: (line: string) => void): string | null {
  const books = join(data, 'books')
  const files = data !== '' && existsSync(books) ? readdirSync(books) : []
  const named = files.flatMap((file) => {
    const [, set, symbol] = /^events_(B)_(\w+)\.csv\.gz$/.exec(file) ?? []
    return set === undefined || symbol === undefined ? [] : [{ file, set, symbol }]
  })
  if (named.length === 0)
    return `there is no books/events_B_SYMBOL.csv.gz in ${data || 'the folder of --data'}`
  const path = [wheelFolder, process.env['PYTHONPATH']].filter((part) => part !== undefined).join(delimiter)
  const env = { ...process.env, PYTHONPATH: path }
  const python = findProgram('python3')
  if (python === null) return lackOf('python3')
  const found = spawnSync(python, ['-c', 'import hftbacktest'], { env, encoding: 'utf8' })
  if (found.error !== undefined) return `python3 cannot be started: ${found.error.message}`
  if (found.status !== 0) {
    const reason = found.stderr.trim().split('\n').at(-1) ?? ''
    return `python3 has no hftbacktest (${reason}); python3 -m pip install --target .otcsim/programs/python ${wheel}`
  }
  for (const { file, set, symbol } of named) {
    const words = [script, join(books, file), folder, set, symbol, String(lots[symbol] ?? 0.0001)]
    const { status, stderr, stdout } = spawnSync(python, words, { env, encoding: 'utf8' })
    for (const line of stdout.trim().split('\n')) write(`recorded ${line}`)
    if (status !== 0) return `the run over ${file} has failed: ${stderr.trim().split('\n').at(-1) ?? ''}`
  }
  return null
}
