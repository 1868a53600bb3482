import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import type { BacktestResult } from '../../src/backtest/result.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import type { Figure } from '../../src/metrics/figure.ts'
import { createStream } from '../../src/numeric/random.ts'

/* Figures of whole runs, recomputed from equity and fills by the textbook, as somebody with a table of them would. */

const hour = 3_600_000

/** Hourly candles of a random walk. */
function walk(hours: number) {
  const stream = createStream('twin', 'walk', 'BTC', 0)
  let last = 40_000
  return Array.from({ length: hours }, (_, place) => {
    const open = last
    last = Math.round(open * (1 + stream.normal() * 0.006) * 100) / 100
    const [low, high] = [Math.min(open, last) - 20, Math.max(open, last) + 20]
    return {
      atMillis: Date.UTC(2026, 0, 5, place),
      spanMillis: hour,
      open,
      high,
      low,
      close: last,
      volume: 50,
    }
  })
}

/** Buys and sells in turns, 12 hours apart. */
const turns = defineStrategy({
  name: 'turns',
  bar: '12h',
  state: () => ({ bars: 0, held: 0 }),
  onFill({ state }, fill) {
    const own = fill.feeCurrency === 'BTC' ? fill.fee : 0
    state.held += (fill.side === 'buy' ? fill.quantity : -fill.quantity) - own
  },
  onBar({ state, sync }) {
    state.bars += 1
    const side = state.bars % 2 === 1 ? 'buy' : 'sell'
    const quantity = side === 'buy' ? 8 : Math.floor(state.held * 1e4) / 1e4
    sync.orders.create({ side, asset: 'BTC', quantity, orderType: 'market' })
  },
})

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
const moment = (values: readonly number[], power: number): number => {
  const centre = mean(values)
  return mean(values.map((value) => (value - centre) ** power))
}
const deviation = (values: readonly number[]): number =>
  Math.sqrt((moment(values, 2) * values.length) / (values.length - 1))
const returnsOf = (values: readonly number[]): readonly number[] =>
  values.slice(1).map((value, place) => value / Number(values[place]) - 1)
const product = (left: readonly number[], right: readonly number[]): number =>
  mean(left.map((value, place) => (value - mean(left)) * (Number(right[place]) - mean(right))))

/** From midnight to midnight: the market begins at one, and every 24th point of the grid is the next. */
const daily = (values: readonly number[]): readonly number[] => values.filter((_, place) => place % 24 === 0)

function near(found: Figure | number, wanted: number, share = 1e-9): void {
  const value = typeof found === 'number' ? found : Number(found.value)
  expect(Math.abs(value - wanted)).toBeLessThanOrEqual(Math.abs(wanted) * share + 1e-15)
}

const run = (days: number, riskFreeRate = 0): Promise<BacktestResult> =>
  backtest(turns, { candles: walk(days * 24), equityGrid: '1h', riskFreeRate, market: { cash: 400_000 } })

it('agree with the textbook over 45 days', async () => {
  const { equity: grid, fills, metrics } = await run(45)
  const { returns, benchmark, drawdown, tail, activity, costs, attribution } = metrics
  const { equity } = grid
  const [first = 0, last = 0] = [equity[0], equity.at(-1)]
  const own = returnsOf(daily(equity))
  const year = Math.sqrt(365)
  expect([fills.length > 80, metrics.sampling.returns, own.length]).toEqual([true, own.length, 45])
  near(returns.total, last / first - 1, 1e-8)
  near(returns.profit, last - first)
  near(returns.volatility, deviation(own) * year)
  near(returns.sharpe, (mean(own) / deviation(own)) * year)
  near(returns.sortino, (mean(own) / Math.sqrt(mean(own.map((one) => Math.min(0, one) ** 2)))) * year)
  near(returns.skewness, moment(own, 3) / moment(own, 2) ** 1.5)
  near(returns.kurtosis, moment(own, 4) / moment(own, 2) ** 2)
  near(returns.cagr, (last / first) ** (365 / 45) - 1, 1e-8)

  const falls = equity.map((value, place) => value / Math.max(...equity.slice(0, place + 1)) - 1)
  near(drawdown.maximum, Math.min(...falls))
  near(drawdown.ulcer, Math.sqrt(mean(falls.map((fall) => fall * fall))))
  near(returns.calmar, ((last / first) ** (365 / 45) - 1) / -Math.min(...falls), 1e-8)
  const sorted = returnsOf(equity).toSorted((left, right) => left - right)
  const at = (sorted.length - 1) * 0.05
  const below = Number(sorted[Math.floor(at)])
  const risk = below + (at % 1) * (Number(sorted[Math.ceil(at)]) - below)
  near(tail.grid.valueAtRisk95, -risk)
  near(tail.grid.shortfall95, -mean(sorted.filter((one) => one <= risk)))

  const price = grid.assets[0]?.price ?? []
  const market = returnsOf(daily(price))
  const beta = product(own, market) / moment(market, 2)
  const excess = own.map((value, place) => value - Number(market[place]))
  near(benchmark.marketReturn, Number(price.at(-1)) / Number(price[0]) - 1)
  near(benchmark.beta, beta)
  near(benchmark.alpha, (mean(own) - beta * mean(market)) * 365, 1e-8)
  near(benchmark.correlation, product(own, market) / Math.sqrt(moment(own, 2) * moment(market, 2)))
  near(benchmark.informationRatio, (mean(excess) / deviation(excess)) * year)

  const sum = (of: (fill: (typeof fills)[number]) => number): number =>
    fills.reduce((total, fill) => total + of(fill), 0)
  const better = ({ mid, price: paid, quantity, side }: (typeof fills)[number]): number =>
    (Number(mid) - paid) * quantity * (side === 'buy' ? 1 : -1)
  near(
    activity.volume,
    sum(({ price: paid, quantity }) => paid * quantity),
    1e-8,
  )
  near(
    costs.fees,
    sum(({ feeUsd }) => feeUsd),
  )
  near(attribution.spread, sum(better))
  near(attribution.fees, -costs.fees)
  const { spread, inventory, fees, remainder, profit } = attribution
  near(spread + inventory + fees + remainder, profit)
  expect(Math.abs(remainder)).toBeLessThan(0.01)
})

it('are in excess of the risk-free rate, and state it', async () => {
  const { equity, metrics } = await run(45, 0.04)
  const own = returnsOf(daily(equity.equity)).map((one) => one - 0.04 / 365)
  expect(metrics.sampling.riskFreeRate).toBe(0.04)
  near(metrics.returns.sharpe, (mean(own) / deviation(own)) * Math.sqrt(365))
})

it('of a short run are hourly, with a warning, and have no figure of a year', async () => {
  const { equity, metrics } = await run(1)
  const own = returnsOf(equity.equity)
  near(metrics.returns.tStatistic, (mean(own) / deviation(own)) * Math.sqrt(24))
  for (const name of ['cagr', 'sharpe', 'volatility', 'sortino'] as const)
    expect(metrics.returns[name]).toEqual({ value: null, reason: 'the run is shorter than 30 days' })
  expect(metrics.warnings.join()).toContain('There are 24 returns: with fewer than 30 a ratio says little.')
})
