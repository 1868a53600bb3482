import { describe, expect, test } from 'vitest'
import { buy, sell } from '../../../src/engine/codes.ts'
import { millis } from '../../../src/numeric/units.ts'
import { hawkesFlow as flow, LivelyVenue, traders } from '../fixtures/lively-venue.ts'

const { alice, bob } = traders
const omniscient = { share: 1, horizonMillis: 60_000, costBps: 0 }
const nothing = { kind: 'none' } as const
const gbm = { kind: 'gbm', vol: 0.5, drift: 0 } as const

/** Returns price in ticks at this distance from 50,000 USD, in basis points. */
const at = (bps: number): number => Math.round(5_000_000 * (1 + bps / 10_000))

const fillsOf = (venue: LivelyVenue, account: number): number => {
  let fills = 0
  for (let row = 0; row < venue.state.fills.count; row += 1)
    if (venue.state.fills.account.get(row) === account) fills += 1
  return fills
}

describe('independent takers', () => {
  const poisson = { kind: 'poisson', ratePerMinute: 10, medianUsd: 3000, sizeSd: 1 } as const
  const dollarsOfStep = 5

  test('buy and sell what they want up to one per cent beyond the mark, and nothing beyond that', () => {
    const venue = new LivelyVenue({ flow: poisson, liquidity: nothing, impact: null })
    for (const bps of [100, 101]) {
      venue.place(alice, sell, 90_000_000, at(bps))
      venue.place(bob, buy, 90_000_000, at(-bps))
    }
    venue.advance(600_000)
    const wanted = { buy: 0, sell: 0 }
    for (let minute = 0; minute < 10; minute += 1) {
      for (const { side, valueUsd } of venue.state.market.arrivalsInMinute(0, minute))
        wanted[side] += Math.floor(valueUsd / dollarsOfStep)
    }
    expect(Math.min(wanted.buy, wanted.sell)).toBeGreaterThan(10_000)
    expect(wanted.buy).not.toBe(wanted.sell)
    const { orders } = venue.state
    const filled = [0, 1, 2, 3].map((row) => orders.filledSteps.get(row))
    expect(filled).toEqual([wanted.buy, wanted.sell, 0, 0])
  })
})

describe('uninformed takers', () => {
  test('trade as far beyond the touch as their patience allows', () => {
    const fills = [2, 7, 22].map((bps) => {
      const venue = new LivelyVenue({ flow, liquidity: nothing, impact: null })
      venue.place(alice, sell, 90_000_000, at(bps))
      venue.advance(3_600_000 * 12)
      return fillsOf(venue, alice)
    })
    const [touch = 0, near = 0, far = 0] = fills
    expect(touch).toBeGreaterThan(5000)
    // e^(-0.15 * 5) and e^(-0.15 * 20)
    expect(near / touch).toBeCloseTo(0.47, 1)
    expect(far / touch).toBeCloseTo(0.05, 1)
  })

  test('without patience in their specification pay up to one per cent beyond the mark', () => {
    const venue = new LivelyVenue({ flow: { ...flow, patiencePerBp: 0 }, liquidity: nothing, impact: null })
    for (const bps of [100, 101]) venue.place(alice, sell, 90_000_000, at(bps))
    venue.advance(600_000)
    const [within = 0, beyond = 0] = [0, 1].map((row) => venue.state.orders.filledSteps.get(row))
    expect(within).toBeGreaterThan(10_000)
    expect(beyond).toBe(0)
  })

  test('take the best price from clients and the house alike, clients first and in time order', () => {
    const venue = new LivelyVenue({ flow, impact: null })
    const first = venue.levels(sell)[0]?.[0] ?? 0
    venue.place(alice, sell, 5000, first)
    venue.place(bob, sell, 5000, first)
    venue.advance(30_000)
    const { orders } = venue.state
    expect(orders.filledSteps.get(0)).toBeGreaterThan(0)
    if (orders.filledSteps.get(1) > 0) expect(orders.filledSteps.get(0)).toBe(5000)
    venue.advance(3_600_000)
    expect([orders.filledSteps.get(0), orders.filledSteps.get(1)]).toEqual([5000, 5000])
  })

  test('do not move the mark, and do not follow clients who have pushed it', () => {
    const venue = new LivelyVenue({ flow })
    venue.advance(3_600_000)
    expect(venue.mark).toBe(50_000)
    expect(venue.state.byAsset[1]?.statistics.read(venue.venue.now).trades).toBeGreaterThan(500)
    const fills = [0, 60].map((pushes) => {
      const pushed = new LivelyVenue({ flow })
      for (let second = 0; second < 60; second += 1) {
        if (second < pushes) pushed.take(alice, buy, 100_000)
        pushed.advance(1000)
      }
      const [[best = 0] = []] = pushed.levels(sell)
      pushed.place(bob, sell, 10_000_000, best - 1)
      pushed.advance(600_000)
      return fillsOf(pushed, bob)
    })
    expect(fills[0]).toBeGreaterThan(20)
    expect(fills[1]).toBeLessThan((fills[0] ?? 0) / 4)
  })
})

