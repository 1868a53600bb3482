import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attributionOf } from '../../src/metrics/attribution.ts'
import { costMetrics } from '../../src/metrics/cost-metrics.ts'
import { makerMetrics } from '../../src/metrics/maker-metrics.ts'
import type { FillRecord } from '../../src/metrics/records.ts'
import { bootstrapInterval } from '../../src/metrics/samples.ts'
import { tripMetrics, tripsOf } from '../../src/metrics/trip-metrics.ts'
import { createStream } from '../../src/numeric/random.ts'
import { fillOf, gridOf, orderOf } from './records.ts'

const start = Date.UTC(2026, 0, 5)
const grid = gridOf([1000, 1000], { price: [100, 110] })

describe('implementation shortfall', () => {
  it('is split into delay, execution and opportunity cost', () => {
    // Decided at 100, arrived at 101, half filled at 103 while the mid was 102, the end is 110.
    const order = orderOf({ quantity: 4, filledQuantity: 2, decisionMid: 100, arrivalMid: 101 })
    const fill = fillOf({ price: 103, quantity: 2, mid: 102, arrivalMid: 101, fee: 0.5, feeUsd: 0.5 })
    const { shortfall, slippageBps } = costMetrics(grid, [fill], [order])
    expect(shortfall).toEqual({ delay: 2, impact: 2, spread: 2, opportunity: 20, fees: 0.5, total: 26.5 })
    expect(slippageBps.value).toBeCloseTo((2 / 101) * 10_000, 9)
  })

  it('changes its sign for a sale, and omits orders that only rested', () => {
    const sale = orderOf({ side: 'sell', decisionMid: 100, arrivalMid: 99 })
    const fill = fillOf({ side: 'sell', price: 97, mid: 98, arrivalMid: 99 })
    const { shortfall } = costMetrics(grid, [fill], [sale])
    expect(shortfall).toMatchObject({ delay: 1, impact: 1, spread: 1, opportunity: 0, total: 3 })
    const rested = orderOf({ orderId: 'ord_2', type: 'limit', price: 90, filledQuantity: 0 })
    expect(costMetrics(grid, [fill], [sale, rested]).shortfall.total).toBe(3)
  })

  it('adds up to the cost against the decision price, and the opportunity cost', () => {
    const price = fc.integer({ min: 80, max: 120 })
    const deal = fc.record({
      side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
      decision: price,
      arrival: price,
      mid: price,
      paid: price,
      quantity: fc.integer({ min: 1, max: 9 }),
      rest: fc.integer({ min: 0, max: 9 }),
    })
    fc.assert(
      fc.property(deal, ({ arrival, decision, mid, paid, quantity, rest, side }) => {
        const sign = side === 'buy' ? 1 : -1
        const order = orderOf({
          side,
          quantity: quantity + rest,
          filledQuantity: quantity,
          decisionMid: decision,
          arrivalMid: arrival,
        })
        const fill = fillOf({ side, price: paid, quantity, mid, arrivalMid: arrival })
        const expected = sign * (quantity * (paid - decision) + rest * (110 - decision))
        expect(costMetrics(grid, [fill], [order]).shortfall.total).toBeCloseTo(expected, 9)
      }),
      { seed: 7, numRuns: 200 },
    )
  })
})

describe('costs', () => {
  it('splits fees by asset and by maker and taker', () => {
    const fills = [
      fillOf({ fee: 1, feeUsd: 1 }),
      fillOf({ fee: -0.25, feeUsd: -0.25, isMaker: true }),
      fillOf({ asset: 'ETH', fee: 2, feeUsd: 2 }),
    ]
    const { byAsset, fees, makerFees, takerFees } = costMetrics(grid, fills, [])
    expect({ fees, makerFees, takerFees }).toEqual({ fees: 2.75, makerFees: -0.25, takerFees: 3 })
    expect(byAsset.map(({ asset, makerFees: made, takerFees: taken }) => [asset, made, taken])).toEqual([
      ['BTC', -0.25, 1],
      ['ETH', 0, 2],
    ])
  })

  it('compares with the mid over the time of the fills', () => {
    const long = gridOf([1, 1, 1], { price: [100, 110, 120] })
    const fills = [fillOf({ price: 112 }), fillOf({ price: 112, atMillis: start + 7_200_000 })]
    expect(costMetrics(long, fills, []).versusTwapBps.value).toBeCloseTo((2 / 110) * 10_000, 9)
    expect(costMetrics(long, fills.slice(0, 1), []).versusTwapBps.value).toBeNull()
  })
})

