import { statusOf } from '../../api/errors.ts'
import { idOf } from '../../api/ids.ts'
import { defaultReadings } from '../../api/readings/readings.ts'
import { problemOf } from '../../api/refusals.ts'
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
  const route = routeOf(command, state)
  if (route === null) return []
  const account = state.accounts.id(route.account)
  const now = state.nowMillis
  const status = outcome.ok
    ? route.created
      ? 201
      : 200
    : statusOf(problemOf(outcome.rejection, state.assets, route.asset, defaultReadings), defaultReadings)
  const { method, path, body } = route
  const apiKey = apiKeyOf(account)
  return [{ atMillis: now, rateMillis: now, method, path, apiKey, account, status, body, fault: null }]
}

interface Route {
  readonly method: string
  readonly path: string
  readonly account: number
  readonly asset: number
  readonly created: boolean
  readonly body: string
}

const orders = '/api/sdk/orders'
const quotes = '/api/sdk/quotes'
const ids = { format: 'counter', seed: '' } as const

function routeOf(command: Command, state: State): Route | null {
  switch (command.kind) {
    case 'place-order': {
      const { account, asset, clientOrderId } = command
      const body = clientOrderId === null ? '' : JSON.stringify({ clientOrderId })
      return { method: 'POST', path: orders, account, asset, created: true, body }
    }
    case 'place-orders': {
      const [first] = command.placements
      if (first === undefined) return null
      const { account, asset } = first
      return { method: 'POST', path: `${orders}/batch`, account, asset, created: true, body: '' }
    }
    case 'amend-order':
    case 'cancel-order': {
      const method = command.kind === 'amend-order' ? 'PATCH' : 'DELETE'
      const path = `${orders}/${idOf(ids, 'order', command.order)}`
      const isThere = command.order >= 0 && command.order < state.orders.count
      const asset = isThere ? state.orders.asset.get(command.order) : 1
      return { method, path, account: command.account, asset, created: false, body: '' }
    }
    case 'cancel-orders':
      return plain('DELETE', `${orders}/batch`, command.account, command.asset)
    case 'submit-quote': {
      const { account, asset } = command
      return { method: 'POST', path: quotes, account, asset, created: true, body: '' }
    }
    case 'update-quote':
    case 'cancel-quote': {
      const method = command.kind === 'update-quote' ? 'PATCH' : 'DELETE'
      return plain(method, `${quotes}/${idOf(ids, 'quote', command.quote)}`, command.account, null)
    }
    case 'update-quotes':
      return plain('PATCH', `${quotes}/batch/update`, command.account, null)
    case 'cancel-quotes':
      return plain('DELETE', quotes, command.account, command.asset)
    default:
      return null
  }
}

const plain = (method: string, path: string, account: number, asset: number | null): Route => ({
  method,
  path,
  account,
  asset: asset ?? 1,
  created: false,
  body: '',
})
