import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Market } from '../../src/market/market.ts'
import type { PathOverride } from '../../src/market/path-override.ts'
import { addOverride, computeFundamental, createJump, createPath } from '../../src/market/path-override.ts'
import { asset, gbm, marketOf, startMillis } from './market-of.ts'

const market = marketOf([asset(gbm, 'ETH', 3_000), asset(gbm)])
const btc = 1
const second = (index: number): number => startMillis + index * 1_000
const priceOf = (overrides: readonly PathOverride[], index: number, from: Market = market): number =>
  computeFundamental(from, btc, overrides, index)

const crash = { id: 3, atMillis: second(100), noiseVol: 0.8 }
const points = [
  { offsetMillis: 30_000, price: 40_000 },
  { offsetMillis: 90_000, price: 45_000 },
]

describe('a jump', () => {
  test('acts at once, also between two grid points, and the model’s returns continue from it', () => {
    const jump = createJump(market, btc, second(10) + 999, 60_000)
    expect(priceOf([jump], 9)).toBe(market.fundamentalAt(btc, 9))
    expect(priceOf([jump], 10)).toBeCloseTo(60_000, 9)
    const ratio = priceOf([jump], 500) / priceOf([jump], 10)
    expect(ratio).toBeCloseTo(market.fundamentalAt(btc, 500) / market.fundamentalAt(btc, 10), 12)
  })

  test('needs a price', () => {
    expect(() => createJump(market, btc, second(10), 0)).toThrow('positive')
    expect(() => createJump(market, btc, second(10), Number.NaN)).toThrow('positive')
  })
})

describe('a path', () => {
  const path = createPath(market, btc, [], { ...crash, points })

  test('starts from the price, reaches its points, and the model continues from the last one', () => {
    expect(priceOf([path], 99)).toBe(market.fundamentalAt(btc, 99))
    expect(priceOf([path], 100)).toBe(market.fundamentalAt(btc, 100))
    expect(priceOf([path], 130)).toBe(40_000)
    expect(priceOf([path], 190)).toBeCloseTo(45_000, 9)
    const returnAfter = priceOf([path], 1_000) / priceOf([path], 190)
    expect(returnAfter).toBeCloseTo(market.fundamentalAt(btc, 1_000) / market.fundamentalAt(btc, 190), 12)
  })

  test('without noise is log-linear; with it, each id has its own', () => {
    const line = createPath(market, btc, [], { ...crash, points, noiseVol: 0 })
    expect(priceOf([line], 115)).toBeCloseTo(Math.sqrt(market.fundamentalAt(btc, 100) * 40_000), 6)
    const other = createPath(market, btc, [], { ...crash, points, id: 4 })
    expect(priceOf([path], 115)).not.toBe(priceOf([other], 115))
    expect(priceOf([path], 115) / priceOf([line], 115)).toBeCloseTo(1, 2)
  })

  test('at any millisecond takes effect at the next grid point, and ends at the one at or after its end', () => {
    const late = createPath(market, btc, [], { ...crash, atMillis: second(100) + 1, points, noiseVol: 0 })
    expect(priceOf([late], 100)).toBe(market.fundamentalAt(btc, 100))
    expect(priceOf([late], 101)).toBeLessThan(market.fundamentalAt(btc, 100))
    expect(priceOf([late], 130)).toBeCloseTo(40_000, -1)
    expect(priceOf([late], 191)).toBeCloseTo(45_000, 9)
  })

  test('is the same from another market of the same specification, and after a snapshot, in any order', () => {
    const twin = marketOf([asset(gbm, 'ETH', 3_000), asset(gbm)])
    const restored: PathOverride = JSON.parse(JSON.stringify(path))
    fc.assert(
      fc.property(fc.integer({ min: 90, max: 250 }), (index) => {
        return priceOf([path], index) === priceOf([restored], index, twin)
      }),
      { seed: 7, numRuns: 300 },
    )
  })

  test('of points without duration is a jump, and it needs a point', () => {
    const jump = createPath(market, btc, [], { ...crash, points: [{ offsetMillis: 0, price: 51_000 }] })
    expect(jump.kind).toBe('jump')
    expect(priceOf([jump], 100)).toBeCloseTo(51_000, 9)
    expect(() => createPath(market, btc, [], { ...crash, points: [] })).toThrow('a point')
  })

  test('may begin with a jump', () => {
    const gap = createPath(market, btc, [], {
      ...crash,
      noiseVol: 0,
      points: [
        { offsetMillis: 0, price: 48_000 },
        { offsetMillis: 10_000, price: 48_000 },
      ],
    })
    expect(priceOf([gap], 100)).toBe(48_000)
    expect(priceOf([gap], 105)).toBeCloseTo(48_000, 9)
  })
})

describe('several overrides', () => {
  test('apply the newest that has begun, which starts where the one before it had come', () => {
    const path = createPath(market, btc, [], { ...crash, points, noiseVol: 0 })
    const second160 = createPath(market, btc, [path], {
      id: 5,
      atMillis: second(160),
      points: [{ offsetMillis: 10_000, price: 50_000 }],
      noiseVol: 0,
    })
    const both = [path, second160]
    expect(priceOf(both, 159)).toBe(priceOf([path], 159))
    expect(priceOf(both, 160)).toBe(priceOf([path], 160))
    expect(priceOf(both, 170)).toBeCloseTo(50_000, 9)
    expect(priceOf(both, 400) / priceOf(both, 170)).toBeCloseTo(
      market.fundamentalAt(btc, 400) / market.fundamentalAt(btc, 170),
      12,
    )
    const jump = createJump(market, btc, second(165), 30_000)
    expect(priceOf([...both, jump], 165)).toBeCloseTo(30_000, 9)
    expect(priceOf([...both, jump], 180)).toBeLessThan(31_000)
  })

  test('forget those that no longer matter, which changes no price', () => {
    let kept: readonly PathOverride[] = []
    const all: PathOverride[] = []
    for (let index = 10; index < 400; index += 13) {
      const atMillis = second(index) + (index % 3) * 400
      const added =
        index % 2 === 0
          ? createJump(market, btc, atMillis, 50_000 + index)
          : createPath(market, btc, kept, { id: index, atMillis, points, noiseVol: 0.5 })
      all.push(added)
      kept = addOverride(kept, added, index)
      for (let later = index; later < index + 200; later += 7)
        expect(priceOf(kept, later)).toBe(priceOf(all, later))
      expect(kept.length).toBeLessThanOrEqual(2)
    }
  })
})