describe('the volume-weighted price of the interval', () => {
  const untilThen = (quantity: number, value: number) => ({ tradedBefore: { quantity, value } })

  it('covers all trades of the market from the first fill to the last, including those two', () => {
    // Between them others trade 2 at 103: with 1 at 100 and 1 at 106 that is 412 for 4.
    const fills = [
      fillOf({ price: 100, quantity: 1, value: 100, ...untilThen(10, 950) }),
      fillOf({ price: 106, quantity: 1, value: 106, ...untilThen(13, 1256) }),
    ]
    expect(costMetrics(grid, fills, []).versusVwapBps.value).toBeCloseTo(0, 9)
    const dearer = [
      fills[0] ?? fillOf(),
      fillOf({ price: 106, quantity: 1, value: 106, ...untilThen(13, 1250) }),
    ]
    expect(costMetrics(grid, dearer, []).versusVwapBps.value).toBeCloseTo((1.5 / 101.5) * 10_000, 9)
  })

  it('is unknown without the market’s trades', () => {
    expect(costMetrics(grid, [fillOf()], []).versusVwapBps).toMatchObject({ value: null })
  })
})

describe('round trips', () => {
  it('have the profit that each reduction realised, and how long it was held', () => {
    const hours = (count: number) => start + count * 3_600_000
    const fills = [
      fillOf({ atMillis: hours(0), quantity: 1 }),
      fillOf({ atMillis: hours(2), quantity: 1 }),
      fillOf({ atMillis: hours(3), side: 'sell', quantity: 1, realized: 5 }),
      fillOf({ atMillis: hours(4), side: 'sell', quantity: 3, realized: -3 }),
      fillOf({ atMillis: hours(6), side: 'buy', quantity: 2, realized: 0 }),
    ]
    const trips = tripsOf(gridOf([1000]), fills, [])
    expect(trips.map(({ holdMillis, realized }) => [holdMillis / 3_600_000, realized])).toEqual([
      [2, 5],
      [3, -3],
      [2, 0],
    ])
    const found = tripMetrics(trips)
    expect(found).toMatchObject({ count: 3, wins: 1, losses: 1, zeros: 1, longestLosingRun: 1 })
    expect(found.hitRate.value).toBe(0.5)
    expect(found.profitFactor.value).toBeCloseTo(5 / 3, 12)
    expect(found.expectancy.value).toBeCloseTo(2 / 3, 12)
    expect(tripMetrics(trips.slice(0, 1)).profitFactor.reason).toBe('no trip lost')
  })

  it('are one for all levels that an order takes at an instant, and two for two orders', () => {
    const sale = { side: 'sell', quantity: 1, orderId: 'ord_2' } as const
    const fills = [
      fillOf({ quantity: 4 }),
      fillOf({ ...sale, atMillis: start + 1000, realized: 5 }),
      fillOf({ ...sale, atMillis: start + 1000, realized: -2 }),
      fillOf({ ...sale, atMillis: start + 2000, realized: -1 }),
      fillOf({ ...sale, atMillis: start + 2000, realized: 7, orderId: 'ord_3' }),
    ]
    const trips = tripsOf(gridOf([1000]), fills, [])
    expect(trips.map(({ holdMillis, realized }) => [holdMillis, realized])).toEqual([
      [1000, 3],
      [2000, -1],
      [2000, 7],
    ])
  })

  // Sold 1, bought back 0.99 after the fee: still short, so the next purchase closes the position.
  it('subtract a fee in the asset itself from the position', () => {
    const received = { feeCurrency: 'BTC', fee: 0.01, feeUsd: 1 }
    const fills = [
      fillOf({ side: 'sell' }),
      fillOf({ orderId: 'ord_2', side: 'buy', realized: 5, ...received }),
      fillOf({ orderId: 'ord_3', side: 'buy', realized: 0.05, ...received }),
    ]
    expect(tripsOf(gridOf([1000]), fills, []).map(({ realized }) => realized)).toEqual([5, 0.05])
  })
})

