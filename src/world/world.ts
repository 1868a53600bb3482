import type { TestFailure } from '../api/admin-answers.ts'
import type { IdScheme } from '../api/answer.ts'
import type { ApiRequest, ApiResponse } from '../api/context.ts'
import { dispatch } from '../api/dispatch.ts'
import { type FaultFacts, scriptedPrefix } from '../api/faults/matches-fault.ts'
import { nearestWord } from '../api/flaw.ts'
import type { Readings } from '../api/readings/readings.ts'
import { createVenueClient, type VenueClient } from '../client/create-venue-client.ts'
import { inProcessTransport } from '../client/transport.ts'
import { firstClientAccount } from '../engine/codes.ts'
import type { Command, Outcome } from '../engine/command.ts'
import type { State } from '../engine/state.ts'
import type { Venue } from '../engine/venue.ts'
import type { Change, ClockSettings, WorldObserver, WorldSnapshot } from '../journal/world-snapshot.ts'
import { assert } from '../numeric/assert.ts'
import type { Millis } from '../numeric/units.ts'
import type { SeenRequest } from '../scenario/actions/requests.ts'
import type { WorldAccess, WorldAction } from '../scenario/agents/behaviour.ts'
import type { CompiledScenario } from '../scenario/compile/compiled.ts'
import { answerInProcess, type InProcessAnswer } from './answer-in-process.ts'
import { instantAfter, RunningScenario, systemWallClock, type WallClock, WorldTime } from './clock.ts'
import { describeEvent, type PublicEvent } from './events/describe-event.ts'
import type { EventLog } from './events/event-log.ts'
import { FaultBook, type FaultHit } from './faults/fault-book.ts'
import { LaggingViews } from './faults/lagging-views.ts'
import { KeyRing } from './keys.ts'
import { RequestLog } from './logs/request-log.ts'
import { RateLimiter } from './rate-limiter.ts'
import { startOf } from './script/extend-timeline.ts'
import { ScriptedSettings } from './script/scripted-settings.ts'
import { type Steps, WorkQueue } from './work-queue.ts'
import { clockOf, forkable, readingsOf, restorable, seedText, type WorldOptions } from './world-options.ts'

export function createWorld(scenario: CompiledScenario, options: WorldOptions = {}): World {
  return new World(scenario, options)
}

/** A new world in the state of a snapshot. Its keys have names of its own, except those that the scenario names. */
export function forkWorld(snapshot: WorldSnapshot, options: ForkOptions = {}): World {
  return forkAs(World, snapshot, options)
}

export type ForkOptions = Omit<WorldOptions, 'seed'>

/** The same as a world of some kind. */
export function forkAs<Kind extends World>(
  kind: new (scenario: CompiledScenario, options: WorldOptions) => Kind,
  snapshot: WorldSnapshot,
  options: ForkOptions,
): Kind {
  const { seed, readings } = forkable(snapshot, options)
  const clock = { ...snapshot.clock, ...options.clock }
  const world = new kind(startOf(snapshot.scenario), { readings, ...options, clock, seed })
  world.restoreFrom(snapshot, clock)
  return world
}

function follower(snapshot: WorldSnapshot, wall: WallClock): World {
  const { scenario, seed, readings, clock } = snapshot
  const world = new World(startOf(scenario), { seed, readings, clock, wall }, true)
  world.restoreFrom(snapshot, clock)
  return world
}

/**
 * One running venue with everything that belongs to it: its clock, its keys, its rate limits and its logs. Worlds share
 * nothing, and no timer runs in one: a caller moves it to the present first.
 *
 * Invariants: time and commands reach the venue through the world, so the script always has its turn; whatever changes
 * the world from outside is numbered here, and the observer is told.
 */
export class World implements WorldAccess {
  readonly id: string
  /** For reading: time and requests come to it through the world. */
  readonly running: RunningScenario
  readonly wall: WallClock
  readonly madeAtWallMillis: number
  readonly time: WorldTime
  readonly limiter: RateLimiter
  /** Callers wait here while something long is done to the world; see `advanceInSteps`. */
  readonly workQueue = new WorkQueue()
  readonly requests = new RequestLog()
  /** The name of the test that it was made for; null where none was told. */
  test: string | null = null
  failure: TestFailure | null = null
  /** For reading, like the keys and limits: `change-world.ts` changes them. */
  readonly faults = new FaultBook()
  readonly keys: KeyRing
  /** The past that faults show to clients instead of the present. */
  readonly past: LaggingViews<World>
  readonly scripted: ScriptedSettings
  /** Snapshots that the script has taken, by name. */
  readonly kept = new Map<string, WorldSnapshot>()
  /** The clock that the world was made with; a reset goes back to it. */
  readonly startClock: ClockSettings
  /** For reading; see `setReadings`. */
  readings: Readings
  /**
   * For reading: the number of the latest change from outside, and of the journal's last line; it never goes back.
   * Commands count if they were carried out or refused for money or limits; every other change counts.
   */
  sequence = 0
  private observer: WorldObserver | null = null

