import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buy, sell, sideNames } from '../../../src/engine/codes.ts'
import { computeDepthFactor, computeSpreadFactor } from '../../../src/market/liquidity/liquidity.ts'
import { millis } from '../../../src/numeric/units.ts'
import { defaultModel } from '../../market/market-of.ts'
import { caseBudget } from '../../support/full-run.ts'
import { correlation, mean, variance } from '../../support/statistics.ts'
import { bitcoinLiquidity, dynamics, LivelyVenue, traders } from '../fixtures/lively-venue.ts'
import { startMillis } from '../fixtures/small-venue.ts'

const { alice } = traders
const hour = 3_600_000
const still = { ...dynamics, flickerSd: 0 }
const withoutFlicker = { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000, dynamics: still } as const

describe('spread and depth', () => {
  test.each([
    // The start is a Monday at midnight.
    ['at midnight on a Monday', 0, 1, 1, 1],
    ['late on a Monday', 21 * hour, 1, 1.15, 1],
    ['at 23 UTC', 23 * hour, 1, 1, 1],
    ['on a Saturday', 5 * 24 * hour, 1, 1.25, 0.75],
    ['late on a Sunday', (6 * 24 + 22) * hour, 1, 1.4375, 0.75],
    ['on the next Monday', 7 * 24 * hour, 1, 1, 1],
    ['when the market is twice as lively', 0, 2, 1.8661, 0.5],
    ['when it is a quarter as lively', 0, 0.25, 0.7, 4],
    ['when it is thirty times as lively', 0, 30, 21.35, 0.05],
    ['when it hardly moves', 0, 1e-9, 0.7, 10],
  ])('%s', (_when, after, activity, spread, depth) => {
    expect(computeSpreadFactor(dynamics, activity, startMillis + after)).toBeCloseTo(spread, 2)
    expect(computeDepthFactor(dynamics, activity, startMillis + after)).toBeCloseTo(depth, 4)
  })

  test('are visible in the book', () => {
    const venue = new LivelyVenue({ liquidity: withoutFlicker })
    expect(venue.halfSpreadBps()).toBeCloseTo(2, 3)
    expect(venue.depthUsd(buy, 12) / venue.depthUsd(sell, 12)).toBeCloseTo(1, 2)
    const weekday = venue.depthUsd(buy, 30)
    venue.advance(5 * 24 * hour)
    expect(venue.halfSpreadBps()).toBeCloseTo(2.5, 3)
    expect(venue.depthUsd(buy, 30) / weekday).toBeLessThan(0.8)
  })
})

test('an hour with narrower spreads reaches what waits, in the midst of an advance over a market that stands still', () => {
  const venue = new LivelyVenue({ liquidity: withoutFlicker, impact: null })
  venue.advance(22 * hour)
  venue.place(alice, buy, 1, 5_001_050) // offers are at 11.50 above the mark now, and at 10.00 an hour later
  expect(venue.state.fills.count).toBe(0)
  venue.advance(5 * hour)
  expect(venue.state.fills.count).toBe(1)
  expect(venue.state.fills.atMillis.get(0)).toBe(startMillis + 23 * hour)
})

test('sizes vary about their mean, each level independently, and halve their deviation in five seconds', () => {
  const venue = new LivelyVenue({ impact: null })
  const plain = new LivelyVenue({ impact: null, liquidity: withoutFlicker })
  const base = plain.levels(sell).map(([, steps]) => steps)
  const factors: number[][] = []
  for (let second = 0; second < 3000; second += 1) {
    factors.push(venue.levels(sell).map(([, steps], level) => Math.log(steps / (base[level] ?? 1))))
    venue.advance(1000)
  }
  const series = (level: number) => factors.map((row) => row[level] ?? Number.NaN)
  for (const level of [0, 7, 30]) {
    const values = series(level)
    expect(mean(values)).toBeCloseTo(-0.045, 1)
    expect(Math.sqrt(variance(values))).toBeCloseTo(0.3, 1)
    expect(correlation(values, values, 5)).toBeGreaterThan(0.4)
    expect(correlation(values, values, 5)).toBeLessThan(0.7) // knots have 0.5, what lies between them more
    expect(Math.abs(correlation(values, values, 60))).toBeLessThan(0.15)
  }
  expect(Math.abs(correlation(series(0), series(1), 0))).toBeLessThan(0.15)
})

