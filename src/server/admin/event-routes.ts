import { invalid } from '../../api/errors.ts'
import type { World } from '../../world/world.ts'
import { eventStream } from './event-stream.ts'
import { inWorld } from './find.ts'
import { type AdminAnswer, type AdminCall, type AdminRoute, bare, refused } from './route.ts'

/** Design, section 9: `GET W/events?since`, as server-sent events. */
export const eventRoutes: readonly AdminRoute[] = [
  bare('GET', '/worlds/:world/events', inWorld(streamEvents), ['since']),
]

/**
 * Choice: without `since`, what happens from now on. A browser that has lost the connection comes back to the same
 * address with the last id that it has seen, so that id wins over `since`. Errors: 400 for a `since` that is not the
 * number of an event.
 */
function streamEvents(world: World, { worlds, query, lastEventId }: AdminCall): AdminAnswer {
  const since = lastEventId ?? query.get('since') ?? String(world.events.lastSequence)
  if (!/^\d{1,15}$/.test(since))
    return refused(invalid({ field: 'since', reason: 'must be the number of an event' }))
  return { status: 200, body: null, deliver: eventStream(worlds, world, Number(since)) }
}
