import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { showReplayed } from '../../src/cli/journal/replay.ts'
import { buildPage } from '../../src/cli/journal/show.ts'
import { withJournal } from '../../src/cli/read-journal.ts'
import { inWorld } from '../../src/testing/in-world.ts'
import { giveKey } from '../../src/world/change-world.ts'
import { noReplayLimit, replayJournal } from '../../src/world/journals/replay.ts'
import { quietScenario } from '../world/scenarios.ts'

const folder = mkdtempSync(join(tmpdir(), 'otcsim-shown-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const secrets = ['stated-by-the-scenario', 'given-on-the-way', 'revoked-by-a-restore']

const scenario = {
  ...quietScenario,
  accounts: [
    {
      id: 'trader',
      balances: { USD: 1000 },
      keys: [{ key: 'k-trader', secret: secrets[0], scopes: ['READ'] }],
    },
  ],
}

it('keeps and shows a failed test without the secret of any key', async () => {
  let digest = ''
  const failing = inWorld(
    'a test that fails',
    ({ world }) => {
      const trader = world.world.venue.state.accounts.rowOf('trader')
      giveKey(world.world, trader, ['READ'], 'k-second', secrets[1] ?? '')
      const before = world.snapshot()
      giveKey(world.world, trader, ['READ'], 'k-third', secrets[2] ?? '')
      world.restore(before)
      world.advance('1s')
      digest = world.digest()
      throw new Error('it fails')
    },
    { scenario, journals: folder },
  )
  await expect(failing).rejects.toThrow('it fails')
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(kept).toHaveLength(2)

  const terminal = { cwd: folder, err: () => {} }
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.journal')) ?? '')
  const replayed = withJournal(file, terminal, (lines) => replayJournal(lines, noReplayLimit))
  if (replayed.kind !== 'done') throw new Error('the journal replays')
  expect(replayed.world.digest()).toBe(digest)
  const page = await buildPage(showReplayed(file, replayed, terminal))
  const packed = /<script type="text\/plain" id="recording"[^>]*>([^<]*)</.exec(page)?.[1] ?? ''
  const recording = gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')
  expect(recording).toContain('k-second')
  for (const text of [...kept, page, recording])
    for (const secret of secrets) expect(text).not.toContain(secret)
})

it('says how many moments the page leaves out', async () => {
  const long = inWorld(
    'a long test that fails',
    ({ world }) => {
      for (let second = 0; second < 5; second += 1) world.advance('1s')
      throw new Error('it fails')
    },
    { scenario, journals: join(folder, 'long') },
  )
  await expect(long).rejects.toThrow('it fails')
  const terminal = { cwd: folder, err: () => {} }
  const names = readdirSync(join(folder, 'long'))
  const file = join(folder, 'long', names.find((name) => name.endsWith('.journal')) ?? '')
  const replayed = withJournal(file, terminal, (lines) => replayJournal(lines, noReplayLimit))
  if (replayed.kind !== 'done') throw new Error('the journal replays')
  const said: number[][] = []
  await buildPage(showReplayed(file, replayed, terminal), {
    mostMoments: 4,
    sayCut: (kept, all) => said.push([kept, all]),
  })
  expect(said).toEqual([[4, 7]])
})
