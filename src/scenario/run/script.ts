import type { ScriptedActions } from '../../engine/advance.ts'
import type { State } from '../../engine/state.ts'
import { type Millis, millis } from '../../numeric/units.ts'
import type { ScriptedAction } from '../actions/actions.ts'
import type { AwaitAction } from '../actions/clients.ts'
import { matchesPattern, type SeenRequest } from '../actions/requests.ts'
import type { ScriptedVenue } from '../agents/behaviour.ts'
import {
  type CompiledScenario,
  happenedLabel,
  type TimedAction,
  type TimelineEntry,
  type Trigger,
} from '../compile/compiled.ts'
import { evaluatePredicate } from '../predicates/evaluate-predicate.ts'
import type { Predicate } from '../predicates/predicate.ts'
import { type NamedRows, type ReadoutSource, readVenue } from '../predicates/readouts.ts'
import { ActionRunner } from './action-runner.ts'
import { Participants } from './participants.ts'
import { formatToken, Schedule, type ScheduledAction, type ScriptState, type Task } from './script-state.ts'

/**
 * Called after each action. `problem` is the name of the first refusal, null when everything was accepted: the error
 * type of the interface (`RISK_LIMIT_EXCEEDED`), or the kind of problem where that has none (`pair-inactive`).
 */
export type ActionObserver = (entry: TimedAction, problem: string | null, reason: string | null) => void

/**
 * A scenario's timeline and its agents while they run: how far they are, what the labels of orders and quotes name,
 * and what is awaited. A refused action is a result like any other, for expectations to judge; the script goes on.
 *
 * At one instant the script does, in this order: ends of `for`, entries in the order of the file, agents in the order
 * of the file, then the predicates of `await` and `when`; what these set off follows at once. Predicates are
 * evaluated on the grid and wherever the script acts, so at the same instants however time is split.
 */
export class Script {
  /** Whether the scenario depends on requests. If not, `noteRequest` need not be called. */
  readonly watchesRequests: boolean
  /** The instant of the next thing that the script does by itself; infinity after the last. Callers only read it. */
  nextAtMillis = Number.POSITIVE_INFINITY
  private readonly timeline: readonly TimelineEntry[]
  private readonly schedule: Schedule
  private readonly runner: ActionRunner
  private readonly participants: Participants
  /** The entries that are timed by a label, by that label. */
  private readonly dependents: ReadonlyMap<string, readonly number[]>
  private readonly watches: Watches
  /** The awaits that have begun, in that order. */
  private awaiting: readonly Await[] = []
  private readonly grid: { readonly startMillis: number; readonly gridMillis: number }
  private readonly takesSnapshots: boolean
  private watchAtMillis: number
  private fillsSeen = 0
  private snapshots: readonly DueSnapshot[] = []

  constructor(scenario: CompiledScenario, seed: string = scenario.venue.seed) {
    this.timeline = scenario.timeline
    this.schedule = new Schedule(scenario.timeline)
    this.participants = new Participants(scenario, seed)
    this.runner = new ActionRunner(scenario, this.participants)
    this.watches = new Watches(scenario.timeline)
    this.grid = scenario.venue
    this.takesSnapshots = scenario.timeline.some(({ action }) => action.kind === 'snapshot')
    this.watchesRequests =
      this.runner.countsRequests ||
      scenario.timeline.some(({ action }) => action.kind === 'await' && action.request !== undefined)
    this.watchAtMillis = this.watches.open.length > 0 ? scenario.venue.startMillis : Number.POSITIVE_INFINITY
    this.dependents = groupDependents(scenario.timeline)
    for (const [entry, { trigger }] of scenario.timeline.entries())
      if (trigger.kind === 'every' && trigger.from.kind === 'at') this.planAct(trigger.from.at, entry, 0)
    this.replan()
  }

  get named(): NamedRows {
    return this.runner.rows
  }

  /** The entries that the script is waiting for, in the order in which it began to wait. */
  get awaits(): readonly TimelineEntry[] {
    return this.awaiting.flatMap(({ entry }) => this.timeline[entry] ?? [])
  }

