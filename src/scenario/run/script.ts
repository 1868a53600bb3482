import type { ScriptedWork } from '../../engine/advance.ts'
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
 * Told after each action. `problem` is the name of the first refusal, null when all was accepted: the error type of
 * the interface (`RISK_LIMIT_EXCEEDED`), or the kind of problem where that has none (`pair-inactive`).
 */
export type ActionWitness = (entry: TimedAction, problem: string | null, reason: string | null) => void

/**
 * A scenario's timeline and its agents while they run: how far they are, what became of the orders and quotes that
 * labels name, and what is awaited. A refused action is a result like any other, for expectations to judge; the
 * script goes on.
 *
 * At one instant the script does, in this order: ends of `for`, entries in the order of the file, agents in theirs,
 * then the predicates of `await` and `when`; what they set off follows at once. Predicates are evaluated on the grid
 * and wherever the script does something, so at the same instants however time is cut.
 */
export class Script {
  /** Whether anybody asks about requests; if not, `noteRequest` need not be called. */
  readonly watchesRequests: boolean
  /** For reading: instant of the next thing that the script does by itself; infinity after the last. */
  nextAtMillis = Number.POSITIVE_INFINITY
  private readonly timeline: readonly TimelineEntry[]
  private readonly schedule: Schedule
  private readonly runner: ActionRunner
  private readonly participants: Participants
  /** The entries that are timed by a label. */
  private readonly dependents: ReadonlyMap<string, readonly number[]>
  private readonly watches: Watches
  /** In the order in which they began. */
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

  /** What the script is waiting for, in the order in which it began to. */
  get awaits(): readonly TimelineEntry[] {
    return this.awaiting.flatMap(({ entry }) => this.timeline[entry] ?? [])
  }

  /** What it will do by itself as far as that is known, soonest first, and then what waits for something. */
  upcoming(most: number): readonly Upcoming[] {
    const planned = this.schedule.listNext(most).flatMap(({ at, kind, entry }): Upcoming[] => {
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
    ].flatMap(({ entry, waitsFor }): Upcoming[] => {
      const item = this.timeline[entry]
      return item === undefined ? [] : [{ at: null, item, isEnd: false, waitsFor }]
    })
    return [...planned, ...waiting].slice(0, most)
  }

  /** Advances to an instant and carries out every action that is due on the way, each at its own instant. */
  runTo(venue: ScriptedVenue, at: Millis, witness: ActionWitness): void {
    const nextAt = () => this.nextAtMillis
    const work: ScriptedWork = {
      get nextAtMillis() {
        return nextAt()
      },
      runDue: () => this.runDue(venue, witness),
    }
    // A snapshot is of a whole instant, so time stops wherever one may be taken.
    while (this.takesSnapshots && this.nextAtMillis <= at) {
      venue.advance(millis(Math.max(this.nextAtMillis, venue.state.nowMillis)), work)
      this.takeSnapshots(venue, witness)
    }
    venue.advance(at, work)
  }

  /** Reads the venue as this script's predicates see it; `fill` runs over the fills from `firstFill` on. */
  sourceOf(state: State, firstFill = 0): ReadoutSource {
    const { rows, tallies } = this.runner
    return readVenue({ state, rows, tallyOf: (selector) => tallies.get(selector), firstFill })
  }

  /**
   * Tells the script of a client's request that has been carried out. Answers whether that changed anything here: if
   * so, a run only repeats when the script is told again.
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

  /** Everything that the script's next acts depend on, as plain JSON data. */
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

  /** Goes back to what `capture` answered, for this script or another of the same scenario and seed. */
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

  private runDue(venue: ScriptedVenue, witness: ActionWitness): void {
    const now = millis(venue.state.nowMillis)
    const fired = new Set<number>()
    for (;;) {
      for (let task = this.schedule.takeDue(now); task !== null; task = this.schedule.takeDue(now))
        this.carryOutTask(task, venue, witness)
      this.participants.act(venue, now, (request, state) => this.noteRequest(request, state))
      const read = () => this.sourceOf(venue.state, this.fillsSeen)
      const source = read()
      const holding = this.takeAwaits(
        ({ action: { that } }) => that != null && evaluatePredicate(that, source) === true,
      )
      for (const { entry } of holding) this.markHappened(entry, now)
      this.watches.check(now, read, fired, (entry, turn) => this.performEntry(entry, turn, venue, witness))
      if (this.schedule.nextAtMillis > now) break
    }
    this.fillsSeen = venue.state.fills.count
    this.planWatch(now)
    this.replan()
  }

  private carryOutTask(task: Task, venue: ScriptedVenue, witness: ActionWitness): void {
    const item = this.timeline[task.entry]
    if (item === undefined) return
    if (task.kind === 'timeout') {
      this.takeAwaits(({ entry, turn }) => entry === task.entry && turn === task.turn)
    } else if (task.kind === 'act') {
      if (!this.planRepetition(task, item.trigger)) return
      this.performEntry(task.entry, task.turn, venue, witness)
    } else this.planAll(this.runner.continue(task, item.action, venue))
  }

  /** Plans the next act of a repetition. Answers whether this one is still within it. */
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

  private performEntry(entry: number, turn: number, venue: ScriptedVenue, witness: ActionWitness): void {
    const item = this.timeline[entry]
    if (item === undefined) return
    const { action, id, place } = item
    const at = millis(venue.state.nowMillis)
    if (action.kind === 'await') {
      this.awaiting = [...this.awaiting, { entry, turn, action }]
      if (action.timeoutMillis !== undefined)
        this.schedule.plan({ at: at + action.timeoutMillis, kind: 'timeout', entry, turn, count: 0 })
      witness({ at, id, place, action }, null, null)
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
    witness({ at, id, place, action }, problem, reason)
  }

  /** Times the entries that count from its label, now that an entry has acted or what it awaits has come. */
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

  /** Takes out those that have been met, or that are given up, and answers them. */
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

  private takeSnapshots(venue: ScriptedVenue, witness: ActionWitness): void {
    const { snapshots } = this
    this.snapshots = []
    for (const due of snapshots) {
      const { entry, action, at } = due
      const item = this.timeline[entry]
      const problem = venue.world?.carryOut(action, formatToken(due)) ?? null
      if (item !== undefined) witness({ at, id: item.id, place: item.place, action }, problem, null)
    }
  }
}

/** What a script will do: an entry's act, or the end of what that did for a while. */
export interface Upcoming {
  /** Null while it waits for something. */
  readonly at: number | null
  readonly item: TimelineEntry
  readonly isEnd: boolean
  /** A label, or what else must happen first. */
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
  /** Not looked at before this instant: an entry that was added to a running timeline. */
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

  /** The next instant at which one is looked at for the first time; infinity when there is none. */
  nextFromMillis(nowMillis: number): number {
    const later = this.watches.filter(({ fromMillis }) => fromMillis > nowMillis)
    return Math.min(Number.POSITIVE_INFINITY, ...later.map(({ fromMillis }) => fromMillis))
  }

  /**
   * Looks at each in the order of the timeline, and lets it act if its predicate has become true since the last look.
   * Each sees what the one before has done, so `read` is called for each. Entries in `fired` are skipped, and those
   * that act are added to it: each acts once an instant, so that two cannot set each other off for ever.
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
