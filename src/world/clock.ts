import { defaultJumpMillis, longestAdvanceMillis } from '../api/clock.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { ScriptedActions } from '../engine/advance.ts'
import { type VenueConfig, withSeed } from '../engine/config.ts'
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
import { type ActionObserver, Script } from '../scenario/run/script.ts'
import { EventLog } from './events/event-log.ts'
import { readElapsedMillis } from './real-timers.ts'
import { extendScriptState, removeAdditions } from './script/extend-timeline.ts'
import type { Steps, WorkQueue } from './work-queue.ts'
import type { WorldWatch } from './world-watch.ts'

/**
 * A scenario while it runs: the venue that it describes, the script that acts on the venue, and the events of both.
 *
 * Invariants: only `runTo` moves time, so the venue never passes an instant at which the script has something to do;
 * venue, script and market share one seed; `scenario` is `startScenario` plus all later additions to its timeline.
 */
export class RunningScenario {
  readonly events = new EventLog()
  /** The scenario with all later additions to its timeline. Callers only read it. */
  scenario: CompiledScenario
  /** The scenario without later additions to its timeline, to which `start` returns. Callers only read it. */
  startScenario: CompiledScenario
  /** The engine. It takes commands at the present instant: only `RunningScenario.runTo` may move its time. */
  venue: Venue
  script: Script
  private readonly access: WorldAccess
  private readonly onAction: ActionObserver | null
  private config: VenueConfig

  /**
   * `access` carries out what the script does to the world around its venue; `onAction` is called for each of its
   * actions, null for nobody.
   */
  constructor(
    scenario: CompiledScenario,
    seed: string,
    access: WorldAccess,
    onAction: ActionObserver | null,
  ) {
    this.access = access
    this.onAction = onAction
    this.startScenario = scenario
    this.scenario = scenario
    this.config = withSeed(scenario.venue, seed)
    this.venue = this.openVenue()
    this.script = new Script(scenario, seed)
  }

  get seed(): string {
    return this.config.seed
  }

  get now(): Millis {
    return this.venue.now
  }

  /** The next instant at which the venue or the script does something by itself; infinity when neither ever does. */
  get nextDueMillis(): number {
    return Math.min(this.script.nextAtMillis, nextDueMillis(this.venue.state))
  }

  /** The instant until which, without commands from outside, nothing but mark prices changes (see `isIdle`). */
  get idleUntilMillis(): number {
    return Math.min(this.script.nextAtMillis, idleUntilMillis(this.venue.state))
  }

