import fc from 'fast-check'
import { test } from 'vitest'
import { plan } from '../arbitraries/commands.ts'
import { configChoice, crowdedConfig } from '../arbitraries/configs.ts'
import { CheckedRun } from '../properties/checked-run.ts'
import { DifferentialRun } from '../properties/differential-run.ts'
import { watchedRun } from '../properties/watched.ts'
import { caseBudget } from '../support/full-run.ts'
import type { Pair } from './venue-command.ts'
import { VenueCommand } from './venue-command.ts'

/*
 * Model runs of up to 300 commands in worlds of all kinds. A failure shrinks to a short list of plans, printed with
 * seed, path and replayPath; freeze it as a test of test/regressions.
 */
test('in model runs of up to 300 commands the engine agrees with its twin and keeps every invariant', () => {
  const commands = fc.commands([plan.map((one) => new VenueCommand(one))], { maxCommands: 300, size: 'max' })
  fc.assert(
    fc.property(configChoice, commands, (choice, run) => {
      fc.modelRun(() => ({ model: {}, real: createPair(choice) }), run)
    }),
    { seed: 7, numRuns: caseBudget(20) },
  )
})

function createPair(choice: Parameters<typeof crowdedConfig>[0]): Pair {
  const config = crowdedConfig(choice)
  const run = new DifferentialRun(config)
  return { run, checked: new CheckedRun(watchedRun(run), config) }
}
