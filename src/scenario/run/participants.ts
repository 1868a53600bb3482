import { formatId } from '../../api/answer.ts'
import { successStatus } from '../../api/dispatch.ts'
import { problemStatus } from '../../api/errors.ts'
import { type OperationId, routeOf } from '../../api/operations/operations.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { toProblem } from '../../api/refusals.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import type { State } from '../../engine/state.ts'
import type { SeenRequest } from '../actions/requests.ts'
import { agentKindOf } from '../agents/agent-kinds.ts'
import type { Participant, ScriptedVenue } from '../agents/behaviour.ts'
import type { CompiledScenario } from '../compile/compiled.ts'
import type { ScriptState } from './script-state.ts'

/** Receives each command of an agent as the request that a client would have sent for it. */
export type RequestObserver = (request: SeenRequest, state: State) => void

/** The agents of a scenario, in the order of the file. */
export class Participants {
  private readonly byId: ReadonlyMap<string, Participant>
  /** The first API key of each account, with which its agents are taken to sign. */
  private readonly apiKeys: ReadonlyMap<string, string>

  constructor({ access, agents, venue }: CompiledScenario, seed: string) {
    const { startMillis } = venue
    this.byId = new Map(
      agents.map((spec) => [spec.id, agentKindOf(spec.kind).create(spec, { seed, startMillis })]),
    )
    this.apiKeys = new Map(access.map(({ id, keys }) => [id, keys[0]?.apiKey ?? '']))
  }

  get(id: string): Participant | undefined {
    return this.byId.get(id)
  }

  /** The next instant at which an agent does something; infinity when none ever does. */
  get nextAtMillis(): number {
    let next = Number.POSITIVE_INFINITY
    for (const participant of this.byId.values()) next = Math.min(next, participant.nextAtMillis)
    return next
  }

  act(venue: ScriptedVenue, nowMillis: number, observer: RequestObserver): void {
    const apiKeyOf = (account: string) => this.apiKeys.get(account) ?? ''
    for (const participant of this.byId.values()) {
      if (participant.nextAtMillis > nowMillis) continue
      participant.act({
        state: venue.state,
        advance: (at, work) => venue.advance(at, work),
        execute: (command) => {
          const outcome = venue.execute(command)
          for (const request of toSeenRequests(command, outcome, venue.state, apiKeyOf))
            observer(request, venue.state)
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
 * Returns the request that a client would have sent for an agent's command, under the default readings; nothing for
 * commands that clients do not have. So agents meet whatever a scenario awaits or counts of requests, just as clients
 * do.
 */
function toSeenRequests(
  command: Command,
  outcome: Outcome,
  state: State,
  apiKeyOf: (account: string) => string,
): readonly SeenRequest[] {
  const operation = operations[command.kind]
  const about = command.kind === 'place-orders' ? command.placements[0] : command
  const row = about !== undefined && 'account' in about ? about.account : null
  if (operation === undefined || about === undefined || typeof row !== 'number') return []
  const route = routeOf(operation)
  const account = state.accounts.id(row)
  const now = state.nowMillis
  const status = outcome.ok
    ? successStatus(route, defaultReadings)
    : problemStatus(
        toProblem(outcome.rejection, state.assets, findAsset(about, state) ?? 1, defaultReadings),
        defaultReadings,
      )
  const { method } = route
  const path = route.path.replace(/:\w+/, findId(about))
  const hasId = command.kind === 'place-order' && command.clientOrderId !== null
  const body = hasId ? JSON.stringify({ clientOrderId: command.clientOrderId }) : ''
  const apiKey = apiKeyOf(account)
  return [{ atMillis: now, rateMillis: now, method, path, apiKey, account, status, body, fault: null }]
}

const operations: { readonly [Kind in Command['kind']]?: OperationId } = {
  'place-order': 'createOrder',
  'place-orders': 'createOrders',
  'amend-order': 'amendOrder',
  'cancel-order': 'cancelOrder',
  'cancel-orders': 'cancelOrders',
  'submit-quote': 'submitQuote',
  'update-quote': 'updateQuote',
  'cancel-quote': 'cancelQuote',
  'update-quotes': 'updateQuotes',
  'cancel-quotes': 'cancelQuotes',
}

/** Returns the asset of a command; null for a command that is not about a single pair. */
function findAsset(about: object, { orders }: State): number | null {
  if ('asset' in about && typeof about.asset === 'number') return about.asset
  if (!('order' in about) || typeof about.order !== 'number') return null
  return about.order >= 0 && about.order < orders.count ? orders.asset.get(about.order) : null
}

const ids = { format: 'counter', seed: '' } as const

function findId(about: object): string {
  if ('order' in about && typeof about.order === 'number') return formatId(ids, 'order', about.order)
  return 'quote' in about && typeof about.quote === 'number' ? formatId(ids, 'quote', about.quote) : ''
}
