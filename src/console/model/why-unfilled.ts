import { describeWait } from '../../api/explain/describe-wait.ts'
import { isObject, parseJson } from '../../api/json.ts'
import { compareMoments } from '../../api/noted-moments.ts'
import { findRefusalReason } from '../../api/request-words.ts'
import type { HistoryEntry, ListedOrder, RequestRow, View, WorldMoment } from './documents.ts'
import { formatNumber } from './format.ts'

type Seen = Pick<View, 'asset' | 'book' | 'pairs' | 'queuePlaces'>

/**
 * Explains what an order waits for, and what would be filled before it: at better prices, and in a recorded book at its
 * own. '' where the shown book is not its own.
 */
export function explainUnfilled(
  order: ListedOrder,
  { asset: shown, book, pairs, queuePlaces }: Seen,
): string {
  if (order.asset !== shown || book === null) return ''
  const isHalted = pairs.find(({ base }) => base === shown)?.status === 'inactive'
  const place = queuePlaces.find(({ orderId }) => orderId === order.orderId)
  const wait = describeWait(order, { ...book, isHalted, isCut: true })
  return place === undefined ? wait : `${wait}; ${place.told}`
}

/** Explains a response: why the request was refused, or what has become of the order that it created. */
export function explainAnswer(
  { responseBody, status, type }: Pick<RequestRow, 'responseBody' | 'status' | 'type'>,
  view: Pick<View, 'orders' | 'recentOrders'> & Seen,
): string {
  const body = parseJson(responseBody)
  if (status === 0 || !isObject(body)) return ''
  if (status >= 400) return `${findRefusalReason(responseBody)}${type === null ? '' : ` (${type})`}`
  const order = [...(view.orders?.orders ?? []), ...view.recentOrders].find(
    ({ orderId }) => orderId === body['orderId'],
  )
  if (order === undefined) return ''
  const { filledQuantity, quantity, status: state } = order
  const left = quantity - filledQuantity
  const waits = state === 'open' || state === 'partially_filled' ? explainUnfilled(order, view) : ''
  return `${state.replace('_', ' ')}, ${formatNumber(left)} of ${formatNumber(quantity)} left${waits === '' ? '' : `: waits for ${waits}`}`
}

/** Events that changed the outcome of each order and quote, in order, by its id. */
export type OutcomesById = ReadonlyMap<string, readonly HistoryEntry[]>

/** Collects the fills and endings of orders and quotes by their ids. */
export function collectOutcomes(items: readonly HistoryEntry[]): OutcomesById {
  const outcomes = new Map<string, HistoryEntry[]>()
  for (const item of items) {
    const id = item.fields['orderId'] ?? item.fields['quoteId']
    if (typeof id !== 'string' || !outcomePattern.test(item.type)) continue
    const known = outcomes.get(id)
    if (known === undefined) outcomes.set(id, [item])
    else known.push(item)
  }
  return outcomes
}

const outcomePattern = /^(?:order|quote)\.((?:partially_)?filled|cancelled|expired|rejected)$/

/**
 * Formats what had become, at a moment, of the order or quote that a request created, where its response did
 * not say so: `filled 2`. A moment of null is the present.
 */
export function formatOutcome(
  { method, status, responseBody }: Pick<RequestRow, 'method' | 'status' | 'responseBody'>,
  outcomes: OutcomesById,
  moment: WorldMoment | null,
): string {
  const body = method !== 'POST' || status >= 300 ? undefined : parseJson(responseBody)
  if (!isObject(body)) return ''
  const items = outcomes.get(String(body['orderId'] ?? body['quoteId']))
  const last = items?.findLast((item) => moment === null || compareMoments(item, moment) <= 0)
  const [, state = ''] = outcomePattern.exec(last?.type ?? '') ?? []
  if (last === undefined || state === body['status']) return ''
  const { quantity, filledQuantity: filled } = last.fields
  const amount = typeof filled === 'number' && state.endsWith('filled') ? ` ${formatNumber(filled)}` : ''
  const whole =
    typeof quantity === 'number' && state === 'partially_filled' ? ` of ${formatNumber(quantity)}` : ''
  return `${state.replace('_', ' ')}${amount}${whole}`
}
