// Room: backtest

import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { libraryOf } from '../support/library-of.ts'

/** Buys at once and sells in `onEnd`, like strategies that hold nothing overnight. */
const flat = defineStrategy({
  name: 'flat',
  async onStart({ venue }) {
    await venue.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.5, orderType: 'market' })
  },
  async onEnd({ venue }) {
    await venue.orders.create({ side: 'sell', asset: 'BTC', quantity: 0.5, orderType: 'market' })
  },
})

/*
 * When the end of the run was on the grid of the equity, the last point was sampled before onEnd: the profit lacked the
 * fee and the spread of the closing trades.
 */
it.each([
  ['on the grid of the equity', '10m'],
  ['beside it', '570s'],
])('the profit has the trades of onEnd when the end is %s', async (_, to) => {
  const { equity, fills, metrics } = await backtest(flat, { model: 'constant', to, equityGrid: '1m' })
  expect(fills.map(({ side }) => side)).toEqual(['buy', 'sell'])
  const earned = fills.reduce(
    (sum, { feeUsd, side, value }) => sum + (side === 'buy' ? -value : value) - feeUsd,
    0,
  )
  expect(metrics.returns.profit).toBeCloseTo(earned, 6)
  expect(metrics.attribution.remainder).toBeCloseTo(0, 6)
  expect(equity.assets[0]?.position.at(-1)).toBe(0)
  expect(new Set(equity.atMillis).size).toBe(equity.atMillis.length)
})

it('a deposit at the last instant is not profit', async () => {
  const scenario = {
    version: 1,
    name: 'gift',
    clock: { start: '2026-01-05T00:00:00Z', end: '10m' },
    market: { assets: { BTC: { price: 50_000, model: { kind: 'constant' } } } },
    accounts: [{ id: 'desk', balances: { USD: 1_000_000 } }],
    timeline: [{ at: '+10m', deposit: { account: 'desk', asset: 'USD', quantity: 500 } }],
  }
  const loaded = libraryOf({ gift: scenario }).load('gift')
  if (loaded === null || !loaded.ok) throw new Error('the scenario compiles')
  const { equity, metrics } = await backtest(defineStrategy({ name: 'idle', onEnd() {} }), {
    scenario: loaded.value,
    equityGrid: '1m',
  })
  expect(equity.flow.at(-1)).toBe(500)
  expect(metrics.returns.profit).toBeCloseTo(0, 6)
})
