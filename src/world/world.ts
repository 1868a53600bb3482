import type { TestFailure } from '../api/admin-answers.ts'
import type { IdScheme } from '../api/answer.ts'
import type { ApiRequest, ApiResponse } from '../api/context.ts'
import { dispatch } from '../api/dispatch.ts'
import type { FaultRequest } from '../api/faults/matches-fault.ts'
import type { Readings } from '../api/readings/readings.ts'
import { createVenueClient, type VenueClient } from '../client/create-venue-client.ts'
import { inProcessTransport } from '../client/transport.ts'
import type { Command, Outcome } from '../engine/command.ts'
import type { Venue } from '../engine/venue.ts'
import type { ForkSource } from '../journal/header.ts'
import type { Change, ClockSettings, WorldObserver, WorldSnapshot } from '../journal/world-snapshot.ts'
import { assert } from '../numeric/assert.ts'
import type { Millis } from '../numeric/units.ts'
import type { SeenRequest } from '../scenario/actions/requests.ts'
import type { WorldAccess, WorldAction } from '../scenario/agents/behaviour.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { answerInProcess, findAccount, type InProcessAnswer } from './answer-in-process.ts'
import { instantAfter, RunningScenario, systemWallClock, type WallClock, WorldTime } from './clock.ts'
import { describeEvent, type PublicEvent } from './events/describe-event.ts'
import type { EventLog } from './events/event-log.ts'
import { DelayedViews } from './faults/delayed-views.ts'
import { FaultBook, type FiredFault, scriptedFaultId } from './faults/fire-faults.ts'
import { KeyRing } from './keys.ts'
import { RequestLog } from './logs/request-log.ts'
import { RateLimiter } from './rate-limiter.ts'
import { removeAdditions } from './script/extend-timeline.ts'
import { ScriptedSettings } from './script/scripted-settings.ts'
import { type Steps, WorkQueue } from './work-queue.ts'
import {
  checkForkArguments,
  checkSnapshot,
  resolveScenarioReadings,
  scenarioClock,
  toSeedText,
  type WorldOptions,
} from './world-options.ts'
import type { WorldWatch } from './world-watch.ts'

export function createWorld(scenario: CompiledScenario, options: WorldOptions = {}): World {
  return new World(scenario, options)
}

/**
 * Creates a world in the state of a snapshot. Its keys get names of the new world, except those that the scenario
 * names.
 */
export function forkWorld(snapshot: WorldSnapshot, options: ForkOptions = {}): World {
  return forkAs(World, snapshot, options)
}

export type ForkOptions = Omit<WorldOptions, 'seed'>
/** Creates a world of a given class, such as a subclass of `World`, in the state of a snapshot. */
export function forkAs<Kind extends World>(
  kind: new (scenario: CompiledScenario, options: WorldOptions) => Kind,
  snapshot: WorldSnapshot,
  options: ForkOptions,
): Kind {
  const { seed, readings } = checkForkArguments(snapshot, options)
  const clock = { ...snapshot.clock, ...options.clock }
  const world = new kind(removeAdditions(snapshot.scenario), { readings, ...options, clock, seed })
  world.restoreFrom(snapshot, clock)
  return world
}

function createFollower(snapshot: WorldSnapshot, wall: WallClock): World {
  const { scenario, seed, readings, clock } = snapshot
  const world = new World(removeAdditions(scenario), { seed, readings, clock, wall }, true)
  world.restoreFrom(snapshot, clock)
  return world
}

/**
 * A world is one running venue with everything that belongs to it: its clock, keys, rate limits and logs. Worlds share
 * no state, and no timer runs in one: a caller moves it to the present first.
 *
 * Invariants: time and commands reach the venue through the world, so the script always acts when it is due; each
 * change from outside gets a sequence here and is reported to the observer.
 */
