import fc from 'fast-check'
import { expect, it } from 'vitest'
import { backtest, backtestInWorld } from '../../../src/backtest/backtest.ts'
import { listEquity, listResultRecords } from '../../../src/backtest/build-records.ts'
import { resolveSource } from '../../../src/backtest/source.ts'
import { defineStrategy } from '../../../src/backtest/strategy.ts'
import { createCachedWorldSource } from '../../../src/backtest/venue/world-source.ts'

const trader = defineStrategy({
  name: 'trader',
  bar: '10m',
  warmUp: 3,
  state: () => ({ bought: 0 }),
  async onStart({ bars, note, price, venue }) {
    note(JSON.stringify(bars('BTC')))
    const { mid } = price('BTC')
    const [bidPrice, askPrice] = [Math.floor(mid * 0.9999), Math.ceil(mid * 1.1)]
    await venue.quotes.submit({ asset: 'BTC', bidPrice, bidSize: 0.1, askPrice, askSize: 0 })
  },
  onBar({ note, state, sync }, bar) {
    note(JSON.stringify(bar))
    state.bought += 1
    if (state.bought % 3 === 1)
      sync.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.1, orderType: 'market' })
  },
})

const calm = { scenario: resolveSource({ scenario: 'calm' }).scenario, tick: '1s' }
const recording = Array.from({ length: 48 }, (_, hour) => {
  const open = 50_000 + (hour % 7) * 100
  return {
    atMillis: Date.UTC(2026, 0, 5, hour),
    spanMillis: 3_600_000,
    open,
    high: open + 90,
    low: open - 80,
    close: open + 40,
    volume: 12,
  }
})
const candles = { scenario: resolveSource({ candles: recording }).scenario, tick: '5m' }

it('gives the result of a world that began at the start, whatever is kept of earlier runs', async () => {
  const run = fc.record({
    market: fc.constantFrom('calm', 'candles'),
    seed: fc.constantFrom('1', '2'),
    from: fc.constantFrom('0s', '30m', '45m', '100m', '2h'),
    warmUp: fc.constantFrom(0, 1, 3),
  })
  let fills = 0
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 3, maxLength: 4 }), async (runs) => {
      const worlds = createCachedWorldSource(0)
      for (const { market, seed, from, warmUp } of runs) {
        const own = { ...(market === 'calm' ? calm : candles), seed, warmUp, to: '20m' }
        // A recording has no bars before it begins.
        const options = { ...own, from: market === 'candles' && warmUp > 0 ? '2h' : from }
        const result = listResultRecords(listEquity(await backtestInWorld(worlds, trader, options)))
        expect(JSON.stringify(result)).toBe(JSON.stringify(await backtest(trader, options)))
        fills += result.fills.length
      }
    }),
    { seed: 7, numRuns: 4 },
  )
  expect(fills).toBeGreaterThan(8)
})

it('tells progress on the way to where the run begins', async () => {
  const told: { readonly done: number; readonly nowMillis: number }[] = []
  const progress = (done: number, nowMillis: number): void => {
    told.push({ done, nowMillis })
  }
  const idle = defineStrategy({ name: 'idle', onStart() {} })
  const options = { ...calm, from: '3h', to: '2h', progress }
  const { fromMillis } = await backtest(idle, options)
  expect(told.filter(({ nowMillis }) => nowMillis < fromMillis).length).toBeGreaterThan(100)
  expect(told.some(({ nowMillis }) => nowMillis > fromMillis)).toBe(true)
  for (const { done, nowMillis } of told)
    expect(done).toBeCloseTo((nowMillis - (fromMillis - 3 * 3_600_000)) / (5 * 3_600_000), 12)
})

it('begins where another run has begun, on a grid of hours too', () => {
  const { scenario } = resolveSource({ model: 'market', market: { grid: '1h' } })
  const worlds = createCachedWorldSource()
  const day = 86_400_000
  const start = scenario.venue.startMillis
  const passed = (days: number, seed: string): readonly number[] => {
    const told: number[] = []
    worlds.open(scenario, seed, start + days * day, (nowMillis) => told.push((nowMillis - start) / day))
    return told
  }
  expect(passed(1.5, '1')[0]).toBeLessThan(1)
  expect(passed(1.5, '1')).toEqual([])
  expect(passed(2, '1')[0]).toBeGreaterThan(1.5)
  expect(passed(1.5, '2')[0]).toBeLessThan(1)
})
