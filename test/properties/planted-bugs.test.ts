import { expect, test, vi } from 'vitest'
import type { Command } from '../../src/engine/command.ts'
import { plansOf } from '../arbitraries/commands.ts'
import { crowdedConfig } from '../arbitraries/configs.ts'
import { commandOf } from '../arbitraries/resolve.ts'
import { NaiveVenue } from '../reference/naive-venue.ts'
import { CheckedRun } from './checked-run.ts'
import { invariants } from './invariants.ts'
import { lies } from './planted-bugs.ts'
import { twinView } from './twin-view.ts'
import type { Step } from './venue-view.ts'

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 })

/* The test of the tests: each predicate notices a planted breach of its rule. */

const steps = recordedSteps()

test('every invariant has a lie of its own', () => {
  expect(invariants.map(([name]) => name).filter((name) => lieFor(name) === undefined)).toEqual([])
})

test.each(invariants)('%s: a lie is noticed', (name, holds) => {
  const lie = lieFor(name)
  expect(
    lie === undefined ? [] : steps.map((step) => holds(lie(step))).filter((broken) => broken !== null),
  ).not.toEqual([])
})

function lieFor(name: string) {
  return lies[name] ?? lies[name.split(' ')[0] ?? name]
}

function recordedSteps(): readonly Step[] {
  const config = crowdedConfig({ hasLadder: true, selfTrade: 'cancel_maker' })
  const twin = new NaiveVenue(config)
  const watched = {
    execute: (command: Command) => twin.execute(command),
    events: twin.world.events,
    view: () => twinView(twin),
  }
  const run = new CheckedRun(watched, config)
  return plansOf(61, 250).map((plan) => run.step(commandOf(plan, twin.world)))
}
