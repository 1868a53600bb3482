import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  defaultReadings,
  presetEntries,
  type ReadingKey,
  readingEntries,
  resolveReadings,
} from '../../src/api/readings/readings.ts'
import { judgeSources } from '../../src/cli/drift/judge-exchanges.ts'
import { readRecording } from '../../src/cli/drift/read-recording.ts'
import { createWorld } from '../../src/world/world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scenarioOf } from '../world/journals/recorded.ts'
import { otcsim } from './harness.ts'

const api = '/api/sdk'

/** A recording of a client that tries many requests. */
function session(readings: { readonly [key: string]: string }): object {
  const resolved = resolveReadings(readings)
  if (!resolved.ok) throw new Error(resolved.problem.reason)
  const world = createWorld(scenarioOf(), { readings: resolved.value })
  const entries: object[] = []
  const send = (method: string, path: string, body?: object): Record<string, unknown> => {
    world.advance(50)
    const answer = world.request('desk', method, api + path, body)
    entries.push({
      startedDateTime: new Date(Date.parse('2026-03-01T10:00:00Z') + 50 * entries.length).toISOString(),
      time: 20,
      request: {
        method,
        url: `https://venue.example/gateway${api}${path}`,
        headers: [{ name: 'X-API-Key', value: 'desk' }],
        ...(body === undefined ? {} : { postData: { text: JSON.stringify(body) } }),
      },
      response: { status: answer.status, headers: [], content: { text: JSON.stringify(answer.body) } },
    })
    const found: Record<string, unknown> = { ...answer.body }
    const data = found['data']
    return typeof data === 'object' && data !== null ? { ...data } : found
  }
  const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 }
  const { orderId } = send('POST', '/orders', { ...order, clientOrderId: 'mine' })
  send('POST', '/orders', { ...order, clientOrderId: 'mine' })
  send('POST', '/orders', { ...order, quantity: '0.5' })
  const market = send('POST', '/orders', { side: 'buy', asset: 'BTC', quantity: 0.1, orderType: 'market' })
  send('GET', `/orders/${market['orderId']}`)
  send('GET', `/orders/${market['orderId']}/fills`)
  const killed = send('POST', '/orders', { ...order, timeInForce: 'FOK' })
  send('GET', `/orders/${killed['orderId']}`)
  send('POST', '/orders', { ...order, quantity: 9, price: 900_000 })
  send('POST', '/orders/batch', { orders: [order, { ...order, quantity: -1 }] })
  send('POST', '/orders/batch', { orders: [{ ...order, quantity: -1 }] })
  send('GET', '/orders?limit=50')
  send('GET', '/orders?limit=500')
  send('GET', '/orders?statuses=expired')
  send('GET', '/orders?statuses=pending,open')
  send('POST', '/orders', { ...order, time_in_force: 'IOC' })
  send('DELETE', `/orders/${orderId}`)
  send('DELETE', `/orders/${orderId}`)
  const quote = {
    asset: 'BTC',
    bidPrice: 40_000,
    askPrice: 60_000,
    bidSize: 0.1,
    askSize: 0.1,
    validForSeconds: 60,
  }
  const { quoteId } = send('POST', '/quotes', quote)
  send('PATCH', `/quotes/${quoteId}`, { validForSeconds: 100 })
  send('PATCH', '/quotes/batch/update', [{ quoteId: 'quo_99', bidPrice: 1 }])
  send('GET', `/quotes/${quoteId}/fills`)
  send('GET', '/quotes?limit=1&page=2')
  send('GET', '/market-data/orderbook/BTC?depth=60')
  send('DELETE', `/quotes/${quoteId}`)
  send('DELETE', `/quotes/${quoteId}`)
  for (const path of [
    '/portfolio/balances',
    '/portfolio/balances/USD',
    '/portfolio/positions',
    '/portfolio/positions/BTC',
  ])
    send('GET', path)
  for (const path of [
    '/portfolio/exposure',
    '/portfolio/exposure/BTC',
    '/portfolio/summary',
    '/portfolio/transactions',
  ])
    send('GET', path)
  for (const path of [
    '/risk/limits',
    '/risk/utilization',
    '/risk/max-quantity?asset=BTC&side=buy&price=50000',
  ])
    send('GET', path)
  for (const path of [
    '/market-data/prices/BTC',
    '/market-data/prices',
    '/market-data/trading-pairs',
    '/market-data/stats/24h',
  ])
    send('GET', path)
  send('PUT', '/orders', order)
  send('GET', '/orders?limit=50&sort=up')
  send('POST', '/orders', { ...order, colour: 'red' })
  send('GET', '/portfolio/balances?assets=DOGE')
  send('POST', '/orders', { ...order, quantity: 0.00005 })
  send('POST', '/orders', { ...order, quantity: 9, price: 900_000, clientOrderId: 'too-much' })
  send('GET', '/orders/by-client-id?clientOrderId=too-much')
  send('GET', `/orders/${orderId}`)
  send('POST', '/risk/simulate', { side: 'buy', asset: 'BTC', quantity: 0.1, price: 50_000 })
  return { log: { version: '1.2', entries } }
}

