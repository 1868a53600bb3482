import { beforeEach, expect, it } from 'vitest'
import { operationIds, routeOf } from '../../src/api/operations/operations.ts'
import { createWorld, type World } from '../../src/index.ts'
import { mistakesOf } from '../server/mistakes.ts'
import { type Sending, trader } from '../server/signed-request.ts'
import { type Reply, useVenue } from '../server/venue-fixture.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { liquidScenario, quietScenario } from '../world/scenarios.ts'
import { expectGolden } from './golden-text.ts'
import { groupedByAnswer, shownValue, wrongValues, wrongWords } from './wrong-values.ts'

/*
 * What the venue answers to wrong requests, word by word: each value that a field can't have, each thing that is wrong
 * with a whole request, each step of the pipeline, each refusal of the engine.
 */

const api = '/api/sdk'
const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 49_000 }
const quote = { asset: 'BTC', bidPrice: 48_000, askPrice: 52_000, bidSize: 1, askSize: 1 }

const beginning: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['POST', '/orders', { ...order, clientOrderId: 'first' }],
  ['POST', '/orders', order],
  ['DELETE', '/orders/ord_2'],
  ['POST', '/quotes', { ...quote, clientQuoteId: 'first' }],
  ['POST', '/quotes', quote],
  ['DELETE', '/quotes/qt_2'],
]

const orderFields = [
  'side',
  'asset',
  'quantity',
  'price',
  'orderType',
  'timeInForce',
  'clientOrderId',
  'metadata',
]
const quoteFields = ['bidPrice', 'askPrice', 'bidSize', 'askSize', 'validForSeconds']

/** A right request of each operation that takes fields, and the names of these. */
const bodies: readonly (readonly [request: string, valid: object, fields: readonly string[]])[] = [
  ['POST /orders', order, orderFields],
  ['POST /orders market', { side: 'buy', asset: 'BTC', quantity: 0.5, orderType: 'market' }, orderFields],
  ['PATCH /orders/ord_1', { price: 48_000 }, ['quantity', 'price']],
  ['POST /orders/batch', { orders: [order] }, ['orders']],
  ['DELETE /orders/batch', { asset: 'BTC' }, ['asset', 'side']],
  ['POST /quotes', quote, ['asset', ...quoteFields, 'clientQuoteId', 'metadata']],
  ['PATCH /quotes/qt_1', { bidPrice: 47_000 }, quoteFields],
  ['DELETE /quotes', { asset: 'BTC' }, ['asset']],
  ['POST /risk/pre-trade-check', order, ['side', 'asset', 'quantity', 'price']],
  ['POST /risk/simulate', order, ['side', 'asset', 'quantity', 'price']],
]

const queries: readonly (readonly [path: string, parameters: readonly string[]])[] = [
  ['/market-data/prices', ['assets']],
  ['/market-data/orderbook/BTC', ['depth']],
  ['/market-data/orderbooks?assets=BTC', ['depth']],
  ['/market-data/orderbooks', ['assets']],
  ['/market-data/stats/24h', ['asset']],
  ['/orders', ['statuses', 'asset', 'side', 'page', 'limit']],
  ['/orders/by-client-id', ['clientOrderId']],
  ['/quotes', ['status', 'asset', 'limit', 'offset']],
  ['/portfolio/balances', ['assets']],
  ['/portfolio/positions', ['asset']],
  ['/portfolio/pnl', ['period']],
  ['/portfolio/transactions', ['asset', 'type', 'page', 'limit']],
  ['/portfolio/trades', ['asset', 'side', 'startDate', 'endDate', 'page', 'limit']],
  ['/risk/max-quantity?asset=BTC&price=50000', ['side']],
  ['/risk/max-quantity?side=buy&price=50000', ['asset']],
  ['/risk/max-quantity?side=buy&asset=BTC', ['price']],
]

