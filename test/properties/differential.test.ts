import { expect, test } from 'vitest'
import { plansOf } from '../arbitraries/commands.ts'
import { crowdedConfig, sampledChoices } from '../arbitraries/configs.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import { caseBudget } from '../support/full-run.ts'
import { DifferentialRun } from './differential-run.ts'

/*
 * 25,600 commands in a full run, in 64 worlds that differ in self-trade mode, fees, liquidity and limits. After each command the
 * engine's events and outcome are compared with the twin's, and after every 25th all that can be read. The message of a
 * failure has the world, the position in its list of plans, and the first event that differs.
 */

const runs = 64
const commandsARun = caseBudget(400)
const choices = sampledChoices(2, runs)

test.each(choices)(
  'the engine emits the same events and outcomes as its twin, world $index',
  ({ index, ...choice }) => {
    const run = new DifferentialRun(crowdedConfig(choice))
    plansOf(2000 + index, commandsARun).forEach((plan, position) => {
      const said = run.execute(commandOf(plan, run.twin.world))
      const difference = said ?? (position % 25 === 24 ? run.readingDifference() : null)
      if (difference !== null)
        expect.fail(`world ${index} ${JSON.stringify(choice)}, plan ${position}: ${difference}`)
    })
  },
)
