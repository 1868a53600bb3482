// Room: backtest

import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'
import { libraryOf } from '../support/library-of.ts'

function scenario() {
  const loaded = libraryOf({
    gifts: {
      version: 1,
      name: 'gifts',
      clock: { start: '2026-01-05T00:00:00Z', end: '2d', grid: '1m' },
      fees: { takerBps: 10, currency: 'received' },
      market: {
        flow: { kind: 'none' },
        assets: {
          BTC: {
            price: 50_000,
            model: {
              kind: 'waypoints',
              points: [
                ['+0s', 50_000],
                ['+2d', 60_000],
              ],
            },
          },
          ETH: { price: 3000, model: { kind: 'gbm', vol: 0.8 } },
        },
      },
      accounts: [{ id: 'desk', type: 'margin', balances: { USD: 1_000_000, ETH: 10 } }],
      timeline: [
        { at: '+5h', deposit: { account: 'desk', asset: 'BTC', quantity: 2 } },
        { at: '+9h', deposit: { account: 'desk', asset: 'USD', quantity: 50_000 } },
        { at: '+630m', withdraw: { account: 'desk', asset: 'ETH', quantity: 4 } },
        { at: '+30h', withdraw: { account: 'desk', asset: 'BTC', quantity: 0.5 } },
      ],
    },
  }).load('gifts')
  if (loaded === null || !loaded.ok) throw new Error('the scenario compiles')
  return loaded.value
}

/** Sells one of the deposited coins after a day. */
const seller = defineStrategy({
  name: 'seller',
  onStart({ after }) {
    after('29h', 'sell')
  },
  async onTimer({ venue }) {
    await venue.orders.create({ side: 'sell', asset: 'BTC', quantity: 1, orderType: 'market' })
  },
})

/*
 * What a deposited coin gained was no part of the inventory's profit: the parts did not add up, the report called tens
 * of thousands of dollars "rounding", and the sale of a deposited coin was no trip, as if it had opened a short.
 */
it('the parts of the profit add up when coins are deposited and withdrawn, and their sale is a trip', async () => {
  const { equity, fills, metrics, transfers } = await backtest(seller, { scenario: scenario(), tick: '1h' })
  const { attribution, trips } = metrics
  expect(attribution.inventory).toBeGreaterThan(10_000)
  expect(Math.abs(attribution.remainder)).toBeLessThan(0.001)
  const realized = fills.reduce((sum, fill) => sum + fill.realized, 0)
  expect(realized).toBeGreaterThan(4000)
  expect(trips).toMatchObject({ count: 1, wins: 1, meanHoldMillis: { value: 24 * 3_600_000 } })
  expect(trips.expectancy.value).toBeCloseTo(realized, 6)

  const flows = equity.flow.reduce((sum, flow) => sum + flow, 0)
  expect(transfers.map(({ asset, quantity }) => [asset, quantity])).toEqual([
    ['BTC', 2],
    ['USD', 50_000],
    ['ETH', -4],
    ['BTC', -0.5],
  ])
  expect(transfers.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(flows, 6)
})