  /** One that follows another world shows no past of its own, whatever faults its script brings. */
  constructor(scenario: CompiledScenario, options: WorldOptions, isFollower = false) {
    this.id = options.id ?? 'default'
    this.readings = options.readings ?? readingsOf(scenario)
    this.wall = options.wall ?? systemWallClock
    this.madeAtWallMillis = this.wall.nowMillis()
    this.limiter = new RateLimiter(scenario.rateLimits)
    const fork = isFollower ? null : (snapshot: WorldSnapshot) => follower(snapshot, this.wall)
    this.past = new LaggingViews(this, fork)
    this.startClock = { ...clockOf(scenario), ...options.clock }
    const seed = String(options.seed ?? scenario.venue.seed)
    this.keys = new KeyRing(this.id, scenario.access)
    this.scripted = new ScriptedSettings(this.keys, this.limiter)
    this.running = new RunningScenario(scenario, seed, this, options.witness ?? null)
    const passed = (): void => this.observer?.timePassed?.()
    this.time = new WorldTime(this.running, this.wall, this.startClock, this.workQueue, passed)
    this.running.runTo(this.now)
  }

  get scenario(): CompiledScenario {
    return this.running.scenario
  }

  /** The engine: for reading. Commands go through `execute`, or the scenario's own actions would be left out. */
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
   * Over everything that the venue is now, fault rules and their counts included: 32 hexadecimal digits. Choice: what a
   * script still plans is no part of it. That follows from the scenario, the seed and the journal, so a replay has the
   * same plans, and it shows in the digest once it acts. Journals and snapshots that state digests could not be read any
   * more, and a world could not be compared with one in which something else is planned for later.
   */
  digest(): string {
    return this.faults.digestWith(this.venue.digest(), this.now)
  }

  /**
   * Whether a caller on a server has to wait its turn: for long work, which begins here if real time has left the world
   * far behind, for example because the machine was asleep.
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

  /** Makes changes that count as usual, but are not reported to the observer. */
  unobserved(make: () => void): void {
    const { observer } = this
    this.observer = null
    try {
      make()
    } finally {
      this.observer = observer
    }
  }

  /**
   * The engine's own door: lets everything happen that is due until the command's instant, the scenario's actions
   * included, and carries the command out. If the observer throws, the error reaches the caller and the command has no
   * number.
   */
  execute(command: Command): Outcome {
    if (this.workQueue.isPaused) this.workQueue.finish()
    this.observer?.commandComes?.()
    return this.complete(command)
  }

  private complete(command: Command): Outcome {
    this.running.runTo(command.at)
    const outcome = this.running.venue.execute(command)
    if (this.past.views.size > 0) this.past.note(command)
    const sequence = this.sequence + (isJournaled(outcome) ? 1 : 0)
    this.observer?.commandDone(sequence, command, outcome)
    this.sequence = sequence
    return outcome
  }

  /** Moves time on by a span such as `250ms` or `1h`, or by milliseconds. Throws a RangeError for anything else. */
  advance(by: string | number): void {
    this.workQueue.finish()
    this.advanceTo(instantAfter(this.now, by))
  }

  /** Moves time on to an instant that is not past. */
  advanceTo(atMillis: Millis): void {
    this.workQueue.finish()
    assert(atMillis >= this.now, 'time does not go back')
    this.execute({ kind: 'advance', at: atMillis })
    this.time.goOnFromHere()
  }

  /**
   * The same in slices, between which this process does its other work: long advances stop no timer and no socket.
   * Advances that are asked for meanwhile come one after the other; any other use of the world first finishes this one
   * in one go. Rejects with the RangeError of `advance`.
   */
  async advanceAsync(by: string | number): Promise<void> {
    if (this.workQueue.isTaken) return this.workQueue.wait(() => this.advanceAsync(by))
    return this.workQueue.begin(this.advanceInSteps(instantAfter(this.now, by)))
  }

  /**
   * The same, left off between pieces so that a server can answer for other worlds meanwhile. It comes to the same
   * bytes, those of the journal included.
   */
  *advanceInSteps(atMillis: Millis): Steps<void> {
    assert(atMillis >= this.now, 'time does not go back')
    yield* this.advanceAlong(this.running.runInSteps(atMillis))
  }

