import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FillRecord } from '../../src/metrics/records.ts'
import { computeTrips, findTrips } from '../../src/metrics/trip-metrics.ts'
import { fillOf, gridOf } from './records.ts'

const start = Date.UTC(2026, 0, 5)
const hours = (count: number) => start + count * 3_600_000

/** The trips of fills in an account that begins with nothing; `mark` is the price at the end. */
const tripsOf = (fills: readonly FillRecord[], mark = 100) =>
  findTrips(gridOf([1000, 1000], { price: [100, mark] }), fills, [])

describe('round trips', () => {
  it('have the profit of each reduction against the average cost, and how long it was held', () => {
    const fills = [
      fillOf({ atMillis: hours(0), quantity: 1, price: 98 }),
      fillOf({ atMillis: hours(2), quantity: 1, price: 102 }),
      fillOf({ atMillis: hours(3), side: 'sell', quantity: 1, price: 105 }),
      fillOf({ atMillis: hours(4), side: 'sell', quantity: 3, price: 97 }),
      fillOf({ atMillis: hours(6), side: 'buy', quantity: 2, price: 97 }),
    ]
    const found = tripsOf(fills)
    expect(found.open).toEqual([])
    expect(found.trips.map(({ holdMillis, realized }) => [holdMillis / 3_600_000, realized])).toEqual([
      [2, 5],
      [3, -3],
      [2, 0],
    ])
    const figures = computeTrips(found)
    expect(figures).toMatchObject({
      count: 3,
      wins: 1,
      losses: 1,
      zeros: 1,
      longestLosingRun: 1,
      realized: 2,
    })
    expect(figures.hitRate.value).toBe(0.5)
    expect(figures.profitFactor.value).toBeCloseTo(5 / 3, 12)
    expect(figures.expectancy.value).toBeCloseTo(2 / 3, 12)
    expect(computeTrips({ ...found, trips: found.trips.slice(0, 1) }).profitFactor.reason).toBe(
      'no trip lost',
    )
  })

  it('are one for all levels that an order takes at an instant, and two for two orders', () => {
    const sale = { side: 'sell', quantity: 1, orderId: 'ord_2' } as const
    const fills = [
      fillOf({ quantity: 4 }),
      fillOf({ ...sale, atMillis: start + 1000, price: 105 }),
      fillOf({ ...sale, atMillis: start + 1000, price: 98 }),
      fillOf({ ...sale, atMillis: start + 2000, price: 99 }),
      fillOf({ ...sale, atMillis: start + 2000, price: 107, orderId: 'ord_3' }),
    ]
    expect(tripsOf(fills).trips.map(({ holdMillis, realized }) => [holdMillis, realized])).toEqual([
      [1000, 3],
      [2000, -1],
      [2000, 7],
    ])
  })

  it('are two where both sides of a quote are hit at one instant', () => {
    const leg = { orderId: null, quoteId: 'qt_1', atMillis: start + 1000 }
    const fills = [
      fillOf({ quantity: 1 }),
      fillOf({ ...leg, side: 'sell', quantity: 3, price: 105 }),
      fillOf({ ...leg, side: 'buy', quantity: 1, price: 107 }),
    ]
    expect(tripsOf(fills).trips.map(({ holdMillis, realized }) => [holdMillis, realized])).toEqual([
      [1000, 5],
      [0, expect.closeTo(-2, 9)],
    ])
  })

  // Sold 1, bought back 0.99 after the fee: still short, so the next purchase closes the position.
  it('take a fee in the asset itself from the position, and count it once', () => {
    const received = { feeCurrency: 'BTC', fee: 0.01, feeUsd: 1 }
    const fills = [
      fillOf({ side: 'sell' }),
      fillOf({ orderId: 'ord_2', side: 'buy', price: 94, ...received }),
      fillOf({ orderId: 'ord_3', side: 'buy', price: 90, ...received }),
    ]
    const { open, trips } = tripsOf(fills)
    expect(trips).toMatchObject([
      { realized: expect.closeTo(99 - 94, 9), fees: 0 },
      { realized: expect.closeTo(1 - 90 / 99, 9), fees: 0 },
    ])
    expect(open).toMatchObject([{ quantity: expect.closeTo(0.98, 12), fees: 0 }])
  })

  it('count what was held at the start as bought then, at the first mark', () => {
    const grid = gridOf([1000, 1000], { price: [100, 120], position: [2, 1] })
    const fills = [fillOf({ atMillis: hours(1), side: 'sell', price: 110 })]
    expect(findTrips(grid, fills, [])).toMatchObject({
      trips: [{ realized: 10, holdMillis: 3_600_000 }],
      open: [{ asset: 'BTC', quantity: 1, averageCost: 100, unrealized: 20 }],
    })
    expect(findTrips(grid, [], []).open).toEqual([])
  })
})

