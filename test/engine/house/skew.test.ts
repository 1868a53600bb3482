import { expect, it } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { stateOf } from '../../../src/engine/state.ts'
import { millis } from '../../../src/numeric/units.ts'
import { bitcoinImpact, dynamics, LivelyVenue, traders } from '../fixtures/lively-venue.ts'
import { btc, secondMillis } from '../fixtures/small-venue.ts'

const still = { ...dynamics, hasSeasons: false, flickerSd: 0, pull: 0, skew: 0.5, inventoryUsd: 2_000_000 }

function venueAfter(side: 0 | 1, coins: number): LivelyVenue {
  const lively = new LivelyVenue({
    model: { kind: 'constant' },
    liquidity: { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000, dynamics: still },
    impact: { ...bitcoinImpact, y: 0, permanent: 0 },
    flow: { kind: 'none' },
  })
  if (coins > 0) lively.take(traders.alice, side, coins * 10_000)
  lively.advance(60 * secondMillis)
  return lively
}

/** Returns how far the middle of the house's prices is above the mark, as a share of the half-spread. */
function skewAfter(side: 0 | 1, coins: number): number {
  const lively = venueAfter(side, coins)
  const [[bid = 0] = [], [ask = 0] = []] = [lively.levels(buy)[0], lively.levels(sell)[0]]
  return ((bid + ask) / 2 - lively.markTicks) / ((ask - bid) / 2)
}

it.each<[string, 0 | 1, number, number]>([
  ['up by a quarter, having sold half its maximum inventory', buy, 20, 0.25],
  ['down by a quarter, having bought as much', sell, 20, -0.25],
  ['up by half at most', buy, 100, 0.5],
  ['down by half at most', sell, 100, -0.5],
])('the house moves its prices %s', (_title, side, coins, skew) => {
  expect(Math.abs(skewAfter(side, coins) / skew - 1)).toBeLessThan(0.05)
})

it.each<[string, 0 | 1, number]>([
  ['without inventory', buy, 0],
  ['short of coins', buy, 20],
  ['with many coins', sell, 20],
])('the bound of a ladder is its best price: %s', (_title, side, coins) => {
  const lively = venueAfter(side, coins)
  const ladder = stateOf(lively.state, btc).ladder
  const [bid, ask] = [ladder.bestTicks(buy), ladder.bestTicks(sell)]
  const mayReach = (of: 0 | 1, ticks: readonly number[]) => ticks.map((each) => ladder.mayEverReach(of, each))
  expect(mayReach(buy, [bid, bid + 1])).toEqual([true, false])
  expect(mayReach(sell, [ask, ask - 1])).toEqual([true, false])
})

it.each(['bids', 'asks'] as const)('a ladder of %s alone has no bound on its other side', (sides) => {
  const { venue, state } = venueAfter(buy, 0)
  const conditions = { spreadMultiplier: 1, depthMultiplier: 1, sides }
  const at = venue.now
  venue.execute({ kind: 'set-liquidity', at, asset: btc, conditions, isStale: false, forMillis: millis(0) })
  const { ladder } = stateOf(state, btc)
  expect(ladder.mayEverReach(buy, ladder.bestTicks(buy))).toBe(sides === 'bids')
  expect(ladder.mayEverReach(sell, ladder.bestTicks(sell))).toBe(sides === 'asks')
})
