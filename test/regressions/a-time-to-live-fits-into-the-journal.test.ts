// Room: world

import { expect, it } from 'vitest'
import { startFixture } from '../server/venue-fixture.ts'

/** A time to live beyond 2^53 was written into the header of a journal, with which the server did not restart. */
it.each([[1e21], [2 ** 53]])('a time to live of %d ms is refused', async (ttlMs) => {
  const venue = await startFixture()
  const { status, text } = await venue.admin('POST', '/worlds', { ttlMs })
  await venue.server.close()
  expect([status, text]).toEqual([400, expect.stringContaining('ttlMs must be at most 9007199254740991')])
})
