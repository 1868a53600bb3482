import type { World } from '../../world.ts'
import type { WorldSnapshot } from '../../world-snapshot.ts'
import type { JournalEntry } from '../lines/entry.ts'
import type { Beginning, HeaderFacts } from '../lines/header.ts'

/** What is kept of a world from its start, so that it can be made again. */
export interface Journal {
  /** The lines so far, each with its line end. */
  text(): Iterable<string>
  /** What the lines say, without going through text. */
  past(): Past
  /** Why nothing can be written at present, so that nothing may change; null when all is well. */
  problem(): string | null
  /** Writes nothing more: the process is about to end. */
  close(): void
  /** Writes nothing more: the world is deleted. */
  discard(): void
}

/** What a journal holds, to be looked at or carried out again without going through its text. */
export interface Past {
  readonly begins: Beginning
  /** The sequence of the last line that is no longer there; 0 when none is missing. */
  readonly beginsAfter: number
  /**
   * The lines after a sequence, in order. Callers ask with the last sequence that they were given. Null: some are
   * gone.
   */
  after(sequence: number): Iterable<JournalEntry> | null
}

/** `start` is the state of the world, unless that is its scenario's start. */
export function factsOf(world: World, start: WorldSnapshot | null): HeaderFacts {
  const { id, seed, startClock: clock, readings, running, events } = world
  const scenario = running.startScenario
  return { world: id, seed, clock, readings, scenario, check: events.check.value, start }
}
