import { describe, expect, it } from 'vitest'
import { eventType } from '../../../src/engine/events.ts'
import { atoms, millis } from '../../../src/numeric/units.ts'
import { loadScenarioValue } from '../../../src/scenario/load-tree.ts'
import { matchesEvent } from '../../../src/world/events/describe-event.ts'
import { EventLog, keptEvents, publicNames } from '../../../src/world/events/event-log.ts'
import { createWorld } from '../../../src/world/world.ts'
import { quietScenario } from '../scenarios.ts'

function quietWorld() {
  const loaded = loadScenarioValue(quietScenario)
  if (!loaded.ok) throw new Error('the quiet scenario compiles')
  return createWorld(loaded.value)
}

const at = '2026-01-05T00:00:00.000Z'

describe('events', () => {
  it('have their documented names', () => {
    expect([...publicNames].sort()).toEqual(
      [
        ...['accepted', 'amended', 'partially_filled', 'filled', 'cancelled', 'expired', 'rejected'].map(
          (name) => `order.${name}`,
        ),
        ...['accepted', 'updated', 'partially_filled', 'filled', 'cancelled', 'expired'].map(
          (name) => `quote.${name}`,
        ),
        ...['trade', 'price', 'pair.halted', 'pair.resumed', 'scenario.action'],
        ...['deposit.pending', 'deposit.settled', 'withdrawal.pending', 'withdrawal.settled'],
      ].sort(),
    )
  })

  it('describe a quote from its beginning to its end', () => {
    const world = quietWorld()
    const before = world.events.lastSequence
    const quote = {
      asset: 'BTC',
      bidPrice: 49_000,
      askPrice: 51_000,
      bidSize: 1,
      askSize: 1,
      clientQuoteId: 'mine',
    }
    world.request('maker', 'POST', '/api/sdk/quotes', quote)
    world.request('trader', 'POST', '/api/sdk/orders', {
      side: 'sell',
      asset: 'BTC',
      quantity: 0.25,
      price: 49_000,
    })
    world.advance('30s')
    const about = { quoteId: 'qt_1', clientQuoteId: 'mine', account: 'maker', asset: 'BTC' }
    const events = world
      .eventsSince(before)
      .filter(({ type }) => type.startsWith('quote.') || type === 'trade')
    expect(events).toEqual([
      { sequence: before + 1, at, type: 'quote.accepted', ...about, expiresAt: '2026-01-05T00:00:30.000Z' },
      {
        sequence: before + 3,
        at,
        type: 'trade',
        asset: 'BTC',
        side: 'sell',
        price: 49_000,
        quantity: 0.25,
        orderId: 'ord_3',
        clientOrderId: null,
        quoteId: null,
        account: 'trader',
        makerOrderId: null,
        makerClientOrderId: 'mine',
        makerQuoteId: 'qt_1',
        makerAccount: 'maker',
      },
      { sequence: before + 4, at, type: 'quote.partially_filled', ...about, bidFilled: 0.25, askFilled: 0 },
      {
        sequence: before + 6,
        at: '2026-01-05T00:00:30.000Z',
        type: 'quote.expired',
        ...about,
        bidFilled: 0.25,
        askFilled: 0,
      },
    ])
  })

  it('describe transfers and halts', () => {
    const world = quietWorld()
    const before = world.events.lastSequence
    const trader = world.venue.state.accounts.rowOf('trader')
    const transfer = { account: trader, asset: 0, atoms: atoms(5_000_000), pendingMillis: millis(1000) }
    world.execute({ kind: 'deposit', at: world.now, ...transfer })
    world.execute({ kind: 'withdraw', at: world.now, ...transfer, pendingMillis: millis(0) })
    world.execute({ kind: 'halt', at: world.now, asset: 1, mode: 'rest', forMillis: millis(2000) })
    world.advance('2s')
    expect(world.eventsSince(before).map(({ sequence: _sequence, ...event }) => event)).toEqual([
      {
        at,
        type: 'deposit.pending',
        transferId: expect.any(String),
        account: 'trader',
        asset: 'USD',
        quantity: 5,
        settlesAt: '2026-01-05T00:00:01.000Z',
      },
      {
        at,
        type: 'withdrawal.settled',
        transferId: expect.any(String),
        account: 'trader',
        asset: 'USD',
        quantity: 5,
      },
      { at, type: 'pair.halted', asset: 'BTC', symbol: 'BTC-USD', mode: 'rest' },
      {
        at: '2026-01-05T00:00:01.000Z',
        type: 'deposit.settled',
        transferId: expect.any(String),
        account: 'trader',
        asset: 'USD',
        quantity: 5,
      },
      { at: '2026-01-05T00:00:02.000Z', type: 'pair.resumed', asset: 'BTC', symbol: 'BTC-USD' },
    ])
  })

  it('describe amendments and prices', () => {
    const world = quietWorld()
    const before = world.events.lastSequence
    const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000, clientOrderId: 'c' }
    world.request('trader', 'POST', '/api/sdk/orders', order)
    world.request('trader', 'PATCH', '/api/sdk/orders/ord_1', { price: 40_001.5 })
    world.request('trader', 'DELETE', '/api/sdk/orders/ord_1')
    const about = {
      orderId: 'ord_1',
      clientOrderId: 'c',
      account: 'trader',
      asset: 'BTC',
      side: 'buy',
      quantity: 0.5,
    }
    expect(world.eventsSince(before)).toEqual([
      { sequence: before + 1, at, type: 'order.accepted', ...about, price: 40_000 },
      { sequence: before + 2, at, type: 'order.amended', ...about, price: 40_001.5 },
      { sequence: before + 3, at, type: 'order.cancelled', ...about, filledQuantity: 0 },
    ])
  })
})

describe('matchesEvent', () => {
  const trade = {
    sequence: 1,
    at,
    type: 'trade',
    asset: 'BTC',
    orderId: 'ord_2',
    account: 'a',
    makerOrderId: 'ord_1',
    makerAccount: 'b',
  }
  it.each([
    [{}, true],
    [{ asset: 'BTC' }, true],
    [{ asset: 'ETH' }, false],
    [{ orderId: 'ord_2' }, true],
    [{ orderId: 'ord_1' }, true],
    [{ orderId: 'ord_3' }, false],
    [{ account: 'b', asset: 'BTC' }, true],
    [{ nothing: 1 }, false],
  ])('%j: %s', (match, expected) => {
    expect(matchesEvent(trade, match)).toBe(expected)
  })
})

describe('EventLog', () => {
  it('keeps the last events, and assigns each sequence once', () => {
    const log = new EventLog()
    for (let tick = 1; tick <= keptEvents + 5; tick += 1) log.emit(eventType.price, -1, -1, 1, tick, 0, 0)
    const kept = log.since(0)
    expect(kept.length).toBe(keptEvents)
    expect(kept[0]).toMatchObject({ sequence: 6, first: 6 })
    expect(log.since(keptEvents + 4)).toMatchObject([{ sequence: keptEvents + 5, first: keptEvents + 5 }])
    log.clear()
    expect(log.since(0)).toEqual([])
    expect(log.lastSequence).toBe(keptEvents + 5)
  })

  it('leaves out internal events', () => {
    const log = new EventLog()
    for (const name of ['posted', 'reserved', 'released'] as const)
      log.emit(eventType[name], 0, 0, 0, 0, 0, 0)
    expect(log.lastSequence).toBe(0)
  })
})
