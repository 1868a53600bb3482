import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findWheel } from './find-wheel.ts'

const script = fileURLToPath(new URL('record_runs.py', import.meta.url))

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
  const found = findWheel()
  if (typeof found === 'string') return found
  const { env, python } = found
  for (const { file, set, symbol } of named) {
    const words = [script, join(books, file), folder, set, symbol, String(lots[symbol] ?? 0.0001)]
    const { status, stderr, stdout } = spawnSync(python, words, { env, encoding: 'utf8' })
    for (const line of stdout.trim().split('\n')) write(`recorded ${line}`)
    if (status !== 0) return `the run over ${file} has failed: ${stderr.trim().split('\n').at(-1) ?? ''}`
  }
  return null
}