  /**
   * Lists what the script will do by itself as far as that is known, soonest first, and then what waits for
   * something.
   */
  listUpcoming(most: number): readonly UpcomingEntry[] {
    const planned = this.schedule.listNext(most).flatMap(({ at, kind, entry }): UpcomingEntry[] => {
      const item = this.timeline[entry]
      if (item === undefined || kind === 'timeout') return []
      return [{ at, item, isEnd: kind !== 'act', waitsFor: null }]
    })
    const labels = [...this.dependents.keys()].filter((label) => !this.runner.rows.instants.has(label))
    const waiting = [
      ...this.awaiting.map(({ entry }) => ({ entry, waitsFor: 'what it awaits' })),
      ...this.watches.open.map((entry) => ({ entry, waitsFor: 'its condition' })),
      ...labels.flatMap((label) =>
        (this.dependents.get(label) ?? []).map((entry) => ({ entry, waitsFor: label })),
      ),
    ].flatMap(({ entry, waitsFor }): UpcomingEntry[] => {
      const item = this.timeline[entry]
      return item === undefined ? [] : [{ at: null, item, isEnd: false, waitsFor }]
    })
    return [...planned, ...waiting].slice(0, most)
  }

  /** Advances to an instant, and carries out every action that is due on the way, each at its own instant. */
  runTo(venue: ScriptedVenue, at: Millis, observer: ActionObserver): void {
    const nextAt = () => this.nextAtMillis
    const work: ScriptedActions = {
      get nextAtMillis() {
        return nextAt()
      },
      runDue: () => this.runDue(venue, observer),
    }
    // A snapshot covers a whole instant, so time stops wherever one may be taken.
    while (this.takesSnapshots && this.nextAtMillis <= at) {
      venue.advance(millis(Math.max(this.nextAtMillis, venue.state.nowMillis)), work)
      this.takeSnapshots(venue, observer)
    }
    venue.advance(at, work)
  }

  /**
   * Creates the source that this script's predicates read the venue from; `fill` runs over the fills from `firstFill`
   * on.
   */
  createSource(state: State, firstFill = 0): ReadoutSource {
    const { rows, tallies } = this.runner
    return readVenue({ state, rows, tallyOf: (selector) => tallies.get(selector), firstFill })
  }

  /**
   * Reports a client's request that has been carried out to the script. Returns whether that changed anything here: if
   * so, a run only repeats when the same request is reported again.
   */
  noteRequest(request: SeenRequest, state: State): boolean {
    const isKnown = this.runner.noteRequest(request, this.timeline)
    const met = this.takeAwaits(
      ({ action }) => action.request !== undefined && matchesPattern(action.request, request),
    )
    for (const { entry, action } of met) {
      if (action.bind !== undefined) this.runner.rows.bind(action.bind, request, state)
      this.markHappened(entry, millis(request.atMillis))
    }
    if (met.length > 0) this.replan()
    return isKnown || met.length > 0
  }

  /** Returns everything that the script's next acts depend on, as plain JSON data. */
  capture(): ScriptState {
    return {
      version: 1,
      agenda: this.schedule.capture(),
      hand: this.runner.capture(),
      watchAtMillis: Number.isFinite(this.watchAtMillis) ? this.watchAtMillis : null,
      fillsSeen: this.fillsSeen,
      watches: this.watches.capture(),
      awaiting: this.awaiting.map(({ entry, turn }) => [entry, turn]),
      participants: this.participants.capture(),
    }
  }

  /** Restores a state that `capture` returned, for this script or another one of the same scenario and seed. */
  restore(state: ScriptState): void {
    this.schedule.restore(state.agenda)
    this.runner.restore(state.hand)
    this.watchAtMillis = state.watchAtMillis ?? Number.POSITIVE_INFINITY
    this.fillsSeen = state.fillsSeen
    this.watches.restore(state.watches)
    this.awaiting = state.awaiting.flatMap(([entry, turn]) => {
      const action = this.timeline[entry]?.action
      return action?.kind === 'await' ? [{ entry, turn, action }] : []
    })
    this.participants.restore(state.participants)
    this.replan()
  }

  private runDue(venue: ScriptedVenue, observer: ActionObserver): void {
    const now = millis(venue.state.nowMillis)
    const fired = new Set<number>()
    for (;;) {
      for (let task = this.schedule.takeDue(now); task !== null; task = this.schedule.takeDue(now))
        this.carryOutTask(task, venue, observer)
      this.participants.act(venue, now, (request, state) => this.noteRequest(request, state))
      const read = () => this.createSource(venue.state, this.fillsSeen)
      const source = read()
      const holding = this.takeAwaits(
        ({ action: { that } }) => that != null && evaluatePredicate(that, source) === true,
      )
      for (const { entry } of holding) this.markHappened(entry, now)
      this.watches.check(now, read, fired, (entry, turn) => this.performEntry(entry, turn, venue, observer))
      if (this.schedule.nextAtMillis > now) break
    }
    this.fillsSeen = venue.state.fills.count
    this.planWatch(now)
    this.replan()
  }

