import { describe, expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { ManualWallClock } from './manual-wall-clock.ts'
import { liquidScenario, quietScenario } from './scenarios.ts'

const quiet = compiledScenario(quietScenario)
const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 50_000 }

describe('a world', () => {
  it('answers in process as it does over HTTP, without keys or limits', () => {
    const world = createWorld(quiet)
    const { status, body } = world.request('trader', 'POST', '/api/sdk/orders', order)
    expect(status).toBe(201)
    expect(body).toMatchObject({ orderId: 'ord_1', status: 'open', quantity: 0.5 })
    for (let read = 0; read < 50; read += 1) {
      expect(world.request('trader', 'GET', '/api/sdk/orders?limit=1').status).toBe(200)
    }
    expect(world.request('trader', 'GET', '/api/sdk/orders?limt=1')).toMatchObject({
      status: 400,
      body: { details: { field: 'limt' } },
    })
    expect(world.request('viewer', 'POST', '/api/sdk/orders', order).status).toBe(403)
    expect(world.request('trader', 'POST', '/api/sdk/nothing').status).toBe(404)
    expect(() => world.request('nobody', 'GET', '/api/sdk/orders')).toThrow(RangeError)
  })

  it('provides a client for each account', async () => {
    const world = createWorld(quiet)
    const placed = await world.client('trader').orders.create({
      side: 'buy',
      asset: 'BTC',
      quantity: 0.5,
      price: 50_000,
      clientOrderId: 'mine',
    })
    expect(await world.client('trader').orders.getByClientId('mine')).toEqual(placed)
    await expect(world.client('viewer').orders.cancel(placed.orderId)).rejects.toMatchObject({
      statusCode: 403,
      type: 'INSUFFICIENT_SCOPE',
    })
  })

  it('keeps metadata as accepted when a caller changes an answer', () => {
    const world = createWorld(quiet)
    const metadata = { tags: ['a'] }
    const { body } = world.request('trader', 'POST', '/api/sdk/orders', { ...order, metadata })
    const before = world.digest()
    const [answered] = Object.values(body).filter((value) => value !== null && typeof value === 'object')
    expect(answered).toEqual(metadata)
    expect(() => Object.assign(answered, { more: 1 })).toThrow(TypeError)
    expect(world.digest()).toBe(before)
  })

  it('does not change when it is read or refuses a request', () => {
    const world = createWorld(quiet)
    world.request('trader', 'POST', '/api/sdk/orders', order)
    const before = world.digest()
    world.request('trader', 'GET', '/api/sdk/orders')
    world.request('trader', 'POST', '/api/sdk/orders', { ...order, quantity: 1000 })
    world.request('trader', 'POST', '/api/sdk/orders', { ...order, quantity: 'x' })
    expect(world.digest()).toBe(before)
  })

  it.each([['1s', 1000] as const, ['1h30m', 5_400_000] as const, [250, 250] as const, [0, 0] as const])(
    'advances by %s',
    (by, expected) => {
      const world = createWorld(quiet)
      const start = world.now
      world.advance(by)
      expect(world.now - start).toBe(expected)
    },
  )

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e18, '1', 'soon', '-5s', '400d'])(
    'refuses to advance by %s',
    (by) => {
      expect(() => createWorld(quiet).advance(by)).toThrow(RangeError)
    },
  )

  it('has the same digest for the same commands, whatever its name, keys and readings', () => {
    const run = (id: string) => {
      const world = createWorld(compiledScenario(liquidScenario), { id })
      world.request('trader', 'POST', '/api/sdk/orders', order)
      world.advance('1m')
      return world.digest()
    }
    expect(run('one')).toBe(run('two'))
  })

  it('advances in many steps as in one', () => {
    const split = createWorld(compiledScenario(liquidScenario))
    const whole = createWorld(compiledScenario(liquidScenario))
    for (const by of [1, 999, 1, 30_000, 28_999]) split.advance(by)
    whole.advance('1m')
    expect(split.digest()).toBe(whole.digest())
  })

  it('can be reset, and then runs as before', () => {
    const world = createWorld(quiet)
    const start = world.digest()
    const run = () => {
      world.request('trader', 'POST', '/api/sdk/orders', order)
      world.advance('5s')
      return world.digest()
    }
    const end = run()
    world.reset(null)
    expect(world.digest()).toBe(start)
    expect(world.now).toBe(quiet.venue.startMillis)
    expect(run()).toBe(end)
  })

  it('counts its commands, not reads', () => {
    const world = createWorld(quiet)
    world.request('trader', 'POST', '/api/sdk/orders', order)
    world.request('trader', 'GET', '/api/sdk/orders')
    world.request('trader', 'POST', '/api/sdk/orders', { ...order, quantity: 1000 })
    expect(world.sequence).toBe(2)
  })

  it('carries out each action of its timeline at its instant', () => {
    const scripted = compiledScenario({
      ...quietScenario,
      timeline: [
        { at: '+0s', deposit: { account: 'trader', asset: 'USD', quantity: 5 } },
        {
          at: '+5s',
          id: 'first',
          order: { account: 'trader', asset: 'BTC', side: 'buy', quantity: 0.5, price: 50_000 },
        },
        { at: '+5s', order: { account: 'trader', asset: 'BTC', side: 'buy', quantity: 100, price: 50_000 } },
      ],
    })
    const world = createWorld(scripted)
    world.advance(4999)
    expect(world.request('trader', 'GET', '/api/sdk/orders').body).toMatchObject({ orders: [] })
    const before = world.events.lastSequence
    world.advance('1m')
    expect(world.request('trader', 'GET', '/api/sdk/orders').body).toMatchObject({
      orders: [{ orderId: 'ord_1', createdAt: '2026-01-05T00:00:05.000Z' }],
    })
    expect(world.eventsSince(before)).toMatchObject([
      { type: 'order.accepted', at: '2026-01-05T00:00:05.000Z' },
      { type: 'scenario.action', action: 'order', id: 'first', problem: null },
      { type: 'scenario.action', action: 'order', id: null, problem: 'RISK_LIMIT_EXCEEDED' },
    ])
    // A journal has only what came from outside; the script repeats its own commands.
    expect(createWorld(scripted).sequence).toBe(0)
    const split = createWorld(scripted)
    for (const by of [4000, 1000, 1, 4998, 54_999, 1]) split.advance(by)
    expect(split.digest()).toBe(world.digest())
    expect(split.now).toBe(world.now)
  })

  it('emits events', () => {
    const world = createWorld(quiet)
    const before = world.events.lastSequence
    world.request('trader', 'POST', '/api/sdk/orders', { ...order, clientOrderId: 'mine' })
    world.request('desk', 'POST', '/api/sdk/orders', { ...order, side: 'sell', quantity: 0.2 })
    const events = world.eventsSince(before)
    expect(events.map(({ type }) => type)).toEqual([
      'order.accepted',
      'order.accepted',
      'trade',
      'order.partially_filled',
      'order.filled',
    ])
    expect(events[2]).toEqual({
      sequence: before + 3,
      at: '2026-01-05T00:00:00.000Z',
      type: 'trade',
      asset: 'BTC',
      side: 'sell',
      price: 50_000,
      quantity: 0.2,
      orderId: 'ord_2',
      clientOrderId: null,
      quoteId: null,
      account: 'desk',
      makerOrderId: 'ord_1',
      makerClientOrderId: 'mine',
      makerQuoteId: null,
      makerAccount: 'trader',
    })
    expect(events[3]).toMatchObject({ orderId: 'ord_1', filledQuantity: 0.2, quantity: 0.5 })
  })

  it('follows real time at its speed, however long it is left alone', () => {
    const wall = new ManualWallClock()
    const world = createWorld(quiet, { wall, clock: { mode: 'realtime', speed: 60 } })
    wall.advance(1500)
    world.request('trader', 'GET', '/api/sdk/orders')
    expect(world.now - quiet.venue.startMillis).toBe(90_000)
  })

  it('moves one step for each request in auto mode', () => {
    const world = createWorld(quiet, { clock: { mode: 'auto', stepMillis: millis(250) } })
    for (let sent = 0; sent < 4; sent += 1) world.request('trader', 'GET', '/api/sdk/orders')
    expect(world.now - quiet.venue.startMillis).toBe(1000)
  })
})
