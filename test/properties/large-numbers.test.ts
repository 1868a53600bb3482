import { expect, test } from 'vitest'
import type { AssetConfig, VenueConfig } from '../../src/engine/config.ts'
import { atoms, quantitySteps } from '../../src/numeric/units.ts'
import { plansOf } from '../arbitraries/commands.ts'
import { crowdedConfig, sampledChoices } from '../arbitraries/configs.ts'
import type { PlacePlan, Plan, UpdateQuotePlan } from '../arbitraries/plans.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import { caseBudget } from '../support/full-run.ts'
import { CheckedRun } from './checked-run.ts'
import { DifferentialRun } from './differential-run.ts'
import { watchedRun } from './watched.ts'

/*
 * The crowded world, enlarged: five million ticks and thousands of millions of steps, so that a price times a
 * quantity is beyond 2^53 and every exact path is taken, while balances stay below it.
 */

const choices = sampledChoices(19, 8)

test.each(choices)(
  'the engine agrees with its twin on products beyond 2^53, world $index',
  ({ index, ...choice }) => {
    const config = enlargedConfig(
      crowdedConfig({ ...choice, hasLadder: false, carolsLimits: 0, davesLimits: 0 }),
    )
    const run = new DifferentialRun(config)
    const checked = new CheckedRun(watchedRun(run), config)
    plansOf(19_000 + index, caseBudget(250)).forEach((plan, position) => {
      const command = commandOf(enlarged(plan), run.twin.world)
      const { broken } = checked.execute(command)
      const wrong = run.difference ?? broken.join('\n')
      if (wrong !== '') expect.fail(`world ${index}, plan ${position}, ${JSON.stringify(command)}: ${wrong}`)
    })
  },
)

function enlargedConfig(config: VenueConfig): VenueConfig {
  return {
    ...config,
    assets: config.assets.map(enlargedAsset),
    market: { ...config.market, assets: config.market.assets.map((asset) => ({ ...asset, price: 50_000 })) },
    accounts: config.accounts.map((account) => ({
      ...account,
      averageEntryPrices: new Map(),
      balances: new Map([
        ['USD', atoms(987_654_321_987_654)],
        ['BTC', atoms(1_234_567_890_123)],
        ['ETH', atoms(555_555_555_555)],
      ]),
    })),
  }
}

/** Ticks of a cent, steps of a hundred-millionth. */
function enlargedAsset(asset: AssetConfig): AssetConfig {
  if (asset.pair === null) return asset
  return {
    ...asset,
    scale: 8,
    pair: {
      ...asset.pair,
      priceStep: { units: 1, scale: 2 },
      quantityStep: { units: 1, scale: 8 },
      maxQuantitySteps: quantitySteps(1_000_000_000_000),
      minNotionalAtoms: atoms(1_000_000),
    },
  }
}

const ticksOf = (ticks: number) => (ticks === 0 ? 0 : 4_999_900 + ticks)
const stepsOf = (steps: number) => steps * 1_111_111_111
/** A word, such as "all", is of the world as it is. */
const ifNumber = <Word>(value: number | Word, map: (value: number) => number) =>
  typeof value === 'number' ? map(value) : value

function enlarged(plan: Plan): Plan {
  switch (plan.kind) {
    case 'place':
      return enlargedPlacement(plan)
    case 'place-many':
      return { ...plan, items: plan.items.map(enlargedPlacement) }
    case 'amend':
      return { ...plan, steps: ifNumber(plan.steps, stepsOf), ticks: ifNumber(plan.ticks, ticksOf) }
    case 'force-fill':
      return { ...plan, steps: ifNumber(plan.steps, stepsOf), ticks: ifNumber(plan.ticks, ticksOf) }
    case 'quote':
      return {
        ...plan,
        bidTicks: ticksOf(plan.bidTicks),
        askTicks: ticksOf(plan.askTicks),
        bidSteps: stepsOf(plan.bidSteps),
        askSteps: stepsOf(plan.askSteps),
      }
    case 'update-quote':
      return enlargedUpdate(plan)
    case 'update-quotes':
      return { ...plan, items: plan.items.map(enlargedUpdate) }
    case 'deposit':
    case 'withdraw':
      return {
        ...plan,
        amount: ifNumber(plan.amount, (amount) => amount * (plan.asset === 0 ? 1000 : 1_000_000_007)),
      }
    case 'price':
      return { ...plan, ticks: ticksOf(plan.ticks) }
    case 'pair':
    case 'account':
    case 'limits':
      return { kind: 'advance', by: 0 }
    default:
      return plan
  }
}

function enlargedPlacement(plan: PlacePlan): PlacePlan {
  return { ...plan, steps: stepsOf(plan.steps), ticks: ticksOf(plan.ticks) }
}

function enlargedUpdate(plan: UpdateQuotePlan): UpdateQuotePlan {
  return {
    ...plan,
    bidTicks: ifNumber(plan.bidTicks, ticksOf),
    askTicks: ifNumber(plan.askTicks, ticksOf),
    bidSteps: ifNumber(plan.bidSteps, stepsOf),
    askSteps: ifNumber(plan.askSteps, stepsOf),
  }
}
