import type { Command, Outcome } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { NaiveVenue } from '../reference/naive-venue.ts'
import { EngineSubject } from './engine-subject.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** What the tables are checked against: the engine, or its twin. */
export interface Subject {
  execute(command: Command): Outcome
  /** All events since the start, without those of the opening. */
  readonly events: readonly RecordedEvent[]
}

export const subjects: readonly (readonly [name: string, open: (config: VenueConfig) => Subject])[] = [
  ['the twin', (config) => new NaiveVenue(config)],
  ['the engine', (config) => new EngineSubject(config)],
]
