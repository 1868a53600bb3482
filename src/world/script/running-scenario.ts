import type { ScriptedWork } from '../../engine/advance.ts'
import { seeded, type VenueConfig } from '../../engine/config.ts'
import { nextItemMillis } from '../../engine/due-items.ts'
import { idleUntilMillis, stillUntilMillis } from '../../engine/idle/idle-market.ts'
import type { State } from '../../engine/state.ts'
import { Venue } from '../../engine/venue.ts'
import type { RunningState } from '../../journal/world-snapshot.ts'
import type { Millis } from '../../numeric/units.ts'
import { millis } from '../../numeric/units.ts'
import { eventNameOf } from '../../scenario/actions/actions.ts'
import type { ScriptedVenue, WorldAccess } from '../../scenario/agents/behaviour.ts'
import type { CompiledScenario } from '../../scenario/compile/compiled.ts'
import { type ActionWitness, Script } from '../../scenario/run/script.ts'
import { EventLog } from '../events/event-log.ts'
import type { Steps } from '../work-queue.ts'
import { extendedState, startOf } from './extend-timeline.ts'

/**
 * A scenario while it runs: the venue that it describes, the script that acts on it, and the events of both.
 *
 * Invariants: only `runTo` moves time, so the venue never passes an instant at which the script has something to do;
 * venue, script and market share one seed; `scenario` is `startScenario` with all that its timeline has been given
 * since.
 */
export class RunningScenario {
  readonly events = new EventLog()
  /** For reading, like what follows: the scenario with everything that its timeline has been given since. */
  scenario: CompiledScenario
  /** What `start` goes back to: the scenario without later additions to its timeline. */
  startScenario: CompiledScenario
  /** Takes commands at the present instant: only `runTo` may move its time. */
  venue: Venue
  script: Script
  private readonly access: WorldAccess
  private readonly witness: ActionWitness | null
  private config: VenueConfig

  /** `access` carries out what the script does to the world around its venue; `witness` gets each action. */
  constructor(scenario: CompiledScenario, seed: string, access: WorldAccess, witness: ActionWitness | null) {
    this.access = access
    this.witness = witness
    this.startScenario = scenario
    this.scenario = scenario
    this.config = seeded(scenario.venue, seed)
    this.venue = this.open()
    this.script = new Script(scenario, seed)
  }

  get seed(): string {
    return this.config.seed
  }

  get now(): Millis {
    return this.venue.now
  }

  /** The next instant at which something is due, the script's actions included; infinity when nothing ever is. */
  get nextDueMillis(): number {
    return Math.min(this.script.nextAtMillis, nextDueMillis(this.venue.state))
  }

  /** Until this instant the venue, without outside commands, only moves marks (see `isIdle`). */
  get idleUntilMillis(): number {
    return Math.min(this.script.nextAtMillis, idleUntilMillis(this.venue.state))
  }

  /**
   * Advances to an instant and lets the script act on the way, each action at its own instant. An instant in the past
   * counts as now. Throws a RangeError for anything that is not an instant.
   */
  runTo(atMillis: Millis): void {
    const { script, venue } = this
    const isActing = script.nextAtMillis <= atMillis
    if (!isActing && atMillis <= venue.now) return
    // A command from plain JavaScript may lack its instant, and time would never get there.
    if (!Number.isSafeInteger(atMillis)) throw new RangeError(`${atMillis} is not an instant in milliseconds`)
    // A backtest takes millions of steps, and most scripts have nothing planned in most of them.
    if (!isActing) {
      venue.advance(atMillis, nothingPlanned)
      return
    }
    const scripted: ScriptedVenue = {
      state: venue.state,
      execute: (command) => venue.execute(command),
      advance: (at, work) => venue.advance(at, work),
      world: this.access,
    }
    script.runTo(scripted, atMillis, (entry, problem, reason) => {
      this.events.noteAction({ action: eventNameOf(entry.action), id: entry.id, problem })
      this.witness?.(entry, problem, reason)
    })
  }

  /**
   * Advances to an instant, or a little less: the last piece is left to the caller. Time may be cut anywhere, so the
   * lengths of the pieces, which depend on the machine, cannot be seen afterwards.
   */
  *runInSteps(atMillis: Millis): Steps<Millis> {
    let span = firstSpanMillis
    while (atMillis - this.now > span) {
      yield
      const begun = performance.now()
      this.runTo(millis(this.now + span))
      const spent = performance.now() - begun
      if (spent < shortMillis) span *= 2
      else if (spent > longMillis) span = Math.max(1, Math.floor(span / 2))
    }
    return atMillis
  }

  /** A copy of the venue to try things out on, without the script; its events go nowhere. */
  copy(): Venue {
    return Venue.restore(this.config, this.venue.snapshot(), { emit: () => undefined })
  }

  /**
   * Goes on with a longer timeline. `scenario` is the running one with entries added at its end, whose predicates are
   * watched from `fromMillis`.
   */
  extend(scenario: CompiledScenario, fromMillis: Millis): void {
    const before = this.scenario.timeline.length
    const state = extendedState(this.script.capture(), scenario.timeline, before, fromMillis)
    this.scenario = scenario
    this.script = new Script(scenario, this.seed)
    this.script.restore(state)
  }

  /** Begins again at the scenario's start, without what its timeline has been given since. */
  start(seed: string): void {
    this.scenario = this.startScenario
    if (seed !== this.seed) this.config = seeded(this.scenario.venue, seed)
    this.events.clear()
    this.venue = this.open()
    this.script = new Script(this.scenario, seed)
  }

  capture(): RunningState {
    const { scenario, seed, venue, script } = this
    return { scenario, seed, venue: venue.snapshot(), script: script.capture() }
  }

  /**
   * Goes on from a snapshot. `start` is what a later `start` goes back to, if the snapshot's scenario descends from it.
   */
  restore({ scenario, seed, venue, script }: RunningState, start: CompiledScenario): void {
    this.startScenario = startOf(scenario, start)
    this.scenario = scenario
    this.config = seeded(scenario.venue, seed)
    this.events.clear()
    this.venue = Venue.restore(this.config, venue, this.events)
    this.events.attach(this.venue.state)
    this.script = new Script(scenario, seed)
    this.script.restore(script)
  }

  private open(): Venue {
    this.events.attach({ nowMillis: this.config.startMillis })
    const venue = Venue.open(this.config, this.events)
    this.events.attach(venue.state)
    return venue
  }
}

/** The world time of the first piece, before it is known how long one takes: about a millisecond of work. */
const firstSpanMillis = 60_000
/** Real time: shorter pieces grow, longer ones shrink. */
const shortMillis = 1
const longMillis = 3

const nothingPlanned: ScriptedWork = { nextAtMillis: Number.POSITIVE_INFINITY, runDue: () => undefined }

/** The next instant at which a venue does something by itself; infinity when it never does. */
function nextDueMillis(state: State): number {
  return Math.min(nextStepMillis(state), nextItemMillis(state))
}

/** The next instant of the market's grid at which anything moves. */
function nextStepMillis(state: State): number {
  const { config, gridIndex } = state
  const { startMillis, gridMillis } = config
  const stillMillis = stillUntilMillis(state)
  const index = Math.max(gridIndex + 1, Math.ceil((stillMillis - startMillis) / gridMillis))
  return startMillis + index * gridMillis
}