const accountOf = (id: string, scopes: readonly string[]) => ({
  id,
  balances: { USD: 1_000_000, BTC: 5 },
  keys: [{ key: `key-${id}`, secret: 'secret', scopes }],
})
const accounts = [
  accountOf('desk', ['READ', 'TRADE', 'MARKET_MAKING']),
  accountOf('trader', ['READ', 'TRADE']),
  accountOf('maker', ['READ', 'MARKET_MAKING']),
  accountOf('viewer', ['READ']),
]

/** A world with a live and an ended order (1, 2), and a live and an ended quote (1, 2). */
function worldOfDesk(): World {
  const world = createWorld(compiledScenario({ ...quietScenario, accounts }))
  for (const [method, path, body] of beginning)
    expect(world.request('desk', method, api + path, body).status).toBeLessThan(300)
  return world
}

it('each wrong value of each field of a body', async () => {
  const world = worldOfDesk()
  const lines = bodies.flatMap(([request, valid, fields]) => {
    const [method = '', path = ''] = request.split(' ')
    const place = (field: string, value: unknown) => ({ ...valid, [field]: value })
    return fields.flatMap((field) =>
      groupedByAnswer(
        `${request} ${field}:`,
        wrongValues.map((value) => [shownValue(value), answered(world, method, path, place(field, value))]),
      ),
    )
  })
  await expectGolden('errors/venue-fields.txt', lines.join('\n'))
})

it('each wrong value in an item of a batch', async () => {
  const world = worldOfDesk()
  const inBatch = (
    method: string,
    path: string,
    fields: readonly string[],
    body: (item: object) => unknown,
  ) =>
    fields.flatMap((field) =>
      groupedByAnswer(
        `${method} ${path} ${field}:`,
        wrongValues.map((value) => {
          const start = world.snapshot()
          const answer = world.request('desk', method, api + path, body({ [field]: value }))
          world.restore(start)
          return [shownValue(value), JSON.stringify(answer)]
        }),
      ),
    )
  const lines = [
    ...inBatch('POST', '/orders/batch', orderFields, (item) => ({ orders: [{ ...order, ...item }] })),
    ...inBatch('PATCH', '/quotes/batch/update', ['quoteId', ...quoteFields], (item) => [
      { quoteId: 'qt_1', bidPrice: 47_000, ...item },
    ]),
  ]
  await expectGolden('errors/venue-batch-items.txt', lines.join('\n'))
})

it('each wrong value of each query parameter', async () => {
  const world = worldOfDesk()
  const lines = queries.flatMap(([path, parameters]) =>
    parameters.flatMap((parameter) =>
      groupedByAnswer(
        `GET ${path} ${parameter}=`,
        wrongWords.map((word) => {
          const target = `${path}${path.includes('?') ? '&' : '?'}${parameter}=${word}`
          return [word.length > 40 ? `x... (${word.length})` : word, answered(world, 'GET', target)]
        }),
      ),
    ),
  )
  await expectGolden('errors/venue-queries.txt', lines.join('\n'))
})

