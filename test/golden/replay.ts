import { createHash } from 'node:crypto'
import type { EventSink } from '../../src/engine/events.ts'
import { Venue } from '../../src/engine/venue.ts'
import type { GoldenVector } from './vector.ts'

/** The results of a replay: the digest after each command, and the hash of all events. */
export interface Replayed {
  readonly digests: readonly string[]
  readonly events: string
}

export function replay({ config, commands }: Pick<GoldenVector, 'config' | 'commands'>): Replayed {
  const hash = createHash('sha256')
  const sink: EventSink = { emit: (...event) => hash.update(`${event.join(' ')}\n`) }
  const venue = Venue.open(config, sink)
  const digests = commands.map((command) => {
    venue.execute(command)
    return venue.digest()
  })
  return { digests, events: hash.digest('hex') }
}

/** Null when the vector holds, else the first difference. */
export function divergence(vector: GoldenVector): string | null {
  const { digests, events } = replay(vector)
  const step = vector.digests.findIndex((digest, place) => digest !== digests[place])
  if (step !== -1) return `${vector.name}: digest after command ${step}, ${JSON.stringify(vector.commands[step])}`
  return events === vector.events ? null : `${vector.name}: the same digests, but other events`
}
