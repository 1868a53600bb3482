import { Readable } from 'node:stream'
import * as shapes from '../../api/admin-answers.ts'
import { clearInterval, setInterval } from '../../world/real-timers.ts'
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
 * Opens the stream of a world's events. Choice: without `since` it begins now. A browser that has lost the connection
 * returns to the same address with the last id that it has seen, so that id wins over `since`. The stream does not wait
 * for an advance that is under way, because it reports it. Errors, in order: 404 the world; 400 for a `since` that is
 * not the number of an event; 503 when too many streams are open.
 */
function streamEvents(call: AdminCall): EventStream {
  const world = findPathWorld(call)
  const { query, lastEventId } = call
  if (!world.mustWait()) world.time.catchUp()
  const { lastSequence } = world.events
  const since = lastEventId ?? query.get('since') ?? String(lastSequence)
  if (!/^\d{1,15}$/.test(since)) throw wrongField('since', 'must be the number of an event')
  // A restarted server counts events from 1 again: a reader whose last id is not reached yet has seen none of them.
  let lastWritten = lastEventId !== null && Number(since) > lastSequence ? 0 : Number(since)
  return createStream(call, world, (write) => {
    const before = lastWritten
    lastWritten = writeEvents(write, world, lastWritten)
    return lastWritten !== before
  })
}

/** Writes to a stream. Returns whether its reader takes more. */
type Write = (text: string) => boolean

/** Writes what is new. Returns whether anything was. */
type WriteNews = (write: Write) => boolean

/** Creates a stream that calls `writeNews` whenever there may be news. Errors: 503 when too many streams are open. */
export function createStream({ worlds }: AdminCall, world: World, writeNews: WriteNews): EventStream {
  if (countStreams(worlds) >= maximumStreams) {
    const reason = `${maximumStreams} event streams are open already: close some first`
    throw new AdminRefusal({ code: 'unavailable', reason })
  }
  return new EventStream(() => openReadable(worlds, world, writeNews))
}

/** How often a stream looks for news, in milliseconds. */
const lookEveryMillis = 50
/** How long a stream is silent before it writes a comment, in milliseconds. */
const maximumSilenceMillis = 15_000
/** The number of looks between two comments on an advance that is under way. */
const looksPerProgress = 5
/** How many events are written out at a time: a slow reader takes only some of them. */
const eventsAtOnce = 256

/** The most streams that may be open, so that readers that never leave can't take all the connections of a server. */
export const maximumStreams = 512

const streamCounts = new WeakMap<Worlds, number>()

const countStreams = (worlds: Worlds): number => streamCounts.get(worlds) ?? 0

/**
 * Opens a stream of server-sent events with what is new in a world. It ends when the client leaves or the world is
 * deleted. Its comments say that a long advance is under way and how far it has come, that it is over, and how many
 * events a reader has missed.
 *
 * Nothing is written while a client does not read. It gets the rest when it reads on, as far as the world still has it.
 */
function openReadable(worlds: Worlds, world: World, writeNews: WriteNews): Readable {
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
      // A reader that has stopped reading is cut off, because it may never read the end.
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
    silentMillis = writeNews(write) ? 0 : silentMillis + lookEveryMillis
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

/** Writes events as long as the reader takes them. Returns the sequence of the last one that was written. */
function writeEvents(write: Write, world: World, since: number): number {
  let lastWritten = since
  while (lastWritten < world.events.lastSequence) {
    const events = world.eventsSince(lastWritten, eventsAtOnce)
    for (const event of events) {
      const missed = event.sequence - lastWritten - 1
      const gap = missed === 0 ? '' : `: ${missed} events before this one are no longer kept\n\n`
      lastWritten = event.sequence
      const text = `${gap}id: ${lastWritten}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
      if (!write(text)) return lastWritten
    }
    // A restore or a reset has dropped the rest.
    if (events.length === 0) return world.events.lastSequence
  }
  return lastWritten
}
