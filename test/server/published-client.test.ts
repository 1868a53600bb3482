import { createHash, createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isObject } from '../../src/api/json.ts'
import { presetEntries, resolveReadings } from '../../src/api/readings/readings.ts'
import { startVenue, type TestVenue } from '../../src/testing/start-venue.ts'
import { liquidScenario } from '../world/scenarios.ts'

/*
 * What the venue's published Python client (PyPI zenotc 0.2.2) sends, byte for byte as it does, against the preset
 * `published-client`, and the fields without which its models refuse an answer. The client itself runs in
 * test/clients/zenotc.
 */

const scenario = {
  ...liquidScenario,
  rateLimits: { enabled: false },
  accounts: [
    { id: 'desk', balances: { USD: 1_000_000, BTC: 10 } },
    { id: 'short', type: 'margin', balances: { USD: 1_000_000 }, limits: { maxLeverage: 2 } },
  ],
}

/** The fields of each model that have no default (`Field(...)`), by their aliases on the wire. */
const required = {
  // models/order.py
  Order: ['createdAt', 'id', 'side', 'asset', 'quantity', 'orderType', 'status', 'timeInForce'],
  BatchOrderResponse: ['successful', 'failed', 'totalSubmitted', 'totalSuccessful', 'totalFailed'],
  // models/quote.py
  Quote: [
    ...[
      'createdAt',
      'id',
      'userId',
      'asset',
      'bidPrice',
      'askPrice',
      'bidSize',
      'askSize',
      'status',
      'expiresAt',
    ],
  ],
  // models/base.py
  PaginatedResponse: ['data', 'total', 'page', 'limit', 'hasMore'],
  // models/market_data.py
  Price: ['asset', 'bid', 'ask', 'mid', 'timestamp'],
  OrderBook: ['asset', 'bids', 'asks', 'timestamp'],
  // models/portfolio.py
  Balance: ['asset', 'total', 'available', 'updatedAt'],
  Position: [
    ...['asset', 'quantity', 'averageEntryPrice', 'currentPrice', 'marketValue', 'unrealizedPnl'],
    ...['unrealizedPnlPercentage', 'costBasis', 'updatedAt'],
  ],
  Exposure: ['asset', 'notionalValue', 'percentageOfPortfolio', 'netExposure'],
  ExposureSummary: [
    ...['totalNotional', 'totalLongExposure', 'totalShortExposure', 'netExposure', 'grossExposure'],
    ...['exposuresByAsset', 'updatedAt'],
  ],
  PortfolioSummary: [
    ...['totalValue', 'totalPnl', 'totalPnlPercentage', 'dailyPnl', 'dailyPnlPercentage', 'balances'],
    ...['positions', 'exposure', 'openOrdersCount', 'activeTradesCount', 'updatedAt'],
  ],
  // models/risk.py
  RiskLimit: [
    ...['limitType', 'limitValue', 'currentValue', 'utilizationPercentage', 'isBreached', 'updatedAt'],
  ],
  RiskLimits: ['limits', 'updatedAt'],
  PreTradeCheckResult: ['approved', 'checksPerformed', 'timestamp'],
} as const
type Model = keyof typeof required

interface Sending {
  readonly params?: object
  readonly body?: object
  readonly account?: string
  readonly keys?: TestVenue['keys']
  readonly headers?: { readonly [name: string]: string }
}

interface Answer {
  readonly status: number
  readonly body: { readonly [name: string]: unknown }
  readonly hint: string | null
}

let venue: TestVenue

beforeAll(async () => {
  venue = await startVenue({ scenario, readings: '@published-client' })
})
afterAll(() => venue.close())