export class World implements WorldAccess {
  readonly id: string
  /** The venue with its script. Callers only read it: time and requests go through the world. */
  readonly running: RunningScenario
  readonly wall: WallClock
  readonly madeAtWallMillis: number
  readonly time: WorldTime
  readonly limiter: RateLimiter
  /** Callers wait here while long work, such as `advanceInSteps`, is under way. */
  readonly workQueue = new WorkQueue()
  readonly requests = new RequestLog()
  /** The name of its test; null when no test was named. */
  test: string | null = null
  parent: ForkSource | null = null
  failure: TestFailure | null = null
  /** The fault rules. Callers only read them, as they do `keys` and `limiter`: `change-world.ts` makes the changes. */
  readonly faults = new FaultBook()
  readonly keys: KeyRing
  /** Copies of the world that lag behind it, from which some faults answer reads. */
  readonly delayedViews: DelayedViews<World>
  readonly scripted: ScriptedSettings
  /** The script's snapshots, by name. */
  readonly scriptSnapshots = new Map<string, WorldSnapshot>()
  /** The clock settings that the world was created with; a reset restores them. */
  readonly startClock: ClockSettings
  /** The readings in force. Callers only read them; `setReadings` changes them. */
  readings: Readings
  /**
   * The number of the latest change from outside, which is also that of the journal's last line. It never decreases.
   * A command counts if it was carried out or was refused for money or limits; every other change counts.
   */
  sequence = 0
  /** Watches what requests meet; null while nobody wants to know. */
  watch: WorldWatch | null = null
  private observer: WorldObserver | null = null

  /** `isFollower` is for a world that lags behind another one: it has no delayed views of its own. */
  constructor(scenario: CompiledScenario, options: WorldOptions, isFollower = false) {
    this.id = options.id ?? 'default'
    this.readings = options.readings ?? resolveScenarioReadings(scenario)
    this.wall = options.wall ?? systemWallClock
    this.madeAtWallMillis = this.wall.nowMillis()
    this.limiter = new RateLimiter(scenario.rateLimits)
    const fork = isFollower ? null : (snapshot: WorldSnapshot) => createFollower(snapshot, this.wall)
    this.delayedViews = new DelayedViews(this, fork)
    this.startClock = { ...scenarioClock(scenario), ...options.clock }
    const seed = String(options.seed ?? scenario.venue.seed)
    this.keys = new KeyRing(this.id, scenario.access)
    this.scripted = new ScriptedSettings(this.keys, this.limiter)
    this.running = new RunningScenario(scenario, seed, this, options.onAction ?? null)
    const onTimePassed = (): void => this.observer?.afterTimePassed?.()
    this.time = new WorldTime(this.running, this.wall, this.startClock, this.workQueue, onTimePassed)
    this.running.runTo(this.now)
  }

  get scenario(): CompiledScenario {
    return this.running.scenario
  }

  /**
   * The engine. Callers only read it: a command that bypassed `World.execute` would skip the scenario's own actions.
   */
  get venue(): Venue {
    return this.running.venue
  }

  get events(): EventLog {
    return this.running.events
  }

  get seed(): string {
    return this.running.seed
  }

  get now(): Millis {
    return this.venue.now
  }

  get clock(): ClockSettings {
    return this.time.settings
  }

  get idScheme(): IdScheme {
    return { format: this.readings['ids.format'], seed: this.seed }
  }

  /**
   * Computes the digest of the venue's whole state, fault rules and their counts included: 32 hexadecimal digits.
   * Choice: a script's planned actions are left out. They follow from the scenario, the seed and the journal, so a
   * replay plans the same, and each one shows in the digest once it acts. Including them would invalidate the digests
   * in existing journals and snapshots, and two worlds that differ only in later plans could not be compared.
   */
  digest(): string {
    return this.faults.digestWith(this.venue.digest(), this.now)
  }

  /**
   * Returns whether a caller on a server has to wait for long work on the world. When real time has run far ahead, for
   * example because the machine was asleep, this call starts the work that catches up.
   */
  mustWait(): boolean {
    if (this.workQueue.isTaken) return true
    if (this.time.isLate || !this.time.isFarBehind) return false
    Promise.resolve(this.workQueue.begin(this.time.catchUpInSteps())).catch(() => undefined)
    return this.workQueue.isTaken
  }

