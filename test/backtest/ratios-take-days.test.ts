import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'

const day = 86_400_000

/** Buys at the start, sells half after ten days. */
const holder = defineStrategy({
  name: 'holder',
  async onStart({ after, venue }) {
    await venue.orders.create({ asset: 'BTC', side: 'buy', quantity: 5, orderType: 'market' })
    after('10d', 'half')
  },
  async onTimer({ venue }) {
    await venue.orders.create({ asset: 'BTC', side: 'sell', quantity: 2.5, orderType: 'market' })
  },
})

const run = (equityGrid: string, to: string) =>
  backtest(holder, { model: 'gbm,vol=0.6', market: { grid: '1h' }, seed: 3, to, equityGrid })

it.each(['7h', '5h', '90m', '36h', '1d', '48h', '10d'])(
  'the ratios of forty days are the same with an equity every hour and every %s',
  async (equityGrid) => {
    const [hourly, other] = await Promise.all([run('1h', '40d'), run(equityGrid, '40d')])
    expect(other.metrics.sampling).toMatchObject({ ratioMillis: day, returns: 40 })
    for (const name of ['sharpe', 'sortino', 'volatility', 'smartSharpe', 'kurtosis', 'cagr'] as const)
      expect(other.metrics.returns[name].value).toBeCloseTo(Number(hourly.metrics.returns[name].value), 9)
    for (const name of ['beta', 'alpha', 'informationRatio', 'correlation'] as const)
      expect(other.metrics.benchmark[name].value).toBeCloseTo(Number(hourly.metrics.benchmark[name].value), 9)
    expect(other.metrics.returns.profit).toBeCloseTo(hourly.metrics.returns.profit, 6)
    expect([other.digest, other.fills]).toEqual([hourly.digest, hourly.fills])
  },
)

it('keeps the midnights that the grid does not have beside it, and no others', async () => {
  const [hourly, sevenHours] = await Promise.all([run('1h', '8d'), run('7h', '8d')])
  expect(hourly.equity).not.toHaveProperty('midnights')
  const { atMillis, midnights, equity } = sevenHours.equity
  expect(midnights?.atMillis.map((at) => at % day)).toEqual(midnights?.atMillis.map(() => 0))
  const both = [...atMillis, ...(midnights?.atMillis ?? [])]
  expect(new Set(both).size).toBe(both.length)
  const values = new Map(hourly.equity.atMillis.map((at, place) => [at, hourly.equity.equity[place]]))
  expect(midnights?.atMillis.length).toBeGreaterThan(4)
  expect(midnights?.equity).toEqual(midnights?.atMillis.map((at) => values.get(at)))
  expect(equity).toEqual(atMillis.map((at) => values.get(at) ?? expect.any(Number)))
})
