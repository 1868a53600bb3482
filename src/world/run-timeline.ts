import { isMarketStill } from '../engine/market-step.ts'
import type { Venue } from '../engine/venue.ts'
import type { TimedAction } from '../scenario/compiled.ts'
import type { EventLog } from './event-log.ts'

/**
 * How far a scenario's timeline has been carried out. Each action is done at its own instant, after what the venue
 * does then by itself and before the requests of that instant.
 */
export class TimelineRun {
  private readonly actions: readonly TimedAction[]
  private done = 0

  constructor(actions: readonly TimedAction[]) {
    this.actions = actions
  }

  /** Instant of the next action, or infinity. */
  get nextAtMillis(): number {
    return this.actions[this.done]?.at ?? Number.POSITIVE_INFINITY
  }

  /** Carries out every action that is planned until an instant. */
  runTo(venue: Venue, atMillis: number, _events: EventLog): void {
    for (;;) {
      const next = this.actions[this.done]
      if (next === undefined || next.at > atMillis) return
      venue.execute({ kind: 'advance', at: next.at })
      this.done += 1
    }
  }
}

/** The next instant at which the venue itself has something to do; infinity when it never has. */
export function nextDueOf(venue: Venue): number {
  const { config, gridIndex, timeline } = venue.state
  const isStill = isMarketStill(venue.state)
  const gridMillis = isStill
    ? Number.POSITIVE_INFINITY
    : config.startMillis + (gridIndex + 1) * config.gridMillis
  return Math.min(gridMillis, timeline.nextAtMillis)
}
