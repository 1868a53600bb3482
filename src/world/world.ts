import type { ApiRequest, ApiResponse } from '../api/context.ts'
import { dispatch } from '../api/dispatch.ts'
import type { IdScheme } from '../api/ids.ts'
import type { Readings } from '../api/readings/readings.ts'
import type { VenueClient } from '../client/create-venue-client.ts'
import type { Command, Outcome } from '../engine/commands.ts'
import type { VenueConfig } from '../engine/config.ts'
import { unattendedUntilMillis } from '../engine/house/unattended.ts'
import { Venue } from '../engine/venue.ts'
import { assert } from '../numeric/assert.ts'
import { type Millis, millis } from '../numeric/units.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import type { SeenRequest } from '../scenario/compile/request-pattern.ts'
import type { Problem } from '../scenario/read/problem.ts'
import type { NamedRows } from '../scenario/run/named-rows.ts'
import { accountOf } from './account-of.ts'
import { applyChange } from './apply-change.ts'
import { ClockDriver, type ClockSettings, instantAfter } from './clock/clock-driver.ts'
import { nextDueMillis } from './clock/next-due.ts'
import { systemWallClock, type WallClock } from './clock/wall-clock.ts'
import { answerInProcess } from './faults/answer-in-process.ts'
import { FaultBook } from './faults/fault-book.ts'
import { LaggingViews } from './faults/lagging-views.ts'
import { type InProcessAnswer, resolveInProcess } from './in-process.ts'
import { inProcessClient } from './in-process-client.ts'
import { isJournaled } from './journal/command-note.ts'
import { KeyRing } from './keys.ts'
import { describeEvent, type PublicEvent } from './logs/describe-event.ts'
import { EventLog } from './logs/event-log.ts'
import { RequestLog } from './logs/request-log.ts'
import type { WorldChange, WorldObserver } from './observer.ts'
import { RateLimiter } from './rate-limiter.ts'
import { extendTimeline, startOf, timedEntries } from './script/extend-timeline.ts'
import { ScriptRunner } from './script/script-runner.ts'
import { ScriptedSettings } from './script/scripted-settings.ts'
import type { WorldSnapshot } from './snapshots/world-snapshot.ts'
import { type Change, WorldControls } from './world-controls.ts'
import { clockOf, forkable, readingsOf, restorable, seeded, type WorldOptions } from './world-options.ts'

export function createWorld(scenario: CompiledScenario, options: WorldOptions = {}): World {
  return new World(scenario, options)
}

/** A new world that is as another was. Its keys are of its own name, but for those that the scenario names. */
export function forkWorld(snapshot: WorldSnapshot, options: Omit<WorldOptions, 'seed'> = {}): World {
  const { seed, readings } = forkable(snapshot, options)
  const clock = { ...snapshot.clock, ...options.clock }
  const world = new World(snapshot.scenario, { readings, ...options, clock, seed })
  world.become(snapshot, clock)
  return world
}

/**
 * One running venue with everything that belongs to it: its clock, its keys, its rate limits and its logs. Nothing is
 * shared between worlds, and no timer runs in one: whoever asks moves it to the present first.
 */
export class World {
  readonly id: string
  readonly wall: WallClock
  readonly limiter: RateLimiter
  readonly requests = new RequestLog()
  readonly events = new EventLog()
  /** For reading, as the keys and limits: `controls` changes them. */
  readonly faults = new FaultBook()
  readonly keys: KeyRing
  readonly controls: WorldControls
  /** What faults let clients read of the past. */
  readonly past = new LaggingViews(this, (snapshot) => forkWorld(snapshot, { wall: this.wall }))
  /** What the scenario's script has changed about the world. */
  readonly scripted = new ScriptedSettings(this)
  /** Snapshots that the script has taken, by their names. */
  readonly kept = new Map<string, WorldSnapshot>()
  /** What a reset goes back to, and the same with what its timeline has been given since. */
  private start: CompiledScenario
  private running: CompiledScenario
  private chosen: Readings
  /** That of its making, to which a reset goes back. */
  readonly startClock: ClockSettings
  private readonly driver: ClockDriver
  private config: VenueConfig
  private current: Venue
  /** For looking at; time and requests come to it through the world. */
  readonly script: ScriptRunner
  private observer: WorldObserver | null = null
  private executed = 0

