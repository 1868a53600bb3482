import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import marketMaker from '../../scenarios/strategies/market-maker.ts'
import { backtest, backtestUnlisted } from '../../src/backtest/backtest.ts'
import type { BacktestOptions } from '../../src/backtest/backtest-options.ts'
import { type Bar, defineStrategy } from '../../src/backtest/strategy.ts'
import { VenueError } from '../../src/client/venue-error.ts'
import type { Candle } from '../../src/market/recordings/candle.ts'
import { flattenMetrics } from '../../src/metrics/metrics.ts'
import { millis } from '../../src/numeric/units.ts'
import type { World } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { caseBudget } from '../support/full-run.ts'
import { libraryOf } from '../support/library-of.ts'
import { busyScenario } from './scenarios.ts'

const scenario = compiledScenario(busyScenario)

const quoting: BacktestOptions = {
  scenario,
  seed: '3',
  to: '5m',
  parameters: { halfSpreadBps: 1, size: 0.05 },
}

describe('a run', () => {
  it('gives the same bytes for the same strategy, options and seed, and different ones for another seed', async () => {
    const [first, second, other] = [
      await backtest(marketMaker, quoting),
      await backtest(marketMaker, quoting),
      await backtest(marketMaker, { ...quoting, seed: '4' }),
    ]
    expect(JSON.stringify(second)).toBe(JSON.stringify(first))
    expect(other.digest).not.toBe(first.digest)
    expect(first.fills.length).toBeGreaterThan(5)
  })

  it('has a result that is plain JSON', async () => {
    const result = await backtest(marketMaker, quoting)
    expect(JSON.parse(JSON.stringify(result))).toEqual(result)
    for (const value of Object.values(flattenMetrics(result.metrics))) {
      expect(value === null || Number.isFinite(value)).toBe(true)
    }
  })

  it('has lists of orders and quotes, which stay as they were whatever its world does later', async () => {
    const worlds: World[] = []
    const result = await backtest(marketMaker, { ...quoting, onWorld: (world) => void worlds.push(world) })
    const unlisted = await backtestUnlisted(marketMaker, quoting)
    expect([...unlisted.orders]).toEqual(result.orders)
    expect([...unlisted.quotes]).toEqual(result.quotes)
    expect(result.quotes.length).toBeGreaterThan(0)
    const before = JSON.stringify(result)
    for (const world of worlds) world.advanceTo(millis(world.now + 3_600_000))
    expect(JSON.stringify(result)).toBe(before)
  })

  it('samples the account on a grid, and at its end', async () => {
    const { equity } = await backtest(marketMaker, { ...quoting, to: '150s', equityGrid: '1m' })
    const start = equity.atMillis[0] ?? 0
    expect(equity.atMillis.map((at) => (at - start) / 1000)).toEqual([0, 60, 120, 150])
    for (const column of [equity.equity, equity.flow, equity.cash]) expect(column).toHaveLength(4)
    for (const [place, cash] of equity.cash.entries()) {
      const held = equity.assets.reduce(
        (sum, one) => sum + (one.position[place] ?? 0) * (one.price[place] ?? 0),
        0,
      )
      expect(cash + held).toBeCloseTo(equity.equity[place] ?? 0, 5)
    }
  })

  it('counts deposits as flows, not as profit', async () => {
    const timeline = [{ at: '+30s', deposit: { account: 'desk', asset: 'USD', quantity: 500_000 } }]
    const loaded = libraryOf({ paid: { ...busyScenario, timeline } }).load('paid')
    if (loaded === null || !loaded.ok) throw new Error('the scenario compiles')
    const idle = defineStrategy({ name: 'idle', onEnd: () => undefined })
    const { equity, metrics } = await backtest(idle, { scenario: loaded.value, to: '1m' })
    expect(equity.flow.at(-1)).toBe(500_000)
    const change = (equity.equity.at(-1) ?? 0) - (equity.equity[0] ?? 0)
    expect(metrics.returns.profit).toBeCloseTo(change - 500_000, 5)
    expect(Math.abs(metrics.attribution.remainder)).toBeLessThan(1e-5)
  })
})