describe('maker figures', () => {
  const input = {
    grid,
    orders: [],
    quotes: [],
    quoting: null,
    cancels: 3,
    requests: 9,
    rateLimited: 0,
    seed: '7',
  }

  it('weigh spread and markouts by value, positive when they favour the maker', () => {
    const fills = [
      // Bought at 99 below a mid of 100, then the mid fell to 98.
      fillOf({ isMaker: true, price: 99, quantity: 1, mid: 100, midAfter: [100, 98, 98, 98, 98, 98, null] }),
      // Sold at 202 above a mid of 200, which then stayed.
      fillOf({
        isMaker: true,
        side: 'sell',
        price: 202,
        quantity: 1,
        mid: 200,
        midAfter: [200, 200, 200, 200, 200, 200, null],
      }),
      fillOf({ isMaker: false, price: 500 }),
    ]
    const found = makerMetrics({ ...input, fills })
    const value = 99 + 202
    expect(found.spreadBps.value).toBeCloseTo(((1 + 2) / value) * 10_000, 9)
    const [atOnce, second] = found.markouts
    expect(atOnce?.bps.value).toBeCloseTo((3 / value) * 10_000, 9)
    expect(second?.bps.value).toBeCloseTo(((-1 + 2) / value) * 10_000, 9)
    expect(second?.adverseBps.value).toBeCloseTo((2 / value) * 10_000, 9)
    expect(found.markouts.at(-1)).toMatchObject({ horizonMillis: 3_600_000, fills: 0, bps: { value: null } })
    expect(found.cancelsPerFill.value).toBe(1)
    expect(found.timeAtTouch.value).toBeNull()
  })

  it('count resting orders, by number and by value', () => {
    const quote = {
      quoteId: 'qt_1',
      clientQuoteId: null,
      asset: 'BTC',
      bidPrice: 100,
      askPrice: 200,
      bidSize: 1,
      askSize: 1,
      bidFilled: 0.5,
      askFilled: 0,
      status: 'active',
      createdAtMillis: start,
      updatedAtMillis: start,
    }
    const order = orderOf({ type: 'limit', price: 100, quantity: 1, filledQuantity: 1 })
    const found = makerMetrics({ ...input, fills: [], orders: [order, orderOf()], quotes: [quote] })
    expect(found.fillRatioByCount.value).toBeCloseTo(2 / 3, 12)
    expect(found.fillRatioByQuantity.value).toBeCloseTo(150 / 400, 12)
  })

  it('follow the inventory', () => {
    const held = gridOf([1, 1, 1, 1, 1], { position: [0, 2, 2, -1, 0], price: [100, 101, 99, 99, 100] })
    const [inventory] = makerMetrics({ ...input, grid: held, fills: [] }).inventory
    expect(inventory?.mean.value).toBeCloseTo(0.6, 12)
    expect(inventory?.maximum.value).toBe(2)
    expect(inventory?.timeAtLimit.value).toBe(0.4)
    // What was there from the start is no inventory of a maker's.
    const stocked = {
      ...held,
      assets: held.assets.map((one) => ({ ...one, position: one.position.map((q) => q + 20) })),
    }
    const [same] = makerMetrics({ ...input, grid: stocked, fills: [] }).inventory
    expect([same?.maximum.value, same?.timeAtLimit.value]).toEqual([2, 0.4])
    expect(same?.mean.value).toBeCloseTo(0.6, 12)
    expect(makerMetrics({ ...input, fills: [] }).inventory).toEqual([])
  })

  it('have a confidence interval of a weighted mean', () => {
    const stream = createStream('7', 'values', '', 0)
    const values = Array.from({ length: 400 }, () => (stream.uniform() - 0.5) * 20)
    const weights = values.map(() => 1)
    const times = { atMillis: values.map((_, place) => place * 1_000), reachMillis: 0 }
    const { high, low } = bootstrapInterval(values, weights, times, 'a')
    // The standard error is 5.77 / 20 = 0.289; the interval is 1.96 of them either side of the mean.
    const middle = values.reduce((sum, value) => sum + value, 0) / values.length
    const sides = [middle - Number(low.value), Number(high.value) - middle]
    for (const side of sides) expect(Math.abs(side - 0.566)).toBeLessThan(0.15)
    expect(bootstrapInterval(values, weights, times, 'a')).toEqual({ high, low })
  })

  it('have one that knows how far its values look ahead', () => {
    // Every 20 steps a buy at a price that moves by a normal step; each looks 360 steps ahead, so neighbours share nearly
    // all of what they see: there are about 60 samples rather than 1,080.
    const [reach, spans, paths] = [360, 60, 200]
    let held = 0
    for (let path = 0; path < paths; path += 1) {
      const stream = createStream(String(path), 'path', '', 0)
      const prices = [0]
      for (let step = 0; step < reach * spans + reach; step += 1)
        prices.push(Number(prices.at(-1)) + stream.normal())
      const places = Array.from({ length: (reach * spans) / 20 }, (_, place) => place * 20)
      const values = places.map((place) => Number(prices[place + reach]) - Number(prices[place]))
      const weights = values.map(() => 1)
      const times = { atMillis: places, reachMillis: reach }
      const { high, low } = bootstrapInterval(values, weights, times, 'a')
      if (Number(low.value) <= 0 && Number(high.value) >= 0) held += 1
    }
    // With a block for each value 30 % of the intervals contain the true mean, 0. Binomial error of 200 paths: 1.6 %.
    expect(held / paths).toBeGreaterThan(0.89)
  })

  it('have none where the values look at nearly the same time', () => {
    const times = { atMillis: [0, 1_000, 2_000, 3_000], reachMillis: 1_000 }
    expect(bootstrapInterval([1, 2, 3, 4], [1, 1, 1, 1], times, 'a').low).toEqual({
      value: null,
      reason: 'the fills lie within fewer than six such spans',
    })
  })
})

