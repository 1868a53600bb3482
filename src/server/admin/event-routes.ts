import { Readable } from 'node:stream'
import * as shapes from '../../api/admin-answers.ts'
import { advancingView } from '../../world/views/world-views.ts'
import type { World } from '../../world/world.ts'
import type { Worlds } from '../../world/worlds.ts'
import {
  type AdminCall,
  AdminRefusal,
  type AdminRoute,
  EventStream,
  findPathWorld,
  onServer,
  wrongField,
} from './route.ts'

export const eventRoutes: readonly AdminRoute[] = [
  onServer('GET', '/worlds/:world/events', {
    id: 'streamEvents',
    summary: 'What happens, as server-sent events',
    response: shapes.anyDocument,
    errors: [503],
    query: { since: shapes.since },
    example: { query: { since: '0' } },
    mediaType: 'text/event-stream',
    answer: streamEvents,
  }),
]

/**
 * Choice: without `since`, what happens from now on. A browser that has lost the connection comes back to the same
 * address with the last id that it has seen, so that id wins over `since`. Errors: 400 for a `since` that is not the
 * number of an event; 404 the world; 503 when too many streams are open. It does not wait for an advance that is under
 * way, because it tells of it.
 */
function streamEvents(call: AdminCall): EventStream {
  const world = findPathWorld(call)
  const { query, lastEventId } = call
  if (!world.mustWait()) world.time.catchUp()
  const { lastSequence } = world.events
  const since = lastEventId ?? query.get('since') ?? String(lastSequence)
  if (!/^\d{1,15}$/.test(since)) throw wrongField('since', 'must be the number of an event')
  // A restart counts anew: who saw an id that no event has yet has seen none of these.
  let told = lastEventId !== null && Number(since) > lastSequence ? 0 : Number(since)
  return createStream(call, world, (write) => {
    const before = told
    told = writeEvents(write, world, told)
    return told !== before
  })
}

type Write = (text: string) => boolean

/** Writes what is new. Answers whether anything was. */
type WriteNews = (write: Write) => boolean

/** Errors: 503 when too many are open. */
export function createStream({ worlds }: AdminCall, world: World, tell: WriteNews): EventStream {
  if (countStreams(worlds) >= maximumStreams) {
    const reason = `${maximumStreams} event streams are open already: close some first`
    throw new AdminRefusal({ code: 'unavailable', reason })
  }
  return new EventStream(() => openReadable(worlds, world, tell))
}

/** How often a stream looks for news, and how long it is silent at most, in milliseconds. */
const lookEveryMillis = 50
const maximumSilenceMillis = 15_000
/** Looks between two words about an advance that is under way. */
const looksPerProgress = 5
/** How many events are put into words at a time, because a reader who is slow takes only some of them. */
const eventsAtOnce = 256

/** Readers that never leave must not take all the connections of a server. */
export const maximumStreams = 512

const streamCounts = new WeakMap<Worlds, number>()

const countStreams = (worlds: Worlds): number => streamCounts.get(worlds) ?? 0

/**
 * What is new in a world, as it happens, as server-sent events. It ends when the client leaves or the world is deleted.
 * Comments tell the rest: that a long advance is under way and how far it has come, that it is over, and which events a
 * reader has missed.
 *
 * What a client does not read is not written either: it gets the rest when it reads on, as far as the world has it.
 */
function openReadable(worlds: Worlds, world: World, tell: WriteNews): Readable {
  let silentMillis = 0
  let advancingLooks = 0
  let isRead = true
  const stream = new Readable({
    read: () => {
      isRead = true
    },
  })
  const write = (text: string): boolean => {
    isRead = stream.push(text)
    return isRead
  }
  const look = () => {
    if (worlds.get(world.id) !== world) {
      clearInterval(timer)
      // The answer does not wait for a reader who may never read.
      if (isRead) stream.push(null)
      else stream.destroy()
      return
    }
    if (!isRead) return
    // The events of an advance are sent when it is over.
    if (world.mustWait()) {
      silentMillis = 0
      if (advancingLooks % looksPerProgress === 0)
        write(`: advancing ${JSON.stringify(advancingView(world))}\n\n`)
      advancingLooks += 1
      return
    }
    if (advancingLooks > 0) write(': advanced\n\n')
    advancingLooks = 0
    world.time.catchUp()
    silentMillis = tell(write) ? 0 : silentMillis + lookEveryMillis
    if (silentMillis < maximumSilenceMillis) return
    silentMillis = 0
    write(': nothing new\n\n')
  }
  streamCounts.set(worlds, countStreams(worlds) + 1)
  const timer = setInterval(look, lookEveryMillis).unref()
  stream.on('close', () => {
    clearInterval(timer)
    streamCounts.set(worlds, countStreams(worlds) - 1)
  })
  write(': the events of this world\n\n')
  look()
  return stream
}

/** Writes what its reader takes. Answers the sequence of the last event that was written. */
function writeEvents(write: Write, world: World, since: number): number {
  let told = since
  while (told < world.events.lastSequence) {
    const events = world.eventsSince(told, eventsAtOnce)
    for (const event of events) {
      const missed = event.sequence - told - 1
      const gap = missed === 0 ? '' : `: ${missed} events before this one are no longer kept\n\n`
      told = event.sequence
      const text = `${gap}id: ${told}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
      if (!write(text)) return told
    }
    // None are left if a restore or a reset has dropped them.
    if (events.length === 0) return world.events.lastSequence
  }
  return told
}