function verdicts(readings: { readonly [key: string]: string }): ReadonlyMap<string, readonly string[]> {
  const har = readRecording(JSON.stringify(session(readings)))
  if (har === null) throw new Error('no recording')
  const [source] = judgeSources(har.exchanges)
  return new Map(source?.verdicts.map(({ key, fits }) => [key, fits]))
}

/** The readings that the session can distinguish, whichever values the venue has. */
const shown: readonly ReadingKey[] = [
  ...(['answers.clientFields', 'limits.form', 'body.names', 'quotes.query', 'quotes.fills'] as const),
  ...([
    'http.wrongMethod',
    'query.unknown',
    'body.unknown',
    'assets.unknown',
    'pairs.violation',
    'orders.rejectMode',
  ] as const),
  ...([
    'envelope',
    'createdStatus',
    'nulls',
    'ids.format',
    'lists.order',
    'error.message',
    'bulk.failure',
    'fills.side',
  ] as const),
  ...([
    'orders.createResponse',
    'orders.endOfImmediate',
    'orders.cancelTerminal',
    'clientId.duplicate',
  ] as const),
  ...(['quotes.extend', 'body.coerce', 'params.outOfRange', 'positions.one', 'exposure.one'] as const),
  ...([
    'shapes.price',
    'shapes.pair',
    'shapes.stats',
    'shapes.balance',
    'shapes.position',
    'shapes.exposure',
  ] as const),
  ...([
    'shapes.summary',
    'shapes.limits',
    'shapes.utilization',
    'shapes.maxQuantity',
    'shapes.simulation',
  ] as const),
]
const alternatives = readingEntries.flatMap(({ key, alternatives: values }) =>
  values.map((value) => [key, value] as const),
)

describe('a recording', () => {
  it('proves the default readings that the session shows, and refutes none', () => {
    const found = verdicts({})
    for (const [key, fits] of found)
      expect([key, fits]).toEqual([
        key,
        expect.arrayContaining([Object.entries(defaultReadings).find(([name]) => name === key)?.[1]]),
      ])
    for (const key of shown)
      expect([key, found.get(key)]).toEqual([
        key,
        [Object.entries(defaultReadings).find(([name]) => name === key)?.[1]],
      ])
  })

  it('shows undocumented fields in all shapes', () => {
    const reduced = Object.fromEntries(
      alternatives.filter(([key]) => /^(shapes|exposure|positions)\./.test(key)),
    )
    expect(verdicts(reduced).get('answers.extraFields')).toBeUndefined()
    const some = { ...reduced, 'answers.extraFields': 'some' }
    expect(verdicts(some).get('answers.extraFields')).toEqual(['some'])
    expect(verdicts({ 'answers.extraFields': 'some' }).get('answers.extraFields')).toEqual(['some'])
  })

  it('proves the readings of a venue for which the published client was written', () => {
    const found = verdicts({ preset: 'published-client' })
    for (const key of ['answers.clientFields', 'limits.form', 'body.names', 'quotes.query', 'quotes.fills'])
      expect([key, found.get(key)]).toEqual([
        key,
        presetEntries[0]?.readings.flatMap((entry) => (entry.key === key ? [entry.value] : [])),
      ])
    expect(found.get('body.unknown')).toEqual(['400'])
    expect(found.get('answers.extraFields')).toBeUndefined()
  })

  it.each(alternatives)('never refutes %s=%s for a venue with that reading', (key, value) => {
    const fits = verdicts({ [key]: value }).get(key)
    if (fits !== undefined) expect(fits).toContain(value)
    if (shown.includes(key)) expect(fits).toEqual([value])
  })
})