describe('a result', () => {
  it('attributes the profit exactly, whatever was quoted', async () => {
    const numbers = fc.record({
      halfSpreadBps: fc.integer({ min: 1, max: 8 }),
      size: fc.constantFrom(0.01, 0.05, 0.2),
      seed: fc.integer({ min: 1, max: 50 }),
    })
    await fc.assert(
      fc.asyncProperty(numbers, async ({ halfSpreadBps, seed, size }) => {
        const result = await backtest(marketMaker, {
          scenario,
          seed: String(seed),
          to: '90s',
          parameters: { halfSpreadBps, size, skewBps: 2 },
        })
        const { attribution, returns } = result.metrics
        expect(attribution.profit).toBe(returns.profit)
        // A USD atom of rounding for each fill and each valuation at the mark.
        const atoms = (result.fills.length + 4) * 1e-6
        expect(Math.abs(attribution.remainder)).toBeLessThan(atoms)
        const fees = result.fills.reduce((sum, fill) => sum + fill.feeUsd, 0)
        expect(result.metrics.costs.fees).toBeCloseTo(fees, 9)
      }),
      { seed: 7, numRuns: caseBudget(12) },
    )
  })

  it('states what hit every fill, and by which command', async () => {
    const both = defineStrategy({
      name: 'both',
      async onStart({ price, venue }) {
        const { ask, bid } = price('BTC')
        await venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.05, price: ask })
        await venue.orders.create({
          side: 'sell',
          asset: 'BTC',
          quantity: 0.2,
          price: Math.round(ask * 99.97) / 100,
        })
        await venue.orders.create({
          side: 'buy',
          asset: 'BTC',
          quantity: 0.2,
          price: Math.round(bid * 100.01) / 100,
        })
      },
    })
    const { fills } = await backtest(both, { scenario, seed: '3', to: '5m' })
    const [first] = fills
    expect(first).toMatchObject({
      isMaker: false,
      cause: { kind: 'level', command: 'place-order', sequence: 1 },
    })
    expect(first?.cause?.price).toBe(first?.price)
    const made = fills.filter(({ isMaker }) => isMaker === true)
    expect(made.length).toBeGreaterThan(0)
    for (const { cause } of made) {
      expect(['flow', 'informed', 'sniper', 'ladder']).toContain(cause?.kind)
      expect(cause?.command).toBe('advance')
    }
  })

  it('has the price at the decision, before the latency of the order', async () => {
    const once = defineStrategy({
      name: 'once',
      async onTick({ venue }, { index }) {
        if (index === 40)
          await venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 1, orderType: 'market' })
      },
    })
    const { metrics, orders } = await backtest(once, { scenario, to: '2m', latency: { order: '5s' } })
    const [order] = orders
    expect((order?.createdAtMillis ?? 0) - (order?.decidedAtMillis ?? 0)).toBe(5000)
    // The price rises throughout, so latency costs.
    expect(order?.arrivalMid).toBeGreaterThan(order?.decisionMid ?? Number.POSITIVE_INFINITY)
    expect(metrics.costs.shortfall.delay).toBeCloseTo((order?.arrivalMid ?? 0) - (order?.decisionMid ?? 0), 6)
  })

  it('counts refusals by reason', async () => {
    const greedy = defineStrategy({
      name: 'greedy',
      onTick({ sync }) {
        try {
          sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 900, price: 60_000 })
        } catch (error) {
          expect(error).toBeInstanceOf(VenueError)
        }
      },
    })
    const { rejects } = await backtest(greedy, { scenario, to: '10s' })
    expect(rejects).toMatchObject([{ reason: 'RISK_LIMIT_EXCEEDED', statusCode: 422, count: 10 }])
  })
})

