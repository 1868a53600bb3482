import { beforeEach, expect, it } from 'vitest'
import { useVenue } from '../server/venue-fixture.ts'
import { expectGolden } from './golden-text.ts'
import { storyScenario } from './story.ts'
import { groupedByAnswer, shownValue } from './wrong-values.ts'

/* What the admin API answers to wrong requests: each value that a field cannot have, and each thing that is not there. */

const venue = useVenue()
beforeEach(async () => {
  venue.worlds.delete('story')
  expect((await venue.admin('POST', '/worlds', { id: 'story', scenario: storyScenario })).status).toBe(201)
})

const fewWrongValues = [undefined, null, true, 'nonsense', '', 7, -1, 0.5, 1e15, [], {}]

/** Right bodies by operation; each of their fields gets wrong values, and one that nobody knows is added. */
const bodies: readonly (readonly [request: string, body: Readonly<Record<string, unknown>>])[] = [
  [
    'POST /worlds',
    {
      id: 'other',
      seed: '7',
      clock: { mode: 'manual' },
      readings: { envelope: 'bare' },
      ttlMs: 1000,
      scenario: 'quiet',
    },
  ],
  ['POST /worlds', { fromSnapshot: 'snap_1' }],
  ['POST W/reset', { seed: '7' }],
  ['PUT W/readings', { envelope: 'bare' }],
  ['PUT W/clock', { mode: 'manual', speed: 1, stepMs: 100 }],
  ['POST W/clock/advance', { byMs: 1000 }],
  ['POST W/clock/advance', { to: '2026-01-05T00:00:01Z' }],
  ['POST W/clock/advance', { toNext: true }],
  ['POST W/clock/advance', { until: { event: 'trade', match: { asset: 'ETH' }, maxMs: 60_000 } }],
  [
    'POST W/accounts',
    {
      id: 'carol',
      type: 'cash',
      balances: { USD: 1 },
      limits: { maxLeverage: 1 },
      fees: { takerBps: 1 },
      keys: [],
    },
  ],
  ['PATCH W/accounts/desk', { limits: { maxOrderValue: 1000 }, fees: { takerBps: 7 }, type: 'cash' }],
  ['POST W/accounts/desk/keys', { scopes: ['READ'], apiKey: 'a-key', apiSecret: 'secret' }],
  ['POST W/accounts/desk/deposits', { asset: 'USD', quantity: 1, pendingMs: 1000 }],
  ['POST W/accounts/desk/withdrawals', { asset: 'USD', quantity: 1, pendingMs: 1000 }],
  ['POST W/market/BTC/price', { mid: 50_000, overMs: 1000 }],
  ['POST W/market/BTC/price', { percent: 1 }],
  [
    'PUT W/market/BTC/liquidity',
    { spreadX: 2, depthX: 1, refreshX: 1, oneSided: 'bids', stale: true, forMs: 1000 },
  ],
  [
    'PATCH W/pairs/BTC-USD',
    { status: 'active', minQuantity: 0.01, maxQuantity: 10, minPrice: 1, minNotional: 1 },
  ],
  ['POST W/timeline', { actions: [{ at: '+1s', note: 'x' }] }],
  [
    'POST W/faults',
    {
      id: 'f',
      type: 'http_error',
      match: { method: 'POST' },
      phase: 'before',
      toxicity: 1,
      count: 1,
      skip: 0,
      every: 1,
      attributes: { status: 503 },
      forMs: 1000,
    },
  ],
  ['PUT W/rate-limits', { enabled: true, marketData: 30, other: 10, windowMs: 1000 }],
  ['POST W/orders/ord_1/fill', { quantity: 0.1, price: 1 }],
  ['POST W/quotes/qt_1/fill', { quantity: 0.1, price: 1, side: 'bid' }],
  ['POST W/requests/find', { match: { method: 'POST' } }],
  ['POST W/requests/count', { match: { status: 200 } }],
  ['POST W/requests/verify', { match: {}, times: { exactly: 1 } }],
  ['POST W/requests/explain', { method: 'GET', path: '/api/sdk/orders', headers: {}, body: '' }],
  ['POST W/snapshots', { sequence: 0 }],
  ['POST W/snapshots', { at: '2026-01-05T00:00:00Z' }],
]

