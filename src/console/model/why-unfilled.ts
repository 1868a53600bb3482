import { isObject, parseJson } from '../../api/json.ts'
import { refusalReason } from '../../api/request-words.ts'
import type { ListedOrder, PastItem, PlaceInTime, RequestRow, View } from './documents.ts'
import { number } from './format.ts'
import { compare } from './timeline.ts'

type Seen = Pick<View, 'asset' | 'book' | 'pairs'>

/** What an order waits for, and what would be filled before it; '' where its book is not the one that is shown. */
export function whyUnfilled(
  { asset, side, price }: ListedOrder,
  { asset: shown, book, pairs }: Seen,
): string {
  if (asset !== shown || book === null || price === null) return ''
  if (pairs.find(({ base }) => base === asset)?.status === 'inactive') return 'the pair is halted'
  const isBuy = side === 'buy'
  const [own, others] = isBuy ? [book.bids, book.asks] : [book.asks, book.bids]
  const best = others[0] === undefined ? 'there is none' : `the best is ${number(others[0].price)}`
  const wanted = isBuy ? `an ask of ${number(price)} or less` : `a bid of ${number(price)} or more`
  const better = own.filter((level) => (isBuy ? level.price > price : level.price < price))
  const ahead = better.reduce((sum, { quantity }) => sum + quantity, 0)
  // Beyond the levels that are shown there may be more.
  const least = better.length > 0 && better.length === own.length ? 'at least ' : ''
  return `${wanted} (${best})${ahead > 0 ? `, after ${least}${number(ahead, 4)} at better prices` : ''}`
}

/** Why a request came to what it did: why it was refused, or what has become of the order that it made. */
export function whyAnswered(
  { responseBody, status, type }: Pick<RequestRow, 'responseBody' | 'status' | 'type'>,
  view: Pick<View, 'orders' | 'recentOrders'> & Seen,
): string {
  const body = parseJson(responseBody)
  if (status === 0 || !isObject(body)) return ''
  if (status >= 400) return `${refusalReason(responseBody)}${type === null ? '' : ` (${type})`}`
  const order = [...(view.orders?.orders ?? []), ...view.recentOrders].find(
    ({ orderId }) => orderId === body['orderId'],
  )
  if (order === undefined) return ''
  const { filledQuantity, quantity, status: state } = order
  const left = quantity - filledQuantity
  const waits = state === 'open' || state === 'partially_filled' ? whyUnfilled(order, view) : ''
  return `${state.replace('_', ' ')}, ${number(left)} of ${number(quantity)} left${waits === '' ? '' : `: waits for ${waits}`}`
}

/** What has become of each order and quote up to a place, by its id; null is the present. */
export function fatesAt(items: readonly PastItem[], place: PlaceInTime | null): ReadonlyMap<string, string> {
  const fates = new Map<string, string>()
  for (const item of items) {
    if (place !== null && compare(item, place) > 0) break
    const { orderId, quoteId, quantity, filledQuantity: filled } = item.fields
    const id = orderId ?? quoteId
    const [, state] =
      /^(?:order|quote)\.((?:partially_)?filled|cancelled|expired|rejected)$/.exec(item.type) ?? []
    if (typeof id !== 'string' || state === undefined) continue
    const amount = typeof filled === 'number' && state.endsWith('filled') ? ` ${number(filled)}` : ''
    const whole =
      typeof quantity === 'number' && state === 'partially_filled' ? ` of ${number(quantity)}` : ''
    fates.set(id, `${state.replace('_', ' ')}${amount}${whole}`)
  }
  return fates
}

/** What has become of the order or quote that a request has made, where its answer did not tell: `filled 2`. */
export function fateOf(
  { method, status, responseBody }: Pick<RequestRow, 'method' | 'status' | 'responseBody'>,
  fates: ReadonlyMap<string, string>,
): string {
  const body = method !== 'POST' || status >= 300 ? undefined : parseJson(responseBody)
  if (!isObject(body)) return ''
  const fate = fates.get(String(body['orderId'] ?? body['quoteId'])) ?? ''
  return fate.startsWith(String(body['status']).replace('_', ' ')) ? '' : fate
}
