import { expect, it } from 'vitest'
import { leaveOutSecrets } from '../../src/journal/leave-out-secrets.ts'
import { linesOfBytes } from '../../src/journal/lines.ts'
import { giveKey, openAccount } from '../../src/world/change-world.ts'
import { startMemoryJournal } from '../../src/world/journals/journal.ts'
import { noReplayLimit, replayJournal } from '../../src/world/journals/replay.ts'
import { createWorld, forkWorld, type World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { busy, order } from '../world/fixtures.ts'
import { quietScenario } from '../world/scenarios.ts'

const keyed = compiledScenario({
  ...quietScenario,
  accounts: [
    {
      id: 'trader',
      balances: { USD: 1_000_000 },
      keys: [{ key: 'k-1', secret: 'secret-1', scopes: ['READ', 'TRADE'] }],
    },
  ],
})

function textOf(world: World, act: () => void, start = false): string {
  const journal = startMemoryJournal(world, { otcsim: '0.0.0', start: start ? world.snapshot() : null })
  act()
  return [...journal.text()].join('')
}

const replayed = (text: string) => replayJournal(linesOfBytes(Buffer.from(text)), noReplayLimit)

it.each<[string, () => readonly [World, string]]>([
  [
    'the scenario',
    () => {
      const world = createWorld(keyed)
      return [world, textOf(world, () => world.request('trader', 'POST', '/api/sdk/orders', order))]
    },
  ],
  [
    'keys that were given, alone and with an account',
    () => {
      const world = createWorld(busy)
      const act = () => {
        const [account] = busy.venue.accounts
        if (account === undefined) throw new Error('the scenario has accounts')
        giveKey(world, world.venue.state.accounts.rowOf('trader'), ['READ'], 'k-2', 'secret-2')
        const grant = { apiKey: 'k-3', apiSecret: 'secret-3', scopes: ['READ'] } as const
        expect(openAccount(world, { ...account, id: 'late' }, [grant])).toHaveLength(1)
      }
      return [world, textOf(world, act)]
    },
  ],
  [
    'snapshots that it restores, one of them twice',
    () => {
      const world = createWorld(keyed)
      const act = () => {
        const before = world.snapshot()
        world.advance('1s')
        world.restore(before)
        world.advance('2s')
        world.restore(before)
      }
      return [world, textOf(world, act)]
    },
  ],
  [
    'the state that it begins with',
    () => {
      const world = forkWorld(createWorld(keyed).snapshot())
      return [world, textOf(world, () => world.advance('1s'), true)]
    },
  ],
])('leaves out the secrets of %s, and replays to the same digest', (_, make) => {
  const [world, text] = make()
  expect(text).toMatch(/secret-\d/)
  const safe = leaveOutSecrets(text)
  expect(safe).not.toMatch(/secret-\d/)
  expect(safe.length).toBeLessThan(text.length + 500)
  const replay = replayed(safe)
  if (replay.kind !== 'done') throw new Error('it replays')
  expect(replay.world.digest()).toBe(world.digest())
  expect(replay.end.sequence).toBe(world.sequence)
})
