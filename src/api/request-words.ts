import { withCommas } from '../numeric/units.ts'
import { isObject, parseJson } from './json.ts'

/** A request and its answer as texts, which may have been cut off. */
export interface RequestText {
  readonly method: string
  readonly path: string
  /** The query with its question mark, or empty. */
  readonly query: string
  readonly requestBody: string
  /** The status of the answer; 0 when there was none. */
  readonly status: number
  readonly responseBody: string
  /** How a fault kept the answer from its caller; null or absent where it did not. */
  readonly lost?: AnswerLoss | null
}

/**
 * How a fault keeps an answer from its caller: `before` the operation, which is then not carried out; `after` the
 * operation was carried out; or by a `cut` in the middle of the answer.
 */
export const answerLosses = ['before', 'after', 'cut'] as const
export type AnswerLoss = (typeof answerLosses)[number]

/** Returns whether a request was refused, or its caller did not get its whole answer. */
export const isFailedRequest = ({ status, lost = null }: Pick<RequestText, 'status' | 'lost'>): boolean =>
  status >= 400 || status === 0 || lost !== null

/**
 * Describes a request in words: `buy 0.1 BTC @ 50,000`. A request that is not known is described by its method and
 * path.
 */
export function describeRequest(request: RequestText): string {
  const { method, path, query } = request
  const target = path.replace(/^\/api\/sdk/, '')
  const sent = readFields(request.requestBody)
  for (const [verb, pattern, words] of meanings) {
    const match = verb === method ? pattern.exec(target) : null
    if (match !== null) return words({ sent, id: match[1] ?? '', query: new Map(parseQuery(query)) })
  }
  return `${method} ${target}${query}`
}

/**
 * Describes the outcome of a request: `ord_7 open`, or why it was refused: `409 the order is already filled`. Where a fault
 * kept the answer from its caller, the outcome says so, and whether the operation was carried out.
 */
export function describeOutcome(request: RequestText): string {
  const { lost = null, status } = request
  if (status === 0) return lost === 'before' ? 'no answer, nothing carried out' : 'no answer'
  const answer = describeAnswer(request)
  return lost === null
    ? answer
    : `${answer}, ${lost === 'cut' ? 'cut off on its way' : 'but its caller was not told'}`
}

function describeAnswer({ status, responseBody }: RequestText): string {
  const body = parseJson(responseBody)
  if (status >= 400) return `${status} ${findRefusalReason(responseBody)}`.trimEnd()
  if (Array.isArray(body)) return countText(body.length, 'row')
  if (!isObject(body)) return String(status)
  const total = isObject(body['pagination']) ? body['pagination']['total'] : undefined
  for (const [name, noun] of nounsByList) {
    const rows = body[name]
    if (Array.isArray(rows)) return countText(typeof total === 'number' ? total : rows.length, noun)
  }
  return stateWords(body) || String(status)
}

/** Returns the reason in the body of a refusal, with the field if it names one; empty when it gives no reason. */
export function findRefusalReason(responseBody: string): string {
  const body = parseJson(responseBody)
  if (!isObject(body)) return ''
  const message = typeof body['message'] === 'string' ? body['message'] : ''
  const details = isObject(body['details']) ? body['details'] : {}
  const { field, reason } = details
  if (typeof reason !== 'string' || message.includes(reason)) return message
  const told = typeof field === 'string' ? `${field} ${reason}` : reason
  return message === '' ? told : `${message}: ${told}`
}

interface RequestParts {
  readonly sent: Fields
  /** The id or symbol in the path. */
  readonly id: string
  readonly query: ReadonlyMap<string, string>
}

type Fields = { readonly [name: string]: unknown }