const quote = {
  quoteId: 'q1',
  asset: 'BTC',
  bidPrice: 1,
  askPrice: 2,
  bidSize: 1,
  askSize: 1,
  status: 'active',
}

/** Returns what an update shows of a quote that was created at 10:00:00 and extended by 60 seconds. */
function extensionOf(answer: { readonly [name: string]: string }): readonly string[] | undefined {
  const entry = {
    startedDateTime: '2026-03-01T10:00:20.000Z',
    request: {
      method: 'PATCH',
      url: 'https://venue.example/api/sdk/quotes/q1',
      postData: { text: '{"validForSeconds":60}' },
    },
    response: { status: 200, headers: [], content: { text: JSON.stringify({ ...quote, ...answer }) } },
  }
  const har = readRecording(JSON.stringify({ log: { entries: [entry] } }))
  const [source] = judgeSources(har?.exchanges ?? [])
  return source?.verdicts.find(({ key }) => key === 'quotes.extend')?.fits
}

it.each([
  ['2026-03-01T10:01:20.000Z', ['now']],
  // Unless the former expiry is known, it may have been as near.
  ['2026-03-01T10:01:20.004Z', ['now', 'expiry']],
  ['2026-03-01T10:01:19.700Z', ['now', 'expiry']],
  ['2026-03-01T10:01:00Z', ['created']],
  ['2026-03-01T10:01:40Z', ['expiry']],
  ['2026-03-01T10:01:10Z', undefined],
])('tells from which instant a quote is extended when clocks differ a little: to %s', (expiresAt, fits) => {
  const times = { createdAt: '2026-03-01T10:00:00Z', updatedAt: '2026-03-01T10:00:20Z' }
  expect(extensionOf({ ...times, expiresAt })).toEqual(fits)
})

it('sees no extension in an answer without times', () => {
  expect(extensionOf({})).toBeUndefined()
  expect(
    extensionOf({ updatedAt: '2026-03-01T10:00:20Z', expiresAt: '2026-03-01T10:01:40Z' }),
  ).toBeUndefined()
})

