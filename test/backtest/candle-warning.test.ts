import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy, type Strategy, type StrategyContext } from '../../src/backtest/strategy.ts'

const hour = 3_600_000

/** The low comes before the high where a candle rises, and after it where it falls. */
const candles = Array.from({ length: 36 }, (_, place) => {
  const [open, close] = place % 3 === 0 ? [105, 100] : place % 3 === 1 ? [100, 103] : [103, 105]
  return {
    atMillis: Date.UTC(2026, 0, 5) + place * hour,
    spanMillis: hour,
    open,
    close,
    high: 106,
    low: 99,
    volume: 1,
  }
})

const peeker = defineStrategy({
  name: 'peeker',
  state: () => ({ open: 0, held: 0 }),
  onTick({ now, price, state, sync }) {
    const { mid } = price('BTC')
    const quarter = (now / hour) % 1
    if (quarter === 0) state.open = mid
    if (quarter === 0.25 && mid < state.open) {
      state.held = 10
      sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 10, orderType: 'market' })
    }
    if (quarter !== 0 || state.held === 0) return
    state.held = 0
    sync.orders.create({ side: 'sell', asset: 'BTC', quantity: 10, orderType: 'market' })
  },
})

const doing = (hooks: Partial<Strategy>) => defineStrategy({ name: 'idle', onEnd: () => undefined, ...hooks })
const nothing = () => undefined

it('is given to a strategy that can know how a candle ends', async () => {
  const { metrics } = await backtest(peeker, { candles, market: { takerBps: 0 } })
  expect(metrics.trips.hitRate.value).toBe(1)
  expect(metrics.warnings[0]).toContain('each candle of 1h is made up')
})

it.each([
  ['looks at ticks within it', doing({ onTick: nothing }), {}, true],
  ['looks where candles end', doing({ onTick: nothing }), { tick: '1h' }, false],
  ['has timers within it', doing({ onTimer: nothing }), {}, true],
  ['has bars within it', doing({ bar: '30m', onBar: nothing }), {}, true],
  ['has bars of whole candles', doing({ bar: '1h', onBar: nothing }), {}, false],
  ['has no bars', doing({}), {}, false],
])('concerns a strategy that %s as it should', async (_name, strategy, options, isWarned) => {
  const { metrics } = await backtest(strategy, { candles, ...options })
  expect(metrics.warnings.some((text) => text.includes('candle'))).toBe(isWarned)
})

/** Where its bid fills in the first quarter, the low has come first. */
const reactor = defineStrategy({
  name: 'reactor',
  bar: '1h',
  state: () => ({ held: 0 }),
  onBar({ state, sync }, bar) {
    sync.orders.cancelAll()
    const { held } = state
    if (held > 0) sync.orders.create({ side: 'sell', asset: 'BTC', quantity: held, orderType: 'market' })
    sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 1, price: bar.close - 0.9 })
  },
  onFill({ now, state, sync }, { quantity, side }) {
    state.held += side === 'buy' ? quantity : -quantity
    if (side === 'buy' && quantity === 1 && (now / hour) % 1 === 0.25)
      sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 10, orderType: 'market' })
  },
})

it('is given to a strategy that answers a fill within a candle', async () => {
  const { metrics } = await backtest(reactor, { candles, market: { takerBps: 0 } })
  expect(metrics.trips.count).toBeGreaterThan(10)
  expect(metrics.warnings[0]).toContain('nothing sent at a fill')
})

const quoting = (act: (context: Pick<StrategyContext<unknown, unknown>, 'sleep' | 'sync'>) => unknown) =>
  doing({
    bar: '1h',
    onBar: async ({ sleep, sync }) => {
      sync.orders.cancelAll()
      await act({ sleep, sync })
    },
    onFill: nothing,
  })
const bid = { side: 'buy', asset: 'BTC', quantity: 1, price: 90 } as const
const quote = { asset: 'BTC', bidPrice: 90, askPrice: 120, bidSize: 1, askSize: 0, validForSeconds: 300 }

it.each([
  ['rests orders from close to close', ({ sync }) => sync.orders.create(bid), {}, false],
  [
    'rests them with latency',
    ({ sync }) => sync.orders.create(bid),
    { latency: { order: '50ms', response: '50ms' } },
    false,
  ],
  [
    'cancels within a candle',
    async ({ sleep, sync }) => {
      const { orderId } = sync.orders.create(bid)
      await sleep('20m')
      sync.orders.cancel(orderId)
    },
    {},
    true,
  ],
  [
    'quotes within a candle',
    async ({ sleep, sync }) => {
      await sleep('20m')
      sync.quotes.submit(quote)
    },
    {},
    true,
  ],
] satisfies [string, Parameters<typeof quoting>[0], object, boolean][])(
  'concerns a strategy that %s as it should',
  async (_name, act, options, isWarned) => {
    const { metrics, orders, quotes } = await backtest(quoting(act), { candles, ...options })
    expect(orders.length + quotes.length).toBeGreaterThan(20)
    expect(metrics.warnings.some((text) => text.includes('candle'))).toBe(isWarned)
  },
)

it('does not concern recorded trades and generated prices', async () => {
  const trades = candles.map((candle) => ({
    ...candle,
    spanMillis: 0,
    high: candle.open,
    low: candle.open,
    close: candle.open,
  }))
  for (const source of [{ candles: trades }, { model: 'gbm', to: '10s' }]) {
    const { metrics } = await backtest(doing({ onTick: nothing }), source)
    expect(metrics.warnings.some((text) => text.includes('candle'))).toBe(false)
  }
})
