import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Side } from '../../src/engine/codes.ts'
import { buy, sell } from '../../src/engine/codes.ts'
import type { ImpactSpec } from '../../src/market/liquidity/impact.ts'
import { findPermanentLimit } from '../../src/market/liquidity/impact.ts'
import type { LiquiditySpec } from '../../src/market/liquidity/liquidity.ts'
import { millis, partsPerMillion, priceTicks } from '../../src/numeric/units.ts'
import {
  bitcoinImpact,
  bitcoinLiquidity,
  dynamics,
  LivelyVenue,
  traders,
} from '../engine/fixtures/lively-venue.ts'
import { caseBudget } from '../support/full-run.ts'

const { alice, bob } = traders
const millionUsdInSteps = 200_000

const bpsFrom = (venue: LivelyVenue): number => (venue.mark / 50_000 - 1) * 10_000

describe('what a taker does to the mark', () => {
  test.each([
    [1, 10.2],
    [10, 32.8],
  ])('%d million USD of BTC move it by the square-root law', (millions, bps) => {
    const venue = new LivelyVenue()
    // Through depth that is there whatever the order's size.
    for (let left = millions; left > 0; left -= 1) venue.take(alice, buy, millionUsdInSteps)
    expect(bpsFrom(venue)).toBe(0)
    venue.advance(1000)
    expect(bpsFrom(venue)).toBeGreaterThan(bps * 0.97)
    expect(bpsFrom(venue)).toBeLessThan(bps * 1.03)
  })

  test('the mark moves at the next step of the market, and half of the transient part fades in forty minutes', () => {
    const venue = new LivelyVenue()
    venue.take(alice, sell, millionUsdInSteps)
    venue.advance(999)
    expect(venue.mark).toBe(50_000)
    venue.advance(1)
    const first = bpsFrom(venue)
    venue.advance(2_400_000)
    expect(bpsFrom(venue) / first).toBeCloseTo(0.5, 2)
    venue.advance(5 * 86_400_000)
    expect(bpsFrom(venue)).toBeCloseTo(-0.076, 2)
  })

  test('a trade has none without a specification, between two clients, or when the client is the maker', () => {
    const without = new LivelyVenue({ impact: null })
    without.take(alice, buy, millionUsdInSteps)
    const among = new LivelyVenue()
    among.place(bob, sell, 100_000, 5_000_500)
    among.place(alice, buy, 100_000, 5_000_500)
    for (const venue of [without, among]) {
      venue.advance(1000)
      expect(venue.mark).toBe(50_000)
    }
  })

  test('a price set by a script is the mark, whatever takers did before', () => {
    const venue = new LivelyVenue()
    venue.take(alice, buy, millionUsdInSteps)
    venue.advance(1000)
    venue.venue.execute({
      kind: 'move-price',
      at: venue.venue.now,
      asset: 1,
      points: [{ offsetMillis: millis(2000), priceTicks: priceTicks(4_900_000) }],
      noiseVol: partsPerMillion(0),
    })
    venue.advance(5000)
    expect(venue.mark).toBe(49_000)
  })
})

test('however an order is split within an instant, it costs the same and moves the price as far', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 12 }),
      fc.constantFrom<Side>(buy, sell),
      fc.integer({ min: 0, max: 3000 }),
      (pieces, side, waitMillis) => {
        const whole = new LivelyVenue()
        const split = new LivelyVenue()
        for (const venue of [whole, split]) {
          venue.take(bob, buy, 5000)
          venue.advance(waitMillis)
        }
        whole.take(
          alice,
          side,
          pieces.reduce((sum, piece) => sum + piece, 0),
        )
        for (const piece of pieces) split.take(alice, side, piece)
        expect(split.holdings(alice).steps).toBe(whole.holdings(alice).steps)
        expect(split.holdings(alice).cash).toBeCloseTo(whole.holdings(alice).cash, 3)
        for (const venue of [whole, split]) venue.advance(3000)
        expect(split.markTicks).toBe(whole.markTicks)
      },
    ),
    { seed: 7, numRuns: caseBudget(40) },
  )
})

