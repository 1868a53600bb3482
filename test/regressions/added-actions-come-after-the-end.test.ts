// Room: world

import { expect, test } from 'vitest'
import { scheduleActions } from '../../src/world/change-world.ts'
import { startMemoryJournal } from '../../src/world/journals/journal.ts'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { replayText } from '../world/journals/recorded.ts'
import { quietScenario } from '../world/scenarios.ts'

/*
 * A scenario's clock may have an end, at which a run ends. A world that is served goes on, but from then on its
 * timeline took no more actions: they were "after the end of the clock".
 */

const scenario = compiledScenario({
  ...quietScenario,
  clock: { ...quietScenario.clock, end: '1m' },
})

test.each([30_000, 3_600_000])('actions that come after the end, added %d ms after the start', (addedAt) => {
  const acted: number[] = []
  const world = createWorld(scenario, { onAction: ({ at }) => acted.push(at - scenario.venue.startMillis) })
  const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
  world.advance(addedAt)
  const actions = [
    { note: 'now' },
    { at: '+40s', id: 'late', note: 'later' },
    { at: 'late+5s', note: 'then' },
    { every: { each: '10s', from: '+100s', to: '+120s' }, note: 'again' },
    { every: { each: '1h', from: '+200s' }, note: 'for ever' },
  ]
  expect(scheduleActions(world, actions)).toEqual([])
  world.advance('2h')
  const seconds = [0, 40, 45, 100, 110, 120, 200, 3800]
  expect(acted).toEqual(seconds.map((second) => addedAt + second * 1000))
  const replay = replayText([...journal.text()].join(''))
  expect(replay.kind === 'done' ? replay.world.digest() : replay).toBe(world.digest())
})
