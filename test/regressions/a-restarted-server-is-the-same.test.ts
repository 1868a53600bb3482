// Room: world

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openJournals, openWorlds, type ServedJournals } from '../../src/cli/serve/serve-journal.ts'
import { makeSnapshotDocument } from '../../src/journal/snapshot-document.ts'
import type { WorldSnapshot } from '../../src/journal/world-snapshot.ts'
import { createStream } from '../../src/numeric/random.ts'
import {
  giveKey,
  removeFault,
  revokeApiKey,
  scheduleActions,
  setClock,
  setRateLimits,
} from '../../src/world/change-world.ts'
import type { World } from '../../src/world/world.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { folderWith } from '../support/temporary-folder.ts'
import { ManualWallClock } from '../world/manual-wall-clock.ts'

/*
 * Everything about the worlds of a server is the same after a kill and a restart: not only what the digest covers, but
 * also keys, limits, clocks, readings, scripts, and the state after a reset. This test found renamed keys that came back
 * under other names, a journal with a gap, and a world that was not deleted at the end of its time to live.
 */

const scenario = {
  version: 1,
  name: 'named',
  seed: '7',
  clock: { start: '2026-01-05T00:00:00Z', mode: 'manual' },
  market: { flow: { kind: 'hawkes', ratePerMinute: { BTC: 6 } }, assets: { BTC: { price: 50_000 } } },
  accounts: [
    {
      id: 'alice',
      balances: { USD: 1_000_000 },
      keys: [{ key: 'k-alice', secret: 's', scopes: ['READ', 'TRADE'] }],
    },
    { id: 'bob', balances: { USD: 1_000_000 } },
  ],
  timeline: [
    { at: '+3s', key: { key: 'k-alice', revoke: true, for: '4s' } },
    { at: '+5s', key: { account: 'bob', scopes: ['READ'], for: '9s' } },
    { at: '+2s', rateLimit: { category: 'other', perS: 3, for: '20s' } },
    { every: '7s', fault: { match: { method: 'GET' }, latency: '5ms', for: '3s' } },
    { at: '+4s', clock: { skew: '-31s', for: '6s' } },
  ],
}
const planned = [
  { at: '+1s', key: { account: 'alice', revoke: true, for: '2s' } },
  { fault: { match: {}, status: 500, rate: 0.3, for: '4s' } },
  { at: '+1s', deposit: { account: 'bob', asset: 'USD', quantity: 3 } },
  { every: '2s', note: 'x' },
]

const wall = new ManualWallClock()

interface Server {
  readonly worlds: Worlds
  readonly journals: ServedJournals
}

async function start(cwd: string): Promise<Server> {
  const err = (text: string): never => {
    throw new Error(text)
  }
  const terminal = {
    out: () => {},
    err,
    env: {},
    cwd,
    isOutTty: false,
    isErrTty: false,
    listenToKeys: () => null,
    outTaken: async () => {},
    readInput: () => '',
    onInputEnd: () => () => {},
    onStop: () => () => {},
  }
  const options = {
    scenario: join(cwd, 'named.json'),
    journalDir: join(cwd, 'journals'),
    cache: true,
    chosen: new Set<string>(),
  }
  const journals = await openJournals(options, terminal)
  const worlds = new Worlds(wall, journals.store)
  await openWorlds(worlds, journals, options, terminal)
  return { worlds, journals }
}

/** Everything visible of a server's worlds, by id. */
const seen = (worlds: Worlds) =>
  Object.fromEntries(
    worlds.list().map((world) => [
      world.id,
      {
        document: makeSnapshotDocument(world.snapshot()),
        sequence: world.sequence,
        startClock: world.startClock,
        start: world.running.startScenario.source.document,
        routed: world.keys.list().map(({ apiKey }) => worlds.find(apiKey)?.world.id),
      },
    ]),
  )

type Act = (world: World, worlds: Worlds, taken: WorldSnapshot[], pick: <T>(of: readonly T[]) => T) => unknown

