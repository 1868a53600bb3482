// Room: world

import { describe, expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { giveKey, openAccount } from '../../src/world/change-world.ts'
import { startMemoryJournal } from '../../src/world/journals/journal.ts'
import { createWorld, type World } from '../../src/world/world.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { startFixture } from '../server/venue-fixture.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { forgeJournal, replayText } from '../world/journals/recorded.ts'
import { ManualWallClock } from '../world/manual-wall-clock.ts'
import { quietScenario } from '../world/scenarios.ts'

/*
 * The admin API opened an account in one line of the journal, and gave it each of its keys in another: a process that
 * was killed between them came back with an account that nobody could use. Also, a key without a name could get the
 * name that the form gave to another one, and one of the two was lost.
 */

const form = {
  id: 'late',
  balances: { USD: 1000 },
  keys: [{ key: 'k-late', secret: 's-late', scopes: ['READ', 'TRADE'] }, { scopes: ['READ'] }],
}

describe('an account that is opened with keys', () => {
  it('is one line of the journal, which gives it back with all of them', async () => {
    const venue = await startFixture()
    const world = venue.worlds.default
    const before = world.sequence
    expect((await venue.admin('POST', '/worlds/default/accounts', form)).status).toBe(201)
    expect(world.sequence).toBe(before + 1)
    await venue.server.close()
    const journal = [...(venue.worlds.journalOf(world)?.text() ?? [])].join('')
    const replay = replayText(journal)
    if (replay.kind !== 'done') throw new Error(JSON.stringify(replay))
    expect(replay.world.digest()).toBe(world.digest())
    expect(replay.world.keys.capture()).toEqual(world.keys.capture())
    expect(world.keys.list().filter(({ accountId }) => accountId === 'late')).toHaveLength(2)
  })

  it('is there with its keys or not at all when the line cannot be written', () => {
    const worlds = new Worlds(new ManualWallClock())
    const made = worlds.create(compiledScenario(quietScenario), { id: 'w' })
    if (!made.ok) throw new Error('a world can be made')
    const { world } = made
    const before = [world.digest(), world.keys.capture()]
    world.observe({
      afterCommand: () => {},
      beforeChange: () => {
        throw new Error('the disk is full')
      },
    })
    expect(() => openAccount(world, newcomer, twoKeys)).toThrow('the disk is full')
    expect([world.digest(), world.keys.capture()]).toEqual(before)
  })

  it('is refused as the command is, and nothing has happened', () => {
    const world = createWorld(compiledScenario(quietScenario))
    const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
    const before = [world.digest(), [...journal.text()].length]
    expect(openAccount(world, { ...newcomer, id: 'desk' }, twoKeys)).toEqual({
      code: 'account-exists',
    })
    expect([world.digest(), [...journal.text()].length]).toEqual(before)
  })

  it('has as many keys as were asked for, whatever they are called', () => {
    const world = createWorld(compiledScenario(quietScenario))
    const taken = { apiKey: 'simk_default_late', apiSecret: 's', scopes: [] }
    const given = openAccount(world, newcomer, [
      { ...taken, apiKey: null },
      taken,
      { ...taken, apiKey: null },
    ])
    expect('code' in given ? given : given.map(({ apiKey }) => apiKey)).toEqual([
      'simk_default_late_2',
      'simk_default_late',
      'simk_default_late_3',
    ])
  })

  it('still comes from a journal with a line for each key', () => {
    const opened = createWorld(compiledScenario(quietScenario))
    const journal = startMemoryJournal(opened, { otcsim: 'test', start: null })
    byLines(opened)
    const replay = replayText(
      forgeJournal([...journal.text()].join('').split('\n').slice(0, -1), () => undefined),
    )
    if (replay.kind !== 'done') throw new Error(JSON.stringify(replay))
    expect(replay.world.digest()).toBe(opened.digest())
    expect(replay.world.keys.capture()).toEqual(opened.keys.capture())
    const atOnce = createWorld(compiledScenario(quietScenario))
    openAccount(atOnce, newcomer, twoKeys)
    expect(atOnce.digest()).toBe(opened.digest())
    expect(atOnce.keys.capture()).toEqual(opened.keys.capture())
  })
})

const twoKeys = [
  { apiKey: 'k-late', apiSecret: 's-late', scopes: ['READ'] },
  { apiKey: null, apiSecret: null, scopes: ['TRADE'] },
] as const

const newcomer = {
  id: 'late',
  type: 'cash',
  balances: new Map(),
  averageEntryPrices: new Map(),
  limits: limitsOf(),
  fees: null,
} as const

function limitsOf() {
  const { venue } = compiledScenario(quietScenario)
  const [account] = venue.accounts
  if (account === undefined) throw new Error('the scenario has accounts')
  return account.limits
}

/** As earlier versions did it. */
function byLines(world: World): void {
  world.execute({ kind: 'create-account', at: millis(world.now), account: newcomer })
  const row = world.venue.state.accounts.rowOf('late')
  for (const { scopes, apiKey, apiSecret } of twoKeys) giveKey(world, row, scopes, apiKey, apiSecret)
}
