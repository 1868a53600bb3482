// Room: engine

import { expect, it } from 'vitest'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'

/*
 * With leverage, the available quantity of a cheap asset exceeded 2^53 steps, and the text of a refusal, which states it,
 * failed with a 500.
 */
it.each([
  ['an order', '/api/sdk/orders', 422],
  ['a pre-trade check', '/api/sdk/risk/pre-trade-check', 200],
])('%s that is too large for other reasons is answered', (_name, path, status) => {
  const world = createWorld(
    compiledScenario({
      version: 1,
      name: 'cheap',
      market: { assets: { PEPE: { price: 0.022, pair: { priceStep: 0.0001, quantityStep: 1 } } } },
      accounts: [{ id: 'desk', type: 'margin', balances: { USD: 12_000_000, PEPE: 1_000_000 } }],
    }),
  )
  const order = { side: 'sell', asset: 'PEPE', quantity: 99_999, price: 0.022 }
  const answer = world.request('desk', 'POST', path, order)
  expect(answer.status).toBe(status)
  expect(JSON.stringify(answer.body)).toContain('order size 99999 exceeds the limit of 50000')
})

/* Only the value of the order was bounded, which at a price far below the mark is much less than that of the position. */
it('a simulation of more than can be valued at the mark is refused', () => {
  const world = createWorld(
    compiledScenario({
      version: 1,
      name: 'dear',
      market: { assets: { BTC: { price: 50_000, pair: { maxQuantity: 1_000_000 } } } },
    }),
  )
  const order = { side: 'buy', asset: 'BTC', quantity: 500_000, price: 1 }
  const { status, body } = world.request('desk', 'POST', '/api/sdk/risk/simulate', order)
  expect([status, body]).toMatchObject([400, { details: { field: 'quantity' } }])
})
