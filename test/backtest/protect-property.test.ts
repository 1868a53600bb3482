import fc from 'fast-check'
import { expect, it } from 'vitest'
import { backtest } from '../../src/backtest/backtest.ts'
import { runLive } from '../../src/backtest/live/run-live.ts'
import type { BacktestResult } from '../../src/backtest/result.ts'
import { defineStrategy, type ProtectedLevels } from '../../src/backtest/strategy.ts'
import { VenueError } from '../../src/client/venue-error.ts'
import { startVenue } from '../../src/testing/entry.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { caseBudget } from '../support/full-run.ts'

/*
 * Whatever a strategy does besides (orders at the market and at rest on both sides, protections replaced and ended), an
 * exit never adds to a position, fires once, is gone when the position is flat, and is the same in process, by promises
 * and over HTTP.
 */

const scenario = compiledScenario({
  version: 1,
  name: 'lively',
  seed: '11',
  clock: { start: '2026-01-05T00:00:00Z', end: '6m', grid: '1s' },
  market: {
    flow: { kind: 'poisson', ratePerMinute: { default: 60 }, medianUsd: 3000, sizeSd: 1 },
    assets: { BTC: { price: 50_000, model: { kind: 'gbm', vol: 4 } } },
  },
  accounts: [
    {
      id: 'desk',
      type: 'margin',
      balances: { USD: 2_000_000 },
      limits: { maxLeverage: 5, maxOpenOrders: 1000, maxDailyVolume: 1e9, maxOrderValue: 1e8 },
    },
  ],
})

type Deed =
  | { readonly kind: 'target'; readonly quantity: number }
  | { readonly kind: 'rest'; readonly side: 'buy' | 'sell'; readonly away: number }
  | {
      readonly kind: 'protect'
      readonly stop?: number
      readonly takeProfit?: number
      readonly trail?: number
    }
  | { readonly kind: 'clear' }
  | { readonly kind: 'nothing' }

/** Distances are in basis points of the mid. */
const distance = fc.integer({ min: 1, max: 60 })
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: fc.constant('target' as const), quantity: fc.integer({ min: -3, max: 3 }) }),
  fc.record({ kind: fc.constant('rest' as const), side: fc.constantFrom('buy', 'sell'), away: distance }),
  fc.record(
    { kind: fc.constant('protect' as const), stop: distance, takeProfit: distance, trail: distance },
    { requiredKeys: ['kind'] },
  ),
  fc.record({ kind: fc.constant('clear' as const) }),
  fc.record({ kind: fc.constant('nothing' as const) }),
)

function levelsOf(
  { stop, takeProfit, trail }: Deed & { kind: 'protect' },
  mid: number,
  side: number,
): ProtectedLevels {
  const at = (bps: number): number => mid * (1 + (side * bps) / 10_000)
  const levels = {
    ...(stop === undefined ? {} : { stop: at(-stop) }),
    ...(takeProfit === undefined ? {} : { takeProfit: at(takeProfit) }),
    ...(trail === undefined ? {} : { trail: (mid * trail) / 10_000 }),
  }
  return Object.keys(levels).length === 0 ? { stop: at(-10) } : levels
}

const doer = (deeds: readonly Deed[]) =>
  defineStrategy({
    name: 'doer',
    tick: '3s',
    async onTick({ price, venue }, { index }) {
      const own = deeds[Math.floor(index / 4)]
      if (own === undefined || index % 4 !== 0) return
      const { mid } = price('BTC')
      try {
        if (own.kind === 'target') await venue.target('BTC', { quantity: own.quantity })
        if (own.kind === 'clear') venue.protect('BTC', null)
        if (own.kind === 'rest') {
          const limit = Math.round(mid * (1 + ((own.side === 'buy' ? -1 : 1) * own.away) / 10_000))
          await venue.orders.create({ asset: 'BTC', side: own.side, quantity: 1, price: limit })
        }
        if (own.kind !== 'protect') return
        const { positions } = await venue.portfolio.positions({ asset: 'BTC' })
        venue.protect('BTC', levelsOf(own, mid, positions[0]?.side === 'short' ? -1 : 1))
      } catch (error) {
        if (!(error instanceof VenueError)) throw error
      }
    },
  })

/** Follows the position fill by fill, and holds each exit to what it promises. */
function checkExits({ exits = [], fills, orders }: BacktestResult): number {
  const closing = exits.flatMap(({ orderIds }) => orderIds)
  expect(new Set(closing).size).toBe(closing.length)
  let position = 0
  for (const fill of fills) {
    const after = position + (fill.side === 'buy' ? fill.quantity : -fill.quantity)
    if (closing.includes(fill.orderId ?? '')) {
      expect(Math.abs(after)).toBeLessThan(Math.abs(position))
      expect(after * position).toBeGreaterThanOrEqual(-1e-9)
    }
    position = Math.abs(after) < 1e-9 ? 0 : after
  }
  for (const { end, orderIds, toMillis } of exits) {
    const isFired = end === 'stop' || end === 'takeProfit' || end === 'trail'
    expect(orderIds).toHaveLength(isFired ? 1 : 0)
    const own = orders.find(({ orderId }) => orderId === orderIds[0])
    if (isFired) expect(own?.type).toBe('market')
    if (isFired && toMillis !== null) expect(own?.createdAtMillis).toBeLessThanOrEqual(toMillis)
  }
  return closing.length
}

const plan = fc.array(deed, { minLength: 8, maxLength: 28 })

it('never adds to a position, and fires once, with and without latency, by promises and without', async () => {
  let fired = 0
  await fc.assert(
    fc.asyncProperty(
      plan,
      fc.constantFrom({}, { order: '400ms', response: '200ms' }),
      async (deeds, latency) => {
        const options = { scenario, latency }
        const own = await backtest(doer(deeds), options)
        fired += checkExits(own)
        const again = await backtest(doer(deeds), { ...options, client: 'async' })
        expect([again.digest, again.exits]).toEqual([own.digest, own.exits])
      },
    ),
    { numRuns: caseBudget(60) },
  )
  expect(fired).toBeGreaterThan(5)
})

it('is the same over HTTP', async () => {
  await using venue = await startVenue({ scenario })
  let fired = 0
  await fc.assert(
    fc.asyncProperty(plan, async (deeds) => {
      const own = await backtest(doer(deeds), { scenario, latency: { feed: '1s' } })
      const options = { baseUrl: venue.url, clock: 'manual', span: '6m', latency: { feed: '1s' } } as const
      const live = await runLive(doer(deeds), options)
      fired += checkExits(own)
      expect([live.digest, live.exits]).toEqual([own.digest, own.exits])
    }),
    { numRuns: caseBudget(12) },
  )
  expect(fired).toBeGreaterThan(0)
})
