import { expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { riskMetrics } from '../../../src/engine/reports/risk-metrics.ts'
import { LivelyVenue, traders } from '../fixtures/lively-venue.ts'
import { btc, hourMillis } from '../fixtures/small-venue.ts'

it('volatility takes the hours before the start from the history, and later ones from the marks', () => {
  const lively = new LivelyVenue({
    model: { kind: 'gbm', vol: 0.9, drift: 0 },
    liquidity: { kind: 'none' },
    impact: null,
    flow: { kind: 'none' },
  })
  lively.place(traders.bob, sell, 10_000_000, 5_000_000)
  lively.take(traders.alice, buy, 10_000_000)
  const { market, config } = lively.state
  const perHour = hourMillis / config.gridMillis
  for (const hours of [0, 3]) {
    lively.advance(hours * hourMillis)
    const prices = Array.from({ length: 24 + hours }, (_, place) =>
      market.fundamentalAt(btc - 1, (place - 23) * perHour),
    )
    const { cash, steps } = lively.holdings(traders.alice)
    const value = (steps / 10_000) * lively.mark
    const { portfolio1dE4 } = riskMetrics(lively.state, traders.alice).volatility
    const expected = (1_000_000 * value * dailyDeviation(prices)) / (cash + value)
    expect(expected).toBeGreaterThan(100)
    expect(Math.abs(portfolio1dE4 / expected - 1)).toBeLessThan(0.001)
  }
})

/** Computes the daily deviation of hourly prices, each return weighing 0.97 of the next one. */
function dailyDeviation(prices: readonly number[]): number {
  let sum = 0
  let weights = 0
  for (const [place, price] of prices.slice(1).entries()) {
    sum = 0.97 * sum + Math.log(price / (prices[place] ?? 0)) ** 2
    weights = 0.97 * weights + 1
  }
  return Math.sqrt((24 * sum) / weights)
}