describe('recovery after a hit', () => {
  const sweep = (venue: LivelyVenue): number => {
    const before = venue.depthUsd(sell, 10)
    let steps = 0
    for (const [ticks, size] of venue.levels(sell)) if (ticks / venue.markTicks <= 1.001) steps += size
    venue.take(alice, buy, steps)
    expect(venue.depthUsd(sell, 10)).toBe(0)
    return before
  }

  test('depth recovers within 15 seconds in a calm market', () => {
    const venue = new LivelyVenue({ liquidity: withoutFlicker, impact: null })
    const before = sweep(venue)
    venue.advance(2000)
    const soon = venue.depthUsd(sell, 10) / before
    expect(soon).toBeGreaterThan(0.3)
    expect(soon).toBeLessThan(0.6)
    venue.advance(13_000)
    expect(venue.depthUsd(sell, 10) / before).toBeGreaterThan(0.9)
  })

  test('levels further away withdraw after a sweep, and return after some minutes', () => {
    const venue = new LivelyVenue({ liquidity: withoutFlicker, impact: null })
    const beyond = (): number => venue.depthUsd(buy, 200) - venue.depthUsd(buy, 10.5)
    const before = beyond()
    venue.advance(500)
    sweep(venue)
    venue.advance(500)
    expect(beyond() / before).toBeCloseTo(0.5, 1)
    venue.advance(59_500)
    expect(beyond() / before).toBeCloseTo(0.75, 1)
    venue.advance(600_000)
    expect(beyond() / before).toBeCloseTo(1, 2)
  })

  test.each([
    [0.01, 1],
    [0.48, 1],
    [0.52, 0.5],
  ])(
    '%d of the depth within 10 basis points, taken at once, leave %d of what lies further away',
    (share, left) => {
      const venue = new LivelyVenue({ liquidity: withoutFlicker, impact: null })
      const beyond = (): number => venue.depthUsd(buy, 200) - venue.depthUsd(buy, 10.5)
      const before = beyond()
      venue.take(alice, sell, share * 400_000)
      venue.advance(1000)
      expect(beyond() / before).toBeCloseTo(left, 1)
    },
  )

  test('liquidity that was taken is gone until the next refresh, and is never sold twice', () => {
    const venue = new LivelyVenue({ liquidity: withoutFlicker, impact: null, gridMillis: 10_000 })
    const [[best = 0, size = 0] = []] = venue.levels(sell)
    venue.take(alice, buy, size)
    venue.advance(9_000)
    expect(venue.levels(sell)[0]?.[0]).toBeGreaterThan(best)
    venue.take(alice, buy, size)
    expect(venue.state.fills.priceTicks.get(venue.state.fills.count - 1)).toBeGreaterThan(best)
  })
})

test('the house’s inventory shifts both sides against a further increase', () => {
  const venue = new LivelyVenue({
    liquidity: withoutFlicker,
    impact: { y: 0, dailyVol: 0, advUsd: 1e9, halfLifeMillis: 1_200_000, permanent: 0 },
  })
  const touch = () => sideNames.map((_, side) => venue.levels(side === 0 ? buy : sell)[0]?.[0] ?? 0)
  const [bid = 0, ask = 0] = touch()
  venue.take(alice, buy, 400_000) // 2 M USD: all the inventory that it accepts
  venue.advance(20_000)
  const [bidAfter = 0, askAfter = 0] = touch()
  expect(askAfter - ask).toBeGreaterThan(450)
  expect(bidAfter - bid).toBeGreaterThan(450)
  expect(askAfter - ask).toBeLessThanOrEqual(510)
})