const meanings: readonly (readonly [method: string, path: RegExp, words: (asked: RequestParts) => string])[] =
  [
    ['POST', /^\/orders$/, ({ sent }) => orderWords(sent)],
    ['POST', /^\/orders\/batch$/, ({ sent }) => batchWords('place', sent['orders'], 'order')],
    ['DELETE', /^\/orders\/batch$/, ({ sent }) => batchWords('cancel', sent['orderIds'], 'order')],
    ['GET', /^\/orders$/, ({ query }) => `list orders${filterWords(query)}`],
    ['GET', /^\/orders\/by-client-id$/, ({ query }) => `read the order ${query.get('clientOrderId') ?? ''}`],
    ['GET', /^\/orders\/([^/]+)\/fills$/, ({ id }) => `read the fills of ${id}`],
    ['GET', /^\/orders\/([^/]+)$/, ({ id }) => `read ${id}`],
    ['PATCH', /^\/orders\/([^/]+)$/, ({ id, sent }) => `change ${id}${changeWords(sent)}`],
    ['DELETE', /^\/orders\/([^/]+)$/, ({ id }) => `cancel ${id}`],
    ['POST', /^\/quotes$/, ({ sent }) => quoteWords(sent)],
    ['GET', /^\/quotes$/, ({ query }) => `list quotes${filterWords(query)}`],
    ['DELETE', /^\/quotes$/, () => 'cancel quotes'],
    ['PATCH', /^\/quotes\/batch\/update$/, () => 'change quotes'],
    ['GET', /^\/quotes\/([^/]+)\/fills$/, ({ id }) => `read the fills of ${id}`],
    ['GET', /^\/quotes\/([^/]+)$/, ({ id }) => `read ${id}`],
    ['PATCH', /^\/quotes\/([^/]+)$/, ({ id, sent }) => `change ${id}${changeWords(sent)}`],
    ['DELETE', /^\/quotes\/([^/]+)$/, ({ id }) => `cancel ${id}`],
    ['GET', /^\/market-data\/orderbook\/([^/]+)$/, ({ id }) => `read the book of ${id}`],
    ['GET', /^\/market-data\/prices\/([^/]+)$/, ({ id }) => `read the price of ${id}`],
    [
      'GET',
      /^\/(?:portfolio|risk)\/(?:balances|available|positions|exposure)\/([^/]+)$/,
      ({ id }) => `read what is held of ${id}`,
    ],
    [
      'GET',
      /^\/(?:market-data|portfolio|risk)\/([a-z-]+(?:\/24h)?)$/,
      ({ id, query }) => `read ${id.replace(/[-/]/g, ' ')}${filterWords(query)}`,
    ],
    ['POST', /^\/risk\/pre-trade-check$/, ({ sent }) => `check: ${orderWords(sent)}`],
    ['POST', /^\/risk\/simulate$/, ({ sent }) => `simulate: ${batchWords('place', sent['orders'], 'order')}`],
  ]

const nounsByList = [
  ['orders', 'order'],
  ['quotes', 'quote'],
  ['fills', 'fill'],
  ['trades', 'trade'],
  ['balances', 'balance'],
  ['positions', 'position'],
  ['prices', 'price'],
] as const

/**
 * The prefix of the client ids that the console makes up for its orders, so that none is placed twice. Descriptions
 * leave such ids out, because nobody chose them.
 */
export const consoleIdPrefix = 'console-'

function orderWords(sent: Fields): string {
  const { side, quantity, asset, price, timeInForce, clientOrderId } = sent
  const limit = price === undefined || price === null ? 'at the market' : `@ ${amountText(price)}`
  const force = typeof timeInForce === 'string' && timeInForce !== 'GTC' ? ` ${timeInForce}` : ''
  const isNamed = typeof clientOrderId === 'string' && !clientOrderId.startsWith(consoleIdPrefix)
  const name = isNamed ? ` as ${clientOrderId}` : ''
  return `${wordText(side)} ${amountText(quantity)} ${wordText(asset)} ${limit}${force}${name}`
}

function quoteWords({ asset, bidPrice, askPrice, bidSize, askSize }: Fields): string {
  return `quote ${wordText(asset)} ${amountText(bidSize)} @ ${amountText(bidPrice)} / ${amountText(askSize)} @ ${amountText(askPrice)}`
}

function batchWords(verb: string, items: unknown, noun: string): string {
  return Array.isArray(items) ? `${verb} ${countText(items.length, noun)}` : `${verb} ${noun}s`
}

function changeWords(sent: Fields): string {
  const changes = Object.entries(sent).map(([name, value]) => ` ${name} ${amountText(value)}`)
  return changes.length === 0 ? '' : `:${changes.join(',')}`
}

function filterWords(query: ReadonlyMap<string, string>): string {
  const words = [...query].map(([name, value]) => `${name} ${value}`)
  return words.length === 0 ? '' : ` with ${words.join(', ')}`
}

/** Describes the state of an order or quote: `ord_7 partially_filled 0.4 of 1`. */
function stateWords(body: Fields): string {
  const id = body['orderId'] ?? body['quoteId'] ?? body['id']
  const { status, filledQuantity, quantity } = body
  const filled =
    typeof filledQuantity === 'number' && filledQuantity > 0
      ? filledQuantity === quantity
        ? ` ${amountText(filledQuantity)}`
        : ` ${amountText(filledQuantity)} of ${amountText(quantity)}`
      : ''
  return [id, status].filter((word) => typeof word === 'string').join(' ') + filled
}

const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const wordText = (value: unknown): string => (typeof value === 'string' ? value : '?')

/** Formats a number with thousands separators. Other values are shown as they were sent. */
function amountText(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) {
    const text = String(value)
    return text.includes('e') ? text : withCommas(text)
  }
  return value === undefined ? '?' : typeof value === 'string' ? value : JSON.stringify(value)
}

function readFields(text: string): Fields {
  const body = parseJson(text)
  return isObject(body) ? body : {}
}

function parseQuery(query: string): readonly (readonly [string, string])[] {
  return query
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [decodePart(name), decodePart(value)] as const
    })
}

/** Decodes percent-encoded text. Invalid encoding is returned as it is, because a request may contain anything. */
function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
