import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Side } from '../../src/engine/codes.ts'
import type { Command } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { atoms, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { after, amend, DUST, limit, market } from '../model/commands.ts'
import type { NaiveOrder } from '../reference/naive-world.ts'
import { isFullRun } from '../support/full-run.ts'
import { DifferentialRun } from './differential-run.ts'

/*
 * The crowded world has a dozen prices. Here orders rest at thousands, far apart and side by side, and come and go,
 * so that the engine's pages of levels grow in number and become empty.
 */

interface Drawn {
  readonly account: number
  readonly side: Side
  readonly distance: number
  readonly steps: number
  readonly action: 'rest' | 'cancel' | 'amend' | 'sweep'
  readonly which: number
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  account: fc.constantFrom(3, 4, 6),
  side: fc.constantFrom<Side>(0, 1),
  /** From the middle outward: near, far, and very far. */
  distance: fc.oneof(
    fc.integer({ min: -1, max: 40 }),
    fc.integer({ min: 0, max: 3000 }),
    fc.integer({ min: 0, max: 400_000 }),
  ),
  steps: fc.integer({ min: 1, max: 20 }),
  action: fc.oneof(
    { weight: 12, arbitrary: fc.constant('rest' as const) },
    { weight: 3, arbitrary: fc.constant('cancel' as const) },
    { weight: 2, arbitrary: fc.constant('amend' as const) },
    { weight: 2, arbitrary: fc.constant('sweep' as const) },
  ),
  which: fc.nat(),
})

test.each(isFullRun ? [1, 2, 3] : [1])(
  'the engine agrees with its twin on a book of thousands of prices, world %i',
  (world) => {
    const run = new DifferentialRun(wideConfig())
    let most = 0
    fc.sample(drawn, { seed: world, numRuns: 600 }).forEach((step, position) => {
      const live = run.twin.world.orders.filter((order) => order.status < 2)
      most = Math.max(most, live.length)
      const command = commandFor(step, live)
      const difference = run.execute(command)
      if (difference !== null) {
        expect.fail(`world ${world}, step ${position}, ${JSON.stringify(command)}: ${difference}`)
      }
      if (position % 50 === 0) {
        expect(run.readingDifference()).toBe(null)
      }
    })
    expect(most).toBeGreaterThan(100)
  },
)

const middleTicks = 500_000

function commandFor(step: Drawn, live: readonly NaiveOrder[]): Command {
  const { account, side, distance, steps, action, which } = step
  const ticks = side === 0 ? middleTicks - distance : middleTicks + distance
  const order = live[which % Math.max(1, live.length)]
  if (action === 'sweep') return market(account, side, steps, DUST)
  if (action === 'rest' || order === undefined) return limit(account, side, steps, ticks, { asset: DUST })
  if (action === 'cancel')
    return { kind: 'cancel-order', at: after(0), account: order.account, order: order.row }
  return amend(order.account, order.row, steps, ticks)
}

function wideConfig(): VenueConfig {
  const config = crowdedConfig({ selfTrade: 'allow' })
  return {
    ...config,
    assets: config.assets.map((asset) =>
      asset.pair === null
        ? asset
        : {
            ...asset,
            pair: { ...asset.pair, minPriceTicks: priceTicks(1), maxQuantitySteps: quantitySteps(1000) },
          },
    ),
    market: { ...config.market, assets: config.market.assets.map((asset) => ({ ...asset, price: 50 })) },
    accounts: config.accounts.map((account) => ({
      ...account,
      balances: new Map([
        ['USD', atoms(1_000_000_000_000)],
        ['DUST', atoms(1_000_000_000)],
      ]),
    })),
  }
}