  observe(observer: WorldObserver | null): void {
    this.observer = observer
  }

  /** Makes changes that get a sequence as usual, but are not reported to the observer. */
  runUnobserved(make: () => void): void {
    const { observer } = this
    this.observer = null
    try {
      make()
    } finally {
      this.observer = observer
    }
  }

  /**
   * Lets everything happen that is due until the command's instant, the scenario's actions included, and then carries
   * the command out. An error of the observer reaches the caller, and then the command has no sequence.
   */
  execute(command: Command): Outcome {
    if (this.workQueue.isPaused) this.workQueue.finish()
    this.observer?.beforeCommand?.()
    return this.finishCommand(command)
  }

  private finishCommand(command: Command): Outcome {
    this.running.runTo(command.at)
    const outcome = this.running.venue.execute(command)
    if (this.delayedViews.views.size > 0) this.delayedViews.queueCommand(command)
    const sequence = this.sequence + (isJournaled(outcome) ? 1 : 0)
    this.observer?.afterCommand(sequence, command, outcome)
    this.sequence = sequence
    return outcome
  }

  /** Advances time by a span such as `250ms` or `1h`, or by milliseconds. Throws a RangeError for anything else. */
  advance(by: string | number): void {
    this.workQueue.finish()
    this.advanceTo(instantAfter(this.now, by))
  }

  /** Advances time to an instant. Throws an InvariantError for an instant in the past. */
  advanceTo(atMillis: Millis): void {
    this.workQueue.finish()
    assert(atMillis >= this.now, 'time does not go back')
    this.execute({ kind: 'advance', at: atMillis })
    this.time.anchorHere()
  }

  /**
   * Advances time by a span such as `1h`, or by milliseconds, in slices, so that timers and sockets of this process
   * are served in between. Further calls queue up behind this one; any other use of the world first finishes the
   * advance at once. Rejects with a RangeError for anything that is not a span.
   */
  async advanceAsync(by: string | number): Promise<void> {
    if (this.workQueue.isTaken) return this.workQueue.wait(() => this.advanceAsync(by))
    return this.workQueue.begin(this.advanceInSteps(instantAfter(this.now, by)))
  }

  /**
   * Advances time to an instant in pieces, so that a server can answer requests to other worlds in between. State and
   * journal end up with the same bytes as after `advanceTo`.
   */
  *advanceInSteps(atMillis: Millis): Steps<void> {
    assert(atMillis >= this.now, 'time does not go back')
    yield* this.advanceWith(this.running.runInSteps(atMillis))
  }

  /**
   * Advances time by pieces that move `running` themselves and return the instant that they have reached. The journal
   * gets one advance.
   */
  *advanceWith(pieces: Steps<Millis>): Steps<void> {
    this.observer?.beforeCommand?.()
    this.finishCommand({ kind: 'advance', at: yield* pieces })
    this.time.anchorHere()
  }

  /** Creates a client that calls this world in process. Throws a RangeError for an unknown account. */
  client(account: string): VenueClient {
    findAccount(this.venue.state, this.id, account)
    return createVenueClient({
      transport: inProcessTransport((method, target, body) => this.request(account, method, target, body)),
    })
  }

  /**
   * Answers a request to the interface in process: without signature and rate limits, but within the scopes of the
   * account's keys. Throws a RangeError for an unknown account.
   */
  request(accountId: string, method: string, target: string, body?: unknown): InProcessAnswer {
    return answerInProcess(this, findAccount(this.venue.state, this.id, accountId), method, target, body)
  }

  /** Carries out one operation, after moving the clock as a request does. The caller has checked the scopes. */
  handle(account: number, request: ApiRequest, readings: Readings = this.readings): ApiResponse {
    this.time.moveForRequest()
    return this.answer(account, request, readings)
  }

  /** Carries out one operation without moving the clock, as the admin API does. The caller has checked the scopes. */
  answer(account: number, request: ApiRequest, readings: Readings): ApiResponse {
    if (this.workQueue.isPaused) this.workQueue.finish()
    const { state, now } = this.venue
    return dispatch({ state, account, readings, now, execute: (command) => this.execute(command) }, request)
  }

