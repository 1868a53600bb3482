import { describe, expect, it } from 'vitest'
import { createVenueClient } from '../../src/client/create-venue-client.ts'
import { startVenue, type TestVenue } from '../../src/testing/start-venue.ts'
import type { TestWorld } from '../../src/testing/test-world.ts'
import { liquidScenario } from '../world/scenarios.ts'

/* What a failing test says of its world, in sentences. */

const order = { side: 'buy', asset: 'BTC', quantity: 0.1, price: 40_000 } as const

interface Case {
  readonly title: string
  readonly message?: string
  act(world: TestWorld, venue: TestVenue): Promise<unknown>
  readonly sentences: readonly (string | RegExp)[]
  readonly about: object | null
}

/** Places an order that its caller may not learn of. */
const tryOrder = (world: TestWorld, given: object = order) =>
  createVenueClient({ baseUrl: world.url, ...keyOf(world), retries: { afterFailure: 0, afterRateLimit: 0 } })
    .orders.create({ ...order, ...given })
    .catch(() => null)

function keyOf({ keys: { trader } }: TestWorld) {
  if (trader === undefined) throw new Error('the scenario has a trader')
  return trader
}

const waits = String.raw`ord_1 \(buy 0\.1 BTC @ 40,000\) is open: it waits for an ask of 40,000 or less; the best is [\d,.]+, with at least [\d.]+ BTC before it`

const quote = { asset: 'BTC', bidPrice: 45_000, askPrice: 55_000, bidSize: 0.1, askSize: 0.2 } as const