  /**
   * Advances to an instant, and lets the script carry out each action at its own instant on the way. An instant in the
   * past counts as now. Throws a RangeError for anything that is not an instant.
   */
  runTo(atMillis: Millis): void {
    const { script, venue } = this
    const isActing = script.nextAtMillis <= atMillis
    if (!isActing && atMillis <= venue.now) return
    // A command from plain JavaScript may lack its instant, which time would never reach.
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
      this.onAction?.(entry, problem, reason)
    })
  }

  /**
   * Advances towards an instant in pieces of a few milliseconds of work, and leaves the last piece to the caller, who
   * calls `runTo` with the returned instant. Where time is cut does not affect the result, so the lengths of the pieces
   * may depend on the machine.
   */
  *runInSteps(atMillis: Millis): Steps<Millis> {
    let span = firstSpanMillis
    while (atMillis - this.now > span) {
      yield
      const begun = readElapsedMillis()
      this.runTo(millis(this.now + span))
      const spent = readElapsedMillis() - begun
      if (spent < shortMillis) span *= 2
      else if (spent > longMillis) span = Math.max(1, Math.floor(span / 2))
    }
    return atMillis
  }

  /** Creates a copy of the venue to try things out on, without the script. Its events are discarded. */
  copy(): Venue {
    return Venue.restore(this.config, this.venue.snapshot(), { emit: () => undefined })
  }

  /**
   * Replaces the scenario by one that has more entries at the end of its timeline. The predicates of these entries are
   * watched from `fromMillis`.
   */
  extend(scenario: CompiledScenario, fromMillis: Millis): void {
    const before = this.scenario.timeline.length
    const state = extendScriptState(this.script.capture(), scenario.timeline, before, fromMillis)
    this.scenario = scenario
    this.script = new Script(scenario, this.seed)
    this.script.restore(state)
  }

  /** Returns to the scenario's start, without later additions to its timeline. */
  start(seed: string): void {
    this.scenario = this.startScenario
    if (seed !== this.seed) this.config = withSeed(this.scenario.venue, seed)
    this.events.clear()
    this.venue = this.openVenue()
    this.script = new Script(this.scenario, seed)
  }

  capture(): RunningState {
    const { scenario, seed, venue, script } = this
    return { scenario, seed, venue: venue.snapshot(), script: script.capture() }
  }

  /**
   * Restores a captured state. `start` is used as the start scenario if the state's scenario is `start` plus additions
   * to its timeline; otherwise the start scenario is compiled from the state's.
   */
  restore({ scenario, seed, venue, script }: RunningState, start: CompiledScenario): void {
    this.startScenario = removeAdditions(scenario, start)
    this.scenario = scenario
    this.config = withSeed(scenario.venue, seed)
    this.events.clear()
    this.venue = Venue.restore(this.config, venue, this.events)
    this.events.useClock(this.venue.state)
    this.script = new Script(scenario, seed)
    this.script.restore(script)
  }

  private openVenue(): Venue {
    this.events.useClock({ nowMillis: this.config.startMillis })
    const venue = Venue.open(this.config, this.events)
    this.events.useClock(venue.state)
    return venue
  }
}

/** The span of world time that a first piece covers, about a millisecond of work; later pieces adapt to the machine. */
const firstSpanMillis = 60_000
/** Pieces that took less real time than `shortMillis` grow, and those that took more than `longMillis` shrink. */
const shortMillis = 1
const longMillis = 3

const nothingPlanned: ScriptedActions = { nextAtMillis: Number.POSITIVE_INFINITY, runDue: () => undefined }

/** Returns the next instant at which a venue does something by itself; infinity when it never does. */
function nextDueMillis(state: State): number {
  return Math.min(nextStepMillis(state), nextItemMillis(state))
}

/** Returns the next instant of the market's grid at which a price or the liquidity changes. */
function nextStepMillis(state: State): number {
  const { config, gridIndex } = state
  const { startMillis, gridMillis } = config
  const stillMillis = stillUntilMillis(state)
  const index = Math.max(gridIndex + 1, Math.ceil((stillMillis - startMillis) / gridMillis))
  return startMillis + index * gridMillis
}

/*
 * Where a world's clock should stand. The engine has no timers: `WorldTime` computes the instant, and the world
 * advances to it before it handles a request.
 */

/**
 * The clock settings of a world that states none. Choice, as the specification is silent: with a step of 100 ms, a
 * client that sends one request after another stays within 10 requests a second of world time.
 */
export const defaultClock: ClockSettings = { mode: 'manual', speed: 1, stepMillis: millis(100) }

/**
 * Returns the readings by which a world's requests are judged: those that were chosen, and the world's own time in place
 * of the wall clock where its clock follows its clients.
 */
export function readingsInForceOf({ clock, readings }: Clocked): Readings {
  if (clock.mode !== 'follow') return readings
  const known = followedReadings.get(readings)
  if (known !== undefined) return known
  const followed: Readings = { ...readings, 'auth.clock': 'world', 'rate.clock': 'world' }
  followedReadings.set(readings, followed)
  return followed
}

interface Clocked {
  readonly clock: ClockSettings
  readonly readings: Readings
}

/** Returns the readings by which a world's next request is judged, watched where somebody watches the world. */
export function readingsForRequest(world: Clocked & { readonly watch: WorldWatch | null }): Readings {
  const inForce = readingsInForceOf(world)
  return world.watch === null ? inForce : world.watch.watch(inForce)
}

const followedReadings = new WeakMap<Readings, Readings>()

