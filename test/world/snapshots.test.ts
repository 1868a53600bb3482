import { describe, expect, it } from 'vitest'
import { makeSnapshotDocument, readSnapshotDocument } from '../../src/journal/snapshot-document.ts'
import {
  giveKey,
  removeFault,
  revokeApiKey,
  scheduleActions,
  setClock,
  setRateLimits,
} from '../../src/world/change-world.ts'
import { createWorld, forkWorld, type World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { addFault, busy, keepTrading, order } from './fixtures.ts'
import { liquidScenario, quietScenario } from './scenarios.ts'

const quiet = compiledScenario(quietScenario)

/** Without takers, whose history takes a while to compute when statistics are first read. */
const moving = compiledScenario({
  ...liquidScenario,
  market: {
    flow: { kind: 'none' },
    assets: { BTC: { price: 50_000, model: { kind: 'gbm', vol: 0.8 }, liquidity: { kind: 'power' } } },
  },
})

describe('a snapshot', () => {
  it.each([0, 999, 33_333])('after %d ms continues as if the world had never stopped', (millis) => {
    const world = createWorld(busy)
    world.request('trader', 'POST', '/api/sdk/orders', order)
    world.advance(millis)
    const snapshot = world.snapshot()
    const digest = world.digest()
    const fork = forkWorld(snapshot, { id: 'fork' })
    expect(fork.digest()).toBe(digest)
    const undisturbed = keepTrading(world)
    expect(keepTrading(fork)).toEqual(undisturbed)
    for (let time = 0; time < 2; time += 1) {
      world.restore(snapshot)
      expect(world.digest()).toBe(digest)
      expect(keepTrading(world)).toEqual(undisturbed)
    }
  })

  it('is not changed by what the world does later', () => {
    const world = createWorld(busy)
    world.advance('10s')
    const snapshot = world.snapshot()
    const before = JSON.stringify(makeSnapshotDocument(snapshot))
    keepTrading(world)
    expect(JSON.stringify(makeSnapshotDocument(snapshot))).toBe(before)
  })

  it('restores id counters, clock, keys, limits and rules; sequences continue', () => {
    const world = createWorld(quiet)
    addFault(world, { type: 'http_error', attributes: { status: 500 }, match: { method: 'GET' }, skip: 1 })
    world.request('trader', 'GET', '/api/sdk/orders')
    const snapshot = world.snapshot()
    const { sequence, keys, limiter } = world
    world.request('trader', 'POST', '/api/sdk/orders', order)
    giveKey(world, 3, ['READ'], 'late', 'late')
    revokeApiKey(world, 'simk_default_trader')
    setRateLimits(world, { ...limiter.limits, other: 1 })
    setClock(world, { mode: 'auto' })
    removeFault(world, null)
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
    giveKey(world, 3, ['READ'], 'given', 'secret')
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
      scheduleActions(world, [{ at: '+1s', deposit: { account: 'trader', asset: 'USD', quantity: 5 } }]),
    ).toEqual([])
    world.request('trader', 'POST', '/api/sdk/orders', order)
    const read = readSnapshotDocument(JSON.parse(JSON.stringify(makeSnapshotDocument(world.snapshot()))))
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
    expect(scheduleActions(world, entries)).toEqual([])
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
