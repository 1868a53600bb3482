import { describe, expect, it } from 'vitest'
import { buy, isLiveQuote, isTerminal } from '../../../src/engine/codes.ts'
import { listLiveOrders, listLiveQuotes } from '../../../src/engine/tables/account-table.ts'
import { millis, partsPerMillion, priceTicks, quantitySteps } from '../../../src/numeric/units.ts'
import {
  agent,
  holding,
  listOrders,
  lively,
  minute,
  passTime,
  rich,
  type Stage,
  stage,
  still,
} from './fixtures.ts'

function movePrice({ venue }: Stage, change: number): void {
  const { state } = venue
  const ticks = priceTicks(Math.round(state.markTicks.get(1) * (1 + change)))
  const at = millis(state.nowMillis)
  const points = [{ offsetMillis: millis(0), priceTicks: ticks }]
  venue.execute({ kind: 'move-price', at, asset: 1, points, noiseVol: partsPerMillion(0) })
}

describe('a TWAP', () => {
  it('fills its quantity evenly', () => {
    const made = stage(lively, [agent('twap', { side: 'buy', quantity: 12, over: '1h', slices: 60 })])
    const held: number[] = []
    for (let step = 0; step < 6; step += 1) {
      passTime(made, 10 * minute - (step === 0 ? 1 : 0))
      held.push(holding(made) - 1_000)
    }
    expect(held).toEqual([2, 4, 6, 8, 10, 12].map((units) => expect.closeTo(units, 6)))
    passTime(made, 60 * minute)
    expect(holding(made)).toBeCloseTo(1_012, 6)
    expect(listOrders(made)).toHaveLength(60)
  })

  it('catches up on what an interval could not fill, within its limit', () => {
    const made = stage('{price: 50000, model: {kind: constant}, liquidity: {kind: none}}', [
      agent('twap', { side: 'sell', quantity: 10, over: '10m', slices: 10, limitBps: 20 }),
    ])
    passTime(made, 5 * minute)
    expect(holding(made)).toBe(1_000)
    const bid = { side: buy, type: 0, timeInForce: 0, clientOrderId: null, metadata: null } as const
    made.venue.execute({
      ...bid,
      kind: 'place-order',
      at: millis(made.venue.state.nowMillis),
      account: 4,
      asset: 1,
      quantitySteps: stepsOf(made, 100),
      priceTicks: priceTicks(made.venue.state.markTicks.get(1)),
      allowsDuplicateId: false,
      keepsRefused: false,
    })
    passTime(made, 5 * minute)
    expect(holding(made)).toBeCloseTo(990, 6)
  })
})

function stepsOf({ venue }: Stage, units: number) {
  return quantitySteps(Math.round(units / venue.state.assets.tradedAsset(1).stepUnits))
}

describe('a market maker', () => {
  it('quotes both sides about the mark, at each of its levels', () => {
    const made = stage('{price: 50000, model: {kind: constant}, liquidity: {kind: none}}', [
      agent(
        'market_maker',
        { spreadBps: 20, valueUsd: 10_000, levels: 2, targetUsd: 50_000_000 },
        { account: 'rich' },
      ),
    ])
    const pricesOf = (): readonly (readonly [number, number])[] => {
      const { state } = made.venue
      return listLiveQuotes(state, rich).map((quote) => {
        const legs = [state.quotes.bidLeg.get(quote), state.quotes.askLeg.get(quote)] as const
        const usd = legs.map((leg) => state.orders.priceTicks.get(leg) * state.assets.tradedAsset(1).tickUsd)
        return [usd[0] ?? 0, usd[1] ?? 0]
      })
    }
    passTime(made, 1_500)
    const sorted = (): readonly (readonly [number, number])[] => [...pricesOf()].sort((a, b) => b[0] - a[0])
    expect(sorted()).toEqual([
      [49_950, 50_050],
      [49_900, 50_100],
    ])
  })

  it('moves its quotes with the price, and leaves them where they are good', () => {
    const made = stage(still, [
      agent('market_maker', { spreadBps: 30, repriceBps: 2, skewBps: 0, validFor: '1h' }),
    ])
    passTime(made, 10_000)
    const count = made.venue.state.quotes.count
    expect(count).toBe(1)
    movePrice(made, 0.001)
    passTime(made, 2_000)
    expect(made.venue.state.quotes.count).toBe(2)
    const { state } = made.venue
    const [quote = -1] = listLiveQuotes(state, rich)
    const [bid, ask] = [state.quotes.bidLeg.get(quote), state.quotes.askLeg.get(quote)]
    const middle = (state.orders.priceTicks.get(bid) + state.orders.priceTicks.get(ask)) / 2
    expect(middle / state.markTicks.get(1)).toBeCloseTo(1, 4)
    expect(isLiveQuote(state.quotes.status.get(0))).toBe(false)
  })

  it('skews its quotes against its inventory, and omits the side that would make it too large', () => {
    const made = stage(still, [
      agent('market_maker', { spreadBps: 30, maxInventoryUsd: 1_000_000, skewBps: 10, valueUsd: 10_000 }),
    ])
    passTime(made, 1_500)
    const { state } = made.venue
    const [quote = -1] = listLiveQuotes(state, rich)
    // 1,000 BTC are fifty times its maximum inventory.
    expect(state.orders.remainingSteps(state.quotes.bidLeg.get(quote))).toBe(0)
    expect(state.orders.remainingSteps(state.quotes.askLeg.get(quote))).toBeGreaterThan(0)
    const ask = state.orders.priceTicks.get(state.quotes.askLeg.get(quote)) / state.markTicks.get(1)
    expect(ask).toBeCloseTo(1 - 0.001 + 0.0015, 5)
  })
})