  private carryOutTask(task: Task, venue: ScriptedVenue, observer: ActionObserver): void {
    const item = this.timeline[task.entry]
    if (item === undefined) return
    if (task.kind === 'timeout') {
      this.takeAwaits(({ entry, turn }) => entry === task.entry && turn === task.turn)
    } else if (task.kind === 'act') {
      if (!this.planRepetition(task, item.trigger)) return
      this.performEntry(task.entry, task.turn, venue, observer)
    } else this.planAll(this.runner.continue(task, item.action, venue))
  }

  /** Plans the next act of a repetition. Returns whether the present one is still within it. */
  private planRepetition({ at, entry, turn }: Task, trigger: Trigger): boolean {
    if (trigger.kind !== 'every') return true
    const { to, eachMillis } = trigger
    const last =
      to === null
        ? Number.POSITIVE_INFINITY
        : to.kind === 'at'
          ? to.at
          : (this.runner.rows.instants.get(to.label) ?? Number.POSITIVE_INFINITY) + to.offsetMillis
    if (at > last) return false
    if (at + eachMillis <= last) this.planAct(at + eachMillis, entry, turn + 1)
    return true
  }

  private performEntry(entry: number, turn: number, venue: ScriptedVenue, observer: ActionObserver): void {
    const item = this.timeline[entry]
    if (item === undefined) return
    const { action, id, place } = item
    const at = millis(venue.state.nowMillis)
    if (action.kind === 'await') {
      this.awaiting = [...this.awaiting, { entry, turn, action }]
      if (action.timeoutMillis !== undefined)
        this.schedule.plan({ at: at + action.timeoutMillis, kind: 'timeout', entry, turn, count: 0 })
      observer({ at, id, place, action }, null, null)
      return
    }
    if (action.kind === 'snapshot') {
      this.snapshots = [...this.snapshots, { entry, turn, action, at }]
      this.markHappened(entry, at)
      return
    }
    const { problem, reason, tasks } = this.runner.perform(action, { entry, turn }, venue)
    this.planAll(tasks)
    this.markHappened(entry, at)
    observer({ at, id, place, action }, problem, reason)
  }

  /**
   * Records that an entry has acted, or that what it awaits has come, and schedules the entries that count from its
   * label.
   */
  private markHappened(entry: number, at: Millis): void {
    const item = this.timeline[entry]
    const label = item === undefined ? null : happenedLabel(item, entry)
    if (label === null || this.runner.rows.instants.has(label)) return
    this.runner.rows.instants.set(label, at)
    for (const index of this.dependents.get(label) ?? []) {
      const trigger = this.timeline[index]?.trigger
      const moment = trigger?.kind === 'every' ? trigger.from : trigger
      if (moment?.kind === 'after') this.planAct(at + moment.offsetMillis, index, 0)
    }
  }

  /** Removes the awaits that are met or given up, and returns them. */
  private takeAwaits(isOver: (awaited: Await) => boolean): readonly Await[] {
    const over = this.awaiting.filter(isOver)
    if (over.length > 0) this.awaiting = this.awaiting.filter((one) => !over.includes(one))
    return over
  }

  private planWatch(now: number): void {
    const { startMillis, gridMillis } = this.grid
    const isWatching = this.watches.open.length > 0 || this.awaiting.some(({ action }) => action.that != null)
    const next = startMillis + (Math.floor((now - startMillis) / gridMillis) + 1) * gridMillis
    this.watchAtMillis = isWatching
      ? Math.min(next, this.watches.nextFromMillis(now))
      : Number.POSITIVE_INFINITY
  }

  private replan(): void {
    this.nextAtMillis = Math.min(
      this.schedule.nextAtMillis,
      this.watchAtMillis,
      this.participants.nextAtMillis,
    )
  }

  private planAct(at: number, entry: number, turn: number): void {
    this.schedule.plan({ at, kind: 'act', entry, turn, count: 0 })
  }

  private planAll(tasks: readonly Task[]): void {
    for (const task of tasks) this.schedule.plan(task)
  }

