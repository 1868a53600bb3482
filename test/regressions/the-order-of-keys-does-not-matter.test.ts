// Room: scenario

import { expect, it } from 'vitest'
import { runScenario } from '../../src/scenario/run/run-scenario.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'

/* Opening balances became deposits in the order of the file, so that order was part of the digest. */
it('a scenario with reversed mappings has the same digest', () => {
  const account = {
    id: 'desk',
    type: 'margin',
    balances: { USD: 100_000, ETH: 3, BTC: 2 },
    positions: { BTC: { averageEntryPrice: 40_000 }, ETH: { averageEntryPrice: 2000 } },
    limits: { maxOrderSize: { BTC: 1, ETH: 2, default: 3 }, maxExposurePerAsset: { default: 1e6, BTC: 9e5 } },
  }
  const metadata = { first: 1, second: { one: 1, two: 2 } }
  const order = { account: 'desk', side: 'buy', asset: 'BTC', quantity: 0.01, orderType: 'market', metadata }
  const scenario = {
    version: 1,
    name: 'turned',
    clock: { start: '2026-01-05T00:00:00Z', end: '+10s' },
    fees: { makerBps: 1, takerBps: 2 },
    accounts: [account, { id: 'other' }],
    timeline: [
      { at: '+1s', order },
      { at: '+2s', limits: { account: 'desk', set: { maxOpenOrders: 3, maxOrderSize: { ETH: 1, BTC: 2 } } } },
    ],
  }
  const market = { assets: { BTC: { price: 50_000 }, ETH: { price: 2500 } } }
  const digestOf = (value: unknown) => runScenario(compiledScenario(value)).digest
  expect(digestOf({ market, ...Object(turned(scenario)) })).toBe(digestOf({ ...scenario, market }))
})

/** The value with the keys of every mapping reversed, except those of the assets, whose order matters. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, turned(item)]),
  )
}