describe('bars', () => {
  const minute = 60_000
  const start = Date.UTC(2025, 0, 1)
  const candle = (place: number, open: number, high: number, low: number, close: number): Candle => ({
    atMillis: start + place * minute,
    spanMillis: minute,
    open,
    high,
    low,
    close,
    volume: 1,
  })
  const candles = [candle(0, 100, 104, 99, 103), candle(1, 103, 103, 97, 98), candle(2, 98, 101, 96, 100)]

  it('of a recording are its candles when nobody else affects prices', async () => {
    const bars: Bar[] = []
    const reader = defineStrategy({
      name: 'reader',
      bar: '1m',
      onBar: (_context, bar) => {
        bars.push(bar)
      },
    })
    const result = await backtest(reader, { candles, market: { liquidity: { kind: 'none' } } })
    expect(result.source).toEqual({ kind: 'data', name: 'candles' })
    expect(bars.map(({ close, high, low, open }) => [open, high, low, close])).toEqual([
      [100, 104, 99, 103],
      [103, 103, 97, 98],
      [98, 101, 96, 100],
    ])
    expect(bars.map(({ toMillis }) => (toMillis - start) / minute)).toEqual([1, 2, 3])
  })

  it('are complete: one that began before the run is omitted', async () => {
    const bars: Bar[] = []
    const reader = defineStrategy({
      name: 'reader',
      bar: '1m',
      onBar: (_context, bar) => void bars.push(bar),
    })
    await backtest(reader, { scenario, from: '20s', to: '160s' })
    expect(bars.filter(({ asset }) => asset === 'BTC').map(({ fromMillis }) => fromMillis % minute)).toEqual([
      0, 0,
    ])
  })
})

describe('latency', () => {
  it('of one order is not shifted by another', async () => {
    const atMillis = async (extra: boolean): Promise<number | undefined> => {
      const placer = defineStrategy({
        name: 'placer',
        async onTick({ venue }, { index }) {
          if (extra && index === 2)
            await venue.orders.create({ side: 'buy', asset: 'ETH', quantity: 1, price: 1000 })
          if (index === 10)
            await venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.01, price: 30_000 })
        },
      })
      const latency = { order: 'uniform(0ms, 400ms)' }
      const { orders } = await backtest(placer, { scenario, to: '20s', latency })
      return orders.find(({ asset }) => asset === 'BTC')?.createdAtMillis
    }
    const alone = await atMillis(false)
    expect(alone).toBeGreaterThan(Date.UTC(2026, 0, 5, 0, 0, 10))
    expect(await atMillis(true)).toBe(alone)
  })

  it('can make a cancel arrive too late', async () => {
    const racer = defineStrategy({
      name: 'racer',
      async onTick({ note, price, venue }, { index }) {
        if (index !== 5) return
        const order = await venue.orders.create({
          side: 'buy',
          asset: 'BTC',
          quantity: 0.1,
          price: price('BTC').ask,
        })
        const failure = await Promise.resolve()
          .then(() => venue.orders.cancel(order.orderId))
          .catch((error: unknown) => error)
        note(failure instanceof VenueError ? String(failure.statusCode) : 'cancelled')
      },
    })
    const { notes } = await backtest(racer, {
      scenario,
      to: '30s',
      latency: { order: '50ms', response: '50ms' },
    })
    expect(notes.map(({ text }) => text)).toEqual(['409'])
  })
})

describe('an invalid strategy', () => {
  it.each([
    [{ name: 'x' }, /has no hook/],
    [{ name: 'x', onTock: () => undefined }, /no hook onTock/],
    [{ name: 'x', onBar: () => undefined }, /onBar needs a bar/],
    [{ name: '', onTick: () => undefined }, /has a name/],
  ])('%j', (definition, message) => {
    expect(() => defineStrategy(definition)).toThrow(message)
  })
})
