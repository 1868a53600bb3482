import type { World } from '../../world/world.ts'
import type { Worlds } from '../../world/worlds.ts'
import { type Delivery, headersOf } from '../transport/answer.ts'

/** How often a stream looks for news, and how long it is silent at most, in milliseconds. */
const lookEveryMillis = 50
const silentAtMostMillis = 15_000

/**
 * A world's events after a sequence, and then each as it happens, as server-sent events: the id is the sequence, the
 * name is the event's type, and the data are as everywhere else. It ends when the client leaves or the world is
 * deleted.
 */
export function eventStream(worlds: Worlds, world: World, since: number): Delivery {
  return (response, answer) =>
    new Promise((resolve) => {
      response.writeHead(answer.status, ['Content-Type', 'text/event-stream', ...headersOf(answer)])
      let told = since
      let silentMillis = 0
      const look = () => {
        if (worlds.get(world.id) !== world) {
          response.end()
          return
        }
        // The events of an advance are sent when it is over.
        if (world.turns.isPaused) return
        world.time.catchUp()
        const events = world.eventsSince(told)
        silentMillis = events.length === 0 ? silentMillis + lookEveryMillis : 0
        for (const event of events) {
          response.write(`id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
          told = event.sequence
        }
        if (silentMillis < silentAtMostMillis) return
        silentMillis = 0
        response.write(': nothing new\n\n')
      }
      const timer = setInterval(look, lookEveryMillis).unref()
      response.on('close', () => {
        clearInterval(timer)
        resolve()
      })
      response.write(': the events of this world\n\n')
      look()
    })
}
