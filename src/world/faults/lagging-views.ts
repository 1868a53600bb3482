import type { ApiRequest, ApiResponse } from '../../api/context.ts'
import type { ActiveFault } from '../../api/faults/fault-digest.ts'
import { faultKind } from '../../api/faults/fault-types.ts'
import type { Readings } from '../../api/readings/readings.ts'
import { routeOf } from '../../api/routes/routes.ts'
import type { Command } from '../../engine/commands.ts'
import type { Venue } from '../../engine/venue.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { LaggingViewState, WorldSnapshot } from '../world-snapshot.ts'
import type { Strike } from './fault-book.ts'

/*
 * Reads of the past. A rule of this kind keeps a second world that goes the first one's way, so much later: commands wait
 * until they are old enough. So what is read is exactly what was there then, back to the moment at which the rule came.
 */

/** A world that can be copied, and a copy that goes the same way later. */
interface Followed {
  readonly venue: Venue
  readonly now: Millis
  snapshot(): WorldSnapshot
  readonly time: { arrive(): void }
  execute(command: Command): unknown
  advanceTo(atMillis: Millis): void
  readonly controls: { schedule(entries: readonly unknown[]): unknown }
  answer(account: number, request: ApiRequest, readings: Readings): ApiResponse
}

interface View {
  readonly shadow: Followed
  /** Oldest first. */
  readonly queue: Command[]
}

export class LaggingViews {
  private readonly world: Followed
  private readonly fork: (snapshot: WorldSnapshot) => Followed
  private readonly views = new Map<string, View>()

  constructor(world: Followed, fork: (snapshot: WorldSnapshot) => Followed) {
    this.world = world
    this.fork = fork
  }

  /** Whether anybody must be told of commands. */
  get isEmpty(): boolean {
    return this.views.size === 0
  }

  /** Each rule that lags has its view, from the moment at which it came. */
  sync(rules: readonly ActiveFault[]): void {
    const lagging = rules.filter(({ rule }) => faultKind(rule.type).place === 'lag')
    for (const id of [...this.views.keys()])
      if (!lagging.some((active) => active.id === id)) this.views.delete(id)
    for (const { id } of lagging) {
      if (this.views.has(id)) continue
      const shadow = this.fork({ ...this.world.snapshot(), faults: { rules: [], made: 0 }, lags: [] })
      this.views.set(id, { shadow, queue: [] })
    }
  }

  /** Begins anew: the world is another one now. */
  clear(): void {
    this.views.clear()
  }

  /** What a timeline has got since: instants that are still to come for every view, because it is later there. */
  schedule(entries: readonly unknown[]): void {
    for (const { shadow } of this.views.values()) shadow.controls.schedule(entries)
  }

  note(command: Command): void {
    for (const { queue } of this.views.values()) queue.push(command)
  }

  /** Carries out a read as of the past; null when none of these faults is about it. */
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

  capture(): LaggingViewState[] {
    return [...this.views].map(([id, { shadow, queue }]) => ({
      id,
      shadow: shadow.snapshot(),
      queue: [...queue],
    }))
  }

  restore(states: readonly LaggingViewState[]): void {
    this.views.clear()
    for (const { id, shadow, queue } of states)
      this.views.set(id, { shadow: this.fork(shadow), queue: [...queue] })
  }
}

/** Carries out what is old enough by now. */
function catchUp({ shadow, queue }: View, atMillis: number): void {
  let done = 0
  for (; (queue[done]?.at ?? Number.POSITIVE_INFINITY) <= atMillis; done += 1) {
    const command = queue[done]
    if (command !== undefined) shadow.execute(command)
  }
  queue.splice(0, done)
  if (atMillis > shadow.now) shadow.advanceTo(millis(atMillis))
}

const balances: readonly string[] = ['listBalances', 'getBalance', 'getAvailable', 'getSummary']

function isAbout(type: string, { operation }: ApiRequest): boolean {
  if (type === 'balance_lag') return balances.includes(operation)
  return type === 'stale_market_data' && routeOf(operation).category === 'marketData'
}
