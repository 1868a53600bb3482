import { problemMessage, problems } from '../../api/errors.ts'
import { isObject, parseJson } from '../../api/json.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { toProblem } from '../../api/refusals.ts'
import type { Command } from '../../engine/command.ts'
import type { Rejection } from '../../engine/rejections.ts'
import type { State } from '../../engine/state.ts'
import { millis } from '../../numeric/units.ts'
import { type ActionContext, giveCommands, type StartedAction } from '../actions/action.ts'
import { findActionLabel, kindOf, type ScriptedAction } from '../actions/actions.ts'
import { RequestTallies, type SeenRequest } from '../actions/requests.ts'
import { TimedSettings } from '../actions/timed-settings.ts'
import type { ScriptedVenue } from '../agents/behaviour.ts'
import type { CompiledScenario, TimelineEntry } from '../compile/compiled.ts'
import { listReadouts, type Predicate } from '../predicates/predicate.ts'
import type { Readout } from '../predicates/readouts.ts'
import type { Participants } from './participants.ts'
import {
  type CapturedRunner,
  formatToken,
  LabelledRows,
  parseTokenEntry,
  type ScheduledAction,
  type Task,
} from './script-state.ts'

export interface ActionResult {
  readonly problem: string | null
  /** The refusal in a sentence; null where `problem` says it all. */
  readonly reason: string | null
  readonly tasks: readonly Task[]
}

/** Carries out the actions of a script, and remembers what their labels name. */
export class ActionRunner {
  readonly rows = new LabelledRows()
  readonly tallies: RequestTallies
  readonly countsRequests: boolean
  private readonly settings = new TimedSettings()
  private readonly participants: Participants

  constructor(scenario: CompiledScenario, participants: Participants) {
    this.participants = participants
    const selectors = [...listScenarioReadouts(scenario)].flatMap((it) =>
      it.family === 'requests' ? [it.label] : [],
    )
    this.tallies = new RequestTallies(selectors)
    const hasFaults = scenario.timeline.some(({ action, id }) => action.kind === 'fault' && id !== null)
    this.countsRequests = selectors.length > 0 || hasFaults
  }

  perform(action: ScriptedAction, act: ScheduledAction, venue: ScriptedVenue): ActionResult {
    const { begin, commands } = kindOf(action.kind)
    if (begin !== undefined)
      return this.giveAndSchedule(action, begin(action, this.createContext(act, venue)), act, venue)
    const { state } = venue
    const moment = { at: millis(state.nowMillis), state, rows: this.rows }
    const resolved = commands?.(action, moment) ?? giveCommands([])
    if (!resolved.ok) return { problem: resolved.problem, reason: null, tasks: [] }
    return { ...this.give(action, resolved.commands, venue), tasks: [] }
  }

  /**
   * Continues an action: at the end of its `for`, or for one step of a recovery. Returns what is left to do later.
   */
  continue(task: Task, action: ScriptedAction, venue: ScriptedVenue): readonly Task[] {
    const { entry, turn, kind, count } = task
    const { resume } = kindOf(action.kind)
    if (resume === undefined || (kind !== 'end' && kind !== 'recover')) return []
    const act = { entry, turn }
    return this.giveAndSchedule(
      action,
      resume(action, this.createContext(act, venue), kind, count),
      act,
      venue,
    ).tasks
  }

  /** Counts a request. Returns whether anything in the scenario depends on requests. */
  noteRequest(request: SeenRequest, timeline: readonly TimelineEntry[]): boolean {
    this.tallies.note(request)
    const met = request.fault === null ? undefined : timeline[parseTokenEntry(request.fault)]
    if (met !== undefined && met.id !== null && request.account !== null) {
      const clientOrderId = readClientOrderId(request.body)
      if (clientOrderId !== null)
        this.rows.clientOrders.set(`${met.id}.clientOrderId`, [request.account, clientOrderId])
    }
    return this.countsRequests
  }

  capture(): CapturedRunner {
    return {
      rows: this.rows.capture(),
      settings: this.settings.capture(),
      tallies: this.tallies.capture(),
    }
  }

