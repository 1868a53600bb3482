import { statusOf } from '../../api/errors.ts'
import { idOf } from '../../api/ids.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { problemOf } from '../../api/refusals.ts'
import { type OperationId, routeOf } from '../../api/routes/routes.ts'
import { successStatus } from '../../api/success-status.ts'
import type { Command, Outcome } from '../../engine/command.ts'
import type { State } from '../../engine/state.ts'
import type { SeenRequest } from '../compile/request-pattern.ts'

/**
 * The request that a client would have sent for an agent's command, under the usual readings; none for commands that
 * clients do not have. So agents meet whatever a scenario awaits or counts of requests just as clients do.
 */
export function commandAsRequest(
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
