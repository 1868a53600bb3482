import { join } from 'node:path'
import { expect, it } from 'vitest'
import { millis } from '../../src/numeric/units.ts'
import { recoverJournal, startFileJournal } from '../../src/world/journals/file-journal.ts'
import { createWorld } from '../../src/world/world.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { livelyScenario } from './scenarios.ts'

it('a journal has no trace of an advance during which the process ended', async () => {
  const path = join(temporaryFolder(), 'a.journal')
  const world = createWorld(compiledScenario(livelyScenario))
  const opened = recoverJournal(path, 'os')
  if (opened.kind !== 'fresh') throw new Error(opened.kind)
  const journal = startFileJournal(world, opened.file, { otcsim: 'test', start: null })
  for (let line = 0; line < 2001; line += 1) world.setReadings(world.readings)
  const before = { now: world.now, digest: world.digest() }
  const begun = world.workQueue.begin(world.advanceInSteps(millis(world.now + 366 * 86_400_000)))
  if (!(begun instanceof Promise)) throw new Error('a year is long')
  begun.catch(() => undefined)
  await until('time passes', () => world.now > before.now)
  expect(world.workQueue.isPaused).toBe(true)
  expect(world.now).toBeGreaterThan(before.now)
  journal.close()
  // The advance is not even finished first, which might take minutes.
  expect(world.workQueue.isPaused).toBe(true)
  world.workQueue.close()
  const recovery = recoverJournal(path, 'os')
  if (recovery.kind !== 'recovered') throw new Error(recovery.kind)
  recovery.file.close()
  const { replay } = recovery
  expect({ now: replay.world.now, digest: replay.world.digest() }).toEqual(before)
})
