import { longestAdvanceMillis } from '../api/clock.ts'
import type { ScriptedWork } from '../engine/advance.ts'
import { seeded, type VenueConfig } from '../engine/config.ts'
import { nextItemMillis } from '../engine/due-items.ts'
import { idleUntilMillis, stillUntilMillis } from '../engine/idle/idle-market.ts'
import type { State } from '../engine/state.ts'
import { Venue } from '../engine/venue.ts'
import type { ClockSettings, RunningState } from '../journal/world-snapshot.ts'
import { lastWorldMillis, millisToIso, parseDuration } from '../numeric/time-text.ts'
import { type Millis, millis } from '../numeric/units.ts'
import { eventNameOf } from '../scenario/actions/actions.ts'
import type { ScriptedVenue, WorldAccess } from '../scenario/agents/behaviour.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { type ActionWitness, Script } from '../scenario/run/script.ts'
import { EventLog } from './events/event-log.ts'
import { extendedState, startOf } from './script/extend-timeline.ts'
import type { Steps, WorkQueue } from './work-queue.ts'

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

  /** `scenario` is the running one with entries at its end, whose predicates are watched from `fromMillis`. */
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

  /** `start` is what a later `start` goes back to, if the snapshot's scenario descends from it. */
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

/*
 * Where a world's clock should stand. The engine has no timers: the driver only names the instant, and the world
 * advances to it before it looks at a request.
 */

/**
 * Choice: spec silent; at 100 ms a step, a client that sends one request after another stays within 10 a second of
 * world time.
 */
export const defaultClock: ClockSettings = { mode: 'manual', speed: 1, stepMillis: millis(100) }

/** Throws a RangeError for anything that is not a span. */
function advanceSpanOf(by: string | number): number {
  const span = typeof by === 'string' ? parseDuration(by) : by
  if (span === null || !Number.isSafeInteger(span) || span < 0 || span > longestAdvanceMillis) {
    throw new RangeError(
      `cannot advance by ${by}: a span is a text such as 30s or 1h, or whole milliseconds, up to 366 days`,
    )
  }
  return span
}

/** The instant after a span. Throws a RangeError for anything that is not a span, and beyond the end of time. */
export function instantAfter(nowMillis: Millis, by: string | number): Millis {
  const atMillis = nowMillis + advanceSpanOf(by)
  if (atMillis > lastWorldMillis) throw new RangeError(`cannot advance by ${by}: ${beyondTime}`)
  return millis(atMillis)
}

export const beyondTime = `time ends at ${millisToIso(lastWorldMillis)}`

/** The outside world's clock: authentication and rate limits read it, the engine never does. Tests move one by hand. */
export interface WallClock {
  /** Milliseconds since 1970-01-01T00:00:00Z, a whole number. */
  nowMillis(): number
}

export const systemWallClock: WallClock = { nowMillis: () => Date.now() }

/**
 * A world's time, as its clock moves it: with real time, by a step with each request, or not at all. Nothing here
 * counts as a change from outside; a caller who asks for time to pass uses `World.advanceTo`.
 *
 * Invariant: time never goes back, whatever the wall clock does.
 */
export class WorldTime {
  /** For reading; see `change`. */
  settings: ClockSettings
  /**
   * For reading: whether getting to real time was long work at the last try. Then only `catchUpInSteps` moves the world
   * until it is not.
   */
  isLate = false
  private readonly running: RunningScenario
  private readonly wall: WallClock
  private readonly workQueue: WorkQueue
  private readonly passed: () => void
  /** Real time counts from here. */
  private anchorWorldMillis: number
  private anchorWallMillis: number
  /** The wall clock at the last look. */
  private seenWallMillis: number

  /** `passed` is called whenever the clock has moved the world. */
  constructor(
    running: RunningScenario,
    wall: WallClock,
    settings: ClockSettings,
    workQueue: WorkQueue,
    passed: () => void,
  ) {
    this.running = running
    this.wall = wall
    this.settings = settings
    this.workQueue = workQueue
    this.passed = passed
    this.anchorWorldMillis = running.now
    this.anchorWallMillis = wall.nowMillis()
    this.seenWallMillis = this.anchorWallMillis
  }

  /** Takes the settings from now on; time does not jump. */
  change(settings: ClockSettings): void {
    this.settings = settings
    this.goOnFromHere()
  }

  /** Where the clock stands by real time, without moving the world; refused requests are told this. */
  get present(): Millis {
    return this.isLate ? this.running.now : this.realMillis()
  }

  /** Whether real time is so far ahead that getting there is long work, for which nobody else should wait. */
  get isFarBehind(): boolean {
    return this.realMillis() - this.running.now > farMillis
  }

  /** Moves a world in real time to the present, unless that is long work, or other work on it is paused. */
  catchUp(): void {
    if (!this.workQueue.isPaused) this.moveTo(this.present)
  }

  /**
   * The same for one that may have fallen far behind, because the machine was asleep or its speed is more than the
   * machine can do. From then on it only moves here, as far as the machine gets in a second or two each time, until it
   * is no longer late: nobody waits for longer than that.
   */
  *catchUpInSteps(): Steps<void> {
    const atMillis = this.realMillis()
    const endMillis = performance.now() + patienceMillis
    for (const pause of this.running.runInSteps(atMillis)) {
      this.isLate = true
      if (performance.now() >= endMillis) return this.passed()
      yield pause
    }
    this.moveTo(atMillis)
    this.isLate = false
  }

  /** A venue request arrives: the world moves to where its clock stands for it. */
  arrive(): void {
    if (this.isLate) return
    const { mode, stepMillis } = this.settings
    const { now } = this.running
    const stepped = Math.max(Math.min(now + stepMillis, lastWorldMillis), now)
    this.moveTo(mode === 'auto' ? millis(stepped) : this.realMillis())
  }

  /** Moves to an instant as if time had passed by itself. */
  proceedTo(atMillis: Millis): void {
    this.running.runTo(atMillis)
    this.goOnFromHere()
  }

  /** The world was moved by an advance or a restore: real time continues from where it is now. */
  goOnFromHere(): void {
    this.isLate = false
    // Only real time counts from an anchor; backtests move the clock a million times, and reading the wall clock costs.
    if (this.settings.mode !== 'realtime') return
    this.anchorWorldMillis = this.running.now
    this.anchorWallMillis = this.wall.nowMillis()
  }

  /** Where the clock should stand now. When the wall clock is set back, real time continues from here. */
  private realMillis(): Millis {
    const { now } = this.running
    const { mode, speed } = this.settings
    if (mode !== 'realtime') return now
    const wallMillis = this.wall.nowMillis()
    if (wallMillis < this.seenWallMillis) {
      this.anchorWorldMillis = now
      this.anchorWallMillis = wallMillis
    }
    this.seenWallMillis = wallMillis
    const present = this.anchorWorldMillis + Math.floor((wallMillis - this.anchorWallMillis) * speed)
    const latest = Math.min(now + longestAdvanceMillis, lastWorldMillis)
    return millis(Math.max(Math.min(present, latest), now))
  }

  private moveTo(atMillis: Millis): void {
    const { now } = this.running
    this.running.runTo(atMillis)
    if (this.running.now > now) this.passed()
  }
}

/** World time that takes a few milliseconds of work. */
const farMillis = 600_000

const patienceMillis = 1500