/** Parses a span to advance by, as milliseconds. Throws a RangeError for anything else. */
function parseAdvanceSpan(by: string | number): number {
  const span = typeof by === 'string' ? parseDuration(by) : by
  if (span === null || !Number.isSafeInteger(span) || span < 0 || span > longestAdvanceMillis) {
    throw new RangeError(
      `cannot advance by ${by}: a span is a text such as 30s or 1h, or a whole number of milliseconds, up to 366 days`,
    )
  }
  return span
}

/** Returns the instant after a span. Throws a RangeError for anything that is not a span, and past the end of time. */
export function instantAfter(nowMillis: Millis, by: string | number): Millis {
  const atMillis = nowMillis + parseAdvanceSpan(by)
  if (atMillis > lastWorldMillis) throw new RangeError(`cannot advance by ${by}: ${endOfTimeReason}`)
  return millis(atMillis)
}

/** The end of an error message about an instant that no world can reach. */
export const endOfTimeReason = `time ends at ${millisToIso(lastWorldMillis)}`

/** The real clock outside of worlds. Authentication and rate limits read it, the engine never does; tests fake it. */
export interface WallClock {
  /** Returns whole milliseconds since 1970-01-01T00:00:00Z. */
  nowMillis(): number
  /**
   * Returns the clock by which the age of a timestamp is judged, given that timestamp. Left out, it is `nowMillis`:
   * only tests have clients with another clock in the same process.
   */
  judgeMillis?(signedMillis: number): number
}

export const systemWallClock: WallClock = { nowMillis: () => Date.now() }

/** The platform's function as it was when this module was loaded, before a test has replaced the clock. */
const readRealMillis = Date.now

/**
 * The wall clock of worlds for tests. A test that replaces `Date` stops or moves the clock of the client that it tests,
 * but not this one. A client in the same process signs with the replaced clock, so a timestamp is judged by whichever
 * of the two is nearer to it.
 */
export const testWallClock: WallClock = {
  nowMillis: () => readRealMillis(),
  judgeMillis: (signedMillis) => {
    const real = readRealMillis()
    const replaced = Date.now()
    return Math.abs(replaced - signedMillis) < Math.abs(real - signedMillis) ? replaced : real
  },
}

/**
 * Moves a world's time as its clock settings say: with real time, by a step with each request, or not at all. None of
 * this counts as a change from outside; a caller who asks for time to pass uses `World.advanceTo`, as does the pipeline
 * for a clock that follows its clients.
 *
 * Invariant: time never goes back, whatever the wall clock does.
 */
export class WorldTime {
  /** The clock settings in force. Callers only read them; `changeSettings` changes them. */
  settings: ClockSettings
  /**
   * Whether the last attempt to catch up with real time was cut short. Until one succeeds, only `catchUpInSteps` moves
   * the world. Callers only read this.
   */
  isLate = false
  private readonly running: RunningScenario
  private readonly wall: WallClock
  private readonly workQueue: WorkQueue
  private readonly onTimePassed: () => void
  /** The world instant and the wall instant from which real time is counted. */
  private anchorWorldMillis: number
  private anchorWallMillis: number
  /** What the wall clock showed when it was last read. */
  private lastWallMillis: number

  /** `onTimePassed` is called whenever the clock has moved the world. */
  constructor(
    running: RunningScenario,
    wall: WallClock,
    settings: ClockSettings,
    workQueue: WorkQueue,
    onTimePassed: () => void,
  ) {
    this.running = running
    this.wall = wall
    this.settings = settings
    this.workQueue = workQueue
    this.onTimePassed = onTimePassed
    this.anchorWorldMillis = running.now
    this.anchorWallMillis = wall.nowMillis()
    this.lastWallMillis = this.anchorWallMillis
  }

  /** Changes the clock settings from now on. Time does not jump. */
  changeSettings(settings: ClockSettings): void {
    this.settings = settings
    this.anchorHere()
  }

  /** The instant to which real time would move the world, without moving it; answers to refused requests show this. */
  get presentMillis(): Millis {
    return this.isLate ? this.running.now : this.readTargetMillis()
  }

