import { describe, expect, it } from 'vitest'
import { readFaultRule } from '../../../src/api/faults/read-fault-rule.ts'
import { knownNames } from '../../../src/world/faults/known-names.ts'
import { readSnapshotDocument, snapshotDocument } from '../../../src/world/snapshots/snapshot-document.ts'
import { createWorld, forkWorld, type World } from '../../../src/world/world.ts'
import { Worlds } from '../../../src/world/worlds.ts'
import { compiledScenario } from '../../support/compiled-scenario.ts'
import { ManualWallClock } from '../clock/manual-wall-clock.ts'
import { liquidScenario, quietScenario } from '../scenarios.ts'

const quiet = compiledScenario(quietScenario)
/** Moving prices, takers, and a timeline whose later entries depend on the earlier ones. */
const busy = compiledScenario({
  ...liquidScenario,
  name: 'busy',
  market: {
    flow: { kind: 'hawkes', ratePerMinute: { BTC: 30 } },
    assets: {
      BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.8 }, liquidity: { kind: 'power' } },
    },
  },
  timeline: [
    {
      at: '+2s',
      order: { as: 'first', account: 'trader', asset: 'BTC', side: 'buy', quantity: 0.5, price: '-1%' },
    },
    { at: '+20s', amend: { order: 'first', quantity: 0.4 } },
    { every: '7s', order: { account: 'desk', asset: 'BTC', side: 'sell', quantity: 0.01, price: '+1%' } },
    { at: '+30s', deposit: { account: 'trader', asset: 'USD', quantity: 5, pending: '10s' } },
    { at: '+40s', cancel: { order: 'first' } },
  ],
})

/** Without takers, whose history takes a while to compute when statistics are first read. */
const moving = compiledScenario({
  ...liquidScenario,
  market: {
    flow: { kind: 'none' },
    assets: { BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.8 }, liquidity: { kind: 'power' } } },
  },
})

const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 50_000 }
const addFault = (world: World, form: object) => {
  const read = readFaultRule(form, knownNames(world.venue.state))
  if (!read.ok) throw new Error(read.flaw.reason)
  world.controls.addFault(read.value)
}

/** Orders, quotes, a pending transfer, halves of the clock's seconds, and reads: everything that a client sees later. */
function goOn(world: World): readonly unknown[] {
  const seen: unknown[] = []
  for (let step = 0; step < 6; step += 1) {
    const side = step % 2 === 0 ? 'buy' : 'sell'
    seen.push(world.request('trader', 'POST', '/api/sdk/orders', { ...order, side, quantity: 0.01 }))
    const quote = { asset: 'BTC', bidPrice: 49_000, askPrice: 51_000, bidSize: 0.1, askSize: 0.1 }
    if (step % 5 === 0)
      seen.push(world.request('maker', 'POST', '/api/sdk/quotes', { ...quote, validForSeconds: 7 }))
    world.advance(4321)
    seen.push(world.request('trader', 'GET', '/api/sdk/portfolio/summary'))
    seen.push(world.request('trader', 'GET', '/api/sdk/market-data/stats'))
    seen.push(world.request('trader', 'GET', '/api/sdk/orders'))
    seen.push(world.digest())
  }
  return seen
}