  /**
   * The same by pieces that move `running` themselves; the instant that they reach is only known at their end, as their
   * answer.
   */
  *advanceAlong(way: Steps<Millis>): Steps<void> {
    this.observer?.commandComes?.()
    this.complete({ kind: 'advance', at: yield* way })
    this.time.goOnFromHere()
  }

  /** The client library in this process, without keys and rate limits. Throws a RangeError for an unknown account. */
  client(account: string): VenueClient {
    accountOf(this.venue.state, this.id, account)
    return createVenueClient({
      transport: inProcessTransport((method, target, body) => this.request(account, method, target, body)),
    })
  }

  /**
   * The interface without HTTP and rate limits, as far as the account's keys allow. Throws a RangeError for an unknown
   * account.
   */
  request(accountId: string, method: string, target: string, body?: unknown): InProcessAnswer {
    return answerInProcess(this, accountOf(this.venue.state, this.id, accountId), method, target, body)
  }

  /** Carries out one operation of the interface for an account that is allowed it. */
  handle(account: number, request: ApiRequest, readings: Readings = this.readings): ApiResponse {
    this.time.arrive()
    return this.answer(account, request, readings)
  }

  /** The same without a request's effect on the clock: how the admin API looks at the interface. */
  answer(account: number, request: ApiRequest, readings: Readings): ApiResponse {
    if (this.workQueue.isPaused) this.workQueue.finish()
    const { state, now } = this.venue
    return dispatch({ state, account, readings, now, execute: (command) => this.execute(command) }, request)
  }

  /** Public events after a sequence, oldest first; at most `most` of them, if it is given. */
  eventsSince(sequence: number, most?: number): PublicEvent[] {
    const { idScheme: ids, venue } = this
    return this.events.since(sequence, most).map((event) => describeEvent(event, venue.state, ids))
  }

  /** Tells the scenario of a request that a client has made: it may wait for it, or count it. */
  noteRequest(request: SeenRequest): void {
    const { running, past } = this
    if (!running.script.watchesRequests) return
    this.change({ kind: 'request-seen', request }, () => {
      running.script.noteRequest(request, running.venue.state)
      past.noteRequest(request)
    })
  }

  countFault(id: string, matched: number, fired: number): void {
    const { faults } = this
    this.change({ kind: 'fault-counted', id, matched, fired }, () => faults.count(id, matched, fired))
  }

  /**
   * The faults that strike a request; every rule that matches it counts it. Choice: a count is reported with the next
   * change, not at once, or a client that polls would write a line for every read. Only a rule with a limited number
   * of strikes reports each of them, because it must not begin again when the process is killed. Throws when that cannot
   * be written down; then the rules have not counted the request.
   */
  considerFaults(facts: FaultFacts): FaultHit[] {
    const { faults, seed, now } = this
    const before = faults.list(now)
    let isDue = false
    const strikes = faults.consider(facts, seed, now, ({ id, rule }, strikesNow) => {
      const count = (faults.unreported.get(id) ?? 0) + 1
      faults.unreported.set(id, count)
      isDue ||= (strikesNow && rule.count !== null) || count >= maximumUnreported
    })
    try {
      if (isDue) this.reportCounts()
    } catch (failure) {
      for (const { id, matched, fired } of before)
        if (faults.unreported.has(id)) faults.count(id, matched, fired)
      throw failure
    }
    return strikes
  }

  reportCounts(): void {
    // Every command calls this, and there is hardly ever anything to report.
    const { faults } = this
    if (faults.unreported.size === 0) return
    for (const [id, count] of [...faults.unreported]) {
      // Reporting one reports the others before it.
      if (!faults.unreported.delete(id)) continue
      const active = faults.get(id)
      if (active === undefined) continue
      try {
        this.countFault(id, active.matched, active.fired)
      } catch (failure) {
        // It could not be written down, and is still to be.
        faults.unreported.set(id, count)
        throw failure
      }
    }
  }

  /** Takes effect with the next request. */
  setReadings(readings: Readings): void {
    this.change({ kind: 'readings', readings }, () => {
      this.readings = readings
    })
  }

  carryOut(action: WorldAction, token: string): string | null {
    if (action.kind === 'fault') {
      this.faults.add(scriptedFault(token), action.rule, this.now)
      this.past.sync(this.faults.list(this.now))
      return null
    }
    if (action.kind !== 'snapshot') return this.scripted.begin(action, token)
    this.kept.set(action.name, this.snapshot())
    return null
  }

