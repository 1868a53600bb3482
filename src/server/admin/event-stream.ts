import { Readable } from 'node:stream'
import type { World } from '../../world/world.ts'
import type { Worlds } from '../../world/worlds.ts'
import { advancingView } from './views.ts'

/** How often a stream looks for news, and how long it is silent at most, in milliseconds. */
const lookEveryMillis = 50
const silentAtMostMillis = 15_000
/** Looks between two words about an advance that is under way. */
const looksPerWord = 5
/** How many events are put into words at a time, because a reader who is slow takes only some of them. */
const eventsAtOnce = 256

/** Readers that never leave must not take all the connections of a server. */
export const mostStreams = 512

const open = new WeakMap<Worlds, number>()

/** How many streams of a server's worlds are open. */
export const openStreams = (worlds: Worlds): number => open.get(worlds) ?? 0

/**
 * A world's events after a sequence, and then each as it happens, as server-sent events: the id is the sequence, the
 * name is the event's type, and the data are as everywhere else. It ends when the client leaves or the world is
 * deleted. Comments tell the rest: that a long advance is under way and how far it has come, that it is over, and which
 * events a reader has missed.
 *
 * What a client does not read is not written either: it gets the rest when it reads on, as far as the world has it.
 */
export function eventStream(worlds: Worlds, world: World, since: number): Readable {
  let told = since
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
      if (advancingLooks % looksPerWord === 0)
        write(`: advancing ${JSON.stringify(advancingView(world))}\n\n`)
      advancingLooks += 1
      return
    }
    if (advancingLooks > 0) write(': advanced\n\n')
    advancingLooks = 0
    world.time.catchUp()
    const before = told
    told = tellEvents(write, world, told)
    silentMillis = told === before ? silentMillis + lookEveryMillis : 0
    if (silentMillis < silentAtMostMillis) return
    silentMillis = 0
    write(': nothing new\n\n')
  }
  open.set(worlds, openStreams(worlds) + 1)
  const timer = setInterval(look, lookEveryMillis).unref()
  stream.on('close', () => {
    clearInterval(timer)
    open.set(worlds, openStreams(worlds) - 1)
  })
  write(': the events of this world\n\n')
  look()
  return stream
}

/** Writes what its reader takes. Answers the sequence of the last event that was written. */
function tellEvents(write: (text: string) => boolean, world: World, since: number): number {
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