  restore(captured: CapturedRunner): void {
    this.rows.restore(captured.rows)
    this.settings.restore(captured.settings)
    this.tallies.restore(captured.tallies)
  }

  private createContext(act: ScheduledAction, venue: ScriptedVenue): ActionContext {
    const { settings, participants } = this
    return { venue, token: formatToken(act), settings, agentNamed: (id) => participants.get(id) }
  }

  private giveAndSchedule(
    action: ScriptedAction,
    { commands, problem = null, later = null }: StartedAction,
    act: ScheduledAction,
    venue: ScriptedVenue,
  ): ActionResult {
    const refused = this.give(action, commands, venue)
    const tasks = later === null ? [] : [{ at: later.atMillis, kind: later.kind, ...act, count: later.count }]
    return { ...refused, ...(problem === null ? {} : { problem }), tasks }
  }

  private give(action: ScriptedAction, commands: readonly Command[], venue: ScriptedVenue): RefusalText {
    let first: RefusalText = notRefused
    for (const command of commands) {
      const outcome = venue.execute(command)
      const refused = outcome.ok ? notRefused : describeRefusal(outcome.rejection, command, venue.state)
      this.recordOutcome(action, outcome.ok ? outcome.row : null, refused.problem)
      if (first.problem === null) first = refused
    }
    return first
  }

  /**
   * Remembers the row or the refusal of an action under its label. A refused amendment or cancellation counts as a
   * refusal of its label too, so that expectations can ask why.
   */
  private recordOutcome(action: ScriptedAction, row: number | null, problem: string | null): void {
    const subject = findActionLabel(action)
    if (subject === null) return
    const { rows } = this
    const { kind, label, isMade } = subject
    if (problem === null) {
      const made = { order: rows.orders, quote: rows.quotes, transfer: rows.transfers }[kind]
      if (row !== null && isMade) made.set(label, row)
    } else if (kind === 'quote') rows.quoteRefusals.set(label, problem)
    else if (kind === 'order') rows.orderRefusals.set(label, problem)
  }
}

type RefusalText = Pick<ActionResult, 'problem' | 'reason'>
const notRefused: RefusalText = { problem: null, reason: null }

function describeRefusal(rejection: Rejection, command: Command, state: State): RefusalText {
  if (rejection.code === 'terminal') {
    // The engine's refusal does not say what kind of thing has ended.
    const kind = 'quote' in command ? 'quote' : 'transfer' in command ? 'transfer' : 'order'
    const problem = `${kind}-terminal` as const
    return { problem, reason: problems[problem].message }
  }
  const asset = 'asset' in command && command.asset !== null ? command.asset : findTargetAsset(command, state)
  const problem = toProblem(rejection, state.assets, asset, defaultReadings)
  return { problem: problems[problem.code].type ?? problem.code, reason: problemMessage(problem) }
}

function findTargetAsset(command: Command, state: State): number {
  if ('order' in command) return state.orders.asset.get(command.order)
  return 'quote' in command ? state.quotes.asset.get(command.quote) : 1
}

/** Returns the client id in the body of an order request; null when there is none. */
function readClientOrderId(body: string): string | null {
  if (!body.includes('"clientOrderId"')) return null
  const value = parseJson(body)
  const id = isObject(value) ? value['clientOrderId'] : null
  return typeof id === 'string' ? id : null
}

export function* listScenarioReadouts(scenario: CompiledScenario): Generator<Readout> {
  for (const predicate of listPredicates(scenario)) {
    for (const { expression } of predicate.parts)
      for (const { readout } of listReadouts(expression)) yield readout
  }
}

function* listPredicates({ timeline, expectations }: CompiledScenario): Generator<Predicate> {
  for (const { trigger, action } of timeline) {
    if (trigger.kind === 'when') yield trigger.predicate
    if (action.kind === 'await' && action.that != null) yield action.that
  }
  for (const { predicate, to } of expectations) {
    yield predicate
    if (to !== null) yield to
  }
}