  constructor(scenario: CompiledScenario, options: WorldOptions) {
    this.id = options.id ?? 'default'
    this.start = scenario
    this.running = scenario
    this.chosen = options.readings ?? readingsOf(scenario)
    this.wall = options.wall ?? systemWallClock
    this.limiter = new RateLimiter(scenario.rateLimits)
    this.startClock = { ...clockOf(scenario), ...options.clock }
    this.config = seeded(scenario.venue, options.seed ?? scenario.venue.seed)
    this.current = this.open()
    this.script = new ScriptRunner(scenario, this.seed, this.events, this.scripted, options.witness ?? null)
    this.driver = new ClockDriver(this.wall, this.startClock, this.current.now)
    this.keys = new KeyRing(this.id, scenario.access)
    this.controls = new WorldControls(this, this.driver, (change, make) => this.change(change, make))
    this.runTo(this.now)
  }

  get scenario(): CompiledScenario {
    return this.running
  }

  get startScenario(): CompiledScenario {
    return this.start
  }

  get readings(): Readings {
    return this.chosen
  }

  /** From the next request on. */
  setReadings(readings: Readings): void {
    this.change({ kind: 'readings', readings }, () => {
      this.chosen = readings
    })
  }

  /** The engine: for reading. Commands go through `execute`, or the scenario's own actions would be left out. */
  get venue(): Venue {
    return this.current
  }

  get seed(): string {
    return this.config.seed
  }

  get now(): Millis {
    return this.current.now
  }

  get clock(): ClockSettings {
    return this.driver.settings
  }

  /**
   * What came from outside and changed the world so far: commands that were carried out or refused for money, and other
   * changes. It is the sequence of the journal's last line, and never goes back.
   */
  get sequence(): number {
    return this.executed
  }

  get idScheme(): IdScheme {
    return { format: this.readings['ids.format'], seed: this.seed }
  }

  /** Everything that the venue is now, fault rules and how far they have counted included: 32 hexadecimal digits. */
  digest(): string {
    return this.faults.digestWith(this.current.digest(), this.now)
  }

  /** The world as it is, whole; it goes on unmoved, and nothing that it does later changes what was taken. */
  snapshot(): WorldSnapshot {
    const venue = this.current.snapshot()
    return {
      world: this.id,
      scenario: this.running,
      seed: this.seed,
      sequence: this.executed,
      digest: this.digest(),
      venue,
      script: this.script.capture(),
      faults: this.faults.capture(this.now),
      scripted: this.scripted.capture(),
      lags: this.past.capture(),
      keys: this.keys.capture(),
      rateLimits: this.limiter.limits,
      clock: this.clock,
      readings: this.readings,
    }
  }

  /**
   * Back to what the world was, or another. The snapshot can be restored again. Readings stay, and so do the logs, but
   * for the events, which tell of what is no longer there; sequences go on.
   */
  restore(snapshot: WorldSnapshot): void {
    this.change({ kind: 'restored', snapshot: restorable(snapshot) }, () => this.become(snapshot, {}))
  }

  /** A world of its own that is as this one is now; see `forkWorld`. */
  fork(options: Omit<WorldOptions, 'seed'> = {}): World {
    return forkWorld(this.snapshot(), { wall: this.wall, ...options })
  }

