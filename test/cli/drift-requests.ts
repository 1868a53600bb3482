import { readingEntries } from '../../src/api/readings/readings.ts'
import type { Draws } from './drift-sessions.ts'

/*
 * The requests of random clients: every operation, and around the points that readings are about also what a careless
 * client sends: numbers as text, names in snake_case, unknown words, limits out of range, ids of others.
 */

/** What a client has seen and sent. */
export interface SessionMemory {
  readonly orders: string[]
  readonly quotes: string[]
  readonly clientIds: string[]
  readonly sent: DrawnRequest[]
}

export interface DrawnRequest {
  readonly method: string
  /** The path and the query. */
  readonly target: string
  readonly body: string | null
  readonly prefer: string | null
}

const root = '/api/sdk'

export function drawRequest(draws: Draws, memory: SessionMemory): DrawnRequest {
  const draw = draws.pick(kinds)
  const { method = 'GET', path, query = [], body = null } = draw(draws, memory)
  const words = [...query]
  if (draws.chance(0.04))
    words.push(draws.pick(['sort=up', 'colour=red', 'Limit=3', 'foo=%zz', 'quantity=1']))
  const target = `${root}${path}${words.length === 0 ? '' : `?${words.join('&')}`}`
  const prefer = draws.chance(0.03) ? (draws.find(preferences) ?? null) : null
  const isWrong = draws.chance(0.03)
  const other = draws.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])
  const text = body === null ? null : typeof body === 'string' ? body : JSON.stringify(body)
  const isBodiless = isWrong && (other === 'GET' || other === 'HEAD')
  return { method: isWrong ? other : method, target, body: isBodiless ? null : text, prefer }
}

/** The readings that one request may set for itself, as `Prefer` writes them. */
const preferences: readonly string[] = [
  ...readingEntries
    .filter(({ perRequest }) => perRequest)
    .flatMap(({ key, alternatives }) => alternatives.map((value) => `reading.${key}=${value}`)),
  ...['code=404', 'code=409', 'fault=reordered_list', 'fault=missing_optional_field'],
]

interface Drawn {
  readonly method?: string
  readonly path: string
  readonly query?: readonly string[]
  readonly body?: unknown
}

type Kind = (draws: Draws, memory: SessionMemory) => Drawn

function drawOrder(draws: Draws, memory: SessionMemory): Record<string, unknown> {
  const asset = draws.chance(0.97) ? draws.pick(['BTC', 'ETH']) : draws.pick(['DOGE', 'USD', 'btc'])
  const isBtc = asset === 'BTC'
  const quantity: unknown = draws.chance(0.8)
    ? draws.pick([0.01, 0.1, 0.5])
    : draws.pick([0.00005, 0.0005, 3, 90, 1e9, 0.00015, -1, 0, '0.1', '0.5', '0.00005', 'much', '1e3', null])
  const order: Record<string, unknown> = {
    side: draws.pick(['buy', 'sell']),
    asset,
    quantity,
    price: draws.pick(isBtc ? [40_000, 49_990, 50_000, 60_000, 0.5] : [2000, 2499, 2500, 3000]),
  }
  if (draws.chance(0.2)) Object.assign(order, { orderType: 'market' })
  if (draws.chance(0.35)) Object.assign(order, { timeInForce: draws.pick(['IOC', 'FOK', 'GTC']) })
  if (draws.chance(0.4)) {
    const id = draws.chance(0.5) ? draws.find(memory.clientIds.slice(-3)) : `c${draws.integer(1e9)}`
    memory.clientIds.push(String(id))
    order[draws.chance(0.9) ? 'clientOrderId' : 'client_order_id'] = id
  }
  if (draws.chance(0.06)) Object.assign(order, { time_in_force: draws.pick(['GTC', 'IOC', 'FOK']) })
  if (draws.chance(0.04)) Object.assign(order, { order_type: draws.pick(['limit', 'market']) })
  if (draws.chance(0.05)) Object.assign(order, { colour: draws.pick(['red', 0.1, 1 / 3, null, '\u00e9']) })
  if (draws.chance(0.02)) Object.assign(order, JSON.parse('{"constructor":1}'))
  if (draws.chance(0.05)) delete order[draws.pick(['side', 'price', 'asset', 'quantity'])]
  return order
}

