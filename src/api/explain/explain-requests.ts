import { isObject, parseJson } from '../json.ts'
import {
  describeOutcome,
  describeRequest,
  findRefusalReason,
  isFailedRequest,
  type RequestText,
} from '../request-words.ts'

/** A request to be explained, as the request log keeps it. */
export interface ExplainedRequest extends RequestText {
  readonly sequence: number
  /** The account of its key; null when there is none. */
  readonly account: string | null
  readonly hint: string | null
  /** The faults that struck it, such as `flt_1 reset_peer`; null when none did. */
  readonly fault: string | null
}

/**
 * Explains in one sentence why a request has failed: what was lost of its answer, and what is there nevertheless, or who
 * refused it and why. Empty for a request that has not failed.
 */
export function explainRequest(request: ExplainedRequest): string {
  if (!isFailedRequest(request)) return ''
  const { account, fault, hint, lost = null, status } = request
  const asked = nameRequest(request)
  if (lost !== null) return explainLoss(request, `${asked} by ${account ?? 'nobody'}`)
  const answer =
    status === 0 ? describeOutcome(request) : `${status} ${findRefusalReason(request.responseBody)}`
  const by = fault === null ? '' : ` (${fault})`
  return `${asked} by ${account ?? 'nobody'}: ${answer.trimEnd()}${by}${hint === null ? '' : `; ${hint}`}`
}

/** Names a request by what it means and where it went: `buy 0.1 BTC @ 90,000 (POST /orders)`. */
function nameRequest(request: ExplainedRequest): string {
  const target = nameTarget(request)
  const meaning = describeRequest(request)
  return meaning === target ? target : `${meaning} (${target})`
}

/** Names a request by its method and path: `POST /orders`. */
export const nameTarget = ({ method, path, query }: ExplainedRequest): string =>
  `${method} ${path.replace(/^\/api\/sdk/, '')}${query}`

function explainLoss(request: ExplainedRequest, by: string): string {
  const { fault, lost, method, status } = request
  const struck = fault === null ? '' : ` (${fault})`
  const target = nameTarget(request)
  const what = by.replace(` (${target})`, '')
  const head = `the answer of ${target}${what.startsWith(target) ? what.slice(target.length) : ` (${what})`}`
  if (lost === 'before')
    return `${head} was lost before anything was carried out${struck}: nothing was changed`
  const was = lost === 'cut' ? 'was cut off' : 'was lost'
  if (status >= 400)
    return `${head} ${was}${struck}; it was ${describeOutcome(request)}`.replace(
      /, (?:cut off|but its).*$/,
      '',
    )
  const made = method === 'POST' ? findMadeId(request) : null
  if (made === null) return `${head} ${was} after it was carried out${struck}`
  const kind = made.kind === 'order' ? 'the order was placed' : 'the quote was submitted'
  return `${head} ${was} after ${kind}${struck}: ${made.id} is there`
}

/** An order or a quote, by its id. */
export interface MadeId {
  readonly kind: 'order' | 'quote'
  readonly id: string
}

/** Finds the order or quote that a request has made; null when it made none, or several. */
export function findMadeId({ method, path, status, responseBody }: RequestText): MadeId | null {
  if (method !== 'POST' || status >= 300 || !/\/(?:orders|quotes)$/.test(path)) return null
  const answer = parseJson(responseBody)
  const body = isObject(answer) && isObject(answer['data']) ? answer['data'] : answer
  if (!isObject(body)) return null
  const { orderId, quoteId } = body
  if (typeof orderId === 'string') return { kind: 'order', id: orderId }
  return typeof quoteId === 'string' ? { kind: 'quote', id: quoteId } : null
}

/** Lists the ids of orders and quotes that a request has in its path or its answer. */
export function listIds({ path, responseBody }: RequestText): readonly MadeId[] {
  const [, place, inPath] = /\/(orders|quotes)\/([^/]+)/.exec(path) ?? []
  const named: MadeId[] =
    inPath === undefined ? [] : [{ kind: place === 'orders' ? 'order' : 'quote', id: inPath }]
  const answered = [...responseBody.matchAll(/"(order|quote)Id":"([^"\\]+)"/g)].map(
    ([, kind, id = '']): MadeId => ({ kind: kind === 'order' ? 'order' : 'quote', id }),
  )
  return [...named, ...answered]
}
