import { messageOf, problems } from '../../api/errors.ts'
import { isObject, parseJson } from '../../api/json.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { problemOf } from '../../api/refusals.ts'
import type { Command } from '../../engine/command.ts'
import type { Rejection } from '../../engine/rejections.ts'
import type { State } from '../../engine/state.ts'
import { assert } from '../../numeric/assert.ts'
import { millis } from '../../numeric/units.ts'
import type { SeenRequest } from '../actions/requests.ts'
import { RequestTallies } from '../actions/requests.ts'
import type { ScriptedVenue } from '../agents/behaviour.ts'
import type { CompiledScenario, TimelineEntry } from '../compile/compiled.ts'
import type { AgentAction, ScriptedAction } from '../compile/scripted-action.ts'
import type { Predicate } from '../predicates/predicate.ts'
import { readoutsOf } from '../predicates/predicate.ts'
import type { Readout } from '../predicates/readouts.ts'
import { LabelledRows } from './labelled-rows.ts'
import type { Participants } from './participants.ts'
import { resolveAction } from './resolve-action.ts'
import { type Act, entryOfToken, type Task, tokenOf } from './schedule.ts'
import type { CapturedHand } from './script-state.ts'
import { type Timed, TimedSettings } from './timed-settings.ts'

/** The outcome of an action: the name of its first refusal, why it was refused, and what is left to do later. */
export interface Performed {
  readonly problem: string | null
  /** In a sentence; null where the name says it. */
  readonly reason: string | null
  readonly tasks: readonly Task[]
}

/** Carries out the actions of a script and remembers what their labels name. */
export class ActionRunner {
  readonly rows = new LabelledRows()
  readonly tallies: RequestTallies
  private readonly settings = new TimedSettings()
  private readonly participants: Participants
  private readonly hasFaults: boolean

  constructor(scenario: CompiledScenario, participants: Participants) {
    this.participants = participants
    const readouts = [...readoutsIn(scenario)]
    this.tallies = new RequestTallies(
      readouts.flatMap((it) => (it.family === 'requests' ? [it.selector] : [])),
    )
    this.hasFaults = scenario.timeline.some(({ action, id }) => action.kind === 'fault' && id !== null)
  }

  get countsRequests(): boolean {
    return !this.tallies.isEmpty || this.hasFaults
  }

  /** Does what an action says, now. */
  perform(action: ScriptedAction, act: Act, venue: ScriptedVenue): Performed {
    const { state } = venue
    const token = tokenOf(act)
    switch (action.kind) {
      case 'halt': {
        const timed = this.settings.beginHalt(action, state, token)
        return this.begin(action, timed, { kind: 'end', ...act, count: 1 }, venue)
      }
      case 'liquidity': {
        const timed = this.settings.beginLiquidity(action, state, token)
        const kind = action.recoverHalfLifeMillis > 0 ? 'recover' : 'end'
        return this.begin(action, timed, { kind, ...act, count: 1 }, venue)
      }
      case 'fault':
      case 'key':
      case 'rate-limit':
      case 'clock':
      case 'snapshot': {
        const { forMillis, ...plain } = action
        const problem = venue.world?.carryOut(plain, token) ?? null
        const at = state.nowMillis + forMillis
        const tasks: Task[] = forMillis > 0 ? [{ at, kind: 'end', ...act, count: 0 }] : []
        return { problem, reason: null, tasks }
      }
      case 'agent':
        this.tellAgent(action, state)
        break
      case 'resume':
        for (const asset of action.assets) this.settings.resume(asset)
        break
      default:
    }
    return { ...this.performCommands(action, venue), tasks: [] }
  }

  /** The end of an action's `for`, or one step of a recovery. Answers what is left to do later. */
  continue(task: Task, action: ScriptedAction, venue: ScriptedVenue): readonly Task[] {
    const { entry, turn, count } = task
    const token = tokenOf(task)
    if (action.kind === 'halt') this.give(action, this.settings.endHalt(action, venue.state, token), venue)
    else if (action.kind === 'liquidity' && task.kind === 'recover') {
      const timed = this.settings.recover(action, venue.state, token, count)
      return this.begin(action, timed, { kind: 'recover', entry, turn, count: count + 1 }, venue).tasks
    } else if (action.kind === 'liquidity') {
      this.give(action, this.settings.endLiquidity(action, venue.state, token), venue)
    } else venue.world?.takeBack(token)
    return []
  }

  /** Counts a request. Answers whether anything in the scenario asks for that. */
  noteRequest(request: SeenRequest, timeline: readonly TimelineEntry[]): boolean {
    this.tallies.note(request)
    const met = request.fault === null ? undefined : timeline[entryOfToken(request.fault)]
    if (met !== undefined && met.id !== null && request.account !== null) {
      const clientOrderId = clientOrderIdIn(request.body)
      if (clientOrderId !== null)
        this.rows.clientOrders.set(`${met.id}.clientOrderId`, [request.account, clientOrderId])
    }
    return this.countsRequests
  }

