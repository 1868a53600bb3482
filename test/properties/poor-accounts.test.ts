import { expect, test } from 'vitest'
import type { Command } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { atoms } from '../../src/numeric/units.ts'
import { plansOf } from '../arbitraries/commands.ts'
import { crowdedConfig, sampledChoices } from '../arbitraries/configs.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import { caseBudget } from '../support/full-run.ts'
import { CheckedRun } from './checked-run.ts'
import { DifferentialRun } from './differential-run.ts'
import { watchedRun } from './watched.ts'

/*
 * Accounts with a few hundred atoms of cash, in a pair whose tick is worth a tenth of an atom: here every rounding
 * matters, and a cash account must still never owe anything.
 */

const choices = sampledChoices(9, 8)

test.each(choices)('accounts with very little cash never owe any, world $index', ({ index, ...choice }) => {
  const config = poorConfig(crowdedConfig({ ...choice, carolsLimits: 0, davesLimits: 0 }), index)
  const run = new DifferentialRun(config)
  const checked = new CheckedRun(watchedRun(run), config)
  plansOf(5000 + index, caseBudget(300)).forEach((plan, position) => {
    const command = inDust(commandOf(plan, run.twin.world))
    if (command.kind === 'set-limits' || command.kind === 'deposit') return
    const { broken } = checked.execute(command)
    const wrong = run.difference ?? broken.join('\n')
    if (wrong !== '') expect.fail(`world ${index}, plan ${position}, ${JSON.stringify(command)}: ${wrong}`)
  })
})

function poorConfig(config: VenueConfig, index: number): VenueConfig {
  return {
    ...config,
    assets: config.assets.map((asset) =>
      asset.pair === null ? asset : { ...asset, pair: { ...asset.pair, minNotionalAtoms: atoms(0) } },
    ),
    accounts: config.accounts.map((account, place) => ({
      ...account,
      fees: null,
      balances: new Map([
        ['USD', atoms(100 + 17 * place + index)],
        ['DUST', atoms(300)],
      ]),
    })),
  }
}

function inDust(command: Command): Command {
  if (command.kind === 'withdraw' || command.kind === 'deposit') return command
  if (command.kind === 'place-orders') {
    return { ...command, placements: command.placements.map((placement) => ({ ...placement, asset: 3 })) }
  }
  return 'asset' in command && command.asset !== null ? { ...command, asset: 3 } : command
}