describe('otcsim drift', () => {
  it('lists what is proved by which entries, and pins it', async () => {
    const cwd = temporaryFolder()
    writeFileSync(
      join(cwd, 'real.har'),
      JSON.stringify(session({ envelope: 'wrapped', createdStatus: '200' })),
    )
    const done = await otcsim(['drift', '--har', 'real.har', '-o', 'readings.json'], { cwd })
    expect(done.code).toBe(0)
    expect(done.out).toMatch(
      /≠ envelope: wrapped \(not our default\) {2}#0 POST \/orders 200 2026-03-01T10:00:00\.000Z; \d+ more\n/,
    )
    expect(done.out).toMatch(/≠ createdStatus: 200 \(not our default\) {2}#3 POST \/orders 200 /)
    expect(done.out).toMatch(/✓ lists\.order: newest {2}#11 GET \/orders\?limit=50 200 /)
    expect(JSON.parse(readFileSync(join(cwd, 'readings.json'), 'utf8'))).toMatchObject({
      envelope: 'wrapped',
      createdStatus: '200',
    })
  })

  it('reports contradictions, headers, and clocks that were ahead', async () => {
    const cwd = temporaryFolder()
    const balance = {
      asset: 'USD',
      total: 1,
      available: 1,
      usdValue: 1,
      updatedAt: '2026-03-01T10:00:00.000Z',
    }
    const entry = (status: number, body: object, reset: string, aheadMillis: number) => ({
      startedDateTime: '2026-03-01T10:00:00.000Z',
      request: {
        method: 'GET',
        url: `http://venue${api}/portfolio/balances/USD`,
        headers: [
          { name: 'X-API-Key', value: 'desk' },
          { name: 'X-API-Signature', value: 'ab'.repeat(32) },
          { name: 'X-API-Timestamp', value: String(Date.parse('2026-03-01T10:00:00Z') + aheadMillis) },
        ],
      },
      response: {
        status,
        headers: [
          { name: 'X-RateLimit-Limit', value: '10' },
          { name: 'X-RateLimit-Reset', value: reset },
          { name: 'Date', value: 'Sun, 01 Mar 2026 10:00:00 GMT' },
        ],
        content: { text: Buffer.from(JSON.stringify(body)).toString('base64'), encoding: 'base64' },
      },
    })
    const entries = [
      entry(200, { data: balance, timestamp: 'x' }, '1772359201', 0),
      entry(200, balance, '1772359201', 4000),
      entry(
        401,
        { statusCode: 401, message: ['no'], error: 'Unauthorized', details: {}, code: 'INVALID_SIGNATURE' },
        '1772359201',
        0,
      ),
    ]
    writeFileSync(join(cwd, 'real.har'), JSON.stringify({ log: { entries } }))
    const { verdicts: found } = JSON.parse(
      (await otcsim(['drift', '--har', 'real.har', '--json'], { cwd })).out,
    )
    const fits = Object.fromEntries(
      found.map((verdict: { key: string; fits: string[] }) => [verdict.key, verdict.fits]),
    )
    expect(fits).toMatchObject({
      envelope: [],
      'rate.resetUnit': ['seconds'],
      'auth.futureMs': ['30000', '5000', 'unlimited'],
      'error.typeField': ['code'],
      'error.message': ['array'],
      'auth.signatureStatus': ['401'],
    })
    expect((await otcsim(['drift', '--har', 'real.har'], { cwd })).out).toMatch(
      /✗ envelope: contradicts itself: wrapped by #0 GET .*, bare by #1 GET /,
    )
  })

  it('detects units of percent, odd timestamps and upper-case signatures, and says why the rest is unknown', async () => {
    const cwd = temporaryFolder()
    const entry = (
      path: string,
      status: number,
      body: object,
      headers: { readonly [name: string]: string },
    ) => ({
      startedDateTime: '2026-03-01T10:00:00.000Z',
      request: {
        method: 'GET',
        url: `http://venue${api}${path}`,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      },
      response: { status, headers: [], content: { text: JSON.stringify(body) } },
    })
    const refusal = {
      statusCode: 401,
      message: 'no',
      error: 'Unauthorized',
      details: { field: 'X-API-Timestamp' },
    }
    const stats = (changePercent: number) => ({ stats: [{ open: 200, change: 5, changePercent }] })
    const entries = [
      entry('/market-data/stats/24h', 200, stats(0.025), { 'X-API-Signature': 'AB'.repeat(32) }),
      entry('/market-data/stats/24h', 401, refusal, { 'X-API-Timestamp': 'now' }),
    ]
    writeFileSync(join(cwd, 'real.har'), JSON.stringify({ log: { entries } }))
    const { out } = await otcsim(['drift', '--har', 'real.har'], { cwd })
    expect(out).toMatch(/≠ percent\.unit: fraction /)
    expect(out).toMatch(/≠ signature\.hex: any /)
    expect(out).toMatch(/✓ auth\.malformed: 401 /)
    expect(out).toMatch(/not in this recording: .*orders\.rejectMode/)
    expect(out).toContain('scopes.implied: a recording does not show which scopes a key has')
  })

  it.each([
    ['no file', null, /cannot read real\.har/],
    ['no recording', '{"log":{}}', /is not a HAR recording/],
    [
      'nothing about the venue',
      '{"log":{"entries":[{"request":{"method":"GET","url":"https://example.org/"},"response":{"status":200}}]}}',
      /none of 1 entries/,
    ],
  ])('cannot use %s', async (_what, text, reason) => {
    const cwd = temporaryFolder()
    if (text !== null) writeFileSync(join(cwd, 'real.har'), text)
    const done = await otcsim(['drift', '--har', 'real.har'], { cwd })
    expect(done.code).toBe(5)
    expect(done.err).toMatch(reason)
  })
})
