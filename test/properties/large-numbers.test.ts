import { expect, test } from 'vitest'
import type { Command, Placement, QuoteUpdate } from '../../src/engine/command.ts'
import type { AssetConfig, VenueConfig } from '../../src/engine/config.ts'
import { atoms, priceTicks, quantitySteps } from '../../src/numeric/units.ts'
import { plansOf } from '../arbitraries/commands.ts'
import { crowdedConfig, sampledChoices } from '../arbitraries/configs.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import { CheckedRun } from './checked-run.ts'
import { DifferentialRun } from './differential-run.ts'
import { watchedRun } from './watched.ts'

/*
 * The crowded world, enlarged: five million ticks and thousands of millions of steps, so that a price times a
 * quantity is beyond 2^53 and every exact path is taken, while balances stay below it.
 */

const choices = sampledChoices(19, 12)

test.each(choices)(
  'the engine agrees with its twin on products beyond 2^53, world $index',
  ({ index, ...choice }) => {
    const config = enlargedConfig(
      crowdedConfig({ ...choice, hasLadder: false, carolsLimits: 0, davesLimits: 0 }),
    )
    const run = new DifferentialRun(config)
    const checked = new CheckedRun(watchedRun(run), config)
    plansOf(19_000 + index, 250).forEach((plan, position) => {
      const command = enlarged(commandOf(plan, run.twin.world))
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

const ticksOf = (ticks: number) => priceTicks(ticks === 0 ? 0 : 4_999_900 + ticks)
const stepsOf = (steps: number) => quantitySteps(steps * 1_111_111_111)
const orNull = <From, To>(value: From | null, map: (value: From) => To): To | null =>
  value === null ? null : map(value)

function enlarged(command: Command): Command {
  switch (command.kind) {
    case 'place-order':
      return { ...command, ...enlargedPlacement(command) }
    case 'place-orders':
      return { ...command, placements: command.placements.map(enlargedPlacement) }
    case 'amend-order':
      return {
        ...command,
        quantitySteps: orNull(command.quantitySteps, stepsOf),
        priceTicks: orNull(command.priceTicks, ticksOf),
      }
    case 'submit-quote':
      return {
        ...command,
        bidPriceTicks: ticksOf(command.bidPriceTicks),
        askPriceTicks: ticksOf(command.askPriceTicks),
        bidSteps: stepsOf(command.bidSteps),
        askSteps: stepsOf(command.askSteps),
      }
    case 'update-quote':
      return { ...command, ...enlargedUpdate(command) }
    case 'update-quotes':
      return { ...command, updates: command.updates.map(enlargedUpdate) }
    case 'deposit':
    case 'withdraw':
      return { ...command, atoms: atoms(command.atoms * (command.asset === 0 ? 1000 : 1_000_000_007)) }
    case 'force-fill':
      return {
        ...command,
        quantitySteps: orNull(command.quantitySteps, stepsOf),
        priceTicks: orNull(command.priceTicks, ticksOf),
      }
    case 'set-pair':
    case 'create-account':
    case 'set-limits':
      return { kind: 'advance', at: command.at }
    default:
      return command
  }
}

function enlargedPlacement(placement: Placement): Placement {
  const { account, asset, side, type, timeInForce, clientOrderId } = placement
  const { allowsDuplicateId, keepsRefused, metadata } = placement
  return {
    account,
    asset,
    side,
    type,
    timeInForce,
    clientOrderId,
    allowsDuplicateId,
    keepsRefused,
    metadata,
    quantitySteps: stepsOf(placement.quantitySteps),
    priceTicks: ticksOf(placement.priceTicks),
  }
}

function enlargedUpdate(update: QuoteUpdate): QuoteUpdate {
  const { quote, validForMillis, validFrom } = update
  return {
    quote,
    validForMillis,
    validFrom,
    bidPriceTicks: orNull(update.bidPriceTicks, ticksOf),
    askPriceTicks: orNull(update.askPriceTicks, ticksOf),
    bidSteps: orNull(update.bidSteps, stepsOf),
    askSteps: orNull(update.askSteps, stepsOf),
  }
}
