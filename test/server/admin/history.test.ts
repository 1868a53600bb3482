import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { placeBid, startFixture, type VenueFixture } from '../venue-fixture.ts'

let venue: VenueFixture
beforeEach(async () => {
  venue = await startFixture()
})
afterEach(() => venue.server.close())

const world = '/worlds/default'
const get = async (path: string) => (await venue.admin('GET', `${world}${path}`)).body

it('the journal is whole, however many pieces it is sent in', async () => {
  const live = venue.worlds.default
  for (let line = 0; line < 2000; line += 1) live.advance(1)
  const text = await (await fetch(`${venue.server.adminUrl}${world}/journal`)).text()
  expect(text.length).toBeGreaterThan(200_000)
  expect(text).toBe([...(venue.worlds.journalOf(live)?.text() ?? [])].join(''))
})

describe('the view of a world', () => {
  it('has all that an account can see, in the shapes of the interface, and changes nothing', async () => {
    await placeBid(venue, 0.5)
    const requests = await get('/requests')
    const view = await get('/view?account=trader&asset=BTC&depth=5&digest')
    expect(view).toMatchObject({
      world: 'default',
      scenario: 'quiet',
      sequence: 1,
      isPast: false,
      account: 'trader',
      asset: 'BTC',
      assets: ['BTC', 'ETH'],
      prices: [{ asset: 'BTC', bid: 40_000 }, { asset: 'ETH' }],
      book: { bids: [{ price: 40_000, quantity: 0.5 }], asks: [] },
      orders: { orders: [{ orderId: 'ord_1', status: 'open' }], pagination: { total: 1 } },
      recentOrders: [{ orderId: 'ord_1' }],
      balances: expect.arrayContaining([
        expect.objectContaining({ asset: 'USD', locked: expect.any(Number) }),
      ]),
      utilization: { utilization: { openOrders: { used: 1 } } },
      faults: [],
      digest: venue.worlds.default.digest(),
    })
    expect(view).toMatchObject({
      accounts: expect.arrayContaining([expect.objectContaining({ id: 'trader', openOrders: 1 })]),
    })
    expect(await get('/requests')).toEqual(requests)
  })

  it('keeps its shapes under any readings of the world, except the format of ids', async () => {
    await placeBid(venue, 0.5)
    await venue.admin('PUT', `${world}/readings`, { envelope: 'wrapped', 'ids.format': 'uuid' })
    expect(await get('/view?account=trader')).toMatchObject({
      prices: [{ asset: 'BTC' }, { asset: 'ETH' }],
      recentOrders: [{ orderId: expect.stringMatching(/^[0-9a-f]{8}-/) }],
    })
  })

  it.each([
    ['?account=dest', 404, 'There is no account dest (did you mean desk?)'],
    ['?asset=DOGE', 404, 'There is no traded asset DOGE'],
    ['?depth=51', 400, 'must be a whole number from 1 to 50'],
    ['?at=2026-01-05T00:00:00Z', 400, 'is required with an instant: it says behind which line'],
    ['?sequence=x', 400, 'must be the sequence of a line'],
    ['?sequence=0&at=noon', 400, 'must be an ISO 8601 instant'],
    ['?sequence=7', 404, 'The last line is #0'],
  ])('refuses %s', async (query, status, reason) => {
    const answer = await venue.admin('GET', `${world}/view${query}`)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(reason)])
  })
})

