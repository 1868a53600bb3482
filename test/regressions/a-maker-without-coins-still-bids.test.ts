// Room: scenario

import { expect, it } from 'vitest'
import { runScenario } from '../../src/scenario/run/run-scenario.ts'
import { load } from '../scenario/fixtures.ts'

/*
 * A quote is refused as a whole when one of its sides cannot be reserved, so an agent that had sold its coins or spent
 * its cash never quoted again.
 */
it.each([
  ['coins', '{ USD: 1000000, BTC: 0.05 }', 49_975, 0],
  ['cash', '{ USD: 100, BTC: 20 }', 0, 50_025],
])('a market maker without %s quotes its other side', (_, balances, bid, ask) => {
  const scenario = load(`
version: 1
name: poor
clock: {start: 2026-01-05T00:00:00Z, end: 5s}
market:
  flow: {kind: none}
  assets:
    BTC: {price: 50000, model: {kind: constant}, liquidity: {kind: none}}
accounts:
  - {id: maker, balances: ${balances}}
agents:
  - {id: m, kind: market_maker, account: maker, asset: BTC, params: {skewBps: 0, maxInventoryUsd: 10000000}}
expect:
  - {at: end, that: quotes.live.count == 1}
  - {at: end, that: ${bid > 0 ? `price.BTC.bid == ${bid}` : `price.BTC.ask == ${ask}`}}
`)
  expect(runScenario(scenario).failures).toEqual([])
})