describe('informed takers', () => {
  test('trade only when that will have paid', () => {
    const venue = new LivelyVenue({
      model: gbm,
      flow: { ...flow, informed: omniscient },
      liquidity: nothing,
      impact: null,
    })
    let fills = 0
    let edge = 0
    for (let minute = 0; minute < 600; minute += 1) {
      venue.cancelAll(alice)
      venue.place(alice, buy, 100_000, Math.round(venue.markTicks * 0.9997))
      venue.place(alice, sell, 100_000, Math.round(venue.markTicks * 1.0003))
      const before = venue.state.fills.count
      venue.advance(60_000)
      for (let row = before; row < venue.state.fills.count; row += 1) {
        const sign = venue.state.fills.side.get(row) === buy ? 1 : -1
        edge += sign * (venue.markTicks / venue.state.fills.priceTicks.get(row) - 1) * 10_000
        fills += 1
      }
    }
    expect(fills).toBeGreaterThan(300)
    expect(edge / fills).toBeLessThan(-1)
  })

  test('do not trade a constant price', () => {
    const venue = new LivelyVenue({ flow: { ...flow, informed: omniscient }, impact: null })
    venue.advance(3_600_000)
    expect(venue.state.byAsset[1]?.statistics.read(venue.venue.now).lastTicks).toBe(0)
  })
})

describe('snipers', () => {
  const jump = { kind: 'waypoints', noiseVol: 0 } as const
  const points = [
    { offsetMillis: 0, price: 50_000 },
    { offsetMillis: 60_000, price: 50_000 },
    { offsetMillis: 61_000, price: 50_100 },
  ]
  const openQuotedVenue = (snipers: number, gridMillis = 1000): LivelyVenue => {
    const venue = new LivelyVenue({
      model: { ...jump, points },
      flow: { ...flow, ratePerMinute: 1e-9, snipers },
      liquidity: nothing,
      impact: null,
      gridMillis,
    })
    venue.place(alice, sell, 40_000_000, at(2))
    venue.advance(60_500)
    return venue
  }

  test('take stale quotes in full', () => {
    const venue = openQuotedVenue(1)
    expect(fillsOf(venue, alice)).toBe(0)
    venue.advance(2000)
    expect(venue.state.orders.filledSteps.get(0)).toBe(40_000_000)
  })

  test('do not trade when there are none configured, nor when a quote is not stale enough', () => {
    const without = openQuotedVenue(0)
    without.advance(100_000)
    expect(fillsOf(without, alice)).toBe(0)
    const near = openQuotedVenue(1)
    near.cancelAll(alice)
    near.place(alice, sell, 1000, Math.round(5_010_000 * (1 - 2.9 / 10_000)))
    near.advance(100_000)
    expect(fillsOf(near, alice)).toBe(0)
  })

  test('take stale bids after a fall', () => {
    const fall = points.map(({ offsetMillis, price }) => ({ offsetMillis, price: 100_000 - price }))
    const venue = new LivelyVenue({
      model: { ...jump, points: fall },
      flow: { ...flow, ratePerMinute: 1e-9, snipers: 1 },
      liquidity: nothing,
      impact: null,
    })
    venue.place(alice, buy, 40_000_000, at(-2))
    venue.advance(60_500)
    expect(fillsOf(venue, alice)).toBe(0)
    venue.advance(2000)
    expect(venue.state.orders.filledSteps.get(0)).toBe(40_000_000)
  })

  test('come in the configured share of minutes', () => {
    const minutes = 200
    const stairs = Array.from({ length: minutes }, (_, minute) => [
      { offsetMillis: minute * 60_000 + 29_000, price: 50_000 * 1.002 ** minute },
      { offsetMillis: minute * 60_000 + 30_000, price: 50_000 * 1.002 ** (minute + 1) },
    ])
    const venue = new LivelyVenue({
      model: { ...jump, points: [{ offsetMillis: 0, price: 50_000 }, ...stairs.flat()] },
      flow: { ...flow, ratePerMinute: 1e-9, snipers: 0.4 },
      liquidity: nothing,
      impact: null,
    })
    let sniped = 0
    for (let minute = 0; minute < minutes; minute += 1) {
      const before = fillsOf(venue, alice)
      venue.place(alice, sell, 1000, Math.round(venue.markTicks * 1.0002))
      venue.advance(59_000)
      sniped += fillsOf(venue, alice) - before
      venue.cancelAll(alice)
      venue.advance(1000)
    }
    expect(sniped / minutes).toBeCloseTo(0.4, 1)
  })

  test('take nothing while the pair is halted, and what is still stale when it resumes', () => {
    const venue = openQuotedVenue(1)
    const { venue: engine } = venue
    engine.execute({ kind: 'halt', at: engine.now, asset: 1, mode: 'rest', forMillis: millis(0) })
    venue.advance(2000)
    expect(fillsOf(venue, alice)).toBe(0)
    engine.execute({ kind: 'resume', at: engine.now, asset: 1 })
    venue.advance(2000)
    expect(venue.state.orders.filledSteps.get(0)).toBe(40_000_000)
  })

  test('react after 250 milliseconds', () => {
    const venue = openQuotedVenue(1, 100)
    venue.advance(500)
    venue.cancelAll(alice)
    const before = fillsOf(venue, alice)
    venue.place(alice, sell, 1000, at(2))
    venue.advance(200)
    expect(fillsOf(venue, alice)).toBe(before)
    venue.advance(200)
    expect(fillsOf(venue, alice)).toBe(before + 1)
  })
})