  takeBack(token: string): void {
    if (this.faults.remove(scriptedFault(token))) this.past.sync(this.faults.list(this.now))
    this.scripted.end(token)
  }

  /** The complete state of the world. Taking it does not affect the world, and nothing later changes it. */
  snapshot(): WorldSnapshot {
    this.workQueue.finish()
    const { id: world, sequence, readings, running, faults, scripted, past, keys, limiter, clock } = this
    return {
      ...running.capture(),
      faults: faults.capture(this.now),
      scripted: scripted.capture(),
      lags: past.capture(),
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
   * Brings this world to the state of a snapshot, its own or another world's. The snapshot can be restored again. The
   * readings and the logs stay, except the events, which are about what no longer exists; sequences go on.
   */
  restore(snapshot: WorldSnapshot): void {
    this.change({ kind: 'restored', snapshot: restorable(snapshot) }, () =>
      // Its sequence may be another journal's: this one continues with its own next number.
      this.takeOn(snapshot, snapshot.clock, this.running.startScenario),
    )
  }

  /** Takes on the state of a snapshot without telling the observer: for forks and journals. */
  restoreFrom(
    snapshot: WorldSnapshot,
    clock: Partial<ClockSettings>,
    start = this.running.startScenario,
  ): void {
    this.takeOn(snapshot, { ...snapshot.clock, ...clock }, start)
    this.sequence = Math.max(this.sequence, snapshot.sequence)
  }

  /** A new world in the present state of this one; see `forkWorld`. */
  fork(options: ForkOptions = {}): World {
    return forkWorld(this.snapshot(), { wall: this.wall, ...options })
  }

  /**
   * Back to the scenario's start: time, venue, clock, limits, keys and logs; readings stay as they were chosen.
   * `renamed` are keys of the scenario that get names of this world, because another world has theirs.
   */
  reset(given: string | number | null, renamed: readonly string[] = []): void {
    const seed = seedText(given)
    this.change({ kind: 'reset', seed, renamed }, () => {
      this.requests.clear()
      this.restart(seed ?? this.seed)
      for (const apiKey of renamed) this.keys.rename(apiKey)
    })
  }

  /**
   * Makes a change from outside the engine, after the observer has been told. If that throws, the error reaches the caller
   * and nothing has changed.
   */
  change(change: Change, make: () => void): void {
    this.workQueue.finish()
    this.observer?.changeComes?.({ atMillis: this.now, ...change })
    make()
    this.sequence += 1
  }

  /* A part whose state a world's future depends on is in these two and in `snapshot`. */

  private takeOn(snapshot: WorldSnapshot, clock: ClockSettings, start: CompiledScenario): void {
    this.running.restore(snapshot, start)
    this.keys.restore(snapshot, this.venue.state.accounts)
    this.faults.restore(snapshot.faults)
    this.scripted.restore(snapshot.scripted)
    this.past.restore(snapshot.lags)
    this.limiter.start(snapshot.rateLimits)
    this.time.change(clock)
  }

  private restart(seed: string): void {
    this.running.start(seed)
    this.time.change(this.startClock)
    this.limiter.start(this.scenario.rateLimits)
    this.faults.restore({ rules: [], made: 0 })
    this.scripted.restore({ stacks: [], skewMillis: 0 })
    this.past.clear()
    this.kept.clear()
    this.keys.start(this.scenario.access)
    this.running.runTo(this.now)
  }
}

/**
 * Whether a command belongs in the journal: one that was carried out, or was refused for money or limits (422). Other
 * refusals are mistakes in the request, and change nothing.
 */
export function isJournaled(outcome: Outcome): boolean {
  return outcome.ok || moneyCodes.has(outcome.rejection.code)
}

const moneyCodes: ReadonlySet<string> = new Set(['risk', 'open-orders-limit', 'insufficient-balance'])

/** A rule's count is reported after this many matches at the latest, which is what a kill may lose of it. */
const maximumUnreported = 1000

/** The id of the fault rule that an action of a script has installed. */
const scriptedFault = (token: string): string => scriptedPrefix + token

/** The row of a client's account. Throws a RangeError that names the nearest account when there is no such one. */
function accountOf({ accounts }: State, world: string, id: string): number {
  const row = accounts.rowOf(id)
  if (row >= firstClientAccount) return row
  const nearest = nearestWord(String(id), accounts.ids.slice(firstClientAccount))
  const hint = nearest === null ? '' : `; did you mean "${nearest}"?`
  throw new RangeError(`world ${world} has no account "${id}"${hint}`)
}