/** As utils/http.py does: sorted compact keys, the hash of the secret as the key, and no query in the signed path. */
async function send(
  method: string,
  path: string,
  { params, body, account = 'desk', keys = venue.keys, headers = {} }: Sending = {},
): Promise<Answer> {
  const key = keys[account] ?? { apiKey: '', apiSecret: '' }
  const text = body === undefined ? '' : JSON.stringify(sorted(body))
  const timestamp = String(Date.now())
  const hashed = createHash('sha256').update(key.apiSecret).digest('hex')
  const signature = createHmac('sha256', hashed).update(`${timestamp}${method}${path}${text}`).digest('hex')
  const query = params === undefined ? '' : `?${new URLSearchParams(Object.entries(params))}`
  const response = await fetch(venue.url + path + query, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'X-API-Key': key.apiKey,
      'X-API-Timestamp': timestamp,
      'X-API-Signature': signature,
      ...headers,
    },
    ...(text === '' ? {} : { body: text }),
  })
  const answered: unknown = await response.json()
  return {
    status: response.status,
    body: isObject(answered) ? answered : {},
    hint: response.headers.get('x-sim-hint'),
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, field]): [string, unknown] => [name, sorted(field)])
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/** What a model would miss: nothing, when it takes the answer. */
function missing(model: Model, value: unknown): readonly string[] {
  const fields = isObject(value) ? value : {}
  return required[model].filter((name) => fields[name] === undefined || fields[name] === null)
}

const order = {
  asset: 'BTC',
  order_type: 'limit',
  price: '40000',
  quantity: '0.5',
  side: 'buy',
  time_in_force: 'GTC',
}
const quote = {
  ...{ asset: 'BTC', bid_price: '40000', ask_price: '60000.00', bid_size: '0.1', ask_size: '1E-1' },
  valid_for_seconds: 120,
}
const orders = '/api/sdk/orders'
const quotes = '/api/sdk/quotes'
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** Each of the client's requests, the model that reads the answer, and where in the answer it looks. */
const reads: readonly [Model, string, (body: Answer['body']) => readonly unknown[], object?][] = [
  [
    'PaginatedResponse',
    orders,
    (body) => [body],
    { page: 1, limit: 50, statuses: 'pending,open,partially_filled' },
  ],
  ['Order', orders, ({ data }) => list(data), { page: 1, limit: 50 }],
  ['Quote', quotes, ({ data }) => list(data), { page: 1, limit: 50, statuses: 'active,partially_filled' }],
  ['PaginatedResponse', quotes, (body) => [body], { page: 1, limit: 50 }],
  ['Price', '/api/sdk/market-data/prices', ({ prices }) => list(prices), { assets: 'BTC' }],
  ['OrderBook', '/api/sdk/market-data/orderbook/BTC', (body) => [body], { depth: 100 }],
  ['Balance', '/api/sdk/portfolio/balances', ({ balances }) => list(balances)],
  ['Balance', '/api/sdk/portfolio/balances/BTC', (body) => [body]],
  ['Position', '/api/sdk/portfolio/positions', ({ positions }) => list(positions)],
  ['Position', '/api/sdk/portfolio/positions/BTC', (body) => [body]],
  ['ExposureSummary', '/api/sdk/portfolio/exposure', (body) => [body]],
  ['Exposure', '/api/sdk/portfolio/exposure', ({ exposuresByAsset }) => list(exposuresByAsset)],
  ['Exposure', '/api/sdk/portfolio/exposure/BTC', (body) => [body]],
  ['PortfolioSummary', '/api/sdk/portfolio/summary', (body) => [body]],
  ['Balance', '/api/sdk/portfolio/summary', ({ balances }) => list(balances)],
  ['Position', '/api/sdk/portfolio/summary', ({ positions }) => list(positions)],
  ['ExposureSummary', '/api/sdk/portfolio/summary', ({ exposure }) => [exposure]],
  ['RiskLimits', '/api/sdk/risk/limits', (body) => [body]],
  ['RiskLimit', '/api/sdk/risk/limits', ({ limits }) => list(limits)],
]

