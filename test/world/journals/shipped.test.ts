import { expect, it } from 'vitest'
import { readFaultRule } from '../../../src/api/faults/read-fault-rule.ts'
import { installFault } from '../../../src/world/change-world.ts'
import { knownNames } from '../../../src/world/faults/fire-faults.ts'
import { startMemoryJournal } from '../../../src/world/journals/journal.ts'
import { createShippedLibrary } from '../../../src/world/shipped/shipped-scenarios.ts'
import { createWorld } from '../../../src/world/world.ts'
import { replayText, scenarioOf } from './recorded.ts'

const shipped = createShippedLibrary()
// One replays a file that the user has to supply.
const own = shipped.names.filter((name) => !name.startsWith('events/') && shipped.load(name)?.ok === true)

it.each(own)('replays a client in %s, whatever the timeline does meanwhile', (name) => {
  const loaded = shipped.load(name)
  if (loaded?.ok !== true) throw new Error(`${name} is shipped`)
  const world = createWorld(loaded.value)
  const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
  const [, asset] = loaded.value.venue.assets
  const { id = '' } =
    loaded.value.access.find(({ keys }) => keys.some(({ scopes }) => scopes.includes('TRADE'))) ?? {}
  for (let step = 0; step < 40; step += 1) {
    const body = {
      side: step % 2 === 0 ? 'buy' : 'sell',
      asset: asset?.symbol,
      quantity: 0.1,
      orderType: 'market',
    }
    if (id !== '') world.request(id, 'POST', '/api/sdk/orders', body)
    world.advance(step % 7 === 0 ? 45_000 : 700)
  }
  const replay = replayText([...journal.text()].join(''))
  if (replay.kind !== 'done') throw new Error(JSON.stringify(replay).slice(0, 300))
  expect(replay.world.digest()).toBe(world.digest())
  expect(replay.world.sequence).toBe(world.sequence)
})

const scripted = {
  version: 1,
  name: 'scripted',
  clock: { start: '2026-01-05T00:00:00Z', mode: 'manual' },
  market: { assets: { BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.8 } } } },
  timeline: [
    { at: '+1s', fault: { id: 'lost', type: 'http_error', count: 2, attributes: { status: 503 } } },
    { at: '+2s', rateLimit: { perS: 3 } },
    {
      at: '+3s',
      order: { as: 'a', account: 'maker', side: 'buy', asset: 'BTC', quantity: 0.2, price: 40_000 },
    },
    { every: '5s', note: 'tick' },
  ],
}

it('records only what came from outside: a timeline repeats its own changes', () => {
  const world = createWorld(scenarioOf(scripted))
  const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
  world.advance('4s')
  for (let read = 0; read < 3; read += 1) world.request('desk', 'GET', '/api/sdk/orders')
  world.request('desk', 'POST', '/api/sdk/orders', {
    side: 'buy',
    asset: 'BTC',
    quantity: 0.1,
    orderType: 'market',
  })
  world.advance('20s')
  const lines = [...journal.text()].slice(1).map((line) => JSON.parse(line))
  const kinds = lines.map(({ command, change }) => command?.kind ?? change.kind)
  expect(new Set(kinds)).toEqual(new Set(['advance', 'fault-counted', 'place-order']))
  const replay = replayText([...journal.text()].join(''))
  if (replay.kind !== 'done') throw new Error(JSON.stringify(replay).slice(0, 300))
  expect(replay.world.digest()).toBe(world.digest())
})

const fault = (id: string, more: object) => ({
  id,
  type: 'http_error',
  match: { method: 'GET' },
  attributes: { status: 503 },
  ...more,
})

it('records the count of a fault rule before the next line, and not with every read', () => {
  const world = createWorld(scenarioOf(scripted))
  const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
  const add = (form: object) => {
    const read = readFaultRule(form, knownNames(world))
    if (!read.ok) throw new Error(read.problem.field)
    installFault(world, read.value)
  }
  add(fault('often', { toxicity: 0.5 }))
  add(fault('never', { skip: 5000 }))
  add(fault('twice', { count: 2, every: 40 }))
  const poll = (): number[] =>
    Array.from({ length: 300 }, () => world.request('desk', 'GET', '/api/sdk/orders').status)
  const before = [...poll(), ...poll()]
  world.advance('500ms')
  const after = poll()
  const lines = [...journal.text()].slice(1).map((line) => JSON.parse(line))
  const told = lines.flatMap(({ change, command }) => change?.id ?? command.kind)
  // One line for each time that a rule with a limited count fires, and one per rule before the advance and at the end.
  expect(told.filter((name) => name === 'twice').length).toBeLessThan(7)
  expect(told.length).toBeLessThan(20)
  expect(before.filter((status) => status === 503).length).toBeGreaterThan(200)
  const replay = replayText([...journal.text()].join(''))
  if (replay.kind !== 'done') throw new Error(JSON.stringify(replay).slice(0, 300))
  expect(replay.world.digest()).toBe(world.digest())
  expect(replay.world.sequence).toBe(world.sequence)
  const fork = world.fork()
  world.restore(fork.snapshot())
  expect(world.faults.get('never')?.matched).toBe(900)
  expect(after.length).toBe(300)
})
