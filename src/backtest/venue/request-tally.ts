import { jsonField } from '../../api/json.ts'
import { type OperationId, routeOf } from '../../api/operations/operations.ts'
import { writeTarget } from '../../client/call.ts'
import type { TransportRequest } from '../../client/transport.ts'
import type { VenueError } from '../../client/venue-error.ts'
import type { RejectCount } from '../result.ts'

/** A request as the simulated network sees it. `target` is '' where the operation and its parameter say everything. */
export type Message = Pick<TransportRequest, 'operation' | 'parameter' | 'target' | 'body'>

/**
 * Names a request among those of its instant, for draws of latency: by the client's own id if there is one, else by
 * what the order or quote is for, the id in the path, or the whole request. A request has the same name over HTTP and
 * in process.
 */
export function nameMessage({ operation, parameter, target, body }: Message): string {
  if (operation === 'createOrder') return nameOrder(body)
  if (operation === 'submitQuote') return nameQuote(body)
  const items = operation === 'createOrders' ? jsonField(body, 'orders') : body
  if (Array.isArray(items)) {
    return items.map((item) => (operation === 'createOrders' ? nameOrder(item) : quoteIdOf(item))).join('+')
  }
  if (parameter !== '') return parameter
  const whole = target === '' ? writeTarget(routeOf(operation).path, undefined) : target
  return `${whole}${body === undefined ? '' : JSON.stringify(body)}`
}

function nameOrder(body: unknown): string {
  const clientId = jsonField(body, 'clientOrderId')
  if (typeof clientId === 'string') return clientId
  return `${jsonField(body, 'asset')}/${jsonField(body, 'side')}/${jsonField(body, 'price') ?? 'market'}`
}

function nameQuote(body: unknown): string {
  const clientId = jsonField(body, 'clientQuoteId')
  return typeof clientId === 'string' ? clientId : `${jsonField(body, 'asset')}/quote`
}

function quoteIdOf(item: unknown): string {
  return String(jsonField(item, 'quoteId'))
}

export class RequestTally {
  requests = 0
  rateLimited = 0
  cancels = 0
  private readonly counts = new Map<string, RejectCount>()

  countAccepted(operation: OperationId, body: object): void {
    this.requests += 1
    if (operation === 'cancelOrder' || operation === 'cancelQuote') this.cancels += 1
    else if (operation === 'cancelOrders' || operation === 'cancelQuotes')
      this.cancels += readCancelledCount(body)
    else if (operation === 'createOrders' || operation === 'updateQuotes') this.addFailedItems(body)
  }

  countRefused(operation: OperationId, error: VenueError): void {
    this.requests += 1
    if (error.statusCode === 429) this.rateLimited += 1
    // A lookup of something that does not exist is not a rejected order.
    if (isRead.has(operation)) return
    this.add(error.type ?? String(error.statusCode), error.statusCode, error.message)
  }

  /** Lists refusals by reason and message, the most frequent first. */
  listRejects(): readonly RejectCount[] {
    return [...this.counts.values()].sort(
      (left, right) =>
        right.count - left.count ||
        (rejectKey(left) < rejectKey(right) ? -1 : rejectKey(left) > rejectKey(right) ? 1 : 0),
    )
  }

  private addFailedItems(body: object): void {
    const results = jsonField(body, 'results')
    if (!Array.isArray(results)) return
    for (const result of results) {
      if (jsonField(result, 'success') === false)
        this.add('BATCH_ITEM', 200, String(jsonField(result, 'error')))
    }
  }

  private add(reason: string, statusCode: number, message: string): void {
    // Amounts differ between refusals, so the first message stands for all of its kind.
    const key = `${reason} ${message.replace(/\d[\d.]*/g, '#')}`
    const known = this.counts.get(key) ?? { reason, statusCode, message, count: 0 }
    this.counts.set(key, { ...known, count: known.count + 1 })
  }
}

const isRead: ReadonlySet<OperationId> = new Set([
  'getOrder',
  'getOrderByClientId',
  'getQuote',
  'getPosition',
])

const rejectKey = ({ reason, message }: RejectCount): string => `${reason} ${message}`

function readCancelledCount(body: object): number {
  const count = jsonField(body, 'cancelledCount')
  return typeof count === 'number' ? count : 0
}
