import type { ApiRequest, ApiResponse } from '../../api/context.ts'
import type { ActiveFault } from '../../api/faults/fault-digest.ts'
import { faultKind } from '../../api/faults/fault-types.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { routeOf } from '../../api/routes/routes.ts'
import type { Command } from '../../engine/command.ts'
import type { Venue } from '../../engine/venue.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { SeenRequest } from '../../scenario/compile/request-pattern.ts'
import type { Strike } from './fault-book.ts'

/*
 * Reads of the past. For each rule of this kind a second world follows the first at a distance: commands wait in a
 * queue until they are old enough. So a read shows exactly what was there at that moment, but nothing from before the
 * rule came.
 */

/** A world that can be copied, or a copy that follows it. */
interface Followed<Snapshot> {
  readonly venue: Venue
  readonly now: Millis
  snapshot(): Snapshot
  readonly time: { arrive(): void }
  execute(command: Command): unknown
  advanceTo(atMillis: Millis): void
  readonly controls: { schedule(entries: readonly unknown[], fromMillis: Millis): unknown }
  noteRequest(request: SeenRequest): void
  answer(account: number, request: ApiRequest, readings: Readings): ApiResponse
}

/** What a view does after the world. */
type Step = Command | SeenLater

/** A client's request that the script is told of. */
interface SeenLater {
  readonly kind: 'request-seen'
  readonly at: Millis
  readonly request: SeenRequest
}

interface View<Snapshot> {
  readonly shadow: Followed<Snapshot>
  /** Oldest first. */
  readonly queue: Step[]
}

/** A second world that goes this one's way later, and the steps that are still too young for it, oldest first. */
export interface LaggingViewState<Snapshot> {
  readonly id: string
  readonly shadow: Snapshot
  readonly queue: readonly Step[]
}

/** What others need of the views. */
export interface PastReads {
  note(command: Command): void
  noteRequest(request: SeenRequest): void
  sync(rules: readonly ActiveFault[]): void
  schedule(entries: readonly unknown[]): void
  handle(
    strikes: readonly Strike[],
    account: number,
    request: ApiRequest,
    readings: Readings,
  ): ApiResponse | null
}

export class LaggingViews<Snapshot> implements PastReads {
  private readonly world: Followed<Snapshot>
  private readonly fork: ((snapshot: Snapshot) => Followed<Snapshot>) | null
  private readonly withoutFaults: (snapshot: Snapshot) => Snapshot
  private readonly views = new Map<string, View<Snapshot>>()

  /**
   * A view begins without the world's rules (`withoutFaults`), because the past is read without faults. `fork` is null
   * for a world that is itself such a view: it has none.
   */
  constructor(
    world: Followed<Snapshot>,
    fork: ((snapshot: Snapshot) => Followed<Snapshot>) | null,
    withoutFaults: (snapshot: Snapshot) => Snapshot,
  ) {
    this.world = world
    this.fork = fork
    this.withoutFaults = withoutFaults
  }

  /** Whether no rule lags, so that commands need not be noted. */
  get isEmpty(): boolean {
    return this.views.size === 0
  }

  /** Gives each rule that lags a view of its own, from now on, and drops the views of rules that are gone. */
  sync(rules: readonly ActiveFault[]): void {
    if (this.fork === null) return
    const lagging = rules.filter(({ rule }) => faultKind(rule.type).place === 'lag')
    for (const id of [...this.views.keys()])
      if (!lagging.some((active) => active.id === id)) this.views.delete(id)
    for (const { id } of lagging) {
      if (this.views.has(id)) continue
      const shadow = this.fork(this.withoutFaults(this.world.snapshot()))
      this.views.set(id, { shadow, queue: [] })
    }
  }

  /** Forgets all views: the world has become another one. */
  clear(): void {
    this.views.clear()
  }

  /** Passes on new entries of the timeline. Each view lags, so their instants are still to come in all of them. */
  schedule(entries: readonly unknown[]): void {
    for (const { shadow } of this.views.values()) shadow.controls.schedule(entries, this.world.now)
  }

  note(command: Command): void {
    for (const { queue } of this.views.values()) queue.push(command)
  }

  /** The script of each view waits for the same requests. */
  noteRequest(request: SeenRequest): void {
    for (const { queue } of this.views.values())
      queue.push({ kind: 'request-seen', at: this.world.now, request })
  }

  /** Carries out a read in the past; null when none of the strikes is about this request. */
  handle(
    strikes: readonly Strike[],
    account: number,
    request: ApiRequest,
    readings: Readings,
  ): ApiResponse | null {
    const strike = strikes.find(({ rule }) => isAbout(rule.type, request))
    const view = strike === undefined ? undefined : this.views.get(strike.id)
    if (strike === undefined || view === undefined) return null
    const { shadow } = view
    if (account >= shadow.venue.state.accounts.count) return null
    this.world.time.arrive()
    catchUp(view, this.world.now - Math.round(strike.rule.attributes.delayMs ?? 0))
    return shadow.answer(account, request, readings)
  }

  capture(): LaggingViewState<Snapshot>[] {
    return [...this.views].map(([id, { shadow, queue }]) => ({
      id,
      shadow: shadow.snapshot(),
      queue: [...queue],
    }))
  }

  restore(states: readonly LaggingViewState<Snapshot>[]): void {
    this.views.clear()
    if (this.fork === null) return
    for (const { id, shadow, queue } of states)
      this.views.set(id, { shadow: this.fork(shadow), queue: [...queue] })
  }
}

/** Takes the steps that are old enough by now. */
function catchUp({ shadow, queue }: View<unknown>, atMillis: number): void {
  let done = 0
  for (; (queue[done]?.at ?? Number.POSITIVE_INFINITY) <= atMillis; done += 1) {
    const step = queue[done]
    if (step?.kind === 'request-seen') {
      if (step.at > shadow.now) shadow.advanceTo(step.at)
      shadow.noteRequest(step.request)
    } else if (step !== undefined) shadow.execute(step)
  }
  queue.splice(0, done)
  if (atMillis > shadow.now) shadow.advanceTo(millis(atMillis))
}

const balances: readonly string[] = ['listBalances', 'getBalance', 'getAvailable', 'getSummary']

function isAbout(type: string, { operation }: ApiRequest): boolean {
  if (type === 'balance_lag') return balances.includes(operation)
  return type === 'stale_market_data' && routeOf(operation).category === 'marketData'
}
