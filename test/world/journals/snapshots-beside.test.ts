import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Checkpoint } from '../../../src/journal/checkpoints.ts'
import {
  deleteCheckpoints,
  newestCheckpointSequence,
  writeCheckpoint,
} from '../../../src/journal/checkpoints.ts'
import {
  recoverJournal,
  restoreFromReplay,
  startFileJournal,
} from '../../../src/world/journals/file-journal.ts'
import { runToEnd } from '../../../src/world/work-queue.ts'
import { createWorld, type World } from '../../../src/world/world.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { runBusily } from './busy.ts'
import { scenarioOf } from './recorded.ts'

/** A busy world with a file, and a snapshot beside it taken halfway. */
function writeWorld(
  path: string,
  change: (checkpoint: Checkpoint) => Checkpoint = (checkpoint) => checkpoint,
): World {
  const world = createWorld(scenarioOf())
  const opened = recoverJournal(path, 'os')
  if (opened.kind !== 'fresh') throw new Error(opened.kind)
  const journal = startFileJournal(world, opened.file, { otcsim: 'test', start: null })
  runBusily(world, 'first half', 150)
  const { offset, hash } = opened.file.end
  const kept = world.snapshot()
  const { sequence } = world
  const { value: check } = world.events.check
  runToEnd(writeCheckpoint(path, change({ offset, hash, sequence, check, snapshot: kept })))
  runBusily(world, 'second half', 100)
  world.restore(kept)
  runBusily(world, 'third half', 100)
  journal.close()
  return world
}

function recoverWorld(path: string) {
  const recovery = recoverJournal(path, 'os')
  if (recovery.kind !== 'recovered') throw new Error(JSON.stringify(recovery))
  recovery.file.close()
  return recovery.replay
}

it('repeats only what came after the snapshot, and reaches the same state', () => {
  const path = join(temporaryFolder(), 'a.journal')
  const world = writeWorld(path)
  const replay = recoverWorld(path)
  expect(replay.world.digest()).toBe(world.digest())
  expect(replay.end.sequence).toBe(world.sequence)
  expect(replay.lines).toBe(world.sequence - newestCheckpointSequence(path))
  expect(replay.lines).toBeGreaterThan(50)
})

it.each([
  ['is damaged', (text: string) => text.replace('"state":', '"stade":')],
  ['tells another place', (text: string) => text.replace(/"offset":/, '"offset":1')],
  ['tells other events', (text: string) => text.replace(/"check":/, '"check":1')],
  ['is half there', (text: string) => text.slice(0, 500)],
])('passes over a snapshot that %s', (_what, change) => {
  const path = join(temporaryFolder(), 'a.journal')
  const world = writeWorld(path)
  const snapshot = `${path}.snapshot-${newestCheckpointSequence(path)}`
  writeFileSync(snapshot, change(readFileSync(snapshot, 'utf8')))
  const recovery = recoverJournal(path, 'os')
  if (recovery.kind !== 'recovered') throw new Error(JSON.stringify(recovery))
  recovery.file.close()
  const { replay, unusable } = recovery
  expect(replay.world.digest()).toBe(world.digest())
  expect([replay.lines, unusable]).toEqual([world.sequence, [snapshot]])
})

it.each([
  [
    'another journal',
    (checkpoint: Checkpoint) => ({ ...checkpoint, hash: checkpoint.hash.replace(/^.{8}/, '00000000') }),
  ],
  ['another place', (checkpoint: Checkpoint) => ({ ...checkpoint, offset: 1000 })],
  ['a longer journal', (checkpoint: Checkpoint) => ({ ...checkpoint, offset: 99_999_999 })],
])('refuses a journal beside a snapshot of %s', (_what, change) => {
  const path = join(temporaryFolder(), 'a.journal')
  const world = writeWorld(path, change)
  const proven = newestCheckpointSequence(path)
  const files = [`${path}.snapshot-${proven}`]
  const before = readFileSync(path)
  expect(recoverJournal(path, 'os')).toEqual({
    kind: 'missing',
    missing: { kind: 'other', last: world.sequence, proven, files },
  })
  expect(readFileSync(path)).toEqual(before)
  for (const file of files) rmSync(file)
  expect(recoverWorld(path).world.digest()).toBe(world.digest())
})

it('continues writing after a snapshot, and keeps the last two', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.journal')
  writeWorld(path)
  const opened = recoverJournal(path, 'os')
  if (opened.kind !== 'recovered') throw new Error(opened.kind)
  const { scenario, seed, clock, readings } = opened.replay.world
  const world = createWorld(scenario, { seed, clock, readings })
  restoreFromReplay(world, opened.replay.world)
  const journal = startFileJournal(world, opened.file, { snapshotSequence: 0 })
  for (const half of ['fourth', 'fifth']) {
    runBusily(world, half, 30)
    const { offset, hash } = opened.file.end
    const { value: check } = world.events.check
    const checkpoint = { offset, hash, sequence: world.sequence, check, snapshot: world.snapshot() }
    runToEnd(writeCheckpoint(path, checkpoint))
  }
  journal.close()
  expect(readdirSync(folder).filter((name) => name.includes('.snapshot-'))).toHaveLength(2)
  expect(recoverWorld(path).world.digest()).toBe(world.digest())
})

it('removes what a killed process has left of a snapshot, and the journal of no other world', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'a.journal')
  const [left, other] = [`${path}.snapshot-7.tmp`, `${path}.snapshot-7.journal`]
  for (const name of [left, other]) writeFileSync(name, 'half')
  writeWorld(path)
  expect([existsSync(left), existsSync(other)]).toEqual([false, true])
  writeFileSync(left, 'half')
  deleteCheckpoints(path)
  expect(readdirSync(folder).toSorted()).toEqual([
    'a.journal',
    'a.journal.last',
    'a.journal.snapshot-7.journal',
  ])
})

it('finds a flipped bit in the lines that the snapshot makes it skip', () => {
  const path = join(temporaryFolder(), 'a.journal')
  writeWorld(path)
  const bytes = readFileSync(path)
  bytes[Math.floor(bytes.length / 4)] = (bytes[Math.floor(bytes.length / 4)] ?? 0) ^ 1
  writeFileSync(path, bytes)
  expect(recoverJournal(path, 'os').kind).toBe('damaged')
})
