import type { Millis } from '../../numeric/units.ts'
import type { JsonData } from '../read/json-data.ts'
import type { Place } from '../read/tree.ts'
import type { Values } from './parameters.ts'
import type { ScriptedVenue } from './scripted-venue.ts'

/** What every participant of a scenario states; each kind adds its own parameters. */
export interface ParticipantSpec {
  /** Its name in the timeline, in problems and in its random streams. */
  readonly id: string
  readonly kind: string
  /** The engine's row of the account that it trades with. */
  readonly account: number
  /** Null: from the start. Infinity: when the timeline starts it. */
  readonly startsAtMillis: number | null
  readonly place: Place
}

/** What a participant is made of. The names of its random streams begin with `${seed}/agent/${spec.id}/`. */
export interface ParticipantContext {
  readonly seed: string
  readonly startMillis: Millis
}

/**
 * Something that acts by itself while a scenario runs, as a client would: it reads the venue's state and sends
 * commands through `venue.execute`, each of which counts as the request that it stands for. The script lets it act at
 * its own instants, after the timeline's actions of the same instant.
 *
 * **Invariant:** what it does depends only on its specification, the seed, its captured state and the venue's state.
 * It draws from streams named after it, by block or by count, so nothing else shifts its draws.
 */
export interface Participant {
  /** The next instant at which it wants to act, later than its last act; infinity when it never will again. */
  readonly nextAtMillis: number
  /** Acts. `venue.state.nowMillis` is `nextAtMillis`; afterwards `nextAtMillis` is later than that. */
  act(venue: ScriptedVenue): void
  /** Makes it act from now on. Starting one that is still to act changes nothing; one that was done looks again. */
  start(nowMillis: Millis): void
  /** Keeps it from acting until it is started again; its orders stay in the book. */
  stop(nowMillis: Millis): void
  /** Sets some parameters from now on. */
  set(values: Values): void
  /** Everything that its next acts depend on besides its specification. */
  capture(): JsonData
  /** Goes back to what `capture` answered, in this process or another. */
  restore(captured: JsonData): void
}
