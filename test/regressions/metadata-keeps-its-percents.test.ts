// Room: api

import { expect, test } from 'vitest'
import { openDesk } from '../api/desk.ts'

/* Under the reading of percents as fractions, a number of the caller's metadata whose name ends in Percent was a hundredth. */

test('metadata comes back as it was sent, whatever the unit of percents is', () => {
  const desk = openDesk({ readings: { 'percent.unit': 'fraction' } })
  const order = { side: 'buy', asset: 'BTC', quantity: 1, price: 49_000, metadata: { stopPercent: 5 } }
  expect(desk.request('alice', 'POST', '/orders', order).body).toMatchObject({ metadata: { stopPercent: 5 } })
})
