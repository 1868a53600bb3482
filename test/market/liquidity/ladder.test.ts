import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createLadderParameters,
  createLadderSide,
  LadderBuilder,
} from '../../../src/market/liquidity/ladder.ts'
import {
  checkLiquidity,
  type LadderSide,
  type LiquidityConditions,
  type LiquiditySpec,
} from '../../../src/market/liquidity/liquidity.ts'

const calm: LiquidityConditions = { spreadMultiplier: 1, depthMultiplier: 1, sides: 'both' }
const cents = { priceStepUsd: 0.01, quantityStepUnits: 0.0001, minQuantitySteps: 1 }
const power: LiquiditySpec = { kind: 'power', spreadBps: 4, depth10bpUsd: 2_000_000 }
const exponential: LiquiditySpec = { kind: 'exponential', spreadBps: 4, maxUsd: 5_000_000, scaleBps: 20 }
const flat: LiquiditySpec = { kind: 'flat', spreadBps: 2, levelUsd: 10_000, stepBps: 1, levels: 5 }
const explicit: LiquiditySpec = {
  kind: 'ladder',
  bids: [
    [99.5, 2],
    [99, 3],
  ],
  asks: [
    [100.5, 1],
    [101, 4],
  ],
}

interface Book {
  readonly bids: readonly (readonly [number, number])[]
  readonly asks: readonly (readonly [number, number])[]
}

function book(spec: LiquiditySpec, midTicks: number, conditions = calm, steps = cents): Book {
  const bids = createLadderSide()
  const asks = createLadderSide()
  const builder = new LadderBuilder(spec, null, bids, asks)
  builder.begin({ ...createLadderParameters(midTicks), ...conditions }, steps)
  while (builder.extendBids());
  while (builder.extendAsks());
  return { bids: levels(bids), asks: levels(asks) }
}

function levels(side: LadderSide): (readonly [number, number])[] {
  return Array.from({ length: side.count }, (_, place) => [
    side.priceTicks[place] ?? 0,
    side.quantitySteps[place] ?? 0,
  ])
}

function usdWithin(side: Book['bids'], midTicks: number, bps: number): number {
  return side
    .filter(([ticks]) => Math.abs(ticks - midTicks) / midTicks <= bps / 10_000 + 1e-12)
    .reduce((sum, [ticks, steps]) => sum + ticks * 0.01 * steps * 0.0001, 0)
}

describe('power', () => {
  const { bids, asks } = book(power, 5_000_000)

  test('quotes the spread about the mid, to the tick', () => {
    expect(bids[0]?.[0]).toBe(4_999_000)
    expect(asks[0]?.[0]).toBe(5_001_000)
  })

  test('has the depth of the power law at each of its fifty levels', () => {
    expect([bids.length, asks.length]).toEqual([50, 50])
    for (const side of [bids, asks]) {
      for (const place of [0, 7, 49]) {
        const offsetBps = 2 + 1.2 * ((1 + place) ** 1.35 - 1)
        const expected = 2_000_000 * (offsetBps / 10) ** 0.67
        expect(usdWithin(side, 5_000_000, offsetBps + 0.002) / expected).toBeCloseTo(1, 3)
      }
    }
  })

  test('follows its conditions', () => {
    const wide = book(power, 5_000_000, { ...calm, spreadMultiplier: 10 })
    expect([wide.bids[0]?.[0], wide.asks[0]?.[0]]).toEqual([4_990_000, 5_010_000])
    const thin = book(power, 5_000_000, { ...calm, depthMultiplier: 0.1 })
    expect((thin.asks[9]?.[1] ?? 0) / (asks[9]?.[1] ?? 1)).toBeCloseTo(0.1, 3)
    expect(book(power, 5_000_000, { ...calm, depthMultiplier: 0 })).toEqual({ bids: [], asks: [] })
    expect(book(power, 5_000_000, { ...calm, sides: 'bids' })).toEqual({ bids, asks: [] })
    expect(book(power, 5_000_000, { ...calm, sides: 'asks' })).toEqual({ bids: [], asks })
    expect(book(power, 5_000_000, { ...calm, sides: 'none' })).toEqual({ bids: [], asks: [] })
    expect(book(power, 5_000_000)).toEqual({ bids, asks })
  })

  test('is short on each side by what was taken there', () => {
    const taken = (consumed: { consumedBids: Float64Array | null; consumedAsks: Float64Array | null }) =>
      book(power, 5_000_000, { ...calm, ...consumed })
    const some = Float64Array.of(1e9)
    const fromAsks = taken({ consumedBids: null, consumedAsks: some })
    expect(fromAsks.bids).toEqual(bids)
    expect(fromAsks.asks.length).toBeLessThan(asks.length)
    const fromBids = taken({ consumedBids: some, consumedAsks: null })
    expect(fromBids.asks).toEqual(asks)
    expect(fromBids.bids.length).toBeLessThan(bids.length)
  })

  test('merges levels of one tick and loses no depth by it', () => {
    const coarse = book(power, 50, calm, { ...cents, priceStepUsd: 1_000 })
    expect(coarse.bids[0]?.[0]).toBe(49)
    expect(coarse.asks[0]?.[0]).toBe(51)
    const total = (side: Book['bids'], usdPerTick: number): number =>
      side.reduce((sum, [ticks, steps]) => sum + ticks * usdPerTick * steps * 0.0001, 0)
    expect(total(coarse.asks, 1_000) / total(asks, 0.01)).toBeCloseTo(1, 3)
  })

  test('shows no level below the minimum', () => {
    const small: LiquiditySpec = { ...power, depth10bpUsd: 200 }
    const shown = book(small, 5_000_000, calm, { ...cents, minQuantitySteps: 10 })
    expect(shown.asks.length).toBeLessThan(book(small, 5_000_000).asks.length)
    expect(Math.min(...shown.asks.map(([, steps]) => steps))).toBeGreaterThanOrEqual(10)
  })
})