const acts: readonly Act[] = [
  (world, _worlds, _taken, pick) => world.advance(pick([0, 500, 3000, 10_000])),
  (world, _worlds, _taken, pick) =>
    world.request('bob', 'POST', '/api/sdk/orders', {
      side: 'buy',
      asset: 'BTC',
      quantity: 0.1,
      price: pick([40_000, 60_000]),
    }),
  (world) => world.request('bob', 'GET', '/api/sdk/orders'),
  (world, worlds, _taken, pick) => {
    const row = world.venue.state.accounts.rowOf(pick(['alice', 'bob']))
    worlds.routeKey(world, giveKey(world, row, ['READ'], null, null))
  },
  (world, _worlds, _taken, pick) => revokeApiKey(world, pick(world.keys.list()).apiKey),
  (world, _worlds, _taken, pick) => setRateLimits(world, { ...world.limiter.limits, other: pick([4, 5, 6]) }),
  (world, _worlds, _taken, pick) => setClock(world, { mode: pick(['manual', 'auto', 'realtime']) }),
  (world) => world.setReadings({ ...world.readings, envelope: 'wrapped' }),
  (world, _worlds, _taken, pick) => scheduleActions(world, [pick(planned)]),
  (world, _worlds, _taken, pick) =>
    removeFault(world, pick([null, ...world.faults.list(world.now).map(({ id }) => id)])),
  (world, _worlds, taken) => taken.push(world.snapshot()),
  (world, worlds, taken, pick) => taken.length > 0 && worlds.restore(world, pick(taken)),
  (world, worlds) =>
    worlds.list().length < 4 &&
    worlds.create(world.running.startScenario, { renamesKeys: true, readings: world.readings }),
  (_world, worlds, taken, pick) => {
    if (taken.length === 0 || worlds.list().length > 3) return
    const snapshot = pick(taken)
    worlds.create(snapshot.scenario, { snapshot })
  },
  (world, worlds, _taken, pick) => worlds.reset(world.id, pick([null, '8'])),
  (world, worlds) => worlds.list().length > 2 && worlds.delete(world.id),
]

it.each([1, 2, 3, 4, 5, 6, 7, 8])('after random use, seed %i', async (seed) => {
  const cwd = folderWith({ 'named.json': JSON.stringify(scenario) })
  const stream = createStream(String(seed), 'restart', '', 0)
  const pick = <T>(of: readonly T[]): T => {
    const found = of[Math.floor(stream.uniform() * of.length)]
    if (found === undefined) throw new Error('there is something to pick')
    return found
  }
  let server = await start(cwd)
  for (const _restart of [1, 2]) {
    const { worlds, journals } = server
    const taken: WorldSnapshot[] = []
    for (let step = 0; step < 40; step += 1) {
      pick(acts)(pick(worlds.list()), worlds, taken, pick)
      wall.advance(pick([0, 0, 300]))
    }
    // Time that passed by itself is in the journal with the next command.
    for (const world of worlds.list()) {
      world.time.catchUp()
      world.advanceTo(world.now)
    }
    const before = seen(worlds)
    journals.release()
    server = await start(cwd)
    expect(seen(server.worlds)).toEqual(before)
  }
  server.journals.release()
})

it('a world with a time to live is still deleted when unused', async () => {
  const cwd = folderWith({ 'named.json': JSON.stringify(scenario) })
  const first = await start(cwd)
  const made = first.worlds.create(first.worlds.default.running.startScenario, {
    id: 'short',
    renamesKeys: true,
    ttlMillis: 5000,
  })
  expect(made.ok).toBe(true)
  first.journals.release()
  const { worlds, journals } = await start(cwd)
  onTestFinished(() => journals.release())
  wall.advance(4999)
  worlds.tick()
  expect(worlds.list().map(({ id }) => id)).toEqual(['default', 'short'])
  wall.advance(1)
  worlds.tick()
  expect(worlds.list().map(({ id }) => id)).toEqual(['default'])
  expect(existsSync(join(cwd, 'journals/short.journal'))).toBe(false)
})
