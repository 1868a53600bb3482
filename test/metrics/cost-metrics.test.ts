import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeCosts } from '../../src/metrics/cost-metrics.ts'
import { fillOf, gridOf, orderOf } from './records.ts'

const start = Date.UTC(2026, 0, 5)
const grid = gridOf([1000, 1000], { price: [100, 110] })

describe('implementation shortfall', () => {
  it('is split into delay, execution and opportunity cost', () => {
    // Decided at 100, arrived at 101, half filled at 103 while the mid was 102, the end is 110.
    const order = orderOf({ quantity: 4, filledQuantity: 2, decisionMid: 100, arrivalMid: 101 })
    const fill = fillOf({ price: 103, quantity: 2, mid: 102, arrivalMid: 101, fee: 0.5, feeUsd: 0.5 })
    const { shortfall, slippageBps } = computeCosts(grid, [fill], [order])
    expect(shortfall).toEqual({ delay: 2, impact: 2, spread: 2, opportunity: 20, fees: 0.5, total: 26.5 })
    expect(slippageBps.value).toBeCloseTo((2 / 101) * 10_000, 9)
  })

  it('changes its sign for a sale, and omits orders that only rested', () => {
    const sale = orderOf({ side: 'sell', decisionMid: 100, arrivalMid: 99 })
    const fill = fillOf({ side: 'sell', price: 97, mid: 98, arrivalMid: 99 })
    const { shortfall } = computeCosts(grid, [fill], [sale])
    expect(shortfall).toMatchObject({ delay: 1, impact: 1, spread: 1, opportunity: 0, total: 3 })
    const rested = orderOf({ orderId: 'ord_2', type: 'limit', price: 90, filledQuantity: 0 })
    expect(computeCosts(grid, [fill], [sale, rested]).shortfall.total).toBe(3)
  })

  it.each([
    ['a market order', {}, null, true],
    ['one that was cancelled at once', { type: 'limit', timeInForce: 'IOC' }, null, true],
    ['one that took', { type: 'limit' }, false, true],
    ['one that rested', { type: 'limit' }, true, false],
    ['one of which the service does not tell', { type: 'limit' }, null, false],
    ['one without a decision', { decisionMid: null }, false, false],
    ['one without an arrival', { arrivalMid: null }, false, false],
  ] as const)('includes orders that took: %s', (_name, more, isMaker, isIncluded) => {
    const order = orderOf({ decisionMid: 100, arrivalMid: 100, ...more })
    const fill = fillOf({ price: 103, mid: 100, isMaker, feeUsd: 0.5 })
    expect(computeCosts(grid, [fill], [order]).shortfall.total).toBe(isIncluded ? 3.5 : 0)
  })

  it('takes the arrival for an unknown mid at the fill, and the decision for an unknown end', () => {
    const order = orderOf({ asset: 'SOL', quantity: 5, filledQuantity: 2, decisionMid: 100, arrivalMid: 101 })
    const fill = fillOf({ asset: 'SOL', price: 104, quantity: 2, mid: null, arrivalMid: 101 })
    const { shortfall } = computeCosts(grid, [fill], [order])
    expect(shortfall).toEqual({ delay: 2, impact: 0, spread: 6, opportunity: 0, fees: 0, total: 8 })
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
        expect(computeCosts(grid, [fill], [order]).shortfall.total).toBeCloseTo(expected, 9)
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
    const { byAsset, fees, makerFees, takerFees } = computeCosts(grid, fills, [])
    expect({ fees, makerFees, takerFees }).toEqual({ fees: 2.75, makerFees: -0.25, takerFees: 3 })
    expect(byAsset.map(({ asset, makerFees: made, takerFees: taken }) => [asset, made, taken])).toEqual([
      ['BTC', -0.25, 1],
      ['ETH', 0, 2],
    ])
  })

  it('weighs slippage by value, without fills that have no arrival', () => {
    const fills = [
      fillOf({ asset: 'ETH', price: 102, arrivalMid: 100 }),
      fillOf({ side: 'sell', price: 99, quantity: 3, arrivalMid: 100 }),
      fillOf({ price: 500, arrivalMid: null }),
    ]
    const { byAsset, slippageBps } = computeCosts(grid, fills, [])
    // 2 % of 102 and 1 % of 297.
    expect(slippageBps.value).toBeCloseTo(((0.02 * 102 + 0.01 * 297) / 399) * 10_000, 9)
    expect(byAsset.map(({ asset, slippageBps: own }) => [asset, own.value])).toEqual([
      ['BTC', expect.closeTo(100, 9)],
      ['ETH', expect.closeTo(200, 9)],
    ])
    expect(computeCosts(grid, fills.slice(2), []).slippageBps).toEqual({
      value: null,
      reason: 'no fill of an order with a known arrival',
    })
  })

  it('compares each asset and side with its own mean, weighted by value', () => {
    const two = {
      ...gridOf([1, 1]),
      assets: [
        { asset: 'BTC', price: [100, 120], position: [0, 0] },
        { asset: 'ETH', price: [10, 30], position: [0, 0] },
      ],
    }
    const last = start + 3_600_000
    const both = (more: Parameters<typeof fillOf>[0]) => [fillOf(more), fillOf({ ...more, atMillis: last })]
    const fills = [
      ...both({ price: 121 }),
      ...both({ side: 'sell', price: 99 }),
      ...both({ asset: 'ETH', price: 22, quantity: 2 }),
      // One point of the grid is no mean.
      fillOf({ asset: 'ETH', side: 'sell', price: 1 }),
    ]
    // 10 % dearer, 10 % cheaper where that is a loss, and 10 % dearer again.
    expect(computeCosts(two, fills, []).versusTwapBps.value).toBeCloseTo(1_000, 9)
    expect(computeCosts(two, [], []).versusTwapBps.reason).toBe(
      'no fills span two points of the equity, which a finer grid has',
    )
    const sales = [...both({ price: 121 }), ...both({ side: 'sell', price: 132 })]
    const traded = 242 * 0.1 - 264 * 0.2
    expect(computeCosts(two, sales, []).versusTwapBps.value).toBeCloseTo((traded / 506) * 10_000, 9)
  })

  it('compares with the mid over the time of the fills', () => {
    const long = gridOf([1, 1, 1], { price: [100, 110, 120] })
    const fills = [fillOf({ price: 112 }), fillOf({ price: 112, atMillis: start + 7_200_000 })]
    expect(computeCosts(long, fills, []).versusTwapBps.value).toBeCloseTo((2 / 110) * 10_000, 9)
    expect(computeCosts(long, fills.slice(0, 1), []).versusTwapBps.value).toBeNull()
    // Neither what was before the first fill nor what came after the last.
    const wider = gridOf([1, 1, 1, 1], { price: [10, 100, 120, 900] })
    const within = [1, 2].map((hours) => fillOf({ price: 112, atMillis: start + hours * 3_600_000 }))
    expect(computeCosts(wider, within, []).versusTwapBps.value).toBeCloseTo((2 / 110) * 10_000, 9)
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
    expect(computeCosts(grid, fills, []).versusVwapBps.value).toBeCloseTo(0, 9)
    const dearer = [
      fills[0] ?? fillOf(),
      fillOf({ price: 106, quantity: 1, value: 106, ...untilThen(13, 1250) }),
    ]
    expect(computeCosts(grid, dearer, []).versusVwapBps.value).toBeCloseTo((1.5 / 101.5) * 10_000, 9)
  })

  it('is unknown without the market’s trades', () => {
    const reason = 'the volume of the market is unknown'
    const known = fillOf(untilThen(1, 100))
    for (const fills of [[fillOf()], [known, fillOf()], [fillOf(), known]])
      expect(computeCosts(grid, fills, []).versusVwapBps).toEqual({ value: null, reason })
  })
})
