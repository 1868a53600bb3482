// Room: world

import { expect, it } from 'vitest'
import { linesOfBytes } from '../../src/journal/lines.ts'
import { replayJournal } from '../../src/world/journals/replay.ts'
import { startFixture } from '../server/venue-fixture.ts'

/** The admin API took a limit of 0, which refuses everything, and the journal with it could not be read any more. */
it.each([{ marketData: 0 }, { other: 0 }])('%j', async (limits) => {
  const venue = await startFixture()
  const set = await venue.admin('PUT', '/worlds/default/rate-limits', limits)
  const journal = await fetch(`${venue.server.url}/__admin/worlds/default/journal`)
  const lines = Buffer.from(await journal.arrayBuffer())
  await venue.server.close()
  expect(set.status).toBe(200)
  expect(replayJournal(linesOfBytes(lines))).toMatchObject({ kind: 'done' })
})
