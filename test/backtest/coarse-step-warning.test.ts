import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { defineStrategy } from '../../src/backtest/strategy.ts'

const buyer = defineStrategy({
  name: 'buyer',
  onStart({ sync, price }) {
    const quantity = price('BTC').mid < 1 ? 2_000_000 : 1
    sync.orders.create({ side: 'buy', asset: 'BTC', quantity, orderType: 'market' })
  },
})

it.each([
  ['0.00000123', 'one step is 8'],
  ['0.05', null],
  ['10', null],
  ['50000', null],
])('warns of a price of %s: %s', async (price, text) => {
  const { fills, metrics } = await backtest(buyer, {
    model: 'constant',
    market: { price: Number(price), cash: 10_000_000 },
    to: '1m',
  })
  expect(fills).not.toHaveLength(0)
  const told = metrics.warnings.filter((warning) => warning.includes(' bp of it'))
  if (text === null) expect(told).toEqual([])
  else expect(told).toEqual([expect.stringContaining(text)])
})
