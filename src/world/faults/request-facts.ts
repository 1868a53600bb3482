import { type IdScheme, rowOfId } from '../../api/amounts.ts'
import { matchRoute } from '../../api/dispatch.ts'
import type { FaultFacts } from '../../api/faults/matches-fault.ts'
import { isObject } from '../../api/json.ts'
import type { OperationId } from '../../api/operations/operations.ts'
import { buy } from '../../engine/codes.ts'
import type { Venue } from '../../engine/venue.ts'

/** A request as it came in. */
interface FactSource {
  readonly method: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly body: string
  readonly apiKey: string
  readonly account: string | null
}

/** Where a request's ids are looked up. */
export interface IdSpace {
  readonly venue: Venue
  readonly idScheme: IdScheme
}

/** What fault rules match by. The body and the ids are read only when a rule asks for them. */
export function factsOf(ids: IdSpace, request: FactSource): FaultFacts {
  const { method, path, apiKey, account } = request
  let subject: Subject | null = null
  const found = () => {
    subject ??= subjectOf(ids, request)
    return subject
  }
  return {
    method,
    path,
    key: apiKey,
    account,
    operation: () => operationOf(method, path),
    assets: () => found().assets,
    sides: () => found().sides,
  }
}

function operationOf(method: string, path: string): OperationId | null {
  const match = matchRoute(method, path)
  return match.kind === 'found' ? match.operation : null
}

interface Subject {
  readonly assets: readonly string[]
  readonly sides: readonly string[]
}

function subjectOf(ids: IdSpace, { method, path, query, body, account }: FactSource): Subject {
  const assets: string[] = []
  const sides: string[] = []
  const parameters = new URLSearchParams(query)
  for (const name of ['asset', 'assets'])
    for (const value of parameters.getAll(name)) assets.push(...value.split(','))
  sides.push(...parameters.getAll('side'))
  for (const item of itemsOf(body)) {
    if (typeof item['asset'] === 'string') assets.push(item['asset'])
    if (typeof item['side'] === 'string') sides.push(item['side'])
    const named = namedIn(ids, item['orderId'], item['quoteId'])
    assets.push(...named.assets)
    sides.push(...named.sides)
  }
  const byClientId = clientOrderIn(ids.venue, account, parameters.get('clientOrderId'))
  assets.push(...byClientId.assets)
  sides.push(...byClientId.sides)
  const match = matchRoute(method, path)
  if (match.kind === 'found' && match.parameter !== '') {
    const named = namedIn(ids, match.parameter, match.parameter)
    assets.push(match.parameter, ...named.assets)
    sides.push(...named.sides)
  }
  return { assets, sides }
}

/** The body and, when it is a batch of orders or a list of changes to quotes, each of these. */
function itemsOf(body: string): { readonly [key: string]: unknown }[] {
  if (body === '') return []
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return []
  }
  if (Array.isArray(value)) return value.filter(isObject)
  if (!isObject(value)) return []
  const { orders } = value
  return [value, ...(Array.isArray(orders) ? orders.filter(isObject) : [])]
}

/** The asset and side of the order or quote with an id. */
function namedIn({ venue, idScheme }: IdSpace, orderId: unknown, quoteId: unknown): Subject {
  const { orders, quotes, assets } = venue.state
  const order = typeof orderId === 'string' ? rowOfId(idScheme, 'order', orderId) : -1
  if (order >= 0 && order < orders.count) return orderAt(venue, order)
  const quote = typeof quoteId === 'string' ? rowOfId(idScheme, 'quote', quoteId) : -1
  const isKnown = quote >= 0 && quote < quotes.count
  return { assets: isKnown ? [assets.symbol(quotes.asset.get(quote))] : [], sides: [] }
}

/** The same of the order to which an account has given an id. */
function clientOrderIn(venue: Venue, account: string | null, clientOrderId: string | null): Subject {
  if (account === null || clientOrderId === null) return { assets: [], sides: [] }
  const { accounts } = venue.state
  const order = accounts.listsOf(accounts.rowOf(account)).clientOrderIds.get(clientOrderId)
  return order === undefined ? { assets: [], sides: [] } : orderAt(venue, order)
}

function orderAt({ state: { orders, assets } }: Venue, order: number): Subject {
  const side = orders.side.get(order) === buy ? 'buy' : 'sell'
  return { assets: [assets.symbol(orders.asset.get(order))], sides: [side] }
}
