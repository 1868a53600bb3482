import { matchRoute } from '../../api/router.ts'
import type { OperationId } from '../../api/routes/routes.ts'
import { splitTarget } from '../../api/split-target.ts'
import { fieldOf } from '../../client/field-of.ts'

/** A request as its journey sees it. */
export interface Message {
  readonly operation: OperationId
  /** Of the path; '' when it has none. */
  readonly parameter: string
  /** '' where the operation and its parameter say everything. */
  readonly target: string
  readonly body: unknown
}

/**
 * A request of the client library as a message. Throws a RangeError for one that no operation takes: the library sends
 * none.
 */
export function messageOf(method: string, target: string, body: unknown): Message {
  const { path } = splitTarget(target)
  const match = matchRoute(method, path)
  if (match.kind !== 'found') throw new RangeError(`no operation takes ${method} ${path}`)
  return { operation: match.operation, parameter: match.parameter, target, body }
}

/**
 * Tells a request from others at its instant, for draws of latency: the client's own id if there is one, else what
 * the order or quote is for, the id in the path, or the whole request. The same over HTTP and in process.
 */
export function messageName({ operation, parameter, target, body }: Message): string {
  if (operation === 'createOrder') return orderName(body)
  if (operation === 'submitQuote') return quoteName(body)
  const items = operation === 'createOrders' ? fieldOf(body, 'orders') : body
  if (Array.isArray(items)) {
    return items.map((item) => (operation === 'createOrders' ? orderName(item) : quoteIdOf(item))).join('+')
  }
  if (parameter !== '') return parameter
  return `${target}${body === undefined ? '' : JSON.stringify(body)}`
}

function orderName(body: unknown): string {
  const clientId = fieldOf(body, 'clientOrderId')
  if (typeof clientId === 'string') return clientId
  return `${fieldOf(body, 'asset')}/${fieldOf(body, 'side')}/${fieldOf(body, 'price') ?? 'market'}`
}

function quoteName(body: unknown): string {
  const clientId = fieldOf(body, 'clientQuoteId')
  return typeof clientId === 'string' ? clientId : `${fieldOf(body, 'asset')}/quote`
}

function quoteIdOf(item: unknown): string {
  return String(fieldOf(item, 'quoteId'))
}