describe('the published client', () => {
  it('places, finds, amends and cancels orders', async () => {
    const made = await send('POST', orders, {
      body: { ...order, client_order_id: 'mine', metadata: { a_b: 1 } },
    })
    expect(made).toMatchObject({
      status: 201,
      body: { quantity: 0.5, price: 40_000, clientOrderId: 'mine', metadata: { a_b: 1 } },
    })
    expect(missing('Order', made.body)).toEqual([])
    const { orderId, id } = made.body
    expect(id).toBe(orderId)
    const immediate = await send('POST', orders, { body: { ...order, time_in_force: 'IOC' } })
    expect(immediate.body).toMatchObject({ timeInForce: 'IOC' })
    const amended = await send('PATCH', `${orders}/${orderId}`, {
      body: { price: '39000', quantity: '0.25' },
    })
    expect(amended.body).toMatchObject({ price: 39_000, quantity: 0.25 })
    const cancelled = await send('DELETE', `${orders}/${orderId}`)
    expect(missing('Order', cancelled.body)).toEqual([])
    expect(cancelled.body).toMatchObject({ id, status: 'cancelled', quantity: 0.25, clientOrderId: 'mine' })
  })

  it('gets whole orders of a batch and of a cancel-all', async () => {
    const gone = { ...order, asset: 'GOLD' }
    const batch = await send('POST', `${orders}/batch`, { body: { orders: [order, gone, order] } })
    expect(missing('BatchOrderResponse', batch.body)).toEqual([])
    expect(batch.body).toMatchObject({
      summary: { total: 3, successful: 2, failed: 1 },
      totalSubmitted: 3,
      totalSuccessful: 2,
      totalFailed: 1,
      failed: [{ index: 1 }],
    })
    for (const each of list(batch.body['successful'])) expect(missing('Order', each)).toEqual([])
    const all = await send('DELETE', `${orders}/batch`, { body: { asset: 'BTC', side: 'buy' } })
    expect(list(all.body['data']).map((each) => missing('Order', each))).toEqual([[], []])
    expect(all.body['cancelledCount']).toBe(2)
  })

  it('quotes, and reads the fills of a quote', async () => {
    const made = await send('POST', quotes, { body: { ...quote, bid_price: '50100', ask_price: '60000' } })
    expect(missing('Quote', made.body)).toEqual([])
    expect(made.body).toMatchObject({ userId: 'desk', askSize: 0.1, validForSeconds: 120 })
    const { quoteId } = made.body
    const fills = await send('GET', `${quotes}/${quoteId}/fills`, { params: { page: 1, limit: 50 } })
    expect(fills.body).toMatchObject({ fills: [{ quoteId, side: 'buy' }], pagination: { page: 1 } })
    const listed = await send('GET', quotes, { params: { page: 1, limit: 50, statuses: 'partially_filled' } })
    expect(listed.body).toMatchObject({ data: [{ id: quoteId, bidFilled: 0.1 }], total: 1, hasMore: false })
    const changed = await send('PATCH', `${quotes}/${quoteId}`, {
      body: { ask_size: '0.2', valid_for_seconds: 60 },
    })
    expect(changed.body).toMatchObject({ askSize: 0.2, validForSeconds: 60 })
    const cancelled = await send('DELETE', `${quotes}/${quoteId}`)
    expect(missing('Quote', cancelled.body)).toEqual([])
  })

  it.each(reads)('reads %s from %s', async (model, path, find, params) => {
    // Something to read, whichever test runs.
    await send('POST', orders, { body: order })
    await send('POST', quotes, { body: quote })
    const { status, body } = await send('GET', path, params === undefined ? {} : { params })
    expect(status).toBe(200)
    const found = find(body)
    expect(found.length).toBeGreaterThan(0)
    for (const each of found) expect(missing(model, each)).toEqual([])
    await send('DELETE', `${orders}/batch`)
    await send('DELETE', quotes)
    await venue.world.advance('1s')
  })

  it('checks an order, and is told why it would be refused', async () => {
    const candidate = { asset: 'BTC', price: '50000', quantity: '0.1', side: 'buy' }
    const fine = await send('POST', '/api/sdk/risk/pre-trade-check', { body: candidate })
    expect(missing('PreTradeCheckResult', fine.body)).toEqual([])
    expect(fine.body['reason']).toBeNull()
    const many = { ...candidate, quantity: '1000' }
    const refused = await send('POST', '/api/sdk/risk/pre-trade-check', { body: many })
    expect(refused.body['reason']).toBe(list(refused.body['rejectionReasons']).join('; '))
  })

  it('sees a short position as negative', async () => {
    const sold = { asset: 'BTC', order_type: 'market', quantity: '0.5', side: 'sell', time_in_force: 'GTC' }
    await send('POST', orders, { body: sold, account: 'short' })
    const { body } = await send('GET', '/api/sdk/portfolio/positions/BTC', { account: 'short' })
    expect(body).toMatchObject({ quantity: -0.5, side: 'short' })
    const exposure = await send('GET', '/api/sdk/portfolio/exposure/BTC', { account: 'short' })
    expect(Number(exposure.body['netExposure'])).toBe(-Number(exposure.body['notionalValue']))
    const whole = await send('GET', '/api/sdk/portfolio/exposure', { account: 'short' })
    const { grossExposure, totalNotional, leverage } = whole.body
    expect(Number(grossExposure) / Number(totalNotional)).toBeCloseTo(Number(leverage), 6)
  })

  it('finds the type of an error where it looks for it', async () => {
    expect((await send('GET', `${orders}/none`)).body).toMatchObject({ errorCode: 'ORDER_NOT_FOUND' })
  })
})