function drawQuote(draws: Draws): Record<string, unknown> {
  const quote: Record<string, unknown> = {
    asset: draws.pick(['BTC', 'ETH']),
    bidPrice: draws.pick([1000, 2000, 49_000]),
    askPrice: draws.pick([60_000, 51_000]),
    bidSize: draws.pick([0, 0.01, '0.01']),
    askSize: draws.pick([0.01, 0.1, 200]),
  }
  if (draws.chance(0.5)) Object.assign(quote, { validForSeconds: draws.pick([1, 2, 30, 60, '60', 400]) })
  if (draws.chance(0.1)) Object.assign(quote, { valid_for_seconds: draws.pick([30, 45]) })
  if (draws.chance(0.2)) Object.assign(quote, { clientQuoteId: `q${draws.integer(4)}` })
  if (draws.chance(0.1)) {
    const { bidPrice, ...rest } = quote
    return { ...rest, bid_price: bidPrice }
  }
  return quote
}

const orderId = (draws: Draws, { orders }: SessionMemory): string =>
  (draws.chance(0.95) ? draws.find(orders.slice(-8)) : undefined) ??
  draws.pick(['ord_1', 'ord_3', 'ord_99', 'x'])
const quoteId = (draws: Draws, { quotes }: SessionMemory): string =>
  (draws.chance(0.95) ? draws.find(quotes.slice(-4)) : undefined) ?? draws.pick(['quo_1', 'quo_2', 'quo_99'])

const limits = [
  'limit=1',
  'limit=3',
  'limit=100',
  'limit=500',
  'limit=1e3',
  'limit=0',
  'limit=0500',
  'limit=x',
] as const
const pages = ['page=1', 'page=2', 'page=3', 'page=0', 'page=2.5'] as const
const assets = ['BTC', 'ETH', 'DOGE', 'USD', 'BTC', 'btc'] as const

function drawPaging(draws: Draws): string[] {
  return [
    ...(draws.chance(0.5) ? [draws.pick(limits)] : []),
    ...(draws.chance(0.3) ? [draws.pick(pages)] : []),
    ...(draws.chance(0.2) ? [`asset=${draws.pick(assets)}`] : []),
  ]
}

const read =
  (...paths: readonly [string, ...string[]]): Kind =>
  (draws) => ({ path: draws.pick(paths) })

const createOrder: Kind = (draws, memory) => ({
  method: 'POST',
  path: '/orders',
  body: draws.chance(0.98)
    ? drawOrder(draws, memory)
    : draws.pick(['{', '[]', 'null', '{"quantity":1,"quantity":2}']),
})

const cancelOrder: Kind = (draws, memory) => ({ method: 'DELETE', path: `/orders/${orderId(draws, memory)}` })

/** Looks up one of the client ids that were used last. */
const findByClientId: Kind = (draws, { clientIds }) => ({
  path: `/orders/by-client-id?clientOrderId=${draws.find(clientIds.slice(-3))}`,
})

