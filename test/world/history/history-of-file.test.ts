import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import type { Checkpoint } from '../../../src/journal/checkpoints.ts'
import { newestCheckpointSequence, writeCheckpoint } from '../../../src/journal/checkpoints.ts'
import { JournalUnwritable } from '../../../src/journal/journal-file.ts'
import { History } from '../../../src/world/history/history.ts'
import { recoverJournal, startFileJournal } from '../../../src/world/journals/file-journal.ts'
import { runToEnd } from '../../../src/world/work-queue.ts'
import { createWorld, type World } from '../../../src/world/world.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { runBusily } from '../journals/busy.ts'
import { scenarioOf } from '../journals/recorded.ts'

/** A world that writes to a file, with its state after each part of its run. */
function startWorld(kept: ((checkpoint: Checkpoint) => Checkpoint) | null) {
  const path = join(temporaryFolder(), 'a.journal')
  const world = createWorld(scenarioOf())
  const opened = recoverJournal(path, 'os')
  if (opened.kind !== 'fresh') throw new Error(opened.kind)
  const journal = startFileJournal(world, opened.file, { otcsim: 'test', start: null })
  const seen: { readonly sequence: number; readonly atMillis: number; readonly digest: string }[] = []
  const live = (part: string) => {
    runBusily(world, part, 40)
    seen.push({ sequence: world.sequence, atMillis: world.now, digest: world.digest() })
  }
  live('a')
  const first = world.snapshot()
  world.restore(first)
  live('b')
  if (kept !== null) {
    const { offset, hash } = opened.file.end
    const { sequence } = world
    const check = world.events.check.value
    runToEnd(writeCheckpoint(path, kept({ offset, hash, sequence, check, snapshot: world.snapshot() })))
  }
  // The first line that restores this snapshot contains it, and that line is before the snapshot beside the file.
  world.restore(first)
  live('c')
  return { path, world, journal, seen, live }
}

function followHistory(world: World, journal: ReturnType<typeof startFileJournal>): History {
  const history = new History(world, journal)
  while (!history.follow(20));
  return history
}

it('is the whole past of a file, and follows it', () => {
  const { world, journal, seen, live } = startWorld(null)
  const history = followHistory(world, journal)
  live('d')
  while (!history.follow(20));
  expect(history.firstMoment.sequence).toBe(0)
  expect(history.generation).toBe(1)
  for (const { digest, ...moment } of seen) expect(runToEnd(history.travelTo(moment))?.digest()).toBe(digest)
})

it('begins at the snapshot beside a file', () => {
  const { path, world, journal, seen } = startWorld((checkpoint) => checkpoint)
  const history = followHistory(world, journal)
  expect(history.firstMoment.sequence).toBe(newestCheckpointSequence(path))
  const [first, ...known] = seen
  expect(runToEnd(history.travelTo({ sequence: (first?.sequence ?? 0) - 1, atMillis: 0 }))).toBeNull()
  for (const { digest, ...moment } of known) expect(runToEnd(history.travelTo(moment))?.digest()).toBe(digest)
})

it.each([
  ['another place', (checkpoint: Checkpoint) => ({ ...checkpoint, offset: 1000 })],
  [
    'another journal',
    (checkpoint: Checkpoint) => ({ ...checkpoint, hash: checkpoint.hash.replace(/^.{8}/, '00000000') }),
  ],
])('passes over a snapshot of %s', (_what, change) => {
  const { world, journal, seen } = startWorld(change)
  const history = followHistory(world, journal)
  expect(history.firstMoment.sequence).toBe(0)
  for (const { digest, ...moment } of seen) expect(runToEnd(history.travelTo(moment))?.digest()).toBe(digest)
})

it.each([
  ['file', (path: string) => path],
  ['folder', dirname],
])('is still known when somebody has deleted its %s', (_what, placeOf) => {
  const { path, world, journal, seen, live } = startWorld(null)
  rmSync(placeOf(path), { recursive: true })
  expect(journal.problem()).toBe('its file was deleted or moved')
  expect(() => live('d')).toThrow(JournalUnwritable)
  const history = followHistory(world, journal)
  for (const { digest, ...moment } of seen) expect(runToEnd(history.travelTo(moment))?.digest()).toBe(digest)
  expect([...journal.text()]).toHaveLength(world.sequence + 1)
  journal.close()
})

it('is read to its end by those who had begun before the journal was closed', () => {
  const { world, journal } = startWorld(null)
  const lines = journal.text()[Symbol.iterator]()
  const first = lines.next().value
  journal.close()
  let count = 1
  while (lines.next().done !== true) count += 1
  expect([first?.endsWith('\n'), count]).toEqual([true, world.sequence + 1])
})
