import { withCommas } from '../numeric/units.ts'
import { isObject, parseJson } from './json.ts'

/** A request and its answer, as far as words about it need them. Bodies may be cut. */
export interface AnsweredText {
  readonly method: string
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly requestBody: string
  /** 0 when there was no answer. */
  readonly status: number
  readonly responseBody: string
}

/** What a request meant: `buy 0.1 BTC @ 50,000`; for one that is not known, its method and path. */
export function requestMeaning(request: AnsweredText): string {
  const { method, path, query } = request
  const target = path.replace(/^\/api\/sdk/, '')
  const sent = readFields(request.requestBody)
  for (const [verb, pattern, words] of meanings) {
    const match = verb === method ? pattern.exec(target) : null
    if (match !== null) return words({ sent, id: match[1] ?? '', query: new Map(queryPairs(query)) })
  }
  return `${method} ${target}${query}`
}

/** What came of it: `ord_7 open`, or why it was refused: `409 the order is already filled`. */
export function requestOutcome({ status, responseBody }: AnsweredText): string {
  if (status === 0) return 'no answer'
  const body = parseJson(responseBody)
  if (status >= 400) return `${status} ${refusalReason(responseBody)}`.trimEnd()
  if (Array.isArray(body)) return counted(body.length, 'row')
  if (!isObject(body)) return String(status)
  const total = isObject(body['pagination']) ? body['pagination']['total'] : undefined
  for (const [name, noun] of lists) {
    const rows = body[name]
    if (Array.isArray(rows)) return counted(typeof total === 'number' ? total : rows.length, noun)
  }
  return stateWords(body) || String(status)
}

/** The reason that a refusal gives, naming the field where there is one; '' where it says nothing. */
export function refusalReason(responseBody: string): string {
  const body = parseJson(responseBody)
  if (!isObject(body)) return ''
  const message = typeof body['message'] === 'string' ? body['message'] : ''
  const details = isObject(body['details']) ? body['details'] : {}
  const { field, reason } = details
  if (typeof reason !== 'string' || message.includes(reason)) return message
  const told = typeof field === 'string' ? `${field} ${reason}` : reason
  return message === '' ? told : `${message}: ${told}`
}

interface Asked {
  readonly sent: Fields
  /** Of the path. */
  readonly id: string
  readonly query: ReadonlyMap<string, string>
}

type Fields = { readonly [name: string]: unknown }

const meanings: readonly (readonly [method: string, path: RegExp, words: (asked: Asked) => string])[] = [
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

const lists = [
  ['orders', 'order'],
  ['quotes', 'quote'],
  ['fills', 'fill'],
  ['trades', 'trade'],
  ['balances', 'balance'],
  ['positions', 'position'],
  ['prices', 'price'],
] as const

function orderWords(sent: Fields): string {
  const { side, quantity, asset, price, timeInForce, clientOrderId } = sent
  const limit = price === undefined || price === null ? 'at the market' : `@ ${amount(price)}`
  const force = typeof timeInForce === 'string' && timeInForce !== 'GTC' ? ` ${timeInForce}` : ''
  const name = typeof clientOrderId === 'string' ? ` as ${clientOrderId}` : ''
  return `${plain(side)} ${amount(quantity)} ${plain(asset)} ${limit}${force}${name}`
}

function quoteWords({ asset, bidPrice, askPrice, bidSize, askSize }: Fields): string {
  return `quote ${plain(asset)} ${amount(bidSize)} @ ${amount(bidPrice)} / ${amount(askSize)} @ ${amount(askPrice)}`
}

function batchWords(verb: string, items: unknown, noun: string): string {
  return Array.isArray(items) ? `${verb} ${counted(items.length, noun)}` : `${verb} ${noun}s`
}

function changeWords(sent: Fields): string {
  const changes = Object.entries(sent).map(([name, value]) => ` ${name} ${amount(value)}`)
  return changes.length === 0 ? '' : `:${changes.join(',')}`
}

function filterWords(query: ReadonlyMap<string, string>): string {
  const words = [...query].map(([name, value]) => `${name} ${value}`)
  return words.length === 0 ? '' : ` with ${words.join(', ')}`
}

/** `ord_7 partially_filled 0.4 of 1` of an order, and the like of quotes and changes. */
function stateWords(body: Fields): string {
  const id = body['orderId'] ?? body['quoteId'] ?? body['id']
  const { status, filledQuantity, quantity } = body
  const filled =
    typeof filledQuantity === 'number' && filledQuantity > 0
      ? filledQuantity === quantity
        ? ` ${amount(filledQuantity)}`
        : ` ${amount(filledQuantity)} of ${amount(quantity)}`
      : ''
  return [id, status].filter((word) => typeof word === 'string').join(' ') + filled
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const plain = (value: unknown): string => (typeof value === 'string' ? value : '?')

/** A number with its thousands apart; what is none, as it was sent. */
function amount(value: unknown): string {
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

function queryPairs(query: string): readonly (readonly [string, string])[] {
  return query
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [decoded(name), decoded(value)] as const
    })
}

/** As it stands where it is no percent-encoding: requests may hold anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