  capture(): CapturedHand {
    return {
      rows: this.rows.capture(),
      settings: this.settings.capture(),
      tallies: this.tallies.capture(),
    }
  }

  restore(captured: CapturedHand): void {
    this.rows.restore(captured.rows)
    this.settings.restore(captured.settings)
    this.tallies.restore(captured.tallies)
  }

  private begin(
    action: ScriptedAction,
    { commands, endsAtMillis }: Timed,
    next: Omit<Task, 'at'>,
    venue: ScriptedVenue,
  ): Performed {
    const refused = this.give(action, commands, venue)
    return { ...refused, tasks: endsAtMillis === null ? [] : [{ at: endsAtMillis, ...next }] }
  }

  private tellAgent({ id, verb, values }: AgentAction, state: State): void {
    const agent = this.participants.get(id)
    assert(agent !== undefined, 'a compiled action names an agent that is there')
    const now = millis(state.nowMillis)
    if (verb === 'set') agent.set(values)
    else if (verb === 'start') agent.start(now)
    else agent.stop(now)
  }

  private performCommands(action: ScriptedAction, venue: ScriptedVenue): Refused {
    const resolved = resolveAction(action, millis(venue.state.nowMillis), venue.state, this.rows)
    return resolved.ok
      ? this.give(action, resolved.commands, venue)
      : { problem: resolved.problem, reason: null }
  }

  private give(action: ScriptedAction, commands: readonly Command[], venue: ScriptedVenue): Refused {
    let first: Refused = notRefused
    for (const command of commands) {
      const outcome = venue.execute(command)
      const refused = outcome.ok ? notRefused : refusalOf(outcome.rejection, command, venue.state)
      this.remember(action, outcome.ok ? outcome.row : null, refused.problem)
      if (first.problem === null) first = refused
    }
    return first
  }

  /** A refused amendment or cancellation counts as a refusal of its label too, so that expectations can ask why. */
  private remember(action: ScriptedAction, row: number | null, problem: string | null): void {
    const label = 'label' in action ? action.label : null
    if (label === null) return
    if (problem !== null) {
      if (isAboutQuote(action)) this.rows.quoteRefusals.set(label, problem)
      else if (!isTransfer(action)) this.rows.orderRefusals.set(label, problem)
    } else if (row !== null && action.kind === 'order') this.rows.orders.set(label, row)
    else if (row !== null && action.kind === 'quote') this.rows.quotes.set(label, row)
    else if (row !== null && isTransfer(action)) this.rows.transfers.set(label, row)
  }
}

function isAboutQuote(action: ScriptedAction): boolean {
  return action.kind === 'quote' || action.kind === 'amend-quote' || action.kind === 'cancel-quote'
}

function isTransfer(action: ScriptedAction): boolean {
  return action.kind === 'deposit' || action.kind === 'withdraw'
}

type Refused = Pick<Performed, 'problem' | 'reason'>
const notRefused: Refused = { problem: null, reason: null }

function refusalOf(rejection: Rejection, command: Command, state: State): Refused {
  if (rejection.code === 'terminal') {
    // The engine's refusal does not say what kind of thing has ended.
    const kind = 'quote' in command ? 'quote' : 'transfer' in command ? 'transfer' : 'order'
    const problem = `${kind}-terminal` as const
    return { problem, reason: problems[problem].message }
  }
  const asset = 'asset' in command && command.asset !== null ? command.asset : assetOfTarget(command, state)
  const problem = problemOf(rejection, state.assets, asset, defaultReadings)
  return { problem: problems[problem.code].type ?? problem.code, reason: messageOf(problem) }
}

function assetOfTarget(command: Command, state: State): number {
  if ('order' in command) return state.orders.asset.get(command.order)
  return 'quote' in command ? state.quotes.asset.get(command.quote) : 1
}

/** The client id in the body of an order request; null when there is none. */
function clientOrderIdIn(body: string): string | null {
  if (!body.includes('"clientOrderId"')) return null
  const value = parseJson(body)
  const id = isObject(value) ? value['clientOrderId'] : null
  return typeof id === 'string' ? id : null
}

/** What the predicates of a scenario read. */
export function* readoutsIn(scenario: CompiledScenario): Generator<Readout> {
  for (const predicate of predicatesOf(scenario)) {
    for (const { expression } of predicate.parts)
      for (const { readout } of readoutsOf(expression)) yield readout
  }
}

function* predicatesOf({ timeline, expectations }: CompiledScenario): Generator<Predicate> {
  for (const { trigger, action } of timeline) {
    if (trigger.kind === 'when') yield trigger.predicate
    if (action.kind === 'await' && action.that !== null) yield action.that
  }
  for (const { predicate, to } of expectations) {
    yield predicate
    if (to !== null) yield to
  }
}
