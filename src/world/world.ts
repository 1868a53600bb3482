import type { ApiRequest, ApiResponse } from '../api/context.ts'
import { dispatch } from '../api/dispatch.ts'
import { errorBody, statusOf } from '../api/errors.ts'
import type { IdScheme } from '../api/ids.ts'
import { defaultReadings, type Readings, resolveReadings } from '../api/readings.ts'
import { createVenueClient, type VenueClient } from '../client/create-venue-client.ts'
import { inProcessTransport } from '../client/in-process-transport.ts'
import { none } from '../engine/codes.ts'
import type { Command, Outcome } from '../engine/commands.ts'
import type { VenueConfig } from '../engine/config.ts'
import { Venue } from '../engine/venue.ts'
import { assert } from '../numeric/assert.ts'
import { parseDuration } from '../numeric/time-text.ts'
import { type Millis, millis } from '../numeric/units.ts'
import type { CompiledScenario } from '../scenario/compiled.ts'
import type { NamedRows } from '../scenario/read-venue.ts'
import type { ScriptedVenue } from '../scenario/script.ts'
import { Script } from '../scenario/script.ts'
import { ClockDriver, type ClockSettings, defaultClock, longestAdvanceMillis } from './clock-driver.ts'
import { describeEvent, type PublicEvent } from './describe-event.ts'
import { EventLog } from './event-log.ts'
import { KeyRing } from './keys.ts'
import { nextDueMillis } from './next-due.ts'
import { RateLimiter } from './rate-limiter.ts'
import { RequestLog } from './request-log.ts'
import { resolveOperation, scopeProblem } from './resolve-operation.ts'
import { systemWallClock, type WallClock } from './wall-clock.ts'

export interface WorldOptions {
  /** Names the world and its keys; `default` unless given. */
  readonly id?: string
  /** In place of the scenario's. */
  readonly seed?: string
  /** In place of what the scenario states; manual when it states nothing. */
  readonly clock?: Partial<ClockSettings>
  /** In place of the scenario's; see `readingsOf`. */
  readonly readings?: Readings
  readonly wall?: WallClock
}

export interface InProcessAnswer {
  readonly status: number
  readonly body: object
}

/** What a scenario says its readings are. Throws when it names one that does not exist. */
export function readingsOf(scenario: CompiledScenario, base: Readings = defaultReadings): Readings {
  const resolved = resolveReadings(Object.fromEntries(scenario.readings), base)
  if (!resolved.ok) throw new RangeError(`readings: ${resolved.flaw.field} ${resolved.flaw.reason}`)
  return resolved.value
}

export function createWorld(scenario: CompiledScenario, options: WorldOptions = {}): World {
  return new World(scenario, options)
}

/**
 * One running venue with everything that belongs to it: its clock, its keys, its rate limits and its logs. Nothing is
 * shared between worlds, and no timer runs in one: whoever asks moves it to the present first.
 */
export class World {
  readonly id: string
  readonly scenario: CompiledScenario
  readonly readings: Readings
  readonly wall: WallClock
  readonly limiter: RateLimiter
  readonly requests = new RequestLog()
  readonly events = new EventLog()
  private readonly startClock: ClockSettings
  private readonly driver: ClockDriver
  private config: VenueConfig
  private current: Venue
  private script: Script
  private ring: KeyRing
  private executed = 0