describe('a snapshot', () => {
  it.each([0, 999, 33_333])('after %d ms continues as if the world had never stopped', (millis) => {
    const world = createWorld(busy)
    world.request('trader', 'POST', '/api/sdk/orders', order)
    world.advance(millis)
    const snapshot = world.snapshot()
    const digest = world.digest()
    const fork = forkWorld(snapshot, { id: 'fork' })
    expect(fork.digest()).toBe(digest)
    const undisturbed = goOn(world)
    expect(goOn(fork)).toEqual(undisturbed)
    for (let time = 0; time < 2; time += 1) {
      world.restore(snapshot)
      expect(world.digest()).toBe(digest)
      expect(goOn(world)).toEqual(undisturbed)
    }
  })

  it('is not changed by what the world does later', () => {
    const world = createWorld(busy)
    world.advance('10s')
    const snapshot = world.snapshot()
    const before = JSON.stringify(snapshotDocument(snapshot))
    goOn(world)
    expect(JSON.stringify(snapshotDocument(snapshot))).toBe(before)
  })

  it('restores id counters, clock, keys, limits and rules; sequences continue', () => {
    const world = createWorld(quiet)
    addFault(world, { type: 'http_error', attributes: { status: 500 }, match: { method: 'GET' }, skip: 1 })
    world.request('trader', 'GET', '/api/sdk/orders')
    const snapshot = world.snapshot()
    const { sequence, keys, limiter } = world
    world.request('trader', 'POST', '/api/sdk/orders', order)
    world.controls.giveKey(3, ['READ'], 'late', 'late')
    world.controls.revokeKey('simk_default_trader')
    world.controls.setRateLimits({ ...limiter.limits, other: 1 })
    world.controls.setClock({ mode: 'auto' })
    world.controls.removeFault(null)
    world.restore(snapshot)
    expect(world.sequence).toBeGreaterThan(sequence)
    expect(world.clock.mode).toBe('manual')
    expect(limiter.limits.other).toBe(10)
    expect(keys.get('late')).toBeUndefined()
    expect(keys.get('simk_default_trader')?.isRevoked).toBe(false)
    expect(world.request('trader', 'GET', '/api/sdk/orders').status).toBe(500)
    const placed = world.request('trader', 'POST', '/api/sdk/orders', order)
    expect(placed.body).toMatchObject({ orderId: 'ord_1' })
  })

  it('gives a fork keys of its own, except those that the scenario names', () => {
    const named = compiledScenario({
      ...quietScenario,
      accounts: [{ id: 'a', keys: [{ key: 'k-a', secret: 's-a', scopes: ['READ'] }, { scopes: ['TRADE'] }] }],
    })
    const world = createWorld(named, { id: 'one' })
    world.controls.giveKey(3, ['READ'], 'given', 'secret')
    const names = (fork: World) => fork.keys.list().map(({ apiKey }) => apiKey)
    expect(names(world)).toEqual(['k-a', 'simk_one_a', 'given'])
    expect(names(world.fork({ id: 'two' }))).toEqual(['k-a', 'simk_two_a', 'simk_two_a_2'])
  })

  it('contains the past that a fault rule shows to clients', () => {
    const world = createWorld(moving)
    addFault(world, { type: 'stale_market_data', attributes: { delayMs: 9000 } })
    world.advance('12s')
    const prices = (of: World) => {
      const seen: unknown[] = []
      for (let step = 0; step < 5; step += 1) {
        of.request('trader', 'POST', '/api/sdk/orders', order)
        of.advance(2500)
        seen.push(of.request('trader', 'GET', '/api/sdk/market-data/prices'), of.digest())
      }
      return seen
    }
    const snapshot = world.snapshot()
    const undisturbed = prices(world)
    world.restore(snapshot)
    expect(prices(world)).toEqual(undisturbed)
  })

  it('contains what the script has done to a view of the past', () => {
    const failing = compiledScenario({
      ...quietScenario,
      timeline: [{ at: '+1s', fault: { match: { path: '/api/sdk/*' }, status: 500, rate: 0.5, for: '1h' } }],
    })
    const world = createWorld(failing)
    addFault(world, { type: 'balance_lag', attributes: { delayMs: 1000 } })
    world.advance('5s')
    world.request('trader', 'GET', '/api/sdk/portfolio/balances')
    const { lags } = world.snapshot()
    expect(lags.map(({ shadow }) => shadow.faults.rules.length)).toEqual([1])
    expect(
      world
        .fork()
        .snapshot()
        .lags.map(({ shadow }) => shadow.faults),
    ).toEqual(lags.map(({ shadow }) => shadow.faults))
  })

  it('has that past in its document too, and the actions added to the timeline since', () => {
    const world = createWorld(moving)
    addFault(world, { type: 'balance_lag', attributes: { delayMs: 4000 } })
    world.advance('6s')
    expect(
      world.controls.schedule([{ at: '+1s', deposit: { account: 'trader', asset: 'USD', quantity: 5 } }]),
    ).toEqual([])
    world.request('trader', 'POST', '/api/sdk/orders', order)
    const read = readSnapshotDocument(JSON.parse(JSON.stringify(snapshotDocument(world.snapshot()))))
    if (!read.ok) throw new Error(`${read.field} ${read.reason}`)
    const other = forkWorld(read.snapshot, { id: 'other' })
    const balance = (of: World) => of.request('trader', 'GET', '/api/sdk/portfolio/balances/USD').body
    const seen: unknown[] = []
    for (let second = 0; second < 7; second += 1) {
      for (const each of [world, other]) each.advance('1s')
      expect(balance(other)).toEqual(balance(world))
      seen.push(Reflect.get(balance(world), 'total'))
    }
    expect(seen).toEqual([...Array(4).fill(1_000_000), ...Array(3).fill(1_000_005)])
  })

  it('contains the actions that were added to a running timeline', () => {
    const world = createWorld(busy)
    world.advance('10s')
    const entries = [
      { at: '+5s', halt: { asset: 'BTC', for: '3s' } },
      { every: '4s', deposit: { account: 'trader', asset: 'USD', quantity: 1 } },
      { note: 'now' },
    ]
    expect(world.controls.schedule(entries)).toEqual([])
    const snapshot = world.snapshot()
    const run = (of: World) => {
      of.advance('6s')
      const halted = of.request('trader', 'POST', '/api/sdk/orders', order)
      of.advance('30s')
      return [halted, of.request('trader', 'GET', '/api/sdk/portfolio/balances'), of.digest()]
    }
    const undisturbed = run(world)
    expect(undisturbed[0]).toMatchObject({ status: 400 })
    expect(run(forkWorld(snapshot, { id: 'fork' }))).toEqual(undisturbed)
  })
})

