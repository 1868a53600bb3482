import { expect, test } from 'vitest'
import { plansOf } from '../arbitraries/commands.ts'
import { crowdedConfig, sampledChoices } from '../arbitraries/configs.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import { NaiveVenue } from '../reference/naive-venue.ts'
import { caseBudget } from '../support/full-run.ts'
import { CheckedRun } from './checked-run.ts'
import { watchedTwin } from './watched.ts'

/* The predicates are tested on the twin first: a wrong one shows here, without the engine. */

const choices = sampledChoices(11, 4)

test.each(choices)(
  'the twin keeps every invariant, run $index: $selfTrade, $feeCurrency',
  ({ index, ...choice }) => {
    const config = crowdedConfig(choice)
    const twin = new NaiveVenue(config)
    const run = new CheckedRun(watchedTwin(twin), config)
    for (const plan of plansOf(1000 + index, caseBudget(250))) {
      const command = commandOf(plan, twin.world)
      expect({ command, broken: run.execute(command).broken }).toEqual({ command, broken: [] })
    }
  },
)
