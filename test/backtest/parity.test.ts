import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import marketMaker from '../../scenarios/strategies/market-maker.ts'
import sniper from '../../scenarios/strategies/sniper.ts'
import trend from '../../scenarios/strategies/trend.ts'
import twap from '../../scenarios/strategies/twap.ts'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestOptions } from '../../src/backtest/backtest-options.ts'
import { runLive } from '../../src/backtest/live/run-live.ts'
import type { BacktestResult } from '../../src/backtest/result.ts'
import { defineStrategy, type Strategy } from '../../src/backtest/strategy.ts'
import { createVenueServer, type VenueServer } from '../../src/server/create-venue-server.ts'
import { systemWallClock } from '../../src/world/clock.ts'
import { Worlds } from '../../src/world/worlds.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { libraryOf } from '../support/library-of.ts'
import { busyScenario } from './scenarios.ts'

/* The same code in process, with promises and over HTTP has the same fills, and leaves the venue in the same state. */

let server: VenueServer

beforeAll(async () => {
  const scenarios = libraryOf({ busy: busyScenario })
  const loaded = scenarios.load('busy')
  if (loaded === null || !loaded.ok) throw new Error('the scenario compiles')
  const worlds = new Worlds(systemWallClock)
  worlds.create(loaded.value, { id: 'default' })
  server = await createVenueServer({ worlds, scenarios })
})

afterAll(() => server.close())

const scenario = compiledScenario(busyScenario)

/** Reads everything that hooks receive, and reacts to it. */
const listener = defineStrategy({
  name: 'listener',
  tick: '2s',
  bar: '10s',
  state: () => ({ orderId: '' }),
  onStart({ every, after }) {
    every('7s', 'seven')
    after('11s', 'once')
  },
  async onTick({ note, price, state, venue }, tick) {
    const { ask, bid, last, mid } = price('ETH')
    if (tick.index % 5 === 0) note(`tick ${tick.index} ${bid} ${ask} ${mid} ${last}`)
    if (tick.index === 3) {
      const order = await venue.orders.create({
        side: 'buy',
        asset: 'BTC',
        quantity: 0.2,
        price: price('BTC').ask,
      })
      state.orderId = order.orderId
    }
    if (tick.index === 6) {
      const [first, second] = await Promise.all([
        venue.orders.create({ side: 'sell', asset: 'BTC', quantity: 0.1, orderType: 'market' }),
        venue.marketData.orderBook('BTC', { depth: 3 }),
      ])
      note(`${first.orderId} ${second.bids.length}`)
    }
    if (tick.index === 9) await venue.orders.create({ side: 'buy', asset: 'ETH', quantity: 1, price: 1000 })
  },
  onBar({ note }, { asset, close, high, low, open, toMillis }) {
    note(`bar ${asset} ${toMillis} ${open} ${high} ${low} ${close}`)
  },
  onFill({ note, now }, fill) {
    note(`fill ${now} ${fill.tradeId} ${fill.side} ${fill.quantity} at ${fill.price}, fee ${fill.fee}`)
  },
  onOrderUpdate({ note }, order) {
    note(`order ${order.orderId} ${order.status} ${order.filledQuantity} ${order.averagePrice}`)
  },
  async onTimer({ note, sleep, venue, now }, timer) {
    note(`timer ${timer.name} ${now}`)
    if (timer.name === 'once') {
      await sleep('3s')
      note(`orders ${(await venue.orders.cancelAll({ asset: 'ETH' })).cancelledCount}`)
    }
  },
  async onEnd({ note, venue }) {
    const { totalValue } = await venue.portfolio.summary()
    note(`end ${totalValue}`)
  },
})

const plain = ({ fills }: BacktestResult) =>
  fills.map(({ asset, atMillis, fee, price, quantity, side }) => ({
    asset,
    atMillis,
    fee,
    price,
    quantity,
    side,
  }))

const cases: readonly (readonly [string, Strategy, string, BacktestOptions['parameters']])[] = [
  ['what a strategy receives', listener, '30s', {}],
  ['market maker', marketMaker, '30s', { halfSpreadBps: 1, size: 0.05 }],
  ['TWAP', twap, '24s', { quantity: 2, over: '20s', slices: 5 }],
  ['trend', trend, '90s', { bar: '5s', fast: 2, slow: 5, quantity: 0.1 }],
  ['sniper', sniper, '60s', {}],
]

describe.each(cases)('%s', (_name, strategy, span, parameters) => {
  it('gives the same results in process, with promises and over HTTP', async () => {
    const options = {
      scenario,
      seed: '3',
      to: span,
      tick: strategy.tick ?? '1s',
      parameters: parameters ?? {},
    }
    const inProcess = await backtest(strategy, options)
    const promised = await backtest(strategy, { ...options, client: 'async' })
    const overHttp = await runLive(strategy, {
      baseUrl: server.url,
      clock: 'manual',
      scenario: 'busy',
      seed: '3',
      span,
      parameters: parameters ?? {},
    })
    expect(inProcess.calls).toMatchObject({ onStart: 1, onEnd: 1 })
    expect(inProcess.fills.length).toBeGreaterThan(0)
    expect(promised).toEqual(inProcess)
    expect(plain(overHttp)).toEqual(plain(inProcess))
    expect(overHttp.notes).toEqual(inProcess.notes)
    expect(overHttp.calls).toEqual(inProcess.calls)
    expect(overHttp.digest).toBe(inProcess.digest)
    const [http, own] = [overHttp.metrics.trips, inProcess.metrics.trips]
    expect(http.openLots).toBe(own.openLots)
    expect(http.realized).toBeCloseTo(own.realized, 4)
    expect(http.unrealized).toBeCloseTo(own.unrealized, 4)
  })
})

describe.each([
  ['fixed', { order: '150ms', response: '60ms', feed: '40ms' }],
  [
    'drawn',
    { order: 'uniform(10ms, 400ms)', response: 'exponential(5ms, 30ms)', feed: 'normal(50ms, 20ms)' },
  ],
])('with latencies that are %s', (_name, latency) => {
  it('gives the same results, too', async () => {
    const options = { scenario, seed: '5', to: '15s', tick: '1s', latency, parameters: { halfSpreadBps: 1 } }
    const inProcess = await backtest(marketMaker, options)
    const promised = await backtest(marketMaker, { ...options, client: 'async' })
    const overHttp = await runLive(marketMaker, {
      baseUrl: server.url,
      clock: 'manual',
      scenario: 'busy',
      seed: '5',
      span: '15s',
      latency,
      parameters: { halfSpreadBps: 1 },
    })
    expect(promised.digest).toBe(inProcess.digest)
    expect(overHttp.digest).toBe(inProcess.digest)
    expect(plain(overHttp)).toEqual(plain(inProcess))
  })
})