describe('a limit in the list', () => {
  it('says how much of it is used, as the documented answers do', async () => {
    await send('POST', orders, { body: { ...order, quantity: '0.3' } })
    await send('POST', quotes, { body: { ...quote, bid_size: '0.4' } })
    const { body } = await send('GET', '/api/sdk/risk/limits')
    const used = (type: string, asset: string | null) =>
      list(body['limits']).find(
        (limit) => isObject(limit) && limit['limitType'] === type && limit['asset'] === asset,
      )
    expect(used('max_open_orders', null)).toMatchObject({ currentValue: 2 })
    expect(used('max_open_orders', 'BTC')).toMatchObject({ currentValue: 2 })
    expect(used('max_order_size', 'BTC')).toMatchObject({ currentValue: 0.4, isBreached: false })
    expect(used('max_notional_value', null)).toMatchObject({ currentValue: 16_000 })
    const documented = await send('GET', '/api/sdk/risk/utilization')
    const { exposure, dailyVolume } = Object(documented.body['utilization'])
    expect(used('max_exposure', null)).toMatchObject({
      currentValue: exposure.used,
      limitValue: exposure.limit,
      utilizationPercentage: exposure.percent,
    })
    expect(used('max_daily_volume', null)).toMatchObject({ currentValue: dailyVolume.used })
  })
})

describe('a preset', () => {
  it('is a set of readings that exist, each with its evidence', () => {
    for (const { name, readings } of presetEntries) {
      expect(resolveReadings(`@${name}`).ok).toBe(true)
      for (const { evidence } of readings) expect(evidence).toMatch(/\.py/)
    }
  })

  it('is overridden by single readings, wherever they stand', () => {
    const before = resolveReadings({
      envelope: 'wrapped',
      preset: '@published-client',
      'limits.form': 'object',
    })
    expect(before).toMatchObject({
      ok: true,
      value: { envelope: 'wrapped', 'limits.form': 'object', 'body.names': 'either' },
    })
  })

  it('is set for a world, and for one request', async () => {
    const { keys } = venue.createWorld({ readings: { preset: 'published-client', 'limits.form': 'object' } })
    const { body } = await send('GET', '/api/sdk/risk/limits', { keys })
    expect(body).toMatchObject({
      limits: { maxOpenOrders: expect.any(Number) },
      updatedAt: expect.any(String),
    })
    const plain = venue.createWorld({ readings: {} })
    const refused = await send('GET', '/api/sdk/risk/limits', { keys: plain.keys })
    expect(refused.status).toBe(401)
    expect(refused.hint).toContain('keyed with the SHA-256 of the secret')
    const headers = { Prefer: 'reading.preset=published-client, reading.answers.clientFields=none' }
    const preferred = await send('GET', '/api/sdk/risk/limits', { keys: plain.keys, headers })
    expect(Object.keys(preferred.body)).toEqual(['limits'])
    expect(missing('RiskLimit', list(preferred.body['limits'])[0])).toEqual([])
  })

  it.each([['@publishd-client'], [{ preset: 'publishd-client' }]])('must exist: %j', (readings) => {
    expect(resolveReadings(readings)).toMatchObject({
      ok: false,
      problem: {
        field: 'preset',
        reason: 'must be one of @published-client',
        hint: 'did you mean published-client?',
      },
    })
  })
})
