// Room: backtest

import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { runLive } from '../../src/backtest/live/run-live.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { createVenueServer } from '../../src/server/create-venue-server.ts'
import { systemWallClock } from '../../src/world/clock.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { busyScenario } from '../backtest/scenarios.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { libraryOf } from '../support/library-of.ts'

/*
 * Over HTTP, an ended order was reported at every look while an older one was live: each look began at the newest order
 * of the previous one, which was the older order when there was no news.
 */
const strategy = defineStrategy({
  name: 'one-of-each',
  tick: '1s',
  async onTick({ venue }, { index }) {
    const order = { side: 'buy', asset: 'BTC', quantity: 0.01, price: 40_000 } as const
    const quote = { asset: 'ETH', bidPrice: 2000, askPrice: 4000, bidSize: 1, askSize: 1 }
    if (index === 1) await venue.orders.create(order)
    if (index === 1) await venue.quotes.submit({ ...quote, validForSeconds: 300 })
    if (index === 2) await venue.orders.create({ ...order, timeInForce: 'IOC' })
    if (index === 2) await venue.quotes.submit({ ...quote, validForSeconds: 2 })
  },
  onOrderUpdate: ({ note }, { orderId, status }) => note(`${orderId} ${status}`),
  onQuoteUpdate: ({ note }, { quoteId, status }) => note(`${quoteId} ${status}`),
})

it('reports each end once, in process and over HTTP', async () => {
  const worlds = new Worlds(systemWallClock)
  worlds.create(compiledScenario(busyScenario), { id: 'default' })
  const server = await createVenueServer({ worlds, scenarios: libraryOf({ busy: busyScenario }) })
  const inProcess = await backtest(strategy, { scenario: compiledScenario(busyScenario), to: '12s' })
  const overHttp = await runLive(strategy, {
    baseUrl: server.url,
    clock: 'manual',
    scenario: 'busy',
    seed: '7',
    span: '12s',
  }).finally(() => server.close())
  expect(inProcess.notes.map(({ text }) => text)).toEqual(['ord_4 expired', 'qt_2 expired'])
  expect(overHttp.notes).toEqual(inProcess.notes)
})
