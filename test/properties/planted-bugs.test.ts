import { expect, test } from 'vitest'
import { plansOf } from '../arbitraries/commands.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import { NaiveVenue } from '../reference/naive-venue.ts'
import { CheckedRun } from './checked-run.ts'
import { invariants } from './invariants.ts'
import { breaches } from './planted-bugs.ts'
import type { Step } from './venue-view.ts'
import { watchedTwin } from './watched.ts'

/* Tests of the predicates themselves: each must notice a planted breach of its rule. */

const steps = recordedSteps()

test('every invariant has a planted breach', () => {
  expect(invariants.map(([name]) => name).filter((name) => breachOf(name) === undefined)).toEqual([])
})

test.each(invariants)('%s: its planted breach is noticed', (name, holds) => {
  const breach = breachOf(name)
  expect(
    breach === undefined ? [] : steps.map((step) => holds(breach(step))).filter((broken) => broken !== null),
  ).not.toEqual([])
})

function breachOf(name: string) {
  return breaches[name] ?? breaches[name.split(' ')[0] ?? name]
}

function recordedSteps(): readonly Step[] {
  const config = crowdedConfig({ hasLadder: true, selfTrade: 'cancel_maker' })
  const twin = new NaiveVenue(config)
  const run = new CheckedRun(watchedTwin(twin), config)
  return plansOf(61, 250).map((plan) => run.step(commandOf(plan, twin.world)))
}