describe('attribution', () => {
  it('adds up for any fills and moves', () => {
    const move = fc.record({
      side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
      price: fc.integer({ min: 80, max: 120 }),
      mid: fc.integer({ min: 80, max: 120 }),
      quantity: fc.integer({ min: 1, max: 9 }),
      fee: fc.integer({ min: -2, max: 5 }),
      isFeeReceived: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(move, { maxLength: 20 }), fc.integer({ min: 80, max: 120 }), (moves, end) => {
        let cash = 10_000
        let position = 3
        const fills: FillRecord[] = []
        for (const { fee, isFeeReceived, mid, price, quantity, side } of moves) {
          const sign = side === 'buy' ? 1 : -1
          const paid = isFeeReceived && side === 'buy' ? { fee: fee / 64, feeCurrency: 'BTC' } : { fee }
          const isInCoins = paid.feeCurrency === 'BTC'
          cash -= sign * price * quantity + (isInCoins ? 0 : paid.fee)
          position += sign * quantity - (isInCoins ? paid.fee : 0)
          const feeUsd = isInCoins ? paid.fee * price : paid.fee
          fills.push(fillOf({ side, price, mid, quantity, ...paid, feeUsd }))
        }
        const before = 10_000 + 3 * 100
        const after = cash + position * end
        const held = gridOf([before, after], { price: [100, end], position: [3, position] })
        const found = attributionOf(held, fills, [], after - before)
        expect(found.spread + found.inventory + found.fees).toBeCloseTo(found.profit, 6)
        expect(Math.abs(found.remainder)).toBeLessThan(1e-6)
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})
