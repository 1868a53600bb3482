import { describe, expect, it } from 'vitest'
import { readFaultRule } from '../../../src/api/faults/read-fault-rule.ts'
import type { WorldChange } from '../../../src/journal/world-snapshot.ts'
import {
  installFault,
  removeFault,
  repeatChange,
  scheduleActions,
  setClock,
} from '../../../src/world/change-world.ts'
import { knownNames } from '../../../src/world/faults/fire-faults.ts'
import { createWorld, type World } from '../../../src/world/world.ts'
import { compiledScenario } from '../../support/compiled-scenario.ts'
import { quietScenario } from '../scenarios.ts'

const quiet = compiledScenario(quietScenario)
const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 50_000 } as const

function add(world: World, form: object): string {
  const read = readFaultRule(form, knownNames(world))
  if (!read.ok) throw new Error(read.problem.reason)
  return installFault(world, read.value).id
}

/** Which reads, counted from 0, were answered with this status. */
function findFaultedReads(world: World, status: number, reads = 60): number[] {
  const numbers: number[] = []
  for (let read = 0; read < reads; read += 1)
    if (world.request('trader', 'GET', '/api/sdk/orders').status === status) numbers.push(read)
  return numbers
}

describe('faults of a world', () => {
  const half = { type: 'http_error', attributes: { status: 503 }, match: { method: 'GET' }, toxicity: 0.5 }

  it('fire for the same requests with the same seed, and for others with another', () => {
    const run = (seed: string) => {
      const world = createWorld(quiet, { seed })
      add(world, half)
      return findFaultedReads(world, 503)
    }
    expect(run('7').length).toBeGreaterThan(15)
    expect(run('7').length).toBeLessThan(45)
    expect(run('7')).toEqual(run('7'))
    expect(run('8')).not.toEqual(run('7'))
  })

  it('match by fields of the body alike after a snapshot, and count in the digest', () => {
    const world = createWorld(quiet)
    const match = { body: { clientOrderId: 'mine' } }
    const empty = world.digest()
    add(world, { ...half, match, toxicity: 1 })
    const other = createWorld(quiet)
    add(other, { ...half, match: { body: { clientOrderId: 'other' } }, toxicity: 1 })
    expect(new Set([world.digest(), other.digest(), empty]).size).toBe(3)
    const restored = createWorld(quiet)
    restored.restore(world.snapshot())
    expect(restored.digest()).toBe(world.digest())
    for (const each of [world, restored]) {
      const place = (clientOrderId: string) =>
        each.request('trader', 'POST', '/api/sdk/orders', { ...order, clientOrderId }).status
      expect([place('other'), place('mine'), place('third')]).toEqual([201, 503, 201])
    }
  })

  it('are refused for a key that nobody has, with the nearest', () => {
    const world = createWorld(quiet)
    const form = { type: 'auth_expired', match: { key: 'simk_default_tradr' } }
    expect(readFaultRule(form, knownNames(world))).toMatchObject({
      ok: false,
      problem: { field: 'match.key', hint: expect.stringContaining('did you mean simk_default_trader?') },
    })
  })

  it('are not shifted when another rule is added or removed', () => {
    const alone = createWorld(quiet)
    add(alone, half)
    const expected = findFaultedReads(alone, 503)
    const other = {
      type: 'latency',
      attributes: { latencyMs: 5, jitterMs: 5, clock: 'world' },
      toxicity: 0.3,
    }
    const before = createWorld(quiet)
    add(before, other)
    add(before, half)
    expect(findFaultedReads(before, 503)).toEqual(expected)
    const behind = createWorld(quiet)
    add(behind, half)
    add(behind, { ...half, attributes: { status: 500 }, match: { method: 'GET', account: 'trader' } })
    expect(findFaultedReads(behind, 503)).toEqual(expected)
    const between = createWorld(quiet)
    const gone = add(between, other)
    add(between, half)
    const first = findFaultedReads(between, 503, 30)
    removeFault(between, gone)
    expect([...first, ...findFaultedReads(between, 503, 30).map((read) => read + 30)]).toEqual(expected)
  })

  it('lose answers to the in-process client as over HTTP', async () => {
    const world = createWorld(quiet)
    add(world, { type: 'reset_peer', phase: 'after', match: { method: 'POST' }, count: 1 })
    const placed = await world.client('trader').orders.create({ ...order, clientOrderId: 'mine' })
    expect(placed.orderId).toBe('ord_1')
    expect(world.venue.state.orders.count).toBe(1)
    add(world, { type: 'timeout', match: { method: 'POST' }, count: 1 })
    expect(() => world.request('trader', 'POST', '/api/sdk/orders', order)).toThrow('the connection failed')
    expect(world.venue.state.orders.count).toBe(1)
    add(world, { type: 'canned_answer', count: 1, attributes: { status: 299, body: '{"orders": "none"}' } })
    const canned = world.request('trader', 'GET', '/api/sdk/orders')
    expect(canned).toEqual({ status: 299, body: { orders: 'none' } })
    for (const type of ['html_502', 'truncated_json']) {
      add(world, { type, count: 1 })
      expect(() => world.request('trader', 'GET', '/api/sdk/orders')).toThrow('is not JSON')
    }
  })

  it('move the clock of the world, by a seeded latency', () => {
    const run = () => {
      const world = createWorld(quiet)
      const latency = { distribution: 'lognormal', p50Ms: 20, p99Ms: 200, clock: 'world' }
      add(world, { type: 'latency', attributes: latency, match: { method: 'POST' } })
      const at: number[] = []
      for (let sent = 0; sent < 5; sent += 1) {
        world.request('trader', 'POST', '/api/sdk/orders', order)
        at.push(world.now - quiet.venue.startMillis)
      }
      return at
    }
    expect(run()).toEqual(run())
    expect(new Set(run()).size).toBe(5)
  })

  it('change bodies that remain JSON', () => {
    const world = createWorld(quiet)
    for (const price of [49_000, 48_000])
      world.request('trader', 'POST', '/api/sdk/orders', { ...order, price })
    const ids = () => {
      const { orders } = Object(world.request('trader', 'GET', '/api/sdk/orders').body)
      return orders.map(({ orderId }: { readonly orderId: string }) => orderId)
    }
    add(world, { type: 'reordered_list', count: 1 })
    expect(ids()).toEqual(['ord_1', 'ord_2'])
    add(world, { type: 'duplicate_fill_in_list', count: 1 })
    // An answer without a list does not use it up.
    world.request('trader', 'GET', '/api/sdk/orders/ord_1')
    expect(ids()).toEqual(['ord_2', 'ord_2', 'ord_1'])
    add(world, { type: 'missing_optional_field', count: 1 })
    const { body } = world.request('trader', 'GET', '/api/sdk/orders/ord_1')
    expect(body).not.toHaveProperty('clientOrderId')
    expect(body).toHaveProperty('status', 'open')
  })

  it('are added and removed by a timeline', () => {
    const world = createWorld(
      compiledScenario({
        ...quietScenario,
        timeline: [
          {
            at: '+1s',
            fault: { type: 'http_error', attributes: { status: 500 }, match: { asset: 'BTC' }, for: '2s' },
          },
        ],
      }),
    )
    const status = () => world.request('trader', 'POST', '/api/sdk/orders', order).status
    expect(status()).toBe(201)
    world.advance('1s')
    expect(status()).toBe(500)
    world.advance('2s')
    expect(status()).toBe(201)
  })

  it('are reported to the observer, and can be repeated from the report', () => {
    const world = createWorld(quiet)
    const told: WorldChange[] = []
    world.observe({ afterCommand: () => undefined, beforeChange: (change) => told.push(change) })
    const id = add(world, half)
    findFaultedReads(world, 503, 5)
    world.reportFaultCounts()
    const again = createWorld(quiet)
    for (const change of told) repeatChange(again, change)
    expect(again.digest()).toBe(world.digest())
    expect(findFaultedReads(again, 503)).toEqual(findFaultedReads(world, 503))
    removeFault(world, id)
    expect(told.at(-1)).toMatchObject({ kind: 'fault-removed', id })
  })

  it('change nothing when the observer throws', () => {
    const world = createWorld(quiet)
    const before = world.digest()
    const refuse = () => {
      throw new Error('the disk is full')
    }
    world.observe({ beforeCommand: refuse, beforeChange: refuse, afterCommand: refuse })
    expect(() => add(world, half)).toThrow('disk')
    expect(() => world.request('trader', 'POST', '/api/sdk/orders', order)).toThrow('disk')
    expect(() => setClock(world, { mode: 'auto' })).toThrow('disk')
    expect(() => scheduleActions(world, [{ note: 'x' }])).toThrow('disk')
    world.observe(null)
    expect(world.digest()).toBe(before)
    expect(world.clock.mode).toBe('manual')
  })
})

describe('a timeline that waits for a client', () => {
  const waiting = compiledScenario({
    ...quietScenario,
    timeline: [
      {
        at: '+0s',
        id: 'heard',
        await: { request: { method: 'POST', path: '/api/sdk/orders', account: 'trader' } },
      },
      { at: 'heard+2s', halt: { asset: 'BTC' } },
    ],
  })

  it('continues when the request has come, and does the same in a replay', () => {
    const world = createWorld(waiting)
    const told: WorldChange[] = []
    world.observe({ afterCommand: () => undefined, beforeChange: (change) => told.push(change) })
    world.advance('5s')
    expect(world.request('trader', 'POST', '/api/sdk/orders', order).status).toBe(201)
    const snapshot = world.snapshot()
    world.advance('1999ms')
    expect(world.request('trader', 'POST', '/api/sdk/orders', order).status).toBe(201)
    world.advance('1ms')
    expect(world.request('trader', 'POST', '/api/sdk/orders', order).status).toBe(400)
    expect(told.map(({ kind }) => kind)).toContain('request-seen')
    world.restore(snapshot)
    world.advance('2s')
    expect(world.request('trader', 'POST', '/api/sdk/orders', order).status).toBe(400)
  })
})
