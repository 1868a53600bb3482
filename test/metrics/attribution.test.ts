import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeAttribution } from '../../src/metrics/activity-metrics.ts'
import type { FillRecord } from '../../src/metrics/records.ts'
import { fillOf, gridOf } from './records.ts'

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
        const found = computeAttribution(held, fills, [], after - before)
        expect(found.spread + found.inventory + found.fees).toBeCloseTo(found.profit, 6)
        expect(Math.abs(found.remainder)).toBeLessThan(1e-6)
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})