test('spread and depth follow realised volatility in the default market', () => {
  const venue = new LivelyVenue({
    model: defaultModel('BTC', 50_000),
    liquidity: { ...withoutFlicker, dynamics: { ...still, hasSeasons: false } },
    impact: null,
    gridMillis: 60_000,
  })
  const windows = Array.from({ length: 400 }, () => {
    const halfSpread = venue.halfSpreadBps()
    const depth = venue.depthUsd(buy, 50)
    let squares = 0
    for (let minute = 0; minute < 15; minute += 1) {
      const before = venue.markTicks
      venue.advance(60_000)
      squares += Math.log(venue.markTicks / before) ** 2
    }
    const activity = venue.state.market.activityAt(0, Math.round(venue.state.gridIndex) - 15)
    return { halfSpread, depth, activity, realised: Math.sqrt(squares) }
  })
  const spreads = windows.map(({ halfSpread }) => halfSpread)
  const realised = windows.map((window) => window.realised)
  expect(correlation(ranks(spreads), ranks(realised), 0)).toBeGreaterThan(0.35)
  expect(correlation(ranks(spreads), ranks(realised), 0)).toBeLessThan(0.95)
  // Depth times volatility is constant within a factor of two, where neither is at its bound.
  const products = windows
    .filter(({ activity }) => activity > 0.2 && activity < 10)
    .map(({ depth, activity }) => depth * activity)
  expect(products.length).toBeGreaterThan(200)
  expect(Math.max(...products) / Math.min(...products)).toBeLessThan(2)
})

test('a ladder is never crossed, is sorted, and has no level below the minimum, whatever happens to it', () => {
  const order = fc.record({
    side: fc.constantFrom(buy, sell),
    steps: fc.integer({ min: 5, max: 600_000 }),
    waitMillis: fc.integer({ min: 0, max: 20_000 }),
    spreadMultiplier: fc.constantFrom(0, 0.5, 1, 30),
    depthMultiplier: fc.constantFrom(0, 0.01, 1, 3),
  })
  fc.assert(
    fc.property(fc.array(order, { minLength: 1, maxLength: 8 }), (orders) => {
      const venue = new LivelyVenue({ model: { kind: 'gbm', vol: 20, drift: 0 }, minQuantitySteps: 5 })
      for (const { side, steps, waitMillis, spreadMultiplier, depthMultiplier } of orders) {
        venue.venue.execute({
          kind: 'set-liquidity',
          at: venue.venue.now,
          asset: 1,
          conditions: { spreadMultiplier, depthMultiplier, sides: 'both' },
          isStale: false,
          forMillis: millis(0),
        })
        venue.take(alice, side, steps)
        venue.advance(waitMillis)
        expect(ladderFault(venue)).toBe(null)
      }
    }),
    { seed: 7, numRuns: caseBudget(60) },
  )
})

test('a level is the same however deep was read before', () => {
  const shallow = new LivelyVenue({ liquidity: bitcoinLiquidity })
  const deep = new LivelyVenue({ liquidity: bitcoinLiquidity })
  for (let second = 0; second < 100; second += 1) {
    shallow.state.byAsset[1]?.ladder.bestTicks(sell)
    deep.levels(buy)
    deep.levels(sell)
    for (const venue of [shallow, deep]) {
      if (second % 9 === 0) venue.take(alice, second % 2 === 0 ? buy : sell, 3000 + 4000 * second)
      venue.advance(700)
    }
    if (second % 10 === 5) shallow.reload()
    if (second % 10 === 0) expect(shallow.levels(sell)).toEqual(deep.levels(sell))
  }
  expect(shallow.venue.digest()).toBe(deep.venue.digest())
})

function ladderFault(venue: LivelyVenue): string | null {
  const bids = venue.levels(buy)
  const asks = venue.levels(sell)
  const [bestBid = Number.NEGATIVE_INFINITY] = bids[0] ?? []
  const [bestAsk = Number.POSITIVE_INFINITY] = asks[0] ?? []
  if (bestBid >= bestAsk) return `crossed: ${bestBid} over ${bestAsk}`
  for (const [levels, direction] of [
    [bids, -1],
    [asks, 1],
  ] as const) {
    let before = direction * Number.NEGATIVE_INFINITY
    for (const [ticks, steps] of levels) {
      if (!Number.isSafeInteger(ticks) || !Number.isSafeInteger(steps)) return `not whole: ${ticks} ${steps}`
      if (direction * (ticks - before) <= 0) return `out of order: ${ticks} after ${before}`
      if (steps < 5) return `below the minimum: ${steps}`
      before = ticks
    }
  }
  return null
}

function ranks(values: readonly number[]): readonly number[] {
  const sorted = [...values].sort((left, right) => left - right)
  return values.map((value) => sorted.indexOf(value))
}
