import { describe, expect, it } from 'vitest'
import { computeTrips, findTrips } from '../../src/metrics/trip-metrics.ts'
import { fillOf, gridOf } from './records.ts'

const start = Date.UTC(2026, 0, 5)

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
    const trips = findTrips(gridOf([1000]), fills, [])
    expect(trips.map(({ holdMillis, realized }) => [holdMillis / 3_600_000, realized])).toEqual([
      [2, 5],
      [3, -3],
      [2, 0],
    ])
    const found = computeTrips(trips)
    expect(found).toMatchObject({ count: 3, wins: 1, losses: 1, zeros: 1, longestLosingRun: 1 })
    expect(found.hitRate.value).toBe(0.5)
    expect(found.profitFactor.value).toBeCloseTo(5 / 3, 12)
    expect(found.expectancy.value).toBeCloseTo(2 / 3, 12)
    expect(computeTrips(trips.slice(0, 1)).profitFactor.reason).toBe('no trip lost')
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
    const trips = findTrips(gridOf([1000]), fills, [])
    expect(trips.map(({ holdMillis, realized }) => [holdMillis, realized])).toEqual([
      [1000, 3],
      [2000, -1],
      [2000, 7],
    ])
  })

  it('are two where both sides of a quote are hit at one instant', () => {
    const leg = { orderId: null, quoteId: 'qt_1', atMillis: start + 1000 }
    const fills = [
      fillOf({ quantity: 1 }),
      fillOf({ ...leg, side: 'sell', quantity: 3, realized: 5 }),
      fillOf({ ...leg, side: 'buy', quantity: 1, realized: -2 }),
    ]
    const trips = findTrips(gridOf([1000]), fills, [])
    expect(trips.map(({ holdMillis, realized }) => [holdMillis, realized])).toEqual([
      [1000, 5],
      [0, -2],
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
    expect(findTrips(gridOf([1000]), fills, []).map(({ realized }) => realized)).toEqual([5, 0.05])
  })
})