/** The requests that one of a session is drawn from; some stand there more than once. */
const kinds: readonly [Kind, ...Kind[]] = [
  createOrder,
  ...[createOrder, createOrder, createOrder, cancelOrder, cancelOrder],
  (draws, memory) => ({ path: `/orders/${orderId(draws, memory)}` }),
  (draws, memory) => ({ path: `/orders/${orderId(draws, memory)}` }),
  (draws, memory) => ({ path: `/orders/${orderId(draws, memory)}/fills` }),
  ...[findByClientId, findByClientId, findByClientId],
  (draws, memory) => ({
    method: 'PATCH',
    path: `/orders/${orderId(draws, memory)}`,
    body: draws.pick<object | null>([
      { quantity: 0.2 },
      { price: 45_000 },
      {},
      { quantity: '0.2' },
      { price: 50_000, colour: 1 },
    ]),
  }),
  (draws, memory) => ({
    method: 'POST',
    path: '/orders/batch',
    body: { orders: Array.from({ length: 1 + draws.integer(3) }, () => drawOrder(draws, memory)) },
  }),
  (draws): Drawn => ({
    method: 'DELETE',
    path: '/orders/batch',
    body: draws.pick<object | null>([
      null,
      {},
      { asset: 'BTC' },
      { asset: null },
      { side: 'buy' },
      { symbol: 'BTC' },
    ]),
  }),
  (draws) => ({
    path: '/orders',
    query: [
      ...drawPaging(draws),
      ...(draws.chance(0.6)
        ? [
            `statuses=${draws.pick(['open', 'expired', 'pending,open', 'open,expired', 'filled,expired', 'pending,', 'rejected', 'open,rejected'])}`,
          ]
        : []),
    ],
  }),
  (draws) => ({ method: 'POST', path: '/quotes', body: drawQuote(draws) }),
  (draws) => ({ method: 'POST', path: '/quotes', body: drawQuote(draws) }),
  (draws, memory) => ({ path: `/quotes/${quoteId(draws, memory)}` }),
  (draws, memory) => ({
    method: 'PATCH',
    path: `/quotes/${quoteId(draws, memory)}`,
    body: draws.pick<object | null>([
      { validForSeconds: 30 },
      { validForSeconds: 5 },
      { validForSeconds: 1 },
      { bidPrice: 900 },
      { bid_price: 900 },
      { bidPrice: 90_000 },
      {},
    ]),
  }),
  (draws, memory) => ({ method: 'DELETE', path: `/quotes/${quoteId(draws, memory)}` }),
  (draws, memory) => ({ method: 'DELETE', path: `/quotes/${quoteId(draws, memory)}` }),
  (draws, memory) => ({
    method: 'PATCH',
    path: '/quotes/batch/update',
    body: [
      { quoteId: quoteId(draws, memory), bidPrice: 800 },
      { quoteId: 'quo_77', bidPrice: 1 },
    ].slice(draws.integer(2)),
  }),
  (draws) => ({
    method: 'DELETE',
    path: '/quotes',
    body: draws.pick([null, { asset: 'ETH' }, { asset: 'DOGE' }]),
  }),
  (draws) => ({
    path: '/quotes',
    query: [
      ...drawPaging(draws),
      ...(draws.chance(0.3)
        ? [draws.pick(['status=active', 'status=partially_filled', 'statuses=active', 'offset=1'])]
        : []),
    ],
  }),
  (draws, memory) => ({ path: `/quotes/${quoteId(draws, memory)}/fills` }),
  (draws) => ({
    path: '/market-data/orderbook/BTC',
    query: draws.pick<readonly string[]>([
      [],
      ['depth=5'],
      ['depth=60'],
      ['depth=6e1'],
      ['depth=500'],
      ['depth=100'],
      ['depth=0'],
    ]),
  }),
  (draws) => ({
    path: '/market-data/orderbooks',
    query: [
      `assets=${draws.pick(['BTC', 'BTC,ETH', 'DOGE', ''])}`,
      ...(draws.chance(0.3) ? ['depth=70'] : []),
    ],
  }),
  read('/market-data/prices/BTC', '/market-data/prices/DOGE', '/market-data/prices', '/market-data/prices'),
  read(
    '/market-data/prices?assets=DOGE',
    '/market-data/prices?assets=BTC,DOGE',
    '/market-data/trading-pairs',
  ),
  read('/market-data/stats/24h', '/market-data/stats/24h?asset=USD', '/market-data/trading-pairs'),
  read(
    '/portfolio/balances',
    '/portfolio/balances?assets=USD,DOGE',
    '/portfolio/balances/USD',
    '/portfolio/balances/DOGE',
  ),
  read(
    '/portfolio/positions',
    '/portfolio/positions?asset=USD',
    '/portfolio/positions/BTC',
    '/portfolio/positions/ETH',
  ),
  read('/portfolio/exposure', '/portfolio/exposure/BTC', '/portfolio/exposure/USD', '/portfolio/summary'),
  read('/portfolio/pnl', '/portfolio/pnl?period=1h', '/portfolio/available/BTC', '/portfolio/nothing'),
  (draws) => ({
    path: '/portfolio/transactions',
    query: [
      ...drawPaging(draws),
      ...(draws.chance(0.3) ? [`type=${draws.pick(['deposit', 'trade', 'fee', 'gift'])}`] : []),
    ],
  }),
  (draws) => ({ path: '/portfolio/trades', query: drawPaging(draws) }),
  read('/risk/limits', '/risk/utilization', '/risk/metrics', '/risk/exposure', '/risk/exposure/BTC'),
  read(
    '/risk/max-quantity?side=buy&asset=BTC&price=50000',
    '/risk/max-quantity?side=sell&asset=DOGE&price=5',
  ),
  (draws) => ({
    method: 'POST',
    path: draws.pick(['/risk/pre-trade-check', '/risk/simulate', '/risk/simulate']),
    body: { side: 'buy', asset: draws.pick(['BTC', 'ETH', 'DOGE']), quantity: 0.1, price: 50_000 },
  }),
]
