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
import { runToEnd, type Steps } from '../work-queue.ts'
import type { FiredFault } from './fire-faults.ts'

/*
 * Faults that answer reads from the past. For each such rule a second world follows the first with a delay: commands
 * wait in a queue until they are old enough. So a read shows exactly what the venue showed that long ago, except that a
 * view does not reach back beyond the installation of its rule.
 */

/** What delayed views need of a world: one that can be copied, or a copy that follows it. */
interface FollowedWorld {
  readonly venue: Venue
  readonly now: Millis
  snapshot(): WorldSnapshot
  readonly time: { moveForRequest(): void }
  execute(command: Command): unknown
  advanceInSteps(atMillis: Millis): Steps<void>
  readonly faults: { get(id: string): ActiveFault | undefined }
  noteRequest(request: SeenRequest): void
  answer(account: number, request: ApiRequest, readings: Readings): ApiResponse
}

interface DelayedView<Shadow extends FollowedWorld = FollowedWorld> {
  /** The world that follows with a delay. */
  readonly shadow: Shadow
  /** The steps that are not old enough yet, oldest first. */
  readonly queue: LaggedStep[]
}

/** What a caller needs to answer a read from a delayed view. */
export type DelayedViewAccess = Pick<DelayedViews<FollowedWorld>, 'readPast'>

/** At every multiple of this many queued steps, a view catches up although nobody reads it, to keep the queue short. */
const maximumQueuedSteps = 1000

/** The delayed views of one world, one for each fault rule that shows the past. */
export class DelayedViews<Shadow extends FollowedWorld> {
  private readonly world: FollowedWorld
  private readonly fork: ((snapshot: WorldSnapshot) => Shadow) | null
  /** The views by the ids of their rules. Callers only read them; when there are none, they need not queue commands. */
  readonly views = new Map<string, DelayedView<Shadow>>()

  /**
   * `fork` makes a view's world from a snapshot without fault rules (`withoutFaults`), because the past is read without
   * faults. It is null in a world that is itself a view and has no views of its own.
   */
  constructor(world: FollowedWorld, fork: ((snapshot: WorldSnapshot) => Shadow) | null) {
    this.world = world
    this.fork = fork
  }

  /** Creates a view, from now on, for each rule that shows the past, and drops the views of rules that are gone. */
  syncWithRules(rules: readonly ActiveFault[]): void {
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

  /** Drops all views, because the world has taken on another state. */
  clear(): void {
    this.views.clear()
  }

  /** Queues a command of the world, which each view repeats later. */
  queueCommand(command: Command): void {
    this.queueStep(command)
  }

  /** Queues a client's request, because the script of each view may wait for it as the world's own does. */
  queueRequest(request: SeenRequest): void {
    this.queueStep({ kind: 'request-seen', at: this.world.now, request })
  }

  /**
   * Moves the views of these faults to the instants that they show, in pieces: this is long work after a long advance.
   */
  *catchUp(fired: readonly FiredFault[]): Steps<void> {
    for (const { id, rule } of fired) {
      const view = this.views.get(id)
      if (view !== undefined) yield* catchUpView(view, this.world.now - delayOf(rule))
    }
  }

  /** Answers a request from the past. Returns null when none of the faults applies to its operation. */
  readPast(
    fired: readonly FiredFault[],
    account: number,
    request: ApiRequest,
    readings: Readings,
  ): ApiResponse | null {
    const fault = fired.find(({ rule }) => isAbout(rule.type, request.operation))
    const view = fault === undefined ? undefined : this.views.get(fault.id)
    if (fault === undefined || view === undefined) return null
    const { shadow } = view
    if (account >= shadow.venue.state.accounts.count) return null
    this.world.time.moveForRequest()
    runToEnd(catchUpView(view, this.world.now - delayOf(fault.rule)))
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

  private queueStep(step: LaggedStep): void {
    for (const [id, view] of this.views) {
      view.queue.push(step)
      if (view.queue.length % maximumQueuedSteps > 0) continue
      const active = this.world.faults.get(id)
      if (active !== undefined) runToEnd(catchUpView(view, this.world.now - delayOf(active.rule)))
    }
  }
}

/** Returns the age of the state that a rule shows, in milliseconds. */
const delayOf = ({ attributes }: FaultRule): number => Math.round(attributes.delayMs ?? 0)

const stepsPerPiece = 16

/** Moves a view to an instant, in pieces, and repeats the queued steps up to then. */
function* catchUpView({ shadow, queue }: DelayedView, atMillis: number): Steps<void> {
  let done = 0
  for (; (queue[done]?.at ?? Number.POSITIVE_INFINITY) <= atMillis; done += 1) {
    const step = queue[done]
    if (step === undefined) break
    if (step.at > shadow.now) yield* shadow.advanceInSteps(step.at)
    if (step.kind === 'request-seen') shadow.noteRequest(step.request)
    else shadow.execute(step)
    if (done % stepsPerPiece === stepsPerPiece - 1) yield
  }
  queue.splice(0, done)
  if (atMillis > shadow.now) yield* shadow.advanceInSteps(millis(atMillis))
}