describe('a noise trader', () => {
  it('orders at about its stated rate, on both sides, resting and taking, and cancels its orders', () => {
    const made = stage(lively, [agent('noise', { ratePerMinute: 10, limitShare: 0.5, lifetime: '1m' })])
    passTime(made, 60 * minute)
    const { orders } = made.venue.state
    const rows = listOrders(made)
    expect(rows.length).toBeGreaterThan(500)
    expect(rows.length).toBeLessThan(700)
    const buys = rows.filter((row) => orders.side.get(row) === buy).length / rows.length
    const limits = rows.filter((row) => orders.type.get(row) === 0).length / rows.length
    expect([Math.abs(buys - 0.5) < 0.07, Math.abs(limits - 0.5) < 0.07]).toEqual([true, true])
    const oldest = Math.min(
      ...listLiveOrders(made.venue.state, rich).map((row) => orders.createdAtMillis.get(row)),
    )
    expect(oldest).toBeGreaterThan(made.venue.state.nowMillis - minute - 1)
  })
})

describe('a momentum trader', () => {
  it('buys rising prices and sells falling ones, up to its limits', () => {
    const rise =
      '{price: 50000, model: {kind: waypoints, points: [[+0s, 50000], [+1h, 52000], [+2h, 50000]]}}'
    const made = stage(rise, [
      agent('momentum', { every: '10s', short: 5, long: 20, valueUsd: 20_000, maxPositionUsd: 60_000_000 }),
    ])
    passTime(made, 55 * minute)
    const top = holding(made)
    expect(top).toBeGreaterThan(1_050)
    passTime(made, 60 * minute)
    expect(holding(made)).toBeLessThan(top - 50)
  })

  it('does nothing while the price is constant', () => {
    const made = stage(still, [agent('momentum', { every: '1s' })])
    passTime(made, 10 * minute)
    expect(listOrders(made)).toEqual([])
  })
})

describe('a sniper', () => {
  it('hits a resting order that has not followed the price, and nothing else', () => {
    const made = stage('{price: 50000, model: {kind: constant}, liquidity: {kind: none}}', [
      agent('sniper', { edgeBps: 10, hitShare: 1, valueUsd: 1_000_000 }),
    ])
    const { state } = made.venue
    const bid = made.venue.execute({
      kind: 'place-order',
      at: millis(state.nowMillis),
      account: 4,
      asset: 1,
      side: buy,
      type: 0,
      timeInForce: 0,
      quantitySteps: stepsOf(made, 2),
      priceTicks: priceTicks(state.markTicks.get(1)),
      clientOrderId: null,
      allowsDuplicateId: false,
      keepsRefused: false,
      metadata: null,
    })
    passTime(made, 10_000)
    expect(holding(made)).toBe(1_000)
    movePrice(made, -0.01)
    passTime(made, 2_000)
    expect(holding(made)).toBeCloseTo(998, 6)
    expect(bid.ok && isTerminal(state.orders.status.get(bid.row))).toBe(true)
  })

  it('profits from a stale feed', () => {
    const made = stage('{price: 50000, model: {kind: waypoints, points: [[+0s, 50000], [+10m, 51000]]}}', [
      agent('sniper', { edgeBps: 20, hitShare: 1 }),
    ])
    passTime(made, minute)
    expect(listOrders(made)).toEqual([])
    made.venue.execute({
      kind: 'set-liquidity',
      at: millis(made.venue.state.nowMillis),
      asset: 1,
      conditions: { spreadMultiplier: 1, depthMultiplier: 1, sides: 'both' },
      isStale: true,
      forMillis: millis(0),
    })
    passTime(made, 5 * minute)
    expect(holding(made)).toBeGreaterThan(1_000)
  })
})

describe('a script', () => {
  it('carries out its steps in order, the stated number of times', () => {
    const steps = [
      { after: '10s', side: 'buy', quantity: 1, price: '-1%' },
      { after: '5s', side: 'sell', quantity: 2 },
      { after: '5s', cancel: true },
    ]
    const made = stage(still, [agent('script', { rounds: 3 }, { steps })])
    passTime(made, 12_000)
    expect(listLiveOrders(made.venue.state, rich)).toHaveLength(1)
    passTime(made, 9_000)
    expect(listLiveOrders(made.venue.state, rich)).toHaveLength(0)
    expect(holding(made)).toBeCloseTo(998, 6)
    passTime(made, 10 * minute)
    expect(holding(made)).toBeCloseTo(994, 6)
    expect(listOrders(made)).toHaveLength(6)
  })
})
