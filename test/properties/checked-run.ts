import type { Command, Outcome } from '../../src/engine/command.ts'
import type { VenueConfig } from '../../src/engine/config.ts'
import type { RecordedEvent } from '../model/recorded-event.ts'
import { naiveWorld } from '../reference/naive-config.ts'
import type { NaiveAsset } from '../reference/naive-world.ts'
import { brokenInvariants } from './invariants.ts'
import { RunHistory } from './run-history.ts'
import type { Remembered, Step, VenueView } from './venue-view.ts'

/** Something that executes commands and can be viewed. */
export interface Watched {
  execute(command: Command): Outcome
  readonly events: readonly RecordedEvent[]
  view(): VenueView
}

/** Executes commands and checks every invariant after each of them. */
export class CheckedRun {
  readonly history: RunHistory
  private readonly venue: Watched
  private readonly config: VenueConfig
  private readonly assets: readonly NaiveAsset[]
  private seen: number

  constructor(venue: Watched, config: VenueConfig) {
    this.venue = venue
    this.config = config
    this.assets = naiveWorld(config).assets
    this.history = new RunHistory(venue.view(), this.assets.length)
    this.seen = venue.events.length
  }

  /** The command's outcome, and the invariants that it broke. */
  execute(command: Command): { readonly outcome: Outcome; readonly broken: readonly string[] } {
    const step = this.step(command)
    return { outcome: step.outcome, broken: brokenInvariants(step) }
  }

  /** The command with the world on both sides of it. */
  step(command: Command): Step {
    const before = remembered(this.venue.view())
    const outcome = this.venue.execute(command)
    const events = this.venue.events.slice(this.seen)
    this.seen = this.venue.events.length
    for (const event of events) this.history.take(event)
    return {
      view: this.venue.view(),
      assets: this.assets,
      feeCurrency: this.config.fees.currency,
      selfTrade: this.config.selfTrade,
      command,
      outcome,
      events,
      before,
      history: this.history,
    }
  }
}

function remembered(view: VenueView): Remembered {
  return {
    now: view.now,
    orders: view.orders,
    quotes: view.quotes,
    fillCount: view.fills.length,
  }
}
