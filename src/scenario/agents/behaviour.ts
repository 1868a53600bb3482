import type { FaultRule } from '../../api/faults/fault-types.ts'
import type { Scope } from '../../api/operations/operation.ts'
import type { ScriptedActions } from '../../engine/advance.ts'
import type { OrderType, Side, TimeInForce } from '../../engine/codes.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import type { State } from '../../engine/state.ts'
import { assert } from '../../numeric/assert.ts'
import type { Millis, QuantitySteps } from '../../numeric/units.ts'
import type { Shape } from '../../shape/shape.ts'
import type { PriceTerm } from '../file/amounts.ts'
import type { JsonData, SourceLocation } from '../file/tree.ts'
import type { AgentParameter, Values } from './parameters.ts'

/** One agent of a scenario, compiled to plain data. */
export interface AgentSpec {
  /** The agent's name in the timeline, in mistakes and in its random streams. */
  readonly id: string
  readonly kind: string
  /** The engine's row of the account with which the agent trades. */
  readonly account: number
  readonly asset: number
  /**
   * When the agent starts to act. Null means from the start of the run, infinity only when the timeline starts it.
   */
  readonly startsAtMillis: number | null
  readonly values: Values
  /** The steps of a `script` agent, in order; empty for all other kinds. */
  readonly steps: readonly AgentStep[]
  readonly place: SourceLocation
}

/** One step of a `script` agent: an order, or the cancellation of all its orders. */
export interface AgentStep {
  /** Time since the previous step, or since the start. */
  readonly afterMillis: Millis
  readonly order: AgentOrder | null
}

export interface AgentOrder {
  readonly side: Side
  readonly type: OrderType
  readonly timeInForce: TimeInForce
  readonly quantitySteps: QuantitySteps
  /** The limit price; null for a market order. */
  readonly price: PriceTerm | null
}

/** What an agent is created with. The names of its random streams begin with `${seed}/agent/${spec.id}/`. */
interface ParticipantContext {
  readonly seed: string
  readonly startMillis: Millis
}

/**
 * A participant that acts by itself while a scenario runs, as a client would. It reads the venue's state and sends
 * commands through `venue.execute`; each command counts as the request that it stands for. The script lets it act at
 * instants that the participant chooses, after the actions of the timeline at the same instant.
 *
 * **Invariant:** what it does depends only on its specification, the seed, its captured state and the venue's state.
 * It draws from streams named after it, by block or by count, so nothing else shifts its draws.
 */
export interface Participant {
  /**
   * The next instant at which the participant wants to act, later than its last act; infinity when it never will
   * again.
   */
  readonly nextAtMillis: number
  /** Acts. Requires that `venue.state.nowMillis` is `nextAtMillis`; moves `nextAtMillis` to a later instant. */
  act(venue: ScriptedVenue): void
  /** Starts the participant. Does nothing if it is still to act; one that is done looks for more to do. */
  start(nowMillis: Millis): void
  /** Stops the participant until it is started again. Its orders stay in the book. */
  stop(nowMillis: Millis): void
  set(values: Values): void
  /** Returns everything that the participant's next acts depend on besides its specification. */
  capture(): JsonData
  /** Restores a state that `capture` returned, in this process or another. */
  restore(captured: JsonData): void
}

/** What a script acts on: a state to read, and `execute` as the only way to change it. */
export interface ScriptedVenue {
  readonly state: State
  execute(command: Command): Outcome
  /** Advances time, and runs the scripted work that is due on the way. */
  advance(at: Millis, work: ScriptedActions): void
  /** The world around the engine. Where it is absent, actions on keys, faults and rate limits have no effect. */
  readonly world?: WorldAccess
}

/** What an agent remembers between its acts, as plain data. Lists are replaced and never changed in place. */
type AgentState = { [name: string]: number | readonly number[] }

export interface Agent<State> extends ParticipantContext {
  readonly spec: AgentSpec
  readonly state: State
  readonly read: ReadParameter
}

export type ReadParameter = (name: string) => number

/** How one kind of agent behaves. Starting, stopping and scheduling are the same for all kinds. */
interface AgentDefinition<State extends AgentState> {
  /** The shape of its parameters; the description says what the agent does. */
  readonly shape: Shape
  /** Pairs of parameters of which the first must be below the second. */
  readonly below?: readonly (readonly [string, string])[]
  readonly hasSteps?: true
  readonly initial: (spec: AgentSpec, context: ParticipantContext) => State
  /** Returns the first instant at which the agent acts after a start; the instant of the start by default. */
  readonly begin?: (agent: Agent<State>, nowMillis: number) => number
  /** Acts, and returns the next instant at which the agent wants to act; infinity when it is done. */
  readonly act: (agent: Agent<State>, venue: ScriptedVenue) => number
}

export interface AgentKind extends Pick<AgentDefinition<AgentState>, 'shape' | 'below' | 'hasSteps'> {
  create(spec: AgentSpec, context: ParticipantContext): Participant
}