  private takeSnapshots(venue: ScriptedVenue, observer: ActionObserver): void {
    const { snapshots } = this
    this.snapshots = []
    for (const due of snapshots) {
      const { entry, action, at } = due
      const item = this.timeline[entry]
      const problem = venue.world?.apply(action, formatToken(due)) ?? null
      if (item !== undefined) observer({ at, id: item.id, place: item.place, action }, problem, null)
    }
  }
}

/** Something that a script will do: an entry acts, or the effect of an entry ends. */
export interface UpcomingEntry {
  /** The instant, or null while it waits for something. */
  readonly at: number | null
  readonly item: TimelineEntry
  readonly isEnd: boolean
  /** A label, or what else must happen first; null when nothing must. */
  readonly waitsFor: string | null
}

interface DueSnapshot extends ScheduledAction {
  readonly action: Extract<ScriptedAction, { kind: 'snapshot' }>
  readonly at: Millis
}

function groupDependents(timeline: readonly TimelineEntry[]): Map<string, number[]> {
  const dependents = new Map<string, number[]>()
  for (const [entry, { trigger }] of timeline.entries()) {
    const first = trigger.kind === 'every' ? trigger.from : trigger
    if (first.kind !== 'after') continue
    const known = dependents.get(first.label)
    if (known === undefined) dependents.set(first.label, [entry])
    else known.push(entry)
  }
  return dependents
}

interface Await extends ScheduledAction {
  readonly action: AwaitAction
}

interface Watch {
  readonly entry: number
  readonly predicate: Predicate
  readonly isOnce: boolean
  /** The first instant at which the watch is evaluated, for an entry that was added to a running timeline. */
  fromMillis: number
  wasTrue: boolean
  isDone: boolean
  turns: number
}

/** The entries of a timeline that act `when` a predicate becomes true (not while it stays true). */
class Watches {
  private readonly watches: readonly Watch[]

  constructor(timeline: readonly TimelineEntry[]) {
    this.watches = timeline.flatMap(({ trigger }, entry) => {
      if (trigger.kind !== 'when') return []
      const { predicate, isOnce } = trigger
      return [{ entry, predicate, isOnce, fromMillis: anyTime, wasTrue: false, isDone: false, turns: 0 }]
    })
  }

  /** The entries that may still act. */
  get open(): readonly number[] {
    return this.watches.filter(({ isDone }) => !isDone).map(({ entry }) => entry)
  }

  /** Returns the next instant at which a watch is evaluated for the first time; infinity when there is none. */
  nextFromMillis(nowMillis: number): number {
    const later = this.watches.filter(({ fromMillis }) => fromMillis > nowMillis)
    return Math.min(Number.POSITIVE_INFINITY, ...later.map(({ fromMillis }) => fromMillis))
  }

  /**
   * Evaluates each watch in the order of the timeline, and lets its entry act if the predicate has become true since
   * the last look. Each watch sees what the one before has done, so `read` is called for each. Entries in `fired` are
   * skipped, and those that act are added to it: each acts once an instant, so that two cannot set each other off for
   * ever.
   */
  check(
    nowMillis: number,
    read: () => ReadoutSource,
    fired: Set<number>,
    act: (entry: number, turn: number) => void,
  ): void {
    for (const watch of this.watches) {
      if (watch.isDone || nowMillis < watch.fromMillis || fired.has(watch.entry)) continue
      const holds = evaluatePredicate(watch.predicate, read()) === true
      const hasBecomeTrue = holds && !watch.wasTrue
      watch.wasTrue = holds
      if (!hasBecomeTrue) continue
      fired.add(watch.entry)
      watch.isDone = watch.isOnce
      act(watch.entry, watch.turns)
      watch.turns += 1
    }
  }

  capture(): ScriptState['watches'] {
    return this.watches.map(({ wasTrue, isDone, turns, fromMillis }) =>
      fromMillis === anyTime ? [wasTrue, isDone, turns] : [wasTrue, isDone, turns, fromMillis],
    )
  }

  restore(captured: ScriptState['watches']): void {
    for (const [index, watch] of this.watches.entries()) {
      const [wasTrue = false, isDone = false, turns = 0, fromMillis = anyTime] = captured[index] ?? []
      watch.wasTrue = wasTrue
      watch.isDone = isDone
      watch.turns = turns
      watch.fromMillis = fromMillis
    }
  }
}

const anyTime = Number.NEGATIVE_INFINITY