it('each refusal of the engine', async () => {
  const refusals: readonly (readonly [string, string, (object | undefined)?, string?])[] = [
    ['POST', '/orders', { ...order, side: 'sell', quantity: 9 }],
    ['POST', '/orders', { ...order, quantity: 11 }],
    ['POST', '/orders', { ...order, quantity: 10, price: 60_000 }],
    ['POST', '/orders', { ...order, quantity: 0.00005 }],
    ['POST', '/orders', { ...order, quantity: 1e6 }],
    ['POST', '/orders', { ...order, clientOrderId: 'first' }],
    ['POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 5, orderType: 'market' }],
    ['POST', '/quotes', { ...quote, clientQuoteId: 'first' }],
    ['POST', '/quotes', { ...quote, bidSize: 11 }],
    ['POST', '/quotes', { ...quote, askSize: 9 }],
    ['POST', '/quotes', { ...quote, bidPrice: 53_000 }],
    ['PATCH', '/orders/ord_1', { quantity: 11 }],
    ['PATCH', '/orders/ord_2', { price: 48_000 }],
    ['DELETE', '/orders/ord_2'],
    ['PATCH', '/quotes/qt_1', { bidSize: 11 }],
    ['PATCH', '/quotes/qt_2', { bidPrice: 47_000 }],
    ['PATCH', '/quotes/qt_1', { bidPrice: 53_000 }],
    ['DELETE', '/quotes/qt_2'],
    ['POST', '/orders', order, 'viewer'],
    ['POST', '/orders', order, 'maker'],
    ['POST', '/quotes', quote, 'trader'],
    ['GET', '/orders/ord_1', undefined, 'trader'],
    ['GET', '/orders/by-client-id?clientOrderId=first', undefined, 'trader'],
    ['DELETE', '/quotes/qt_1', undefined, 'maker'],
    ['PUT', '/orders/ord_1', order],
    ['GET', '/order'],
    ['GET', '/orders/'],
    ['GET', '/orders/%zz'],
    ['GET', '/Orders'],
  ]
  const limited = {
    ...liquidScenario,
    accounts: [
      {
        id: 'desk',
        balances: { USD: 5_000_000, BTC: 8 },
        limits: {
          maxOpenOrders: 2,
          maxOpenOrdersPerAsset: 1,
          maxOrderValue: 400_000,
          maxDailyVolume: 60_000,
        },
      },
      { id: 'poor', balances: { USD: 10 } },
    ],
  }
  const world = worldOfDesk()
  const tight = createWorld(compiledScenario(limited))
  tight.request('desk', 'POST', `${api}/orders`, order)
  const inTight: readonly (readonly [string, string, (object | undefined)?, string?])[] = [
    ['POST', '/orders', order],
    ['POST', '/orders', { ...order, quantity: 9 }],
    ['POST', '/orders', { ...order, side: 'buy', quantity: 2, orderType: 'market', price: undefined }],
    ['POST', '/orders', order, 'poor'],
    ['POST', '/quotes', quote, 'poor'],
    ['POST', '/risk/pre-trade-check', { ...order, quantity: 9 }],
    ['POST', '/risk/simulate', { ...order, quantity: 9 }],
    ['POST', '/risk/pre-trade-check', order, 'poor'],
  ]
  const told = (of: World, [method, path, body, account = 'desk']: (typeof refusals)[number]) =>
    `${account} ${method} ${path} ${JSON.stringify(body) ?? ''}\n  ${answered(of, method, path, body, account, true)}`
  const lines = [
    ...refusals.map((refusal) => told(world, refusal)),
    '',
    'With narrow limits:',
    ...inTight.map((refusal) => told(tight, refusal)),
  ]
  await expectGolden('errors/venue-refusals.txt', lines.join('\n'))
})

/** Sends a request, and takes back what it did. Of a success, only the status is an error's business. */
function answered(
  world: World,
  method: string,
  path: string,
  body?: unknown,
  account = 'desk',
  isWhole = false,
): string {
  const start = method === 'GET' ? null : world.snapshot()
  const { status, body: answer } = world.request(account, method, api + path, body)
  if (start !== null && status < 300) world.restore(start)
  return status < 300 && !isWhole ? String(status) : `${status} ${JSON.stringify(answer)}`
}

const venue = useVenue()
beforeEach(() => {
  venue.wall.advance(1000)
  venue.worlds.default.reset(null)
})

it('over HTTP: what is wrong with whole requests, and each step of the pipeline', async () => {
  const desk = { apiKey: 'simk_default_desk', apiSecret: 'sims_default_desk' }
  const lines: string[] = []
  const right = async (method: string, path: string, body?: object) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    expect((await venue.send({ method, target: api + path, body: text, ...desk })).status).toBeLessThan(300)
  }
  await venue.admin('POST', '/worlds/default/accounts/desk/deposits', { asset: 'BTC', quantity: 5 })
  for (const [method, path, body] of beginning) await right(method, path, body)
  await venue.admin('PATCH', '/worlds/default/pairs/ETH-USD', { status: 'inactive' })
  venue.worlds.default.limiter.reset()
  const before = venue.worlds.default.digest()
  const send = async (title: string, sending: Sending): Promise<void> => {
    const reply = await venue.send(sending)
    lines.push(title, `  ${shownReply(reply)}`)
    expect(venue.worlds.default.digest(), title).toBe(before)
    venue.worlds.default.limiter.reset()
  }
  for (const operation of operationIds) {
    const { method, path } = routeOf(operation)
    const target = path.replace(':orderId', 'ord_1').replace(':quoteId', 'qt_1').replace(':asset', 'BTC')
    for (const mistake of mistakesOf(operation)) {
      const { body, headers } = mistake
      await send(`${operation}: ${mistake.name}`, {
        method,
        target: mistake.target ?? target,
        ...desk,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(headers === undefined ? {} : { headers }),
      })
    }
  }
  for (const [title, sending] of pipeline)
    await send(title, { ...trader, target: '/api/sdk/orders', ...sending })
  await expectGolden('errors/venue-over-http.txt', lines.join('\n'))
})

