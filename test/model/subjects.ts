import type { Command, Outcome } from '../../src/engine/commands.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { NaiveVenue } from '../reference/naive-venue.ts'
import { EngineSubject } from './engine-subject.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** Whatever the tables are held against: the engine, or its twin. */
export interface Subject {
  execute(command: Command): Outcome
  /** Everything since the start; what the opening itself emits is left out. */
  readonly events: readonly RecordedEvent[]
}

export const subjects: readonly (readonly [name: string, open: (config: VenueConfig) => Subject])[] = [
  ['the twin', (config) => new NaiveVenue(config)],
  ['the engine', (config) => new EngineSubject(config)],
]
