import { problems } from '../api/errors.ts'
import { defaultReadings } from '../api/readings.ts'
import { problemOf } from '../api/refusals.ts'
import type { ScriptedWork } from '../engine/advance.ts'
import type { Command, Outcome } from '../engine/commands.ts'
import type { Rejection } from '../engine/rejections.ts'
import type { State } from '../engine/state.ts'
import type { Millis } from '../numeric/units.ts'
import type { ScriptedAction, TimedAction } from './compiled.ts'
import type { NamedRows } from './read-venue.ts'
import { resolveAction } from './resolve-action.ts'

/** What a script acts upon: state to read, and the one door to change it. */
export interface ScriptedVenue {
  readonly state: State
  execute(command: Command): Outcome
  /** Moves time on and lets the work have its turn on the way. */
  advance(at: Millis, work: ScriptedWork): void
}

/**
 * Told after each action. `problem` is what the first refusal is called, null when all was accepted: the error type of
 * the interface (`RISK_LIMIT_EXCEEDED`), or the kind of problem where that has none (`pair-inactive`).
 */
export type ActionWitness = (entry: TimedAction, problem: string | null) => void

/**
 * A scenario's timeline while it runs: how far it is, and what became of the orders and quotes that its labels name.
 * A refused action is a result like any other, for expectations to judge; the script goes on.
 */
export class Script implements NamedRows {
  private readonly actions: readonly TimedAction[]
  private readonly orders = new Map<string, number>()
  private readonly quotes = new Map<string, number>()
  private readonly orderRefusals = new Map<string, string>()
  private readonly quoteRefusals = new Map<string, string>()
  private done = 0

  constructor(actions: readonly TimedAction[]) {
    this.actions = actions
  }

  /** Instant of the next action; infinity after the last. */
  get nextAtMillis(): number {
    return this.actions[this.done]?.at ?? Number.POSITIVE_INFINITY
  }

  /** Advances to an instant and carries out every action due on the way, each in its turn at its own instant. */
  runTo(venue: ScriptedVenue, at: Millis, witness: ActionWitness): void {
    const instantOfNext = () => this.nextAtMillis
    venue.advance(at, {
      get nextAtMillis() {
        return instantOfNext()
      },
      runDue: () => this.runDue(venue, witness),
    })
  }

  private runDue(venue: ScriptedVenue, witness: ActionWitness): void {
    for (;;) {
      const next = this.actions[this.done]
      if (next === undefined || next.at > venue.state.nowMillis) return
      this.done += 1
      witness(next, this.perform(venue, next))
    }
  }

  orderRow(label: string): number | null {
    return this.orders.get(label) ?? null
  }

  quoteRow(label: string): number | null {
    return this.quotes.get(label) ?? null
  }

  orderRefusal(label: string): string | null {
    return this.orderRefusals.get(label) ?? null
  }

  quoteRefusal(label: string): string | null {
    return this.quoteRefusals.get(label) ?? null
  }

  private perform(venue: ScriptedVenue, { at, action }: TimedAction): string | null {
    const commands = resolveAction(action, at, venue.state, this)
    if (commands === null) return isAboutQuote(action) ? 'QUOTE_NOT_FOUND' : 'ORDER_NOT_FOUND'
    let first: string | null = null
    for (const command of commands) {
      const outcome = venue.execute(command)
      const problem = outcome.ok ? null : refusalName(outcome.rejection, command, venue.state)
      this.remember(action, outcome.ok ? outcome.row : null, problem)
      first ??= problem
    }
    return first
  }

  /** A refused amendment or cancellation is its label's refusal, too: expectations can ask why. */
  private remember(action: ScriptedAction, row: number | null, problem: string | null): void {
    const label = 'label' in action ? action.label : null
    if (label === null) return
    if (problem !== null) (isAboutQuote(action) ? this.quoteRefusals : this.orderRefusals).set(label, problem)
    else if (row !== null && action.kind === 'order') this.orders.set(label, row)
    else if (row !== null && action.kind === 'quote') this.quotes.set(label, row)
  }
}

function isAboutQuote(action: ScriptedAction): boolean {
  return action.kind === 'quote' || action.kind === 'amend-quote' || action.kind === 'cancel-quote'
}

function refusalName(rejection: Rejection, command: Command, state: State): string {
  // What has ended is worded by what it was; the engine's refusal does not say.
  if (rejection.code === 'terminal' && 'quote' in command) return 'quote-terminal'
  const asset = 'asset' in command && command.asset !== null ? command.asset : assetOfTarget(command, state)
  const problem = problemOf(rejection, state.assets, asset, defaultReadings)
  return problems[problem.code].type ?? problem.code
}

function assetOfTarget(command: Command, state: State): number {
  if ('order' in command) return state.orders.asset.get(command.order)
  return 'quote' in command ? state.quotes.asset.get(command.quote) : 1
}
