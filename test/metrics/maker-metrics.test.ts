import { describe, expect, it } from 'vitest'
import { computeMaker } from '../../src/metrics/maker-metrics.ts'
import { bootstrapInterval } from '../../src/metrics/samples.ts'
import { createStream } from '../../src/numeric/random.ts'
import { fillOf, gridOf, orderOf } from './records.ts'

const start = Date.UTC(2026, 0, 5)
const grid = gridOf([1000, 1000], { price: [100, 110] })

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
    const found = computeMaker({ ...input, fills })
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
    const found = computeMaker({ ...input, fills: [], orders: [order, orderOf()], quotes: [quote] })
    expect(found.fillRatioByCount.value).toBeCloseTo(2 / 3, 12)
    expect(found.fillRatioByQuantity.value).toBeCloseTo(150 / 400, 12)
  })

  it('count only sides that could rest and were worth something', () => {
    const resting = { type: 'limit', price: 100, filledQuantity: 0 } as const
    const orders = [
      orderOf(resting),
      orderOf({ ...resting, filledQuantity: 0.25 }),
      orderOf({ ...resting, timeInForce: 'IOC' }),
      orderOf({ ...resting, price: null }),
      orderOf({ ...resting, quantity: 0 }),
    ]
    const found = computeMaker({ ...input, fills: [], orders })
    expect([found.fillRatioByCount.value, found.fillRatioByQuantity.value]).toEqual([0.5, 0.125])
    const none = computeMaker({ ...input, fills: [] })
    for (const figure of [none.fillRatioByCount, none.fillRatioByQuantity])
      expect(figure).toEqual({ value: null, reason: 'nothing rested' })
    expect(none.spreadBps.reason).toBe('there are no maker fills')
    expect(none.cancelsPerFill.reason).toBe('there are no fills')
  })

  it('tell how long quotes stood, where the book was sampled', () => {
    const fills = [fillOf({ isMaker: true }), fillOf({ isMaker: true }), fillOf({ isMaker: false })]
    const quoting = {
      observedMillis: 4 * 3_600_000,
      atTouchMillis: 1_800_000,
      twoSided: [
        { withinBps: 5, millis: 3_600_000 },
        { withinBps: 50, millis: 7_200_000 },
      ],
    }
    const found = computeMaker({ ...input, fills, quoting })
    expect([found.timeAtTouch.value, found.fillsPerHourAtTouch.value]).toEqual([0.125, 4])
    expect(found.uptime.map(({ share, withinBps }) => [withinBps, share.value])).toEqual([
      [5, 0.25],
      [50, 0.5],
    ])
    expect(found).toMatchObject({ fills: 2, volume: 200, requests: 9, rateLimited: 0 })
    const never = computeMaker({
      ...input,
      fills,
      quoting: { ...quoting, observedMillis: 0, atTouchMillis: 0 },
    })
    expect(never.fillsPerHourAtTouch.reason).toBe('never at the touch')
    for (const figure of [never.timeAtTouch, ...never.uptime.map(({ share }) => share)])
      expect(figure.reason).toBe('the run took no time')
    const unseen = computeMaker({ ...input, fills })
    for (const figure of [unseen.timeAtTouch, unseen.fillsPerHourAtTouch])
      expect(figure).toEqual({ value: null, reason: 'the book was not sampled' })
    expect(unseen.uptime).toEqual([])
  })

  it('have intervals of markouts in basis points, from the fills whose mid is known', () => {
    // Alternately 1 % and 3 % better than the mid a second later, a minute apart; one fill too late to be known.
    const fills = Array.from({ length: 40 }, (_, place) =>
      fillOf({
        isMaker: true,
        atMillis: start + place * 60_000,
        price: 100,
        mid: 100,
        midAfter: [100, place % 2 === 0 ? 101 : 103, null, null, null, null, null],
      }),
    )
    const late = fillOf({ isMaker: true, price: 100, mid: 150, midAfter: [] })
    const [, second] = computeMaker({ ...input, fills: [...fills, late] }).markouts
    expect(second).toMatchObject({ horizonMillis: 1_000, fills: 40 })
    expect(second?.bps.value).toBeCloseTo(200, 9)
    expect(second?.adverseBps.value).toBeCloseTo(-200, 9)
    expect(second?.lowBps.value).toBeGreaterThan(130)
    expect(second?.lowBps.value).toBeLessThan(200)
    expect(second?.highBps.value).toBeGreaterThan(200)
    expect(second?.highBps.value).toBeLessThan(270)
  })

  it('know how fast an inventory reverts, and whether it knew the next move', () => {
    const held = gridOf([1, 1, 1, 1, 1], { position: [0, 1, 2, 2, 1], price: [100, 100, 110, 110, 99] })
    const [inventory] = computeMaker({ ...input, grid: held, fills: [] }).inventory
    // Gaps to 1.2 of -1.2, -0.2, 0.8, 0.8 and -0.2: products of 0.24 - 0.16 + 0.64 - 0.16, squares of 2.8.
    const rho = 0.56 / 2.8
    expect(inventory?.halfLifeMillis.value).toBeCloseTo((3_600_000 * Math.log(0.5)) / Math.log(rho), 3)
    expect(inventory?.deviation.value).toBeCloseTo(Math.sqrt(2.8 / 4), 12)
    // Positions 0, 1, 2, 2 before returns of 0, 10, 0 and -10 %: gaps of -1.25, -0.25, 0.75, 0.75.
    expect(inventory?.futureReturn.value).toBeCloseTo(-0.1 / Math.sqrt(2.75 * 0.02), 12)
    // Gaps to 1 of -1, 1, -1 and 1 turn about, and -1, 0, 1, 0 have no memory at all.
    for (const position of [
      [0, 2, 0, 2],
      [0, 1, 2, 1],
    ]) {
      const [turning] = computeMaker({
        ...input,
        grid: gridOf([1, 1, 1, 1], { position }),
        fills: [],
      }).inventory
      expect(turning?.halfLifeMillis.reason).toBe('the inventory does not revert on this grid')
    }
    const [brief] = computeMaker({
      ...input,
      grid: gridOf([1, 1], { position: [0, 1] }),
      fills: [],
    }).inventory
    expect(brief?.halfLifeMillis.reason).toBe('it takes three values')
  })

  it('follow the inventory', () => {
    const held = gridOf([1, 1, 1, 1, 1], { position: [0, 2, 2, -1, 0], price: [100, 101, 99, 99, 100] })
    const [inventory] = computeMaker({ ...input, grid: held, fills: [] }).inventory
    expect(inventory?.mean.value).toBeCloseTo(0.6, 12)
    expect(inventory?.maximum.value).toBe(2)
    expect(inventory?.timeAtLimit.value).toBe(0.4)
    // What was there from the start is no inventory of a maker's.
    const stocked = {
      ...held,
      assets: held.assets.map((one) => ({ ...one, position: one.position.map((q) => q + 20) })),
    }
    const [same] = computeMaker({ ...input, grid: stocked, fills: [] }).inventory
    expect([same?.maximum.value, same?.timeAtLimit.value]).toEqual([2, 0.4])
    expect(same?.mean.value).toBeCloseTo(0.6, 12)
    expect(computeMaker({ ...input, fills: [] }).inventory).toEqual([])
  })

  it('have a confidence interval of a weighted mean', () => {
    const stream = createStream('7', 'values', '', 0)
    const values = Array.from({ length: 400 }, () => (stream.uniform() - 0.5) * 20)
    const weights = values.map(() => 1)
    const atMillis = values.map((_, place) => Date.UTC(2026, 0, 5) + place * 1_000)
    const times = { atMillis, reachMillis: 0 }
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
      reason: expect.any(String),
    })
  })
})
