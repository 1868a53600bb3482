import type { Millis } from '../../numeric/units.ts'
import type { JsonData } from '../read/json-data.ts'
import type { Place } from '../read/tree.ts'
import type { ScriptedVenue } from './scripted-venue.ts'

/** What every participant of a scenario has; each kind adds its own parameters. */
export interface ParticipantSpec {
  /** Names it in the timeline, in problems and in its random streams. */
  readonly id: string
  readonly kind: string
  /** The engine's row of the account in whose name it acts. */
  readonly account: number
  /** Null: from the start. Infinity: when the timeline starts it. */
  readonly startsAtMillis: number | null
  readonly place: Place
}

/** What a participant is made with. Its random streams start with `${seed}/agent/${spec.id}/`. */
export interface ParticipantContext {
  readonly seed: string
  readonly startMillis: Millis
  readonly gridMillis: Millis
}

/**
 * Something that acts by itself while a scenario runs, as a client would: it reads the venue's state and gives commands
 * through `venue.execute`, each of which counts as the request that it stands for. The script lets it act at its own
 * instants, in the script's turn of the instant, after the timeline's actions.
 *
 * **Invariant:** what it does depends on its specification, the seed, what it has captured and the venue's state alone; it
 * draws from streams that are named after it, by block or by count, so that nobody else shifts its draws.
 */
export interface Participant {
  /** The next instant at which it wants to act, later than its last act; infinity when it never will again. */
  readonly nextAtMillis: number
  /** Acts. `venue.state.nowMillis` is `nextAtMillis`; afterwards `nextAtMillis` is later than that. */
  act(venue: ScriptedVenue): void
  /** From now on it acts (again). Starting what runs changes nothing. */
  start(nowMillis: Millis): void
  /** Acts no more until it is started; what it has in the book stays there. */
  stop(nowMillis: Millis): void
  /** Takes new values for some parameters from now on; answers what is wrong with them, null when nothing is. */
  set(values: { readonly [name: string]: JsonData }, nowMillis: Millis): string | null
  /** Everything that its next acts depend on and that is not in its specification. */
  capture(): JsonData
  /** Back to what `capture` answered, in this or another process. */
  restore(captured: JsonData): void
}
