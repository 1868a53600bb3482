import * as shapes from '../../api/admin-answers.ts'
import { invalid } from '../../api/errors.ts'
import { eventStream, mostStreams, openStreams } from './event-stream.ts'
import { worldOf } from './find.ts'
import { type AdminAnswer, type AdminCall, type AdminRoute, bare, refused } from './route.ts'

/** Design, section 9: `GET W/events?since`, as server-sent events. */
export const eventRoutes: readonly AdminRoute[] = [
  bare(
    'GET',
    '/worlds/:world/events',
    {
      id: 'streamEvents',
      summary: 'What happens, as server-sent events',
      response: shapes.anyDocument,
      errors: [503],
      query: { since: shapes.since },
      mediaType: 'text/event-stream',
    },
    streamEvents,
  ),
]

/**
 * Choice: without `since`, what happens from now on. A browser that has lost the connection comes back to the same
 * address with the last id that it has seen, so that id wins over `since`. Errors: 400 for a `since` that is not the
 * number of an event; 404 the world; 503 when too many streams are open. It does not wait for an advance that is under
 * way, because it tells of it.
 */
function streamEvents(call: AdminCall): AdminAnswer {
  const found = worldOf(call)
  if (!found.ok) return found.answer
  const world = found.value
  const { worlds, query, lastEventId } = call
  if (!world.mustWait()) world.time.catchUp()
  const since = lastEventId ?? query.get('since') ?? String(world.events.lastSequence)
  if (!/^\d{1,15}$/.test(since))
    return refused(invalid({ field: 'since', reason: 'must be the number of an event' }))
  if (openStreams(worlds) >= mostStreams) {
    const reason = `${mostStreams} event streams are open already: close some first`
    return refused({ code: 'unavailable', reason })
  }
  return { status: 200, body: null, events: () => eventStream(worlds, world, Number(since)) }
}
