import type { Command, Outcome } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import type { EventSink } from '../../src/engine/events.ts'
import { eventNames } from '../../src/engine/events.ts'
import { Venue } from '../../src/engine/venue.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** The engine with a record of its events, each with its instant. */
export class EngineSubject {
  readonly venue: Venue
  /** The events of opening the accounts. */
  readonly opening: readonly RecordedEvent[]
  readonly events: RecordedEvent[] = []

  constructor(config: VenueConfig, open: (sink: EventSink) => Venue = (sink) => Venue.open(config, sink)) {
    const opening: RecordedEvent[] = []
    let venue: Venue | null = null
    this.venue = open({
      emit: (type, subject, account, asset, first, second, third) => {
        const name = eventNames[type] ?? `unknown ${type}`
        const at = venue?.now ?? config.startMillis
        const list = venue === null ? opening : this.events
        list.push({ at, name, subject, account, asset, first, second, third })
      },
    })
    venue = this.venue
    this.opening = opening
  }

  execute(command: Command): Outcome {
    return this.venue.execute(command)
  }
}
