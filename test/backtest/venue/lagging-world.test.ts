import fc from 'fast-check'
import { expect, it } from 'vitest'
import { backtest } from '../../../src/backtest/backtest.ts'
import { type Bar, defineStrategy } from '../../../src/backtest/strategy.ts'
import { VenueError } from '../../../src/client/venue-error.ts'
import { missing } from '../../../src/numeric/assert.ts'
import { createWorld, type World } from '../../../src/world/world.ts'
import { caseBudget } from '../../support/full-run.ts'
import { lazyScenarios as scenarios } from '../scenarios.ts'

/*
 * A run lets its world lag behind while only marks can move in it. The same actions in a world that is advanced tick by
 * tick, with prices read from the interface, must show the same bars and end in the same state.
 */

const start = Date.UTC(2026, 0, 5)

const order = fc.record({
  tick: fc.integer({ min: 0, max: 50 }),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  asset: fc.constantFrom('BTC', 'ETH'),
  price: fc.constantFrom(null, 0.99, 1.01),
})

it('shows the same bars and ends in the same state as a world that is advanced tick by tick', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(scenarios.length - 1),
      fc.array(order, { maxLength: 5 }),
      async (place, orders) => {
        const scenario = scenarios[place] ?? missing('there is a scenario')
        const bodyOf = ({ asset, price, side }: (typeof orders)[number]) => ({
          asset,
          side,
          quantity: 0.2,
          ...(price === null
            ? { orderType: 'market' as const }
            : { timeInForce: 'IOC' as const, price: asset === 'BTC' ? 50_000 * price : 3000 * price }),
        })
        const bars: Bar[] = []
        const strategy = defineStrategy({
          name: 'doer',
          tick: '20s',
          bar: '1m',
          onBar: (_context, bar) => void bars.push(bar),
          onTick({ sync }, { index }) {
            for (const wanted of orders) {
              if (wanted.tick !== index) continue
              try {
                sync.orders.create(bodyOf(wanted))
              } catch (error) {
                // A halted pair refuses orders, in both worlds.
                if (!(error instanceof VenueError)) throw error
              }
            }
          },
        })
        const { digest, equity } = await backtest(strategy, {
          scenario,
          to: '17m',
          account: 'desk',
          equityGrid: '40s',
        })

        const world = createWorld(scenario)
        const mids = new Map<string, number[]>()
        const look = (): void => {
          for (const asset of ['BTC', 'ETH']) {
            const { body } = world.request('desk', 'GET', `/api/sdk/market-data/prices/${asset}`)
            mids.set(asset, [...(mids.get(asset) ?? []), Reflect.get(Object(body), 'mid')])
          }
        }
        look()
        const values = [equityOf(world)]
        for (let tick = 1; tick <= 51; tick += 1) {
          world.advance('20s')
          look()
          if (tick % 2 === 0) values.push(equityOf(world))
          for (const wanted of orders)
            if (wanted.tick === tick) world.request('desk', 'POST', '/api/sdk/orders', bodyOf(wanted))
        }
        expect(digest).toBe(world.digest())
        // The last point is that of the end, after everything.
        expect(equity.equity).toEqual([...values, equityOf(world)])
        expect(bars).toHaveLength(2 * 17)
        for (const { asset, close, fromMillis, high, low, open } of bars) {
          const first = (fromMillis - start) / 20_000
          const seen = mids.get(asset)?.slice(first, first + 4) ?? []
          expect([open, high, low, close]).toEqual([seen[0], Math.max(...seen), Math.min(...seen), seen[3]])
        }
      },
    ),
    { seed: 7, numRuns: caseBudget(20) },
  )
})

function equityOf(world: World): unknown {
  const { body } = world.request('desk', 'GET', '/api/sdk/portfolio/summary')
  return Reflect.get(Object(body), 'totalValue')
}