  constructor(scenario: CompiledScenario, options: WorldOptions) {
    this.id = options.id ?? 'default'
    this.scenario = scenario
    this.readings = options.readings ?? readingsOf(scenario)
    this.wall = options.wall ?? systemWallClock
    this.limiter = new RateLimiter(scenario.rateLimits)
    this.startClock = { ...clockOf(scenario), ...options.clock }
    this.config = seeded(scenario.venue, options.seed ?? scenario.venue.seed)
    this.current = this.open()
    this.script = new Script(scenario.timeline)
    this.driver = new ClockDriver(this.wall, this.startClock, this.current.now)
    this.ring = new KeyRing(this.id, scenario.access)
    this.runTo(this.now)
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

  /** Commands carried out or refused so far: the sequence of the last one. */
  get sequence(): number {
    return this.executed
  }

  get idScheme(): IdScheme {
    return { format: this.readings['ids.format'], seed: this.seed }
  }

  /** Everything that the venue is now, in 32 hexadecimal digits. */
  digest(): string {
    return this.current.digest()
  }

  /**
   * The engine's own door: lets happen what is due until the command's instant, the scenario's actions too, and
   * carries the command out.
   */
  execute(command: Command): Outcome {
    this.runTo(command.at)
    this.executed += 1
    return this.current.execute(command)
  }

  /** The client library as an account has it, in this process: no sockets, signatures, keys or rate limits. */
  client(account: string): VenueClient {
    return createVenueClient({
      transport: inProcessTransport((method, target, body) => this.request(account, method, target, body)),
    })
  }

  /** Moves time on by a span such as `250ms` or `1h`, or by milliseconds. Throws a RangeError for anything else. */
  advance(by: string | number): void {
    const span = typeof by === 'string' ? parseDuration(by) : by
    if (span === null || !Number.isSafeInteger(span) || span < 0 || span > longestAdvanceMillis) {
      throw new RangeError(`cannot advance by ${by}: a span is whole milliseconds, up to 366 days`)
    }
    this.advanceTo(millis(this.now + span))
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
  answer(account: number, request: ApiRequest, readings: Readings = this.readings): ApiResponse {
    const { state, now } = this.current
    return dispatch({ state, account, readings, now, execute: (command) => this.execute(command) }, request)
  }

  /** What an operation would answer, found out on a copy of the venue: nothing happens here. */
  rehearse(account: number, request: ApiRequest, readings: Readings = this.readings): ApiResponse {
    const copy = Venue.restore(this.config, this.current.snapshot(), { emit: () => undefined })
    const { state, now } = copy
    return dispatch({ state, account, readings, now, execute: (command) => copy.execute(command) }, request)
  }

  /**
   * The interface without HTTP, keys and rate limits: what the account's keys allow, under the world's readings, with
   * the bodies and statuses of the wire. Throws a RangeError for an account that does not exist.
   */
  request(accountId: string, method: string, target: string, body?: unknown): InProcessAnswer {
    const account = this.current.state.accounts.rowOf(accountId)
    if (account === none) throw new RangeError(`world ${this.id} has no account ${accountId}`)
    const mark = target.indexOf('?')
    const path = mark === -1 ? target : target.slice(0, mark)
    const query = mark === -1 ? '' : target.slice(mark)
    const resolved = resolveOperation(method, path, this.readings)
    const problem = resolved.ok
      ? scopeProblem(this.ring.scopesOf(account), resolved.operation, this.readings)
      : resolved.problem
    if (!resolved.ok || problem !== null) {
      const refusal = problem ?? { code: 'internal' }
      return { status: statusOf(refusal, this.readings), body: errorBody(refusal, this.readings) }
    }
    const text = body === undefined ? '' : JSON.stringify(body)
    const { operation, parameter } = resolved
    return this.handle(account, { operation, parameter, query, body: text })
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

  setClock(change: Partial<ClockSettings>): void {
    this.catchUp()
    this.driver.change({ ...this.driver.settings, ...change }, this.now)
  }

  /** The next instant at which something is due, the scenario's actions too; infinity when nothing ever is. */
  nextDueMillis(): number {
    return Math.min(this.script.nextAtMillis, nextDueMillis(this.current.state))
  }

  /** Public events after a sequence, oldest first. */
  eventsSince(sequence: number): PublicEvent[] {
    const ids = this.idScheme
    return this.events.since(sequence).map((event) => describeEvent(event, this.current.state, ids))
  }

  /** What became of the orders and quotes that the scenario's labels name. */
  get named(): NamedRows {
    return this.script
  }

  get keys(): KeyRing {
    return this.ring
  }

  /** Back to the scenario's start: time, venue, clock, limits, keys and logs; readings stay as they were chosen. */
  reset(seed: string | null): void {
    if (seed !== null) this.config = seeded(this.config, seed)
    this.events.clear()
    this.requests.clear()
    this.current = this.open()
    this.script = new Script(this.scenario.timeline)
    this.driver.change(this.startClock, this.current.now)
    this.limiter.change(this.scenario.rateLimits)
    this.limiter.reset()
    this.ring = new KeyRing(this.id, this.scenario.access)
    this.runTo(this.now)
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
    const { current } = this
    const door: ScriptedVenue = {
      state: current.state,
      execute: (command) => {
        this.executed += 1
        return current.execute(command)
      },
      advance: (at, work) => current.advance(at, work),
    }
    this.script.runTo(door, atMillis, ({ id, action }, problem) => {
      this.events.noteAction({ action: action.kind, id, problem })
    })
  }
}

function clockOf({ clock }: CompiledScenario): ClockSettings {
  return { mode: clock.mode ?? defaultClock.mode, speed: clock.speed, stepMillis: clock.stepMillis }
}

function seeded(config: VenueConfig, seed: string): VenueConfig {
  return { ...config, seed, market: { ...config.market, seed } }
}
