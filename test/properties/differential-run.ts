import { isDeepStrictEqual } from 'node:util'
import type { Command, Outcome } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import { EngineSubject } from '../model/engine-subject.ts'
import type { RecordedEvent } from '../model/recorded-event.ts'
import { lineOf } from '../model/recorded-event.ts'
import { NaiveVenue } from '../reference/naive-venue.ts'
import { engineView } from './engine-view.ts'
import { twinView } from './twin-view.ts'
import { viewDifference } from './view-difference.ts'

/** The engine and its twin side by side, fed the same commands. */
export class DifferentialRun {
  readonly engine: EngineSubject
  readonly twin: NaiveVenue
  /** What differed at the last command; null when nothing did. */
  difference: string | null = null

  constructor(config: VenueConfig) {
    this.engine = new EngineSubject(config)
    this.twin = new NaiveVenue(config)
  }

  /** Null when both have the same outcome and the same events; else what differs. */
  execute(command: Command): string | null {
    this.answer(command)
    return this.difference
  }

  /** Executes on both and returns the engine's outcome; `difference` then says how the twin's differed. */
  answer(command: Command): Outcome {
    const seen = this.twin.events.length
    const engineSeen = this.engine.events.length
    const expected = this.twin.execute(command)
    const got = this.engine.execute(command)
    const said = eventDifference(this.engine.events.slice(engineSeen), this.twin.events.slice(seen))
    const answered = outcomeDifference(got, expected)
    const differs = said !== null || answered !== null
    this.difference = differs ? `${said ?? ''}\n${answered ?? ''}` : this.clockDifference()
    return got
  }

  /** Null when everything that can be read is the same on both sides. */
  readingDifference(): string | null {
    return viewDifference(engineView(this.engine.venue.state), twinView(this.twin), this.twin.world.assets)
  }

  private clockDifference(): string | null {
    const { now } = this.twin.world
    return this.engine.venue.now === now
      ? null
      : `the engine is at ${this.engine.venue.now}, its twin at ${now}`
  }
}

function eventDifference(got: readonly RecordedEvent[], expected: readonly RecordedEvent[]): string | null {
  const gotLines = got.map(timedLine)
  const expectedLines = expected.map(timedLine)
  const length = Math.max(gotLines.length, expectedLines.length)
  for (let index = 0; index < length; index += 1) {
    if (gotLines[index] !== expectedLines[index]) {
      const engine = gotLines.slice(0, index + 2).join('\n    ')
      const twin = expectedLines.slice(0, index + 2).join('\n    ')
      return `event ${index}\n  engine:\n    ${engine}\n  twin:\n    ${twin}`
    }
  }
  return null
}

function timedLine(event: RecordedEvent): string {
  return `${event.at} ${lineOf(event)}`
}

function outcomeDifference(got: Outcome, expected: Outcome): string | null {
  if (isDeepStrictEqual(got, expected)) return null
  return `outcome\n  engine: ${JSON.stringify(got)}\n  twin:   ${JSON.stringify(expected)}`
}