type Move =
  | { readonly kind: 'take'; readonly account: number; readonly side: Side; readonly steps: number }
  | {
      readonly kind: 'rest'
      readonly account: number
      readonly side: Side
      readonly steps: number
      readonly bps: number
    }
  | { readonly kind: 'wait'; readonly millis: number }

const account = fc.constantFrom(alice, bob)
const side = fc.constantFrom<Side>(buy, sell)
/** From a few hundred USD to some millions, small and large alike. */
const steps = fc.integer({ min: 0, max: 13 }).chain((power) => fc.integer({ min: 40, max: 80 * 2 ** power }))
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('take'), account, side, steps }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('rest'),
      account,
      side,
      steps,
      bps: fc.integer({ min: -30, max: 30 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      millis: fc.oneof(
        fc.constant(1000),
        fc.integer({ min: 1, max: 7200 }).map((seconds) => seconds * 500),
      ),
    }),
  },
)
/** With as much of the permanent part as a configuration may have, or less. */
const impact: fc.Arbitrary<ImpactSpec> = fc
  .record({
    y: fc.constantFrom(0, 0.7, 2),
    dailyVol: fc.constantFrom(0.01, 0.029, 0.08),
    advUsd: fc.constantFrom(10e6, 400e6),
    halfLifeMillis: fc.constantFrom(60_000, 1_200_000),
    permanent: fc.constantFrom(0, 0.3, 1),
  })
  .map((spec) => withinMost(spec, bitcoinLiquidity))

test('two accounts of one owner cannot profit by moving a constant price, whatever they do', () => {
  fc.assert(
    fc.property(fc.array(move, { minLength: 1, maxLength: 25 }), impact, (moves, spec) => {
      const venue = new LivelyVenue({ impact: spec })
      const before = wealth(venue)
      for (const step of moves) act(venue, step)
      for (const who of [alice, bob]) venue.cancelAll(who)
      closePositions(venue)
      expect(venue.holdings(alice).steps + venue.holdings(bob).steps).toBeCloseTo(0, 9)
      expect(wealth(venue) - before).toBeLessThanOrEqual(slackUsd)
    }),
    { seed: 7, numRuns: caseBudget(150) },
  )
})

test.each([
  ['at once', 1],
  ['in a hundred pieces', 100],
])('buying %s and selling at once loses, in calm and thin assets too', (_how, pieces) => {
  for (const steps of [1000, 10_000, 50_000, 200_000, 400_000]) {
    for (const depth10bpUsd of [350_000, 2_000_000, 50_000_000]) {
      const liquidity: LiquiditySpec = { kind: 'power', spreadBps: 4, depth10bpUsd, dynamics }
      const venue = new LivelyVenue({
        liquidity,
        impact: withinMost({ ...bitcoinImpact, dailyVol: 0.055, advUsd: 40e6, permanent: 1 }, liquidity),
      })
      const before = wealth(venue)
      for (let piece = 0; piece < pieces; piece += 1) {
        venue.take(alice, buy, steps / pieces)
        venue.advance(5000)
      }
      closePositions(venue)
      expect(wealth(venue)).toBeLessThan(before)
    }
  }
})

function withinMost(spec: ImpactSpec, liquidity: LiquiditySpec): ImpactSpec {
  return { ...spec, permanent: spec.permanent * findPermanentLimit(spec, liquidity) }
}

/** A mark is rounded to its tick, a fill to an atom. */
const slackUsd = 0.01

function act(venue: LivelyVenue, step: Move): void {
  if (step.kind === 'wait') venue.advance(step.millis)
  else if (step.kind === 'take') venue.take(step.account, step.side, step.steps)
  else venue.place(step.account, step.side, step.steps, Math.round(5_000_000 * (1 + step.bps / 10_000)))
}

/** Sells and buys back until nothing is left, as deep as the ladder allows each second. */
function closePositions(venue: LivelyVenue): void {
  for (const who of [alice, bob]) {
    for (let tries = 0; tries < 2000 && venue.holdings(who).steps !== 0; tries += 1) {
      const left = Math.round(venue.holdings(who).steps)
      venue.take(who, left > 0 ? sell : buy, Math.abs(left))
      venue.advance(1000)
    }
  }
}

function wealth(venue: LivelyVenue): number {
  return venue.holdings(alice).cash + venue.holdings(bob).cash
}