const cases: readonly Case[] = [
  {
    title: 'nothing was asked',
    act: async () => {},
    sentences: ['nothing was asked: no request has reached this world'],
    about: null,
  },
  {
    title: 'nothing was asked over HTTP, though an order is there',
    act: async ({ world }) => world.request('trader', 'POST', '/api/sdk/orders', order),
    sentences: [new RegExp(`^${waits}`)],
    about: { kind: 'order', id: 'ord_1' },
  },
  {
    title: 'only reads',
    act: (world) => world.client('trader').marketData.prices(),
    sentences: ['1 request was answered, and none of them placed an order or a quote'],
    about: null,
  },
  {
    title: 'an order that rests in a world in which no time passes',
    act: (world) => tryOrder(world),
    sentences: [new RegExp(`^${waits}; no time has passed since the world began$`)],
    about: { kind: 'order', id: 'ord_1' },
  },
  {
    title: 'an order that rests',
    act: async (world) => {
      await tryOrder(world)
      world.advance('1s')
    },
    sentences: [new RegExp(`^${waits}$`)],
    about: { kind: 'order', id: 'ord_1' },
  },
  {
    title: 'an order that a halt holds',
    act: async (world) => {
      await tryOrder(world)
      world.halt('BTC')
    },
    sentences: [/is open: it waits for trading to resume: BTC is halted; no time/],
    about: { kind: 'order', id: 'ord_1' },
  },
  {
    title: 'the order that the message names, of several, and the others after it',
    message: "ord_2: expected 'open' to be 'filled'",
    act: async (world) => {
      for (const price of [60_000, 40_000, 39_000, 38_000, 37_000, 36_000]) await tryOrder(world, { price })
    },
    sentences: [
      /^ord_2 .* is open/,
      /^ord_6 .* is open/,
      /^ord_5 .* is open/,
      /^ord_4 .* is open/,
      'and 2 more orders',
    ],
    about: { kind: 'order', id: 'ord_2' },
  },
  {
    title: 'an order in the state that the message has, before one that is not done',
    message: "expected 'cancelled' to be 'filled'",
    act: async (world) => {
      const { orders } = world.client('trader')
      await orders.create({ ...order, price: 60_000, timeInForce: 'IOC', quantity: 0.2 })
      await orders.create(order)
      await orders.cancel('ord_2')
    },
    sentences: [
      'ord_2 (buy 0.1 BTC @ 40,000) was cancelled at 00:00:00 by DELETE /orders/ord_2; 0 of 0.1 BTC had been filled',
      /^ord_1 \(buy 0\.2 BTC @ 60,000 IOC\) was filled at 00:00:00: 0\.2 BTC at [\d,.]+$/,
    ],
    about: { kind: 'order', id: 'ord_2' },
  },
  {
    title: 'an order that was not to rest',
    act: (world) => tryOrder(world, { timeInForce: 'IOC' }),
    sentences: [/^ord_1 .* expired at 00:00:00, as IOC lets nothing rest; 0 of 0\.1 BTC had been/],
    about: { kind: 'order', id: 'ord_1' },
  },
  {
    title: 'the same order, sent twice without a name',
    act: async (world) => {
      await tryOrder(world)
      await tryOrder(world)
    },
    sentences: [/^ord_2 .*; it is the same order as ord_1, a second time$/, new RegExp(`^${waits}`)],
    about: { kind: 'order', id: 'ord_2' },
  },
  {
    title: 'a refusal',
    act: (world) => tryOrder(world, { quantity: 900 }),
    sentences: [
      /^last refused: buy 900 BTC @ 40,000 \(POST \/orders\) by trader: 422 order size 900 exceeds/,
    ],
    about: { kind: 'request', id: '1' },
  },
  {
    title: 'an answer that was cut off',
    act: (world) => {
      world.fault({ type: 'limit_data', match: { method: 'POST' }, attributes: { bytes: 20 } })
      return tryOrder(world)
    },
    sentences: [
      'the answer of POST /orders (buy 0.1 BTC @ 40,000 by trader) was cut off after the order was placed (flt_1 limit_data): ord_1 is there',
      new RegExp(`^${waits}`),
    ],
    about: { kind: 'request', id: '1' },
  },
  {
    title: 'an answer that was lost',
    act: (world) => {
      world.fault({ type: 'reset_peer', phase: 'after', match: { method: 'POST' } })
      return tryOrder(world)
    },
    sentences: [
      'the answer of POST /orders (buy 0.1 BTC @ 40,000 by trader) was lost after the order was placed (flt_1 reset_peer): ord_1 is there',
      new RegExp(`^${waits}`),
    ],
    about: { kind: 'request', id: '1' },
  },
  {
    title: 'a request that was lost',
    act: (world) => {
      world.fault({ type: 'reset_peer', phase: 'before', match: { method: 'POST' } })
      return tryOrder(world)
    },
    sentences: [
      'the answer of POST /orders (buy 0.1 BTC @ 40,000 by trader) was lost before anything was carried out (flt_1 reset_peer): nothing was changed',
    ],
    about: { kind: 'request', id: '1' },
  },
  {
    title: 'a fault that struck nothing',
    act: (world) => {
      world.fault({ type: 'reset_peer', phase: 'after', match: { method: 'DELETE' } })
      return tryOrder(world)
    },
    sentences: [new RegExp(`^${waits}`), 'fault flt_1 (reset_peer) has struck no request, 0 matched it'],
    about: { kind: 'order', id: 'ord_1' },
  },
  {
    title: 'a limit',
    act: async (world) => {
      world.rateLimits({ other: 2 })
      for (const price of [1000, 1001, 1002]) await tryOrder(world, { price })
    },
    sentences: [
      /^last refused: .* by trader: 429 /,
      /^ord_2 .* is open/,
      /^ord_1 .* is open/,
      '1 of 3 requests came too fast (429): 2 in 1000 ms, and 30 for market data, are allowed',
    ],
    about: { kind: 'request', id: '3' },
  },
  {
    title: 'a quote',
    act: (world) => world.client('maker').quotes.submit({ ...quote, validForSeconds: 30 }),
    sentences: [
      /^qt_1 \(BTC 0\.1 @ 45,000 \/ 0\.2 @ 55,000\) is active until 00:00:30, in 30 s; nothing of it was filled; the best bid is [\d,.]+, the best ask [\d,.]+$/,
    ],
    about: { kind: 'quote', id: 'qt_1' },
  },
  {
    title: 'a quote that has ended',
    act: async (world) => {
      await world.client('maker').quotes.submit({ ...quote, validForSeconds: 30 })
      world.advance('31s')
    },
    sentences: ['qt_1 (BTC 0.1 @ 45,000 / 0.2 @ 55,000) expired at 00:00:30; nothing of it was filled'],
    about: { kind: 'quote', id: 'qt_1' },
  },
]

describe('the answer in the failure', () => {
  it.each(cases)('$title', async ({ act, message = 'the test failed', sentences, about }) => {
    await using venue = await startVenue({ scenario: liquidScenario })
    const { world } = venue
    await act(world, venue)
    const { answer } = world.describeFailure('a test', message, '.otcsim')
    expect(answer).toEqual(
      sentences.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    )
    expect(world.world.failure?.about).toEqual(about)
  })
})