  /** Takes on all of a snapshot, in silence: for `restore` and `forkWorld`. */
  become(snapshot: WorldSnapshot, clock: Partial<ClockSettings>, start = this.start): void {
    const { scenario, seed, venue, script, faults, scripted, rateLimits } = snapshot
    this.start = startOf(start, scenario)
    this.running = scenario
    this.config = seeded(scenario.venue, seed)
    this.events.clear()
    this.current = Venue.restore(this.config, venue, this.events)
    this.events.attach(this.current.state)
    this.script.restore(scenario, seed, script)
    this.keys.restore(snapshot, this.current.state.accounts)
    this.faults.restore(faults)
    this.scripted.restore(scripted)
    this.past.restore(snapshot.lags)
    this.limiter.start(rateLimits)
    this.driver.change({ ...snapshot.clock, ...clock }, this.now)
    this.executed = Math.max(this.executed, snapshot.sequence)
  }

  /**
   * The engine's own door: lets happen what is due until the command's instant, the scenario's actions too, and
   * carries the command out.
   */
  execute(command: Command): Outcome {
    this.observer?.commandComes?.(command)
    this.runTo(command.at)
    const outcome = this.current.execute(command)
    if (!this.past.isEmpty) this.past.note(command)
    const sequence = this.executed + (isJournaled(outcome) ? 1 : 0)
    this.observer?.commandDone(sequence, command, outcome)
    this.executed = sequence
    return outcome
  }

  /** From now on this one is told of all that changes the world; null: nobody. */
  observe(observer: WorldObserver | null): void {
    this.observer = observer
  }

  /** Makes a change again that an observer was told of, at its own instant. */
  apply(change: WorldChange): void {
    const { observer } = this
    this.observer = null
    this.runTo(millis(change.atMillis))
    applyChange(this, change)
    this.observer = observer
  }

  /** The client library in this process, without keys and rate limits. Throws a RangeError for an unknown account. */
  client(account: string): VenueClient {
    accountOf(this.current.state, this.id, account)
    return inProcessClient(this, account)
  }

  /** Moves time on by a span such as `250ms` or `1h`, or by milliseconds. Throws a RangeError for anything else. */
  advance(by: string | number): void {
    this.advanceTo(instantAfter(this.now, by))
  }

  /** Moves time on to an instant that is not past. */
  advanceTo(atMillis: Millis): void {
    assert(atMillis >= this.now, 'time does not go back')
    this.execute({ kind: 'advance', at: atMillis })
    this.driver.moveTo(atMillis)
  }

  /** Carries out one operation of the interface for an account, which has been found to be allowed it. */
  handle(account: number, request: ApiRequest, readings: Readings = this.readings): ApiResponse {
    this.arrive()
    return this.answer(account, request, readings)
  }

  /** The same without a request's effect on the clock: how the control plane looks at the interface. */
  answer(account: number, request: ApiRequest, readings: Readings): ApiResponse {
    const { state, now } = this.current
    return dispatch({ state, account, readings, now, execute: (command) => this.execute(command) }, request)
  }

  /** What an operation would answer, found out on a copy of the venue: nothing happens here. */
  rehearse(account: number, request: ApiRequest, readings: Readings): ApiResponse {
    const copy = Venue.restore(this.config, this.current.snapshot(), { emit: () => undefined })
    const { state, now } = copy
    return dispatch({ state, account, readings, now, execute: (command) => copy.execute(command) }, request)
  }

  /** The interface without HTTP and rate limits: what the account's keys allow. Throws a RangeError for no account. */
  request(accountId: string, method: string, target: string, body?: unknown): InProcessAnswer {
    const account = accountOf(this.current.state, this.id, accountId)
    const call = resolveInProcess(this, account, method, target, body)
    if (!call.ok) return call.answer
    const isWatched = !this.faults.isEmpty || this.watchesRequests
    if (isWatched) return answerInProcess(this, account, method, target, call.request)
    return this.handle(account, call.request)
  }

  /** Moves time on in silence, as if it had passed: for what is not asked for from outside. */
  proceedTo(atMillis: Millis): void {
    this.runTo(atMillis)
    this.driver.moveTo(this.now)
  }