const pipeline: readonly (readonly [title: string, sending: Sending])[] = [
  ['no key', { headers: { 'x-api-key': null } }],
  ['an empty key', { headers: { 'x-api-key': '' } }],
  ['an unknown key', { apiKey: 'simk_nobody' }],
  ['no timestamp', { headers: { 'x-api-timestamp': null } }],
  ['a timestamp in seconds', { timestamp: 1_767_571_200 }],
  ['a timestamp that is text', { timestamp: 'now' }],
  ['an old timestamp', { timestamp: 1_700_000_000_000 }],
  ['a timestamp of tomorrow', { timestamp: 4_000_000_000_000 }],
  ['no signature', { headers: { 'x-api-signature': null } }],
  ['a signature in capitals', { signature: 'A'.repeat(64) }],
  ['a short signature', { signature: 'abc' }],
  ['a wrong signature', { signature: '0'.repeat(64) }],
  ['another path signed', { signedTarget: '/api/sdk/quotes' }],
  ['an unknown reading', { headers: { prefer: 'reading.envelop=bare' } }],
  ['an unknown value of a reading', { headers: { prefer: 'reading.envelope=maybe' } }],
  ['a reading that belongs to the world', { headers: { prefer: 'reading.rate.algorithm=sliding' } }],
  ['an unknown path', { target: '/api/sdk/order' }],
  ['a path beside the interface', { target: '/orders' }],
  ['the root of no page', { target: '//' }],
  ['another method', { method: 'PUT' }],
  ['HEAD', { method: 'DELETE', target: '/api/sdk/orders' }],
  ['a path that is no text', { target: '/api/sdk/orders/%ff' }],
  [
    'a scope that the key lacks',
    { apiKey: 'simk_default_viewer', apiSecret: 'sims_default_viewer', method: 'POST', body: '{}' },
  ],
  ['market making without its scope', { target: '/api/sdk/quotes', method: 'POST', body: '{}' }],
  ['half a character', { method: 'POST', body: '{"clientOrderId":"\\ud800"}' }],
  ['a key twice', { method: 'POST', body: '{"side":"buy","side":"sell"}' }],
  ['a reserved key', { method: 'POST', body: '{"metadata":{"__proto__":{}}}' }],
  ['too many digits', { method: 'POST', body: '{"quantity":0.12345678901234567}' }],
  ['a number without an end', { method: 'POST', body: '{"quantity":1e999}' }],
  ['text behind the JSON', { method: 'POST', body: '{} {}' }],
  ['a body of a GET', { method: 'GET', body: '{}' }],
]

/** Status, the headers that say something about the refusal, and the body; what changes from run to run is left out. */
function shownReply({ status, headers, text }: Reply): string {
  const told = ['allow', 'www-authenticate', 'retry-after', 'content-type'].flatMap((name) =>
    headers[name] === undefined || headers[name] === 'application/json' ? [] : [`${name}: ${headers[name]}`],
  )
  return [status, ...told, status < 300 ? '' : text].join(' ').trimEnd()
}