export const defineAgent = <State extends AgentState>(definition: AgentDefinition<State>): AgentKind => ({
  ...definition,
  create: (spec, context) => createParticipant(definition, spec, context),
})

/** Creates an agent that can be started and stopped, and that acts by its kind in between. */
function createParticipant<State extends AgentState>(
  { initial, begin = (_, nowMillis) => nowMillis, act }: AgentDefinition<State>,
  spec: AgentSpec,
  context: ParticipantContext,
): Participant {
  let values = spec.values
  const read: ReadParameter = (name) => {
    const value = values.get(name)
    assert(typeof value === 'number', 'an agent has a value for each of its parameters')
    return value
  }
  const state = initial(spec, context)
  const agent = { ...context, spec, state, read }
  const startsAt = spec.startsAtMillis ?? context.startMillis
  let lastActMillis = -1
  let nextAtMillis = startsAt < Number.POSITIVE_INFINITY ? begin(agent, startsAt) : Number.POSITIVE_INFINITY
  return {
    get nextAtMillis() {
      return nextAtMillis
    },
    act: (venue) => {
      lastActMillis = venue.state.nowMillis
      const wanted = act(agent, venue)
      assert(wanted > lastActMillis, 'an agent moves on in time')
      nextAtMillis = wanted
    },
    start: (now) => {
      if (nextAtMillis < Number.POSITIVE_INFINITY) return
      nextAtMillis = Math.max(begin(agent, now), lastActMillis + 1)
    },
    stop: () => {
      nextAtMillis = Number.POSITIVE_INFINITY
    },
    set: (changed) => {
      values = new Map([...values, ...changed])
    },
    capture: () => ({
      lastActMillis,
      nextAtMillis: Number.isFinite(nextAtMillis) ? nextAtMillis : null,
      values: Object.fromEntries(values),
      own: { ...state },
    }),
    restore: (captured) => {
      assert(isCapture(captured, state), 'what is restored was captured from an agent of this kind')
      lastActMillis = captured.lastActMillis
      nextAtMillis = captured.nextAtMillis ?? Number.POSITIVE_INFINITY
      values = new Map(Object.entries(captured.values))
      Object.assign(state, captured.own)
    },
  }
}

interface CapturedAgent {
  readonly lastActMillis: number
  /** The next instant at which the agent acts; null for never. */
  readonly nextAtMillis: number | null
  readonly values: { readonly [name: string]: AgentParameter }
  readonly own: AgentState
}

/**
 * Returns whether captured data has the form of this agent's state. If not, there is a bug of ours, or a snapshot is damaged.
 */
function isCapture(captured: unknown, own: AgentState): captured is CapturedAgent {
  const { lastActMillis, nextAtMillis, values, own: state } = Object(captured)
  const isNumber = (value: unknown) => typeof value === 'number'
  const isParameter = (value: unknown) => isNumber(value) || typeof value === 'string'
  const isLike = (value: unknown, was: AgentState[string]) =>
    typeof was === 'number' ? isNumber(value) : Array.isArray(value) && value.every(isNumber)
  return (
    isNumber(lastActMillis) &&
    (nextAtMillis === null || isNumber(nextAtMillis)) &&
    Object.values(Object(values)).every(isParameter) &&
    Object.entries(own).every(([name, was]) => isLike(Object(state)[name], was))
  )
}

/*
 * Actions of a timeline that are not commands of the engine: they change the world around it. The script decides
 * when, and the world carries them out.
 */

export type WorldAction =
  /** Installs a fault rule. The rule's own `forMillis` is null, because the script removes it. */
  | { readonly kind: 'fault'; readonly rule: FaultRule }
  /** Revokes keys, or changes their scopes. Null keeps what the keys have. */
  | {
      readonly kind: 'key'
      /** One key by its name, or all keys of an account by the engine's row. */
      readonly target: { readonly apiKey: string } | { readonly account: number }
      readonly isRevoked: boolean | null
      readonly scopes: readonly Scope[] | null
    }
  /** Sets how many requests per second a key may make. */
  | {
      readonly kind: 'rate-limit'
      readonly category: 'marketData' | 'other' | 'all'
      readonly perSecond: number
    }
  /** Sets how far the venue's clock for signed timestamps is ahead of the true one; negative when it is behind. */
  | { readonly kind: 'clock'; readonly skewMillis: number }
  /**
   * Takes a snapshot under a name. The script asks for it between two advances, after everything of its instant has
   * happened, so that a restored world continues as if it had never stopped.
   */
  | { readonly kind: 'snapshot'; readonly name: string }

export interface WorldAccess {
  /**
   * Carries out an action. `token` names the action while it is in force; of several actions on the same thing the
   * newest applies. Returns why the action had no effect; null when it had an effect.
   */
  apply(action: WorldAction, token: string): string | null
  /**
   * Ends an action whose `for` is over. The newest of the other actions on the same thing applies again, or else the
   * earlier state.
   */
  revert(token: string): void
}