describe('net of fees', () => {
  it('a trip pays its own fees and those of what it closes', () => {
    const fills = [
      fillOf({ quantity: 4, price: 100, fee: 2, feeUsd: 2 }),
      fillOf({ orderId: 'ord_2', side: 'sell', quantity: 1, price: 100.8, fee: 0.5, feeUsd: 0.5 }),
      fillOf({ orderId: 'ord_3', side: 'sell', quantity: 1, price: 102, fee: 0.5, feeUsd: 0.5 }),
    ]
    const found = tripsOf(fills, 90)
    const figures = computeTrips(found)
    expect(found.trips.map(({ fees }) => fees)).toEqual([1, 1])
    expect([figures.hitRate.value, figures.netHitRate.value]).toEqual([1, 0.5])
    expect(figures.netExpectancy.value).toBeCloseTo(0.4, 12)
    expect(figures.netProfitFactor.value).toBeCloseTo(1 / 0.2, 9)
    expect(figures.netPayoff.value).toBeCloseTo(1 / 0.2, 9)
    // What is open is in no trip: a hit rate of 100 % stands beside its loss.
    expect(figures).toMatchObject({ openLots: 1, unrealized: -20, netUnrealized: -21 })
    expect(figures.open).toEqual([
      { asset: 'BTC', quantity: 2, averageCost: 100, unrealized: -20, netUnrealized: -21 },
    ])
  })

  it('trips and open lots add up to the profit, whatever was traded', () => {
    const fill = fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      quantity: fc.integer({ min: 1, max: 50 }).map((tenths) => tenths / 10),
      price: fc.integer({ min: 50, max: 150 }),
      fee: fc.integer({ min: -3, max: 9 }).map((tenths) => tenths / 10),
      isInKind: fc.boolean(),
    })
    fc.assert(
      fc.property(
        fc.array(fill, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: -5, max: 5 }),
        (given, first) => {
          const fills = given.map(({ fee, isInKind, ...one }, place) => {
            const paid =
              isInKind && one.side === 'buy' && fee >= 0
                ? { fee: fee / 10, feeCurrency: 'BTC', feeUsd: (fee / 10) * one.price }
                : { fee, feeUsd: fee }
            return fillOf({ ...one, ...paid, orderId: `ord_${place}`, atMillis: hours(place) })
          })
          const mark = 93
          let [cash, held] = [0, first]
          for (const { feeCurrency, fee, price, quantity, side } of fills) {
            cash += (side === 'sell' ? 1 : -1) * price * quantity - (feeCurrency === 'USD' ? fee : 0)
            held += (side === 'sell' ? -1 : 1) * quantity - (feeCurrency === 'BTC' ? fee : 0)
          }
          const found = computeTrips(
            findTrips(gridOf([1000, 1000], { price: [100, mark], position: [first, held] }), fills, []),
          )
          expect(found.netRealized + found.netUnrealized).toBeCloseTo(cash + held * mark - first * 100, 6)
          expect(found.openLots).toBe(Math.abs(held) < 1e-9 ? 0 : 1)
          if (found.openLots === 1) expect(found.open[0]?.quantity).toBeCloseTo(held, 9)
        },
      ),
      { seed: 7, numRuns: 300 },
    )
  })
})