describe('the past of a world', () => {
  it('is shown as it was while the world continues', async () => {
    await placeBid(venue, 0.5)
    const digest = venue.worlds.default.digest()
    await venue.admin('POST', `${world}/clock/advance`, { byMs: 60_000 })
    await placeBid(venue, 0.25)
    expect(await get('/view?account=trader&sequence=1&digest')).toMatchObject({
      rateLimits: { enabled: true, keys: null },
      isPast: true,
      sequence: 1,
      now: '2026-01-05T00:00:00.000Z',
      orders: { pagination: { total: 1 } },
      digest,
    })
    expect(await get('/view?sequence=0')).toMatchObject({ sequence: 0, now: '2026-01-05T00:00:00.000Z' })
    const between = '/view?sequence=1&at=2026-01-05T00:00:07.500Z'
    expect(await get(between)).toMatchObject({ sequence: 1, now: '2026-01-05T00:00:07.500Z' })
    expect(await get('/view?account=trader')).toMatchObject({
      sequence: 3,
      orders: { pagination: { total: 2 } },
    })
  })

  it('names the last line of the world, however far its past has been read', async () => {
    const live = venue.worlds.default
    for (let line = 0; line < 20_000; line += 1) live.advance(1)
    expect(await venue.admin('GET', `${world}/view?sequence=20001`)).toMatchObject({
      status: 404,
      body: { message: 'The last line is #20000' },
    })
  })

  it('is listed from an index on', async () => {
    await placeBid(venue, 0.5)
    await placeBid(venue, 100)
    let listed = await get('/history')
    // The past follows for a few milliseconds with each request.
    while (Object(listed).isWhole === false) listed = await get('/history')
    expect(listed).toMatchObject({
      generation: 1,
      begins: { sequence: 0, at: '2026-01-05T00:00:00.000Z' },
      reached: { sequence: 2 },
      next: 3,
      isWhole: true,
      items: [
        {
          index: 0,
          sequence: 1,
          kind: 'command',
          type: 'place-order',
          account: 'trader',
          asset: 'BTC',
          refusal: null,
        },
        { index: 1, sequence: 1, kind: 'event', type: 'order.accepted', fields: { orderId: 'ord_1' } },
        { index: 2, sequence: 2, kind: 'command', type: 'place-order', refusal: 'risk' },
      ],
    })
    expect(await get('/history?from=3')).toMatchObject({ next: 3, items: [] })
    expect((await venue.admin('GET', `${world}/history?from=-1`)).status).toBe(400)
    expect((await venue.admin('GET', `${world}/history/prices`)).status).toBe(400)
    expect(await venue.admin('GET', `${world}/history/prices?asset=BTX`)).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('did you mean BTC?') },
    })
    const begin = Date.parse('2026-01-05T00:00:00Z')
    const whole = {
      ...{ asset: 'BTC', isWhole: true, stepMs: 0, ends: null, trades: [], fills: [] },
      reached: expect.anything(),
    }
    const begins = { sequence: 0, at: '2026-01-05T00:00:00.000Z' }
    expect(await get('/history/prices?asset=BTC')).toEqual({
      ...{ ...whole, begins },
      rows: [
        [begin, 0, 50_000, null, null],
        [begin, 1, 50_000, 40_000, null],
      ],
    })
    const refusedSpans = await venue.admin('GET', `${world}/history/prices?asset=BTC&spans=0`)
    expect([refusedSpans.status, refusedSpans.text]).toEqual([400, expect.stringContaining('from 1 to 4000')])
    expect(await venue.admin('GET', `${world}/history/prices?asset=BTC&from=noon`)).toMatchObject({
      status: 400,
      body: { details: { field: 'from' } },
    })
  })

  it('has what each account was worth', async () => {
    const begin = Date.parse('2026-01-05T00:00:00Z')
    const summary = venue.worlds.default.request('trader', 'GET', '/api/sdk/portfolio/summary').body
    expect(await get('/history/equity?account=trader')).toMatchObject({
      ...{ isWhole: true, ends: null, stepMs: 0 },
      rows: [[begin, 0, Object(summary).totalValue]],
    })
    for (const [query, status, message] of [
      ['', 400, 'account is required'],
      ['?account=trade', 404, 'did you mean trader?'],
      ...['0', '', '0x10', '1e3', '%205%20', '5.0', '4001'].map(
        (spans) => [`?account=trader&spans=${spans}`, 400, 'from 1 to 4000'] as const,
      ),
    ] as const) {
      const refused = await venue.admin('GET', `${world}/history/equity${query}`)
      expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(message)])
    }
  })

  it('can be kept as a snapshot, restored, and continued in a world of its own', async () => {
    await placeBid(venue, 0.5)
    const digest = venue.worlds.default.digest()
    await placeBid(venue, 0.25)
    const taken = await venue.admin('POST', `${world}/snapshots`, { sequence: 1 })
    expect(taken).toMatchObject({ status: 201, body: { sequence: 1, digest } })
    const { id } = Object(taken.body)
    const parent = { world: 'default', sequence: 1, at: '2026-01-05T00:00:00.000Z' }
    expect(await venue.admin('POST', '/worlds', { fromSnapshot: id })).toMatchObject({
      status: 201,
      body: { digest, parent },
    })
    expect(await get('')).toMatchObject({ parent: null })
    expect((await venue.admin('POST', `${world}/snapshots/${id}/restore`, {})).body).toMatchObject({ digest })
    expect((await venue.admin('POST', `${world}/snapshots`, { at: '2026-01-05T00:00:00Z' })).status).toBe(400)
  })

  it('states after which line each request was answered, and what each key may still send', async () => {
    await placeBid(venue, 0.5)
    await venue.send({ target: '/api/sdk/orders' })
    const { requests } = Object(await get('/requests'))
    expect(requests).toMatchObject([{ worldSequence: 1 }, { worldSequence: 1 }])
    const { rateLimits } = Object(await get('/view'))
    expect(rateLimits.keys).toContainEqual({
      apiKey: 'simk_default_trader',
      account: 'trader',
      marketData: { limit: 30, remaining: 30 },
      other: { limit: 10, remaining: 8 },
    })
  })
})
