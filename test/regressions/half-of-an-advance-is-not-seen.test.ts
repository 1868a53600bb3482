// Room: world

import { expect, it } from 'vitest'
import { changeSettings, openAccount, scheduleActions } from '../../src/index.ts'
import { millis } from '../../src/numeric/units.ts'
import type { OpenWorld } from '../../src/pipeline/fetch.ts'
import { createWorld } from '../../src/testing/start-venue.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { livelyScenario } from '../world/scenarios.ts'

/*
 * A program that does not wait for `advanceAsync` and uses the world meanwhile finishes the advance by that. Its time,
 * digest and events were those of the instant that the slices had reached. A setting was made at that instant, too, which
 * the world had passed by then: it was refused, and said to be made.
 */

const scenario = compiledScenario(livelyScenario)

const uses: readonly [string, (world: OpenWorld) => unknown][] = [
  ['now', (world) => world.now],
  ['digest', (world) => world.digest()],
  ['eventsSince', (world) => world.eventsSince(0)],
  ['venue', (world) => world.venue.state.nowMillis],
  ['execute', (world) => world.execute({ kind: 'resume', at: world.now, asset: 1 })],
  ['advanceTo', (world) => world.advanceTo(millis(world.now + 1))],
  [
    'changeSettings',
    (world) => changeSettings(world, [{ kind: 'halt', asset: 1, mode: 'reject', forMillis: millis(0) }]),
  ],
  [
    'changeSettings of several',
    (world) =>
      changeSettings(world, [
        { kind: 'halt', asset: 1, mode: 'reject', forMillis: millis(0) },
        { kind: 'resume', asset: 1 },
      ]),
  ],
  [
    'openAccount',
    (world) => {
      const [first] = scenario.venue.accounts
      return first && openAccount(world, { ...first, id: 'later' }, [])
    },
  ],
  ['scheduleActions', (world) => scheduleActions(world, [{ at: '+1s', note: 'later' }])],
]

it.each(uses)('%s', async (_, use) => {
  const whole = createWorld(scenario)
  whole.advance('3h')
  const expected = use(whole)

  const sliced = createWorld(scenario)
  const advancing = sliced.advanceAsync('3h')
  expect(sliced.workQueue.isPaused).toBe(true)
  expect(use(sliced)).toEqual(expected)
  await advancing
  for (const world of [whole, sliced]) world.advance('2s')
  expect(sliced.digest()).toBe(whole.digest())
  expect(sliced.eventsSince(0)).toEqual(whole.eventsSince(0))
})
