// Room: world

import { expect, it } from 'vitest'
import { makeSnapshotDocument, readSnapshotDocument } from '../../src/journal/snapshot-document.ts'
import { scheduleActions } from '../../src/world/change-world.ts'
import { startMemoryJournal } from '../../src/world/journals/journal.ts'
import { createWorld, type World } from '../../src/world/world.ts'
import { replayText, scenarioOf } from '../world/journals/recorded.ts'

/* Actions added to a timeline happened again after a reset, at their old instants, in the next test on the same world. */

const soon = [{ at: '+1s', halt: { asset: 'BTC' } }]

const actionsOf = (world: World): unknown[] => {
  const before = world.events.lastSequence
  world.advance('5s')
  return world.eventsSince(before).flatMap(({ type, action }) => (type === 'scenario.action' ? [action] : []))
}

it('removes the actions added to a timeline, also with snapshots and journals', () => {
  const world = createWorld(scenarioOf())
  const journal = startMemoryJournal(world, { otcsim: 'test', start: null })
  const start = world.digest()
  expect(scheduleActions(world, soon)).toEqual([])
  const planned = world.snapshot()
  expect(actionsOf(world)).toEqual(['halt'])
  world.reset(null)
  expect(world.digest()).toBe(start)
  expect(actionsOf(world)).toEqual([])

  // A restore brings the added actions back, and a reset after it removes them again.
  world.restore(planned)
  expect(actionsOf(world)).toEqual(['halt'])
  world.reset(null)
  expect(actionsOf(world)).toEqual([])
  const read = readSnapshotDocument(JSON.parse(JSON.stringify(makeSnapshotDocument(planned))))
  if (!read.ok) throw new Error(JSON.stringify(read))
  world.restore(read.snapshot)
  expect(actionsOf(world)).toEqual(['halt'])
  world.reset('other')
  expect(actionsOf(world)).toEqual([])

  const replay = replayText([...journal.text()].join(''))
  expect(replay).toMatchObject({ kind: 'done', lines: world.sequence })
  if (replay.kind === 'done') expect(replay.world.digest()).toBe(world.digest())
})

it('removes them from a fork, too, which keeps them until then', () => {
  const world = createWorld(scenarioOf())
  const start = world.digest()
  scheduleActions(world, soon)
  const fork = world.fork()
  expect(actionsOf(fork)).toEqual(['halt'])
  fork.reset(null)
  expect(fork.digest()).toBe(start)
  expect(actionsOf(fork)).toEqual([])
})