test('exponential levels off at its maximum', () => {
  const { bids } = book(exponential, 5_000_000)
  expect(usdWithin(bids, 5_000_000, 5_000) / 5_000_000).toBeCloseTo(1, 2)
  expect(bids[0]?.[1]).toBe(Math.floor((5_000_000 * (1 - Math.exp(-0.1))) / (49_990 * 0.0001)))
})

test('flat has the same value at every level', () => {
  expect(book(flat, 1_000_000)).toEqual({
    bids: [
      [999_900, 10_001],
      [999_800, 10_002],
      [999_700, 10_003],
      [999_600, 10_004],
      [999_500, 10_005],
    ],
    asks: [
      [1_000_100, 9_999],
      [1_000_200, 9_998],
      [1_000_300, 9_997],
      [1_000_400, 9_996],
      [1_000_500, 9_995],
    ],
  })
})

describe('an explicit ladder', () => {
  const shown = {
    bids: [
      [9_950, 20_000],
      [9_900, 30_000],
    ],
    asks: [
      [10_050, 10_000],
      [10_100, 40_000],
    ],
  }

  test('does not follow the mid', () => {
    expect(book(explicit, 10_000)).toEqual(shown)
    expect(book(explicit, 99_999.5)).toEqual(shown)
  })

  test('is sorted, merged, and rounded away from its centre', () => {
    const messy: LiquiditySpec = {
      kind: 'ladder',
      bids: [
        [99, 1],
        [99.504, 1],
        [99.501, 2],
      ],
      asks: [
        [101, 1],
        [100.501, 0.00001],
      ],
    }
    expect(book(messy, 1)).toEqual({
      bids: [
        [9_950, 30_000],
        [9_900, 10_000],
      ],
      asks: [[10_100, 10_000]],
    })
  })

  test('widens about its centre and thins', () => {
    const stressed = book(explicit, 1, { ...calm, spreadMultiplier: 2, depthMultiplier: 0.5 })
    expect(stressed.bids).toEqual([
      [9_900, 10_000],
      [9_800, 15_000],
    ])
    expect(stressed.asks[0]).toEqual([10_100, 5_000])
  })

  test('of one side has no spread to multiply', () => {
    const oneSided: LiquiditySpec = { ...explicit, bids: [] }
    expect(book(oneSided, 1, { ...calm, spreadMultiplier: 9 })).toEqual({ bids: [], asks: shown.asks })
  })

  test('of one side is rounded away from the other', () => {
    const [bid, ask] = [
      [99.996, 1],
      [100.004, 1],
    ] as const
    expect(book({ kind: 'ladder', bids: [bid], asks: [] }, 1).bids).toEqual([[9_999, 10_000]])
    expect(book({ kind: 'ladder', bids: [], asks: [ask] }, 1).asks).toEqual([[10_001, 10_000]])
  })

  test('shows at most fifty levels', () => {
    const long: LiquiditySpec = {
      kind: 'ladder',
      bids: Array.from({ length: 80 }, (_, place) => [100 - place, 1] as const),
      asks: [],
    }
    expect(book(long, 1).bids.length).toBe(50)
  })
})

