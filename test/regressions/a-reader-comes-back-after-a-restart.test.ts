// Room: server

import { get } from 'node:http'
import { expect, it } from 'vitest'
import { useAdminWorld } from '../server/admin/admin-world.ts'

/*
 * A browser that follows the events of a world comes back after a restart of the server with the last id that it has
 * seen. The new world's events are counted from 1, and it was told nothing until there were more of them than before.
 */

const { venue } = useAdminWorld()

/** The ids and comments that a reader is told, until there are so many ids. */
function told(query: string, lastEventId: string, count: number): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const path = `/__admin/worlds/default/events${query}`
    const headers = { 'last-event-id': lastEventId }
    get({ port: venue.server.adminPort, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => String(id))
        if (ids.length < count) return
        response.destroy()
        resolve(ids)
      })
    }).on('error', reject)
  })
}

it.each(['', '?since=0', '?since=5'])('events%s', async (query) => {
  const { events } = venue.worlds.default
  const deposit = { asset: 'USD', quantity: 1 }
  await venue.admin('POST', '/worlds/default/accounts/trader/deposits', deposit)
  const before = events.lastSequence
  const later = told(query, '900000', before + 1)
  await venue.admin('POST', '/worlds/default/accounts/trader/deposits', deposit)
  expect(await later).toEqual(Array.from({ length: before + 1 }, (_, place) => String(place + 1)))
  // The newest that there is was seen, so what comes next is told.
  const next = told(query, String(before + 1), 1)
  await venue.admin('POST', '/worlds/default/accounts/trader/deposits', deposit)
  expect(await next).toEqual([String(before + 2)])
})