  /** Returns the public events after a sequence, oldest first, and at most `most` of them when that is given. */
  eventsSince(sequence: number, most?: number): PublicEvent[] {
    const { idScheme: ids, venue } = this
    return this.events.since(sequence, most).map((event) => describeEvent(event, venue.state, ids))
  }

  /** Reports a client's request to the script, which may wait for it or count it. */
  noteRequest(request: SeenRequest): void {
    const { running } = this
    if (!running.script.watchesRequests) return
    this.change({ kind: 'request-seen', request }, () => {
      running.script.noteRequest(request, running.venue.state)
      this.delayedViews.queueRequest(request)
    })
  }

  /** Sets how often a fault rule has matched and has fired, as a change that is reported to the observer. */
  countFault(id: string, matched: number, fired: number): void {
    const { faults } = this
    this.change({ kind: 'fault-counted', id, matched, fired }, () => faults.setCounts(id, matched, fired))
  }

  /**
   * Counts a request with every fault rule that matches it, and returns the faults that fire. Choice: a count is
   * reported with the next change, not at once, or a client that polls would write a journal line for every read. Only
   * a rule that may fire a limited number of times reports each time, because it must not start over after the process
   * was killed. Throws when that report cannot be written; then the rules have not counted the request.
   */
  fireFaults(facts: FaultRequest): FiredFault[] {
    const { faults, seed, now } = this
    const before = faults.list(now)
    let isDue = false
    const fired = faults.fire(facts, seed, now, ({ id, rule }, firesNow) => {
      const count = (faults.unreported.get(id) ?? 0) + 1
      faults.unreported.set(id, count)
      isDue ||= (firesNow && rule.count !== null) || count >= maximumUnreported
    })
    try {
      if (isDue) this.reportFaultCounts()
    } catch (failure) {
      for (const { id, matched, fired } of before)
        if (faults.unreported.has(id)) faults.setCounts(id, matched, fired)
      throw failure
    }
    this.watch?.countStrikes(fired)
    return fired
  }

  /** Reports the counts of fault rules that have not been reported to the observer yet. */
  reportFaultCounts(): void {
    // Every command calls this, and there is hardly ever anything to report.
    const { faults } = this
    if (faults.unreported.size === 0) return
    for (const [id, count] of [...faults.unreported]) {
      // `countFault` reaches the observer, which first reports what is left by calling this function again.
      if (!faults.unreported.delete(id)) continue
      const active = faults.get(id)
      if (active === undefined) continue
      try {
        this.countFault(id, active.matched, active.fired)
      } catch (failure) {
        // The count could not be written, so it stays unreported.
        faults.unreported.set(id, count)
        throw failure
      }
    }
  }

  /** Changes the readings, from the next request on. */
  setReadings(readings: Readings): void {
    this.change({ kind: 'readings', readings }, () => {
      this.readings = readings
    })
  }

  /** Carries out what a script does to the world around its venue. Returns why it had no effect, or null. */
  apply(action: WorldAction, token: string): string | null {
    if (action.kind === 'fault') {
      this.faults.add(scriptedFaultId(token), action.rule, this.now)
      this.delayedViews.syncWithRules(this.faults.list(this.now))
      return null
    }
    if (action.kind !== 'snapshot') return this.scripted.begin(action, token)
    this.scriptSnapshots.set(action.name, this.snapshot())
    return null
  }

  /** Ends what a script's action with this token has changed for a while. */
  revert(token: string): void {
    if (this.faults.remove(scriptedFaultId(token)))
      this.delayedViews.syncWithRules(this.faults.list(this.now))
    this.scripted.end(token)
  }