/** Requests of what is not there, or cannot be. */
const lost: readonly (readonly [request: string, body?: unknown])[] = [
  ['GET /nothing'],
  ['PUT /health'],
  ['GET /worlds/nowhere'],
  ['GET /worlds/stroy/digest'],
  ['POST /worlds', { id: 'story' }],
  ['POST /worlds', { scenario: 'quite' }],
  ['POST /worlds', { scenario: { version: 1, name: 'x', market: {} } }],
  ['DELETE /worlds/default'],
  ['DELETE /worlds/nowhere'],
  ['GET /openapi.json?readings=nonsense'],
  ['GET W/view?account=nobody'],
  ['GET W/view?asset=GOLD'],
  ['GET W/view?depth=99'],
  ['GET W/view?sequence=99'],
  ['GET W/view?at=noon'],
  ['GET W/view?nonsense=1'],
  ['GET W/history?from=x'],
  ['GET W/history/prices?asset=GOLD'],
  ['GET W/requests?since=x'],
  ['GET W/events?since=x'],
  ['POST W/accounts', { id: 'desk' }],
  ['PATCH W/accounts/nobody', {}],
  ['POST W/accounts/nobody/keys', { scopes: [] }],
  ['POST W/accounts/desk/keys', { scopes: ['READ'], apiKey: 'key-bob' }],
  ['DELETE W/keys/nothing'],
  ['POST W/accounts/nobody/deposits', { asset: 'USD', quantity: 1 }],
  ['POST W/accounts/desk/withdrawals', { asset: 'BTC', quantity: 999 }],
  ['POST W/market/GOLD/price', { mid: 1 }],
  ['POST W/market/USD/price', { mid: 1 }],
  ['POST W/market/BTC/price', {}],
  ['POST W/market/BTC/price', { mid: 1, percent: 1 }],
  ['PATCH W/pairs/GOLD-USD', {}],
  ['POST W/clock/advance', {}],
  ['POST W/clock/advance', { byMs: 1, toNext: true }],
  ['POST W/clock/advance', { byMs: 40_000_000_000 }],
  ['POST W/clock/advance', { to: '2025-01-01T00:00:00Z' }],
  ['POST W/clock/advance', { until: { event: 'trad', maxMs: 1 } }],
  ['GET W/faults/nothing'],
  ['DELETE W/faults/nothing'],
  ['POST W/orders/ord_99/fill', {}],
  ['POST W/orders/ord_99/reject'],
  ['POST W/orders/ord_99/expire'],
  ['POST W/quotes/qt_99/fill', {}],
  ['POST W/quotes/qt_99/expire'],
  ['GET W/snapshots/nothing'],
  ['DELETE W/snapshots/nothing'],
  ['POST W/snapshots/nothing/restore'],
  ['POST W/timeline', { actions: [{ path: { asset: 'GOLD', shock: '-1%' } }, { order: { side: 'hold' } }] }],
]

async function answered(request: string, body: unknown): Promise<string> {
  const [method = '', path = ''] = request.replace(' W/', ' /worlds/story/').split(' ')
  let { status, text } = await venue.admin(method, path, body)
  // The past is worked out a little with each request.
  while (text.includes('ask again')) ({ status, text } = await venue.admin(method, path, body))
  if (status < 300) {
    venue.worlds.reset('story', null)
    if (venue.worlds.get('other') !== null) venue.worlds.delete('other')
  }
  return status < 300 ? String(status) : `${status} ${text}`
}

it('each wrong value of each field', async () => {
  const lines: string[] = []
  for (const [request, body] of bodies) {
    lines.push(`${request} with an unknown field`, `  ${await answered(request, { ...body, colour: 'red' })}`)
    for (const field of Object.keys(body)) {
      const cases: [string, string][] = []
      for (const value of fewWrongValues)
        cases.push([shownValue(value), await answered(request, { ...body, [field]: value })])
      lines.push(...groupedByAnswer(`${request} ${field}:`, cases))
    }
  }
  await expectGolden('errors/admin-fields.txt', lines.join('\n'))
})

it('what is not there, or cannot be', async () => {
  const lines: string[] = []
  for (const [request, body] of lost) {
    const answer = await answered(request, body)
    lines.push(`${request} ${JSON.stringify(body) ?? ''}`.trimEnd(), `  ${answer}`)
  }
  const foreign: readonly (readonly [string, Record<string, string>])[] = [
    ['another origin', { origin: 'http://elsewhere.example' }],
    ['another host', { host: 'elsewhere.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another content type', { 'content-type': 'text/plain' }],
  ]
  for (const [title, headers] of foreign) {
    const { status, text } = await venue.admin('POST', '/worlds/story/reset', { seed: '7' }, headers)
    lines.push(title, `  ${status} ${text}`)
  }
  await expectGolden('errors/admin-refusals.txt', lines.join('\n'))
})