test('no liquidity is an empty ladder', () => {
  expect(book({ kind: 'none' }, 100)).toEqual({ bids: [], asks: [] })
})

test('a mid must be a positive number', () => {
  for (const mid of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => book(power, mid)).toThrow('positive, exact mid')
  }
})

describe('any ladder', () => {
  const spread = fc.double({ min: 0, max: 500, noNaN: true })
  const usd = fc.double({ min: 0, max: 1e9, noNaN: true })
  const price = fc.double({ min: 0.01, max: 1_000, noNaN: true })
  const rungs = fc.array(fc.tuple(price, fc.double({ min: 0, max: 1e6, noNaN: true })), { maxLength: 60 })
  const anySpec: fc.Arbitrary<LiquiditySpec> = fc.oneof(
    fc.record({ kind: fc.constant('power'), spreadBps: spread, depth10bpUsd: usd }),
    fc.record({
      kind: fc.constant('exponential'),
      spreadBps: spread,
      maxUsd: usd,
      scaleBps: fc.double({ min: 0.01, max: 1e4, noNaN: true }),
    }),
    fc.record({
      kind: fc.constant('flat'),
      spreadBps: spread,
      levelUsd: usd,
      stepBps: fc.double({ min: 0, max: 400, noNaN: true }),
      levels: fc.integer({ min: 1, max: 50 }),
    }),
    fc
      .record({ kind: fc.constant('ladder'), bids: rungs, asks: rungs })
      .filter((ladder) => checkLiquidity(ladder) === null),
  )
  const anyConditions: fc.Arbitrary<LiquidityConditions> = fc.record({
    spreadMultiplier: fc.double({ min: 0, max: 100, noNaN: true }),
    depthMultiplier: fc.double({ min: 0, max: 100, noNaN: true }),
    sides: fc.constantFrom('both', 'bids', 'asks', 'none'),
  })
  const anyMid = fc.oneof(
    fc.integer({ min: 1, max: 20 }),
    fc.double({ min: 1e-3, max: 1e12, noNaN: true }),
    fc.integer({ min: 1, max: 1e12 }),
  )
  const anySteps = fc.record({
    priceStepUsd: fc.constantFrom(1e-8, 0.0001, 0.01, 0.05, 1),
    quantityStepUnits: fc.constantFrom(1e-8, 0.0001, 0.01, 1, 100),
    minQuantitySteps: fc.constantFrom(1, 7, 1_000),
  })

  test('has whole numbers, is strictly ordered, never locked or crossed, and has no level below the minimum', () => {
    fc.assert(
      fc.property(anySpec, anyMid, anyConditions, anySteps, (spec, mid, conditions, steps) => {
        const { bids, asks } = book(spec, mid, conditions, steps)
        for (const side of [bids, asks]) {
          if (side.length > 50) return false
          for (const [ticks, size] of side) {
            if (!(Number.isSafeInteger(ticks) && ticks >= 1)) return false
            if (!(Number.isSafeInteger(size) && size >= steps.minQuantitySteps)) return false
          }
        }
        const isSorted = (side: Book['bids'], sign: number): boolean =>
          side.every(([ticks], place) => place === 0 || sign * (ticks - (side[place - 1]?.[0] ?? 0)) > 0)
        const bestBid = bids[0]?.[0] ?? 0
        const bestAsk = asks[0]?.[0] ?? Number.POSITIVE_INFINITY
        const followsMid = spec.kind === 'ladder' || (bestBid < mid && mid < bestAsk)
        return isSorted(bids, -1) && isSorted(asks, 1) && bestBid < bestAsk && followsMid
      }),
      { seed: 7, numRuns: 3_000 },
    )
  })
})