  /**
   * Takes a snapshot of the world's complete state. The world is not affected, and the snapshot never changes. Paused
   * work on the world is finished first.
   */
  snapshot(): WorldSnapshot {
    this.workQueue.finish()
    const { id: world, sequence, readings, running, faults, scripted, keys, limiter, clock } = this
    return {
      ...running.capture(),
      faults: faults.capture(this.now),
      scripted: scripted.capture(),
      lags: this.delayedViews.capture(),
      keys: keys.capture(),
      rateLimits: limiter.limits,
      clock,
      world,
      sequence,
      readings,
      digest: this.digest(),
    }
  }

  /**
   * Brings this world to the state of a snapshot, its own or another world's. A snapshot can be restored any number of
   * times. Readings and logs stay, except the events, whose subjects no longer exist; sequences continue.
   */
  restore(snapshot: WorldSnapshot): void {
    this.change({ kind: 'restored', snapshot: checkSnapshot(snapshot) }, () =>
      // The snapshot's sequence may be another journal's, so this world continues with its own.
      this.loadSnapshot(snapshot, snapshot.clock, this.running.startScenario),
    )
  }

  /**
   * Brings this world to the state of a snapshot, sequence included, without reporting it to the observer: for forks
   * and journals. `clock` overrides the snapshot's clock settings.
   */
  restoreFrom(
    snapshot: WorldSnapshot,
    clock: Partial<ClockSettings>,
    start = this.running.startScenario,
  ): void {
    this.loadSnapshot(snapshot, { ...snapshot.clock, ...clock }, start)
    this.sequence = Math.max(this.sequence, snapshot.sequence)
  }

  /** Creates a world in the present state of this one. Its keys get names of the new world, as with `forkWorld`. */
  fork(options: ForkOptions = {}): World {
    return forkWorld(this.snapshot(), { wall: this.wall, ...options })
  }

  /**
   * Returns the world to the scenario's start: time, venue, clock, limits, keys and logs. Readings stay. A seed of null
   * keeps the present one. `renamed` lists keys of the scenario that get names of this world, because another world
   * has theirs.
   */
  reset(newSeed: string | number | null, renamed: readonly string[] = []): void {
    const seed = toSeedText(newSeed)
    this.change({ kind: 'reset', seed, renamed }, () => {
      this.requests.clear()
      this.restart(seed ?? this.seed)
      for (const apiKey of renamed) this.keys.rename(apiKey)
    })
  }

  /**
   * Reports a change from outside the engine to the observer and then makes it. If the observer throws, the error
   * reaches the caller and nothing has changed.
   */
  change(change: Change, make: () => void): void {
    this.workQueue.finish()
    this.observer?.beforeChange?.({ atMillis: this.now, ...change })
    make()
    this.sequence += 1
  }

  /* Every part of a world on whose state its future depends appears in `snapshot`, `loadSnapshot` and `restart`. */

  private loadSnapshot(snapshot: WorldSnapshot, clock: ClockSettings, start: CompiledScenario): void {
    this.running.restore(snapshot, start)
    this.keys.restore(snapshot, this.venue.state.accounts)
    this.faults.restore(snapshot.faults)
    this.scripted.restore(snapshot.scripted)
    this.delayedViews.restore(snapshot.lags)
    this.limiter.restart(snapshot.rateLimits)
    this.time.changeSettings(clock)
  }

  private restart(seed: string): void {
    this.running.start(seed)
    this.time.changeSettings(this.startClock)
    this.limiter.restart(this.scenario.rateLimits)
    this.faults.restore({ rules: [], made: 0 })
    this.scripted.restore({ stacks: [], skewMillis: 0 })
    this.delayedViews.clear()
    this.scriptSnapshots.clear()
    this.keys.reset(this.scenario.access)
    this.running.runTo(this.now)
  }
}

/**
 * Returns whether a command belongs in the journal: it was carried out, or it was refused for money or limits (422). Other
 * refusals are problems of the request and change nothing.
 */
export function isJournaled(outcome: Outcome): boolean {
  return outcome.ok || moneyCodes.has(outcome.rejection.code)
}

const moneyCodes: ReadonlySet<string> = new Set(['risk', 'open-orders-limit', 'insufficient-balance'])

/** A fault rule's count is reported after this many matches at the latest, so a kill loses fewer than this many. */
const maximumUnreported = 1000
