import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { repositoryRoot } from './source.ts'

/* How many files of the sources one order passes, from the socket to its fill and its answer; see `order-files.ts`. */

const ratchets: Record<string, number> = JSON.parse(
  readFileSync(new URL('ratchets.json', import.meta.url), 'utf8'),
)

it('an order passes no more files than before', () => {
  const script = fileURLToPath(new URL('order-files.ts', import.meta.url))
  const words = ['--import', 'tsx', script]
  const printed = execFileSync(process.execPath, words, { cwd: repositoryRoot, encoding: 'utf8' })
  const { trades, files }: { readonly trades: number; readonly files: readonly string[] } =
    JSON.parse(printed)
  expect(trades).toBe(4)
  expect(files).toContain('src/engine/venue.ts')
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(ratchets['files that an order passes'] ?? -1)
})
