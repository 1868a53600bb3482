// Room: engine

import { expect, it } from 'vitest'
import {
  backtest,
  createVenueClient,
  createWorld,
  forkWorld,
  loadScenario,
  startVenue,
} from '../../src/index.ts'

/*
 * Wrong arguments from plain JavaScript. A command without an instant advanced time for ever, and a name instead of a
 * scenario was "not iterable".
 */

const call = (callee: object, name: string, ...given: readonly unknown[]): unknown =>
  Reflect.apply(Reflect.get(callee, name), callee, given)

it.each([[undefined], [Number.NaN], [Number.POSITIVE_INFINITY], [1_767_571_300_000.5]])(
  'a command at %s is refused, and changes nothing',
  async (at) => {
    const world = createWorld(await loadScenario('calm'))
    const before = world.digest()
    expect(() => call(world, 'execute', { kind: 'advance', at })).toThrow(RangeError)
    expect(world.digest()).toBe(before)
    world.advance('1s')
    expect(world.request('trader', 'GET', '/api/sdk/portfolio/balances').status).toBe(200)
  },
)

it('says what createWorld and loadScenario take', async () => {
  const library = { createWorld, loadScenario }
  expect(() => call(library, 'createWorld', 'calm')).toThrow(
    'createWorld takes what loadScenario gives, found "calm"',
  )
  expect(() => call(library, 'createWorld')).toThrow(
    'createWorld takes what loadScenario gives, found undefined',
  )
  expect(() => call(library, 'createWorld', loadScenario('calm'))).toThrow(
    'createWorld takes what loadScenario gives, found a promise that nobody awaited',
  )
  await expect(call(library, 'loadScenario', 5)).rejects.toThrow(
    'loadScenario takes the name of a scenario or a file, found 5',
  )
})

it('says what restore, forkWorld, execute, request and createVenueClient take, and changes nothing', async () => {
  const world = createWorld(await loadScenario('calm'))
  const before = world.digest()
  const library = { createVenueClient, forkWorld }
  for (const given of [{}, null, undefined, 'x', { scenario: world.scenario }]) {
    expect(() => call(world, 'restore', given)).toThrow('restore takes what snapshot() gives, found')
    expect(() => call(library, 'forkWorld', given)).toThrow('forkWorld takes what snapshot() gives, found')
  }
  expect(() => call(world, 'fork', { clck: {} })).toThrow(
    'a fork has no option "clck"; did you mean "clock"?',
  )
  expect(() => call(world, 'execute', { kind: 'plce-order', at: world.now })).toThrow(
    'there is no command plce-order',
  )
  expect(() => call(world, 'request', 'trader', 'GET')).toThrow(
    'request takes a path such as /api/sdk/orders',
  )
  expect(() => call(library, 'createVenueClient')).toThrow(
    'createVenueClient takes its options as an object, found undefined',
  )
  expect(world.digest()).toBe(before)
})

it('refuses options that do not exist, and names the nearest', async () => {
  const scenario = await loadScenario('calm')
  const still = { name: 'still', onTick: () => undefined }
  const library = { backtest, createVenueClient, createWorld, loadScenario, startVenue }
  await expect(call(library, 'loadScenario', 'calm', { sed: '7' })).rejects.toThrow(
    'loadScenario has no option "sed"; did you mean "seed"?',
  )
  await expect(call(library, 'loadScenario', 'calm', null)).rejects.toThrow(
    'loadScenario takes its options as an object, found null',
  )
  expect(() => call(library, 'createWorld', scenario, { reading: {} })).toThrow('did you mean "readings"?')
  expect(() => call(library, 'createWorld', scenario, { clock: { stepMs: 5 } })).toThrow(
    'the clock of createWorld has no option "stepMs"',
  )
  expect(() => call(library, 'createWorld', scenario, { clock: { mode: 'stepped' } })).toThrow(
    'mode must be one of realtime, manual, auto, follow, found "stepped"',
  )
  await expect(call(library, 'startVenue', { scenaro: 'calm' })).rejects.toThrow('did you mean "scenario"?')
  await expect(call(library, 'startVenue', { clock: { mode: 'stepped' } })).rejects.toThrow(RangeError)
  await expect(call(library, 'backtest', still, { scenario, lateny: {} })).rejects.toThrow(
    'backtest has no option "lateny"; did you mean "latency"?',
  )
  await expect(call(library, 'backtest', undefined, { scenario })).rejects.toThrow('a strategy is an object')
  expect(() => call(library, 'createVenueClient', { baseUrl: 'http://127.0.0.1:1' })).toThrow(/apiKey/)
  expect(() => call(library, 'createVenueClient', { baseUrl: 'http://127.0.0.1:1', apiKey: 'k' })).toThrow(
    'apiSecret must be a text',
  )
})

it('accepts a seed as a number, and readings of which only some are given', async () => {
  const scenario = await loadScenario('calm', { seed: 7 })
  const world = createWorld(scenario, { seed: 8, readings: { envelope: 'wrapped', createdStatus: 200 } })
  expect(world.seed).toBe('8')
  expect(world.digest()).toBe(createWorld(scenario, { seed: '8' }).digest())
  expect(createWorld(scenario).seed).toBe('7')
  const order = { side: 'buy', asset: 'BTC', quantity: 0.1, price: 50_000 }
  expect(world.request('trader', 'POST', '/api/sdk/orders', order)).toMatchObject({
    status: 200,
    body: { data: { status: 'open', clientOrderId: null } },
  })
  expect(() => createWorld(scenario, { readings: { envelop: 'wrapped' } })).toThrow(/envelop .*envelope/)
})

it('a client of an unknown account is refused at once', async () => {
  const world = createWorld(await loadScenario('calm'))
  expect(() => world.client('tradr')).toThrow('world default has no account "tradr"; did you mean "trader"?')
  // The venue's own accounts have no clients.
  for (const id of ['house', 'nobody', '']) expect(() => world.client(id)).toThrow(RangeError)
  expect(() => world.request('nobody', 'GET', '/api/sdk/orders')).toThrow('has no account "nobody"')
  const venue = await startVenue()
  expect(() => venue.world.client('nobody')).toThrow(RangeError)
  await venue.close()
})
