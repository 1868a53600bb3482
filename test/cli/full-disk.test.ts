import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inWorld } from '../../src/testing/entry.ts'
import { programPath } from '../support/program-path.ts'
import { folderWith, temporaryFolder } from '../support/temporary-folder.ts'
import { repository } from './harness.ts'

/*
 * Commands on a full disk say what could not be written and why, exit with a documented code, and do not blame a bug or
 * the strategy. Tested with the built command under a limit on file sizes.
 */

const bundle = join(repository, 'dist', 'cli.cjs')

/** A strategy that places thousands of orders. */
const strategy = `export default {
  name: 'busy',
  tick: '1m',
  onTick: ({ venue }) => {
    venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.001, price: 40_000 })
    venue.orders.cancelAll()
  },
}`

/** The size of a block is 512 or 1024 bytes, depending on the shell. */
function limited(cwd: string, blocks: number, words: readonly string[]) {
  const quoted = [process.execPath, bundle, ...words].map((word) => `'${word}'`).join(' ')
  const { status, stderr } = spawnSync(programPath('sh'), ['-c', `ulimit -S -f ${blocks}; exec ${quoted}`], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stderr, files: readdirSync(cwd).sort() }
}

const run = ['backtest', 'STRATEGY', '--model', 'constant', '--to', '2h']

it.each([
  [
    'a journal without room for its header',
    2,
    [...run, '--journal', 'j'],
    5,
    'j: the file is too large',
    ['j'],
  ],
  ['one that fills up during the run', 16, [...run, '--journal', 'j'], 5, 'j: the file is too large', ['j']],
  ['a served world’s', 2, ['serve', '--port', '0', '--journal', 'j'], 5, 'j: the file is too large', ['j']],
  ['a report', 8, [...run, '--html', 'r.html'], 2, 'r.html: the file is too large', []],
  [
    'the store of a sweep',
    1,
    ['sweep', 'STRATEGY', '--model', 'constant', '--to', '5m', '--seeds', '1..90', '--store', 's'],
    2,
    's: the file is too large',
    ['s'],
  ],
] as const)('%s', { tags: ['sh'] }, (_, blocks, words, status, reason, files) => {
  const file = join(folderWith({ 'busy.mjs': strategy }), 'busy.mjs')
  const answer = limited(
    temporaryFolder(),
    blocks,
    words.map((word) => (word === 'STRATEGY' ? file : word)),
  )
  expect(answer).toMatchObject({ status, files })
  expect(answer.stderr.trimEnd().split('\n').at(-1)).toMatch(/^cannot write /)
  expect(answer.stderr).toContain(reason)
})

it('a failing test is reported when its journal cannot be kept', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'taken'), '')
  const failing = inWorld(
    'a failing test',
    () => {
      throw new Error('what is wrong')
    },
    { journals: join(folder, 'taken') },
  )
  await expect(failing).rejects.toThrow('what is wrong')
})