  /** Whether real time is so far ahead that catching up is long work, which must not hold up other worlds. */
  get isFarBehind(): boolean {
    return this.readTargetMillis() - this.running.now > farBehindMillis
  }

  /** Moves a world in real time to the present, unless it is late or work on it is paused. */
  catchUp(): void {
    if (!this.workQueue.isPaused) this.moveTo(this.presentMillis)
  }

  /**
   * Moves a world in real time to the present in pieces. A world may have fallen far behind, because the machine was
   * asleep or cannot keep up with the clock's speed. So each call stops after a second or two, the longest that anybody
   * has to wait, and marks the world as late until a call has reached the present.
   */
  *catchUpInSteps(): Steps<void> {
    const atMillis = this.readTargetMillis()
    const endMillis = readElapsedMillis() + catchUpBudgetMillis
    for (const pause of this.running.runInSteps(atMillis)) {
      this.isLate = true
      if (readElapsedMillis() >= endMillis) return this.onTimePassed()
      yield pause
    }
    this.moveTo(atMillis)
    this.isLate = false
  }

  /**
   * Moves the world for a venue request that arrives: by a step, to real time, or not at all, as its clock mode says.
   */
  moveForRequest(): void {
    if (this.isLate) return
    const { mode, stepMillis } = this.settings
    const { now } = this.running
    const stepped = Math.max(Math.min(now + stepMillis, lastWorldMillis), now)
    this.moveTo(mode === 'auto' ? millis(stepped) : this.readTargetMillis())
  }

  /**
   * The latest timestamp of a client that this clock follows; infinity in every mode but `follow`, where no timestamp
   * moves the world.
   */
  get latestFollowedMillis(): number {
    const { mode, maxMillis = defaultJumpMillis } = this.settings
    if (mode !== 'follow') return Number.POSITIVE_INFINITY
    return Math.min(this.running.now + maxMillis, lastWorldMillis)
  }

  /** Returns the instant to which a client's timestamp takes the world; null where the world stays where it is. */
  findFollowedInstant(timestampMillis: number): Millis | null {
    if (this.settings.mode !== 'follow' || timestampMillis <= this.running.now) return null
    return timestampMillis <= this.latestFollowedMillis ? millis(timestampMillis) : null
  }

  /** Moves the world to an instant as if time had passed by itself: no command, no line in the journal. */
  passTimeTo(atMillis: Millis): void {
    this.running.runTo(atMillis)
    this.anchorHere()
  }

  /** Lets real time continue from the present instant. Called after an advance or a restore has moved the world. */
  anchorHere(): void {
    this.isLate = false
    // Only real time counts from an anchor; backtests move the clock a million times, and reading the wall clock costs.
    if (this.settings.mode !== 'realtime') return
    this.anchorWorldMillis = this.running.now
    this.anchorWallMillis = this.wall.nowMillis()
  }

  /**
   * Returns the instant at which the clock should stand. When the wall clock was set back, real time continues from
   * now.
   */
  private readTargetMillis(): Millis {
    const { now } = this.running
    const { mode, speed } = this.settings
    if (mode !== 'realtime') return now
    const wallMillis = this.wall.nowMillis()
    if (wallMillis < this.lastWallMillis) {
      this.anchorWorldMillis = now
      this.anchorWallMillis = wallMillis
    }
    this.lastWallMillis = wallMillis
    const present = this.anchorWorldMillis + Math.floor((wallMillis - this.anchorWallMillis) * speed)
    const latest = Math.min(now + longestAdvanceMillis, lastWorldMillis)
    return millis(Math.max(Math.min(present, latest), now))
  }

  private moveTo(atMillis: Millis): void {
    const { now } = this.running
    this.running.runTo(atMillis)
    if (this.running.now > now) this.onTimePassed()
  }
}

/** A world this far behind real time catches up in slices: this much world time takes a few milliseconds of work. */
const farBehindMillis = 600_000

/** How long one attempt to catch up with real time may work, in real time. */
const catchUpBudgetMillis = 1500