  /** Where the clock stands by real time, without moving it: what a refused request is told. */
  get present(): Millis {
    return this.driver.presentMillis(this.now)
  }

  /** Moves a world in real time to the present. */
  catchUp(): void {
    this.runTo(this.present)
  }

  /** A venue request comes in: the clock moves to where it stands for it. */
  arrive(): Millis {
    this.runTo(this.driver.requestMillis(this.now))
    return this.now
  }

  /** The next instant at which something is due, the scenario's actions too; infinity when nothing ever is. */
  nextDueMillis(): number {
    return Math.min(this.script.nextAtMillis, nextDueMillis(this.current.state))
  }

  /** Before which instant the venue, left alone, only does what can be foreseen; see `isUnattended`. */
  get foreseenUntilMillis(): number {
    return Math.min(this.script.nextAtMillis, unattendedUntilMillis(this.current.state))
  }

  /** Public events after a sequence, oldest first. */
  eventsSince(sequence: number): PublicEvent[] {
    const ids = this.idScheme
    return this.events.since(sequence).map((event) => describeEvent(event, this.current.state, ids))
  }

  /** More of a timeline, from now on (see `timedEntries`). Answers what is wrong with it, and then nothing has changed. */
  schedule(actions: readonly unknown[]): readonly Problem[] {
    const entries = timedEntries(actions, this.now)
    const extended = extendTimeline(this.running, this.seed, entries, this.now)
    if (!extended.ok) return extended.problems
    this.change({ kind: 'timeline', actions: entries }, () => {
      const before = this.running.timeline.length
      this.running = extended.value
      this.script.extend(extended.value, this.seed, before, this.now)
      this.past.schedule(entries)
      this.runTo(this.now)
    })
    return []
  }

  /** Whether the scenario waits for requests, or counts them. */
  get watchesRequests(): boolean {
    return this.script.watchesRequests
  }

  /** Tells the scenario of a request that a client has made: it may wait for it, or count it. */
  noteRequest(request: SeenRequest): void {
    const { script, current } = this
    if (!script.watchesRequests) return
    this.change({ kind: 'request-seen', request }, () => script.noteRequest(request, current.state))
  }

  /** What became of the orders and quotes that the scenario's labels name. */
  get named(): NamedRows {
    return this.script.named
  }

  /** Back to the scenario's start: time, venue, clock, limits, keys (some `renamed`), logs; readings stay as chosen. */
  reset(seed: string | null, renamed: readonly string[] = []): void {
    this.change({ kind: 'reset', seed, renamed }, () => this.startAgain(seed, renamed))
  }

  private startAgain(seed: string | null, renamed: readonly string[]): void {
    this.running = this.start
    this.config = seeded(this.running.venue, seed ?? this.seed)
    this.events.clear()
    this.requests.clear()
    this.current = this.open()
    this.script.start(this.running, this.seed)
    this.driver.change(this.startClock, this.current.now)
    this.limiter.start(this.running.rateLimits)
    this.faults.restore({ rules: [], made: 0 })
    this.scripted.clear()
    this.past.clear()
    this.kept.clear()
    this.keys.start(this.running.access)
    this.runTo(this.now)
    for (const apiKey of renamed) this.keys.rename(apiKey)
  }

  /** Makes a change that an observer may write down first. */
  private change(change: Change, make: () => void): void {
    const told: WorldChange = { atMillis: this.now, ...change }
    this.observer?.changeComes?.(told)
    make()
    this.executed += 1
  }

  private open(): Venue {
    this.events.attach({ nowMillis: this.config.startMillis })
    const venue = Venue.open(this.config, this.events)
    this.events.attach(venue.state)
    return venue
  }

  /** Carries out what the scenario has planned until an instant, each action at its own, and advances there. */
  private runTo(atMillis: Millis): void {
    if (atMillis <= this.now && this.script.nextAtMillis > atMillis) return
    this.script.runTo(this.current, atMillis)
  }
}
