import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { repositoryRoot } from './source.ts'

/* How many files of the sources one order passes, from the socket to its fill and its answer; see `order-files.ts`. */

/** As many as a newcomer reads on the way of one order. */
const mostFiles = 40

it('an order passes few files', () => {
  const script = fileURLToPath(new URL('order-files.ts', import.meta.url))
  const words = ['--import', 'tsx', script]
  const printed = execFileSync(process.execPath, words, { cwd: repositoryRoot, encoding: 'utf8' })
  const { trades, files }: { readonly trades: number; readonly files: readonly string[] } =
    JSON.parse(printed)
  expect(trades).toBe(4)
  expect(files).toContain('src/engine/venue.ts')
  const remedy = 'let a file next door do it, or load what an order does not need when it is called'
  expect(files.length, `${remedy}\n${files.join('\n')}`).toBeLessThanOrEqual(mostFiles)
})
