// Room: world

import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadScenario } from '../../src/index.ts'
import { linesOfBytes } from '../../src/journal/lines.ts'
import { startVenue } from '../../src/testing/start-venue.ts'
import { replayJournal } from '../../src/world/journals/replay.ts'
import { otcsim, type Served, serve } from '../cli/harness.ts'
import { adminRequest } from '../support/admin-request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/*
 * A world that restored the snapshot of a world with a longer past continued with that world's sequence: its own journal
 * had a gap, counted as damaged, and the server did not restart.
 */

const admin = async (served: Served, method: string, path: string, body?: string) =>
  (await adminRequest(served, method, `/worlds/default${path}`, body)).text

it('over HTTP, with a snapshot of another server', async () => {
  const old = await serve(['--port', '0', '--clock', 'manual', '--scenario', 'calm'])
  for (let line = 0; line < 20; line += 1)
    await admin(old, 'POST', '/accounts/desk/deposits', '{"asset":"USD","quantity":1}')
  await admin(old, 'POST', '/snapshots')
  const document = await admin(old, 'GET', '/snapshots/snap_1')
  await old.finished()

  const cwd = temporaryFolder()
  const words = ['--port', '0', '--clock', 'manual', '--scenario', 'calm', '--journal', 'venue.journal']
  const first = await serve(words, { cwd })
  await admin(first, 'POST', '/accounts/desk/deposits', '{"asset":"USD","quantity":5}')
  await admin(first, 'POST', '/snapshots/import', document)
  expect(await admin(first, 'POST', '/snapshots/snap_1/restore')).toContain('"sequence":2')
  await admin(first, 'POST', '/accounts/desk/deposits', '{"asset":"USD","quantity":7}')
  const before = await admin(first, 'GET', '/digest')
  expect(before).toContain('"sequence":3')
  await first.finished()

  const verified = await otcsim(['replay', join(cwd, 'venue.journal'), '--verify'])
  expect(verified).toMatchObject({ code: 0 })
  const next = await serve(words, { cwd })
  expect(await admin(next, 'GET', '/digest')).toBe(before)
})

it('in the journal of a test', async () => {
  await using venue = await startVenue()
  const longer = venue.createWorld({ scenario: await loadScenario('calm') })
  for (let line = 0; line < 9; line += 1) longer.advance('1s')
  const world = venue.createWorld()
  world.restore(longer.snapshot())
  world.advance('1s')
  const replayed = replayJournal(linesOfBytes(Buffer.from(world.journalText())))
  expect(replayed).toMatchObject({ kind: 'done', end: { sequence: 2 } })
  if (replayed.kind === 'done') expect(replayed.world.digest()).toBe(world.digest())
})
