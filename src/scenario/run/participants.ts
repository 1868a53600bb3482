import { idOf } from '../../api/amounts.ts'
import { successStatus } from '../../api/dispatch.ts'
import { statusOf } from '../../api/errors.ts'
import type { OperationId } from '../../api/operations/operations.ts'
import { routeOf } from '../../api/operations/operations.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { problemOf } from '../../api/refusals.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import type { State } from '../../engine/state.ts'
import type { SeenRequest } from '../actions/requests.ts'
import { createAgent } from '../agents/agent-kinds.ts'
import type { Participant, ScriptedVenue } from '../agents/behaviour.ts'
import type { CompiledScenario } from '../compile/compiled.ts'
import type { ScriptState } from './script-state.ts'

/** Told of what an agent has done, as the request that a client would have sent for it. */
export type RequestWitness = (request: SeenRequest, state: State) => void

/** The agents of a scenario, in the order of the file. */
export class Participants {
  private readonly byId: ReadonlyMap<string, Participant>
  /** The first key of each account, by which its agents are taken to sign. */
  private readonly apiKeys: ReadonlyMap<string, string>

  constructor({ access, agents, venue }: CompiledScenario, seed: string) {
    const { startMillis } = venue
    this.byId = new Map(agents.map((spec) => [spec.id, createAgent(spec, { seed, startMillis })]))
    this.apiKeys = new Map(access.map(({ id, keys }) => [id, keys[0]?.apiKey ?? '']))
  }

  get(id: string): Participant | undefined {
    return this.byId.get(id)
  }

  /** The next instant at which one of them does something; infinity when none ever does. */
  get nextAtMillis(): number {
    let next = Number.POSITIVE_INFINITY
    // Asked at every step of time, and most scenarios have no agents.
    if (this.byId.size === 0) return next
    for (const participant of this.byId.values()) next = Math.min(next, participant.nextAtMillis)
    return next
  }

  /** Lets those act whose time has come. */
  act(venue: ScriptedVenue, nowMillis: number, witness: RequestWitness): void {
    const apiKeyOf = (account: string) => this.apiKeys.get(account) ?? ''
    for (const participant of this.byId.values()) {
      if (participant.nextAtMillis > nowMillis) continue
      participant.act({
        state: venue.state,
        advance: (at, work) => venue.advance(at, work),
        execute: (command) => {
          const outcome = venue.execute(command)
          for (const request of commandAsRequest(command, outcome, venue.state, apiKeyOf))
            witness(request, venue.state)
          return outcome
        },
      })
    }
  }

  capture(): ScriptState['participants'] {
    return [...this.byId].map(([id, participant]) => [id, participant.capture()])
  }

  restore(captured: ScriptState['participants']): void {
    for (const [id, state] of captured) this.byId.get(id)?.restore(state)
  }
}

/**
 * The request that a client would have sent for an agent's command, under the usual readings; none for commands that
 * clients do not have. So agents meet whatever a scenario awaits or counts of requests just as clients do.
 */
function commandAsRequest(
  command: Command,
  outcome: Outcome,
  state: State,
  apiKeyOf: (account: string) => string,
): readonly SeenRequest[] {
  const sent = requestOf(command, state)
  if (sent === null) return []
  const route = routeOf(sent.operation)
  const account = state.accounts.id(sent.account)
  const now = state.nowMillis
  const status = outcome.ok
    ? successStatus(route, defaultReadings)
    : statusOf(problemOf(outcome.rejection, state.assets, sent.asset ?? 1, defaultReadings), defaultReadings)
  const { method } = route
  const path = route.path.replace(/:\w+/, sent.id ?? '')
  const { body = '' } = sent
  const apiKey = apiKeyOf(account)
  return [{ atMillis: now, rateMillis: now, method, path, apiKey, account, status, body, fault: null }]
}

interface Sent {
  readonly operation: OperationId
  readonly account: number
  /** Null where the command is about no single pair. */
  readonly asset: number | null
  /** What the path names. */
  readonly id?: string
  readonly body?: string
}

const ids = { format: 'counter', seed: '' } as const

function requestOf(command: Command, state: State): Sent | null {
  switch (command.kind) {
    case 'place-order': {
      const { account, asset, clientOrderId } = command
      const body = clientOrderId === null ? '' : JSON.stringify({ clientOrderId })
      return { operation: 'createOrder', account, asset, body }
    }
    case 'place-orders': {
      const [first] = command.placements
      return first === undefined
        ? null
        : { operation: 'createOrders', account: first.account, asset: first.asset }
    }
    case 'amend-order':
    case 'cancel-order': {
      const { account, order } = command
      const isThere = order >= 0 && order < state.orders.count
      const asset = isThere ? state.orders.asset.get(order) : null
      const operation = command.kind === 'amend-order' ? 'amendOrder' : 'cancelOrder'
      return { operation, account, asset, id: idOf(ids, 'order', order) }
    }
    case 'cancel-orders':
      return { operation: 'cancelOrders', account: command.account, asset: command.asset }
    case 'submit-quote':
      return { operation: 'submitQuote', account: command.account, asset: command.asset }
    case 'update-quote':
    case 'cancel-quote': {
      const operation = command.kind === 'update-quote' ? 'updateQuote' : 'cancelQuote'
      return { operation, account: command.account, asset: null, id: idOf(ids, 'quote', command.quote) }
    }
    case 'update-quotes':
      return { operation: 'updateQuotes', account: command.account, asset: null }
    case 'cancel-quotes':
      return { operation: 'cancelQuotes', account: command.account, asset: command.asset }
    default:
      return null
  }
}
