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
  private readonly access: WorldAccess
  private readonly witness: ActionWitness | null
  private first: CompiledScenario
  private extended: CompiledScenario
  private config: VenueConfig
  private engine: Venue
  private acting: Script

  /** `access` carries out what the script does to the world around its venue; `witness` gets each action. */
  constructor(scenario: CompiledScenario, seed: string, access: WorldAccess, witness: ActionWitness | null) {
    this.access = access
    this.witness = witness
    this.first = scenario
    this.extended = scenario
    this.config = seeded(scenario.venue, seed)
    this.engine = this.open()
    this.acting = new Script(scenario, seed)
  }

  /** The scenario with everything that its timeline has been given since. */
  get scenario(): CompiledScenario {
    return this.extended
  }

  /** What `start` goes back to: the scenario without later additions to its timeline. */
  get startScenario(): CompiledScenario {
    return this.first
  }

  get seed(): string {
    return this.config.seed
  }

  /** For reading, and for commands at the present instant: only `runTo` may move its time. */
  get venue(): Venue {
    return this.engine
  }

  get now(): Millis {
    return this.engine.now
  }

  /** For reading, and for reporting requests to it. */
  get script(): Script {
    return this.acting
  }

  /** The next instant at which something is due, the script's actions included; infinity when nothing ever is. */
  get nextDueMillis(): number {
    return Math.min(this.acting.nextAtMillis, nextDueMillis(this.engine.state))
  }

  /** Until this instant the venue, without outside commands, only moves marks (see `isIdle`). */
  get idleUntilMillis(): number {
    return Math.min(this.acting.nextAtMillis, idleUntilMillis(this.engine.state))
  }

  /**
   * Advances to an instant and lets the script act on the way, each action at its own instant. An instant in the past
   * counts as now. Throws a RangeError for anything that is not an instant.
   */
  runTo(atMillis: Millis): void {
    const { acting, engine } = this
    const nextMillis = acting.nextAtMillis
    if (nextMillis > atMillis && atMillis <= engine.now) return
    // A command from plain JavaScript may lack its instant, and time would never get there.
    if (!Number.isSafeInteger(atMillis)) throw new RangeError(`${atMillis} is not an instant in milliseconds`)
    // A backtest takes millions of steps, and most scripts have nothing planned in most of them.
    if (nextMillis > atMillis) {
      engine.advance(atMillis, nothingPlanned)
      return
    }
    const scripted: ScriptedVenue = {
      state: engine.state,
      execute: (command) => engine.execute(command),
      advance: (at, work) => engine.advance(at, work),
      world: this.access,
    }
    acting.runTo(scripted, atMillis, (entry, problem, reason) => {
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
    return Venue.restore(this.config, this.engine.snapshot(), { emit: () => undefined })
  }

  /**
   * Goes on with a longer timeline. `scenario` is the running one with entries added at its end, whose predicates are
   * watched from `fromMillis`.
   */
  extend(scenario: CompiledScenario, fromMillis: Millis): void {
    const before = this.extended.timeline.length
    const state = extendedState(this.acting.capture(), scenario.timeline, before, fromMillis)
    this.extended = scenario
    this.acting = new Script(scenario, this.seed)
    this.acting.restore(state)
  }

  /** Begins again at the scenario's start, without what its timeline has been given since. */
  start(seed: string): void {
    this.extended = this.first
    if (seed !== this.seed) this.config = seeded(this.first.venue, seed)
    this.events.clear()
    this.engine = this.open()
    this.acting = new Script(this.first, seed)
  }

  capture(): RunningState {
    return {
      scenario: this.extended,
      seed: this.seed,
      venue: this.engine.snapshot(),
      script: this.acting.capture(),
    }
  }

  /**
   * Goes on from a snapshot. `start` is what a later `start` goes back to, if the snapshot's scenario descends from it.
   */
  restore({ scenario, seed, venue, script }: RunningState, start: CompiledScenario): void {
    this.first = startOf(scenario, start)
    this.extended = scenario
    this.config = seeded(scenario.venue, seed)
    this.events.clear()
    this.engine = Venue.restore(this.config, venue, this.events)
    this.events.attach(this.engine.state)
    this.acting = new Script(scenario, seed)
    this.acting.restore(script)
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
