import type { ApiRequest, ApiResponse } from '../../api/context.ts'
import { type FaultRule, faultKind } from '../../api/faults/fault-types.ts'
import { type ActiveFault, isAbout } from '../../api/faults/matches-fault.ts'
import type { Readings } from '../../api/readings/readings.ts'
import type { Command } from '../../engine/command.ts'
import type { Venue } from '../../engine/venue.ts'
import {
  type LaggedStep,
  type LaggingViewState,
  type WorldSnapshot,
  withoutFaults,
} from '../../journal/world-snapshot.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { SeenRequest } from '../../scenario/actions/requests.ts'
import { finished, type Steps } from '../work-queue.ts'
import type { FaultHit } from './fault-book.ts'

/*
 * Reads of the past. For each rule of this kind a second world follows the first at a distance: commands wait in a
 * queue until they are old enough. So a read shows exactly what was there at that moment, but nothing from before the
 * rule came.
 */

/** A world that can be copied, or a copy that follows it. */
interface Followed {
  readonly venue: Venue
  readonly now: Millis
  snapshot(): WorldSnapshot
  readonly time: { arrive(): void }
  execute(command: Command): unknown
  advanceInSteps(atMillis: Millis): Steps<void>
  readonly faults: { get(id: string): ActiveFault | undefined }
  noteRequest(request: SeenRequest): void
  answer(account: number, request: ApiRequest, readings: Readings): ApiResponse
}

interface View<Shadow extends Followed = Followed> {
  readonly shadow: Shadow
  /** Oldest first. */
  readonly queue: LaggedStep[]
}

export type LaggingReads = Pick<LaggingViews<Followed>, 'handle'>

/** At most this many steps wait; then those that are old enough are taken even if nobody reads. */
const stepsAtOnce = 1000

export class LaggingViews<Shadow extends Followed> {
  private readonly world: Followed
  private readonly fork: ((snapshot: WorldSnapshot) => Shadow) | null
  /** For reading, by the rule's id. Where there are none, commands need not be noted. */
  readonly views = new Map<string, View<Shadow>>()

  /**
   * A view begins without the world's rules (`withoutFaults`), because the past is read without faults. `fork` is null
   * for a world that is itself such a view: it has none.
   */
  constructor(world: Followed, fork: ((snapshot: WorldSnapshot) => Shadow) | null) {
    this.world = world
    this.fork = fork
  }

  /** Gives each rule that lags a view of its own, from now on, and drops the views of rules that are gone. */
  sync(rules: readonly ActiveFault[]): void {
    if (this.fork === null) return
    const lagging = rules.filter(({ rule }) => faultKind(rule.type).place === 'lag')
    for (const id of [...this.views.keys()])
      if (!lagging.some((active) => active.id === id)) this.views.delete(id)
    for (const { id } of lagging) {
      if (this.views.has(id)) continue
      const shadow = this.fork(withoutFaults(this.world.snapshot()))
      this.views.set(id, { shadow, queue: [] })
    }
  }

  /** Forgets all views: the world has become another one. */
  clear(): void {
    this.views.clear()
  }

  note(command: Command): void {
    this.add(command)
  }

  /** The script of each view waits for the same requests. */
  noteRequest(request: SeenRequest): void {
    this.add({ kind: 'request-seen', at: this.world.now, request })
  }

  /** Brings the views of these strikes to where they are read from: much work after a long advance. */
  *follow(strikes: readonly FaultHit[]): Steps<void> {
    for (const { id, rule } of strikes) {
      const view = this.views.get(id)
      if (view !== undefined) yield* catchUp(view, this.world.now - delayOf(rule))
    }
  }

  /** Carries out a read in the past; null when none of the strikes is about this request. */
  handle(
    strikes: readonly FaultHit[],
    account: number,
    request: ApiRequest,
    readings: Readings,
  ): ApiResponse | null {
    const strike = strikes.find(({ rule }) => isAbout(rule.type, request.operation))
    const view = strike === undefined ? undefined : this.views.get(strike.id)
    if (strike === undefined || view === undefined) return null
    const { shadow } = view
    if (account >= shadow.venue.state.accounts.count) return null
    this.world.time.arrive()
    finished(catchUp(view, this.world.now - delayOf(strike.rule)))
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
    if (this.fork === null) return
    for (const { id, shadow, queue } of states)
      this.views.set(id, { shadow: this.fork(shadow), queue: [...queue] })
  }

  private add(step: LaggedStep): void {
    for (const [id, view] of this.views) {
      view.queue.push(step)
      if (view.queue.length % stepsAtOnce > 0) continue
      const active = this.world.faults.get(id)
      if (active !== undefined) finished(catchUp(view, this.world.now - delayOf(active.rule)))
    }
  }
}

/** How old what a rule shows is, in milliseconds. */
const delayOf = ({ attributes }: FaultRule): number => Math.round(attributes.delayMs ?? 0)

const stepsInPiece = 16

/** Takes the steps that are old enough by now. */
function* catchUp({ shadow, queue }: View, atMillis: number): Steps<void> {
  let done = 0
  for (; (queue[done]?.at ?? Number.POSITIVE_INFINITY) <= atMillis; done += 1) {
    const step = queue[done]
    if (step === undefined) break
    if (step.at > shadow.now) yield* shadow.advanceInSteps(step.at)
    if (step.kind === 'request-seen') shadow.noteRequest(step.request)
    else shadow.execute(step)
    if (done % stepsInPiece === stepsInPiece - 1) yield
  }
  queue.splice(0, done)
  if (atMillis > shadow.now) yield* shadow.advanceInSteps(millis(atMillis))
}
