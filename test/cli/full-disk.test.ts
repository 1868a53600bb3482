import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inWorld } from '../../src/testing/entry.ts'
import { folderWith, repository, temporaryFolder } from './harness.ts'

/*
 * What commands say when there is no room: what could not be written and why, with a code of the contract, and never that
 * the fault is ours or a strategy's. The built command under a limit of its files' size.
 */

const bundle = join(repository, 'dist', 'cli.cjs')

/** Orders by the thousand. */
const strategy = `export default {
  name: 'busy',
  tick: '1m',
  onTick: ({ venue }) => {
    venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.001, price: 40_000 })
    venue.orders.cancelAll()
  },
}`

/** In blocks of 512 or 1024 bytes, which is up to the shell. */
function limited(cwd: string, blocks: number, words: readonly string[]) {
  const quoted = [process.execPath, bundle, ...words].map((word) => `'${word}'`).join(' ')
  const { status, stderr } = spawnSync('sh', ['-c', `ulimit -S -f ${blocks}; exec ${quoted}`], {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { status, stderr, files: readdirSync(cwd).sort() }
}

const run = ['backtest', 'STRATEGY', '--model', 'constant', '--to', '2h']

it.each([
  [
    'a journal that has no room for its header',
    2,
    [...run, '--journal', 'j'],
    5,
    'j: the file is too large',
    ['j'],
  ],
  ['one that fills up on the way', 16, [...run, '--journal', 'j'], 5, 'j: the file is too large', ['j']],
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
] as const)('%s', (_, blocks, words, status, reason, files) => {
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

it('a test that fails is seen to fail where its journal cannot be kept', async () => {
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
