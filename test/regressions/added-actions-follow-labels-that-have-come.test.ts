// Room: world

import { expect, test } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { scheduleActions } from '../../src/world/change-world.ts'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { quietScenario } from '../world/scenarios.ts'

/*
 * What a running timeline is given may count from a label. If the label had come already, and only the run had decided
 * when, such an action was accepted and never carried out.
 */

const scenario = compiledScenario({
  ...quietScenario,
  timeline: [{ when: 'clock >= 5', id: 'news', note: 'news' }],
})

test.each([3000, 10_000])('actions after a label, added %d ms after the start', (addedAt) => {
  const acted: number[] = []
  const world = createWorld(scenario, { onAction: ({ at }) => acted.push(at - scenario.venue.startMillis) })
  world.advance(addedAt)
  const actions = [
    { at: 'news+60s', note: 'later' },
    { every: { each: '10s', from: 'news+30s', to: 'news+50s' }, note: 'again' },
  ]
  expect(scheduleActions(world, actions)).toEqual([])
  world.advance('2m')
  expect(acted).toEqual([5000, 35_000, 45_000, 55_000, 65_000])
})

test('an action whose instant after a label is past is refused', () => {
  const world = createWorld(scenario)
  world.advance('10s')
  const problems = scheduleActions(world, [
    { at: 'news+5s', note: 'now' },
    { at: 'news+4s', note: 'late' },
  ])
  expect(problems).toMatchObject([{ path: 'actions[1].at', reason: expect.stringMatching(/^is past/) }])
  const every = { each: '10s', from: 'news+4s' }
  expect(scheduleActions(world, [{ every, note: 'late' }])).toMatchObject([
    { path: 'actions[0].every.from', reason: expect.stringMatching(/^is past/) },
  ])
})

test('added predicates are looked at when they are added, whatever else is watched', () => {
  const acted: number[] = []
  const world = createWorld(
    compiledScenario({ ...quietScenario, timeline: [{ when: 'clock > 1e9', note: 'never' }] }),
    { onAction: ({ at }) => acted.push(at) },
  )
  world.advance(1500)
  expect(scheduleActions(world, [{ when: 'clock >= 1', note: 'holds' }])).toEqual([])
  expect(acted).toEqual([millis(world.now)])
})