describe('the document of a snapshot', () => {
  const document = (world: World): unknown => JSON.parse(JSON.stringify(snapshotDocument(world.snapshot())))
  const busyWorld = () => {
    const world = createWorld(busy)
    const metadata = { $map: 1, $$: { $bytes: 'x' }, n: null }
    world.request('trader', 'POST', '/api/sdk/orders', { ...order, clientOrderId: 'mine', metadata })
    addFault(world, { type: 'latency', attributes: { latencyMs: 1 }, toxicity: 0.5 })
    world.advance('25s')
    return world
  }

  it('is accepted as written, and continues as if the world had never stopped', () => {
    const world = busyWorld()
    const read = readSnapshotDocument(document(world))
    if (!read.ok) throw new Error(`${read.field} ${read.reason}`)
    const fork = forkWorld(read.snapshot, { id: 'elsewhere' })
    expect(fork.digest()).toBe(world.digest())
    expect(fork.request('trader', 'GET', '/api/sdk/orders/ord_1')).toEqual(
      world.request('trader', 'GET', '/api/sdk/orders/ord_1'),
    )
    expect(goOn(fork)).toEqual(goOn(world))
  })

  it('is the same text for equal worlds', () => {
    expect(JSON.stringify(document(busyWorld()))).toBe(JSON.stringify(document(busyWorld())))
  })

  it.each<[string, (text: string) => unknown, RegExp]>([
    ['another thing', () => ({ hello: 1 }), /^format must be/],
    ['a list', () => [], /^format must be/],
    ['another version', (text) => ({ ...JSON.parse(text), version: 99 }), /^version must be 1/],
    ['no state', (text) => ({ ...JSON.parse(text), state: {} }), /^state does not have/],
    ['a changed seed', (text) => ({ ...JSON.parse(text), seed: 'x' }), /^check does not fit/],
    ['a changed digest', (text) => ({ ...JSON.parse(text), digest: '0' }), /^check does not fit/],
    [
      'another instant',
      (text) => ({ ...JSON.parse(text), now: '2026-01-06T00:00:00.000Z' }),
      /^now does not/,
    ],
    ['a changed name', (text) => ({ ...JSON.parse(text), scenario: 'x' }), /^scenario does not fit/],
    ['another clock', (text) => JSON.parse(text.replace('"manual"', '"auto"')), /^check does not fit/],
    [
      'bytes cut off',
      (text) => JSON.parse(text.replace('"$doubles":"AAAA', '"$doubles":"')),
      /damaged|check/,
    ],
    ['invalid bytes', (text) => JSON.parse(text.replace('"$bytes":"', '"$bytes":"!')), /^state is damaged/],
    [
      'another scenario',
      (text) => JSON.parse(text.replace('"price":50000', '"price":-5')),
      /^source\.document/,
    ],
  ])('is refused as %s', (_name, change, reason) => {
    const read = readSnapshotDocument(change(JSON.stringify(document(busyWorld()))))
    expect(read.ok ? 'was taken' : `${read.field} ${read.reason}`).toMatch(reason)
  })
})

describe('the snapshots of a server', () => {
  it('route the keys that a restore brings back, and no others', () => {
    const worlds = new Worlds(new ManualWallClock())
    worlds.create(quiet, { id: 'default' })
    const made = worlds.create(quiet, { id: 'a' })
    if (!made.ok) throw new Error('the world is made')
    const { world } = made
    const snapshot = world.snapshot()
    worlds.adopt(world, world.controls.giveKey(3, ['READ'], 'late', null))
    expect(worlds.find('late')?.world).toBe(world)
    expect(worlds.restore(world, snapshot)).toBeNull()
    expect(worlds.find('late')).toBeNull()
    expect(worlds.find('simk_a_trader')?.world).toBe(world)
  })

  it('refuse to restore a key that another world has by now', () => {
    const worlds = new Worlds(new ManualWallClock())
    const made = worlds.create(quiet, { id: 'default' })
    const other = worlds.create(quiet, { id: 'b' })
    if (!made.ok || !other.ok) throw new Error('the worlds are made')
    const before = made.world.snapshot()
    worlds.adopt(made.world, made.world.controls.giveKey(3, ['READ'], 'mine', null))
    const after = made.world.snapshot()
    worlds.restore(made.world, before)
    worlds.adopt(other.world, other.world.controls.giveKey(3, ['READ'], 'mine', null))
    expect(worlds.restore(made.world, after)).toEqual({ kind: 'key-taken', apiKey: 'mine', world: 'b' })
    expect(made.world.digest()).toBe(before.digest)
  })

  it('are deleted with their world', () => {
    const worlds = new Worlds(new ManualWallClock())
    worlds.create(quiet, { id: 'default' })
    const made = worlds.create(quiet, { id: 'a' })
    if (!made.ok) throw new Error('the world is made')
    const { id } = worlds.snapshots.add(made.world, made.world.snapshot())
    expect(worlds.findSnapshot(id)?.world).toBe('a')
    worlds.delete('a')
    expect(worlds.findSnapshot(id)).toBeUndefined()
  })
})
