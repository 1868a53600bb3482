import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { createVenueClient } from '../../src/client/create-venue-client.ts'
import { createFetch, OpenWorld } from '../../src/pipeline/fetch.ts'
import { removeFault } from '../../src/world/change-world.ts'
import { type Sending, signedHeaders, trader } from '../server/signed-request.ts'
import { useVenue } from '../server/venue-fixture.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { quietScenario } from '../world/scenarios.ts'

const venue = useVenue()
beforeEach(() => {
  venue.wall.advance(1000)
  removeFault(venue.worlds.default, null)
})

const order = '{"side":"buy","asset":"BTC","quantity":0.5,"price":40000}'
const place: Sending = { method: 'POST', target: '/api/sdk/orders', body: order }
const orders = () => venue.worlds.default.venue.state.orders.count

function fetched(sending: Sending, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', target = '/', body } = sending
  const headers = signedHeaders(sending, venue.wall.nowMillis())
  return createFetch(venue.worlds)(`https://venue.example${target}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...init,
  })
}

const addFault = (fault: object) => venue.admin('POST', '/worlds/default/faults', fault)

/** What must be the same whichever way a request took: all but its number, and what a socket adds. */
function essence(status: number, headers: Iterable<readonly [string, unknown]>, text: string) {
  const own = ['date', 'connection', 'keep-alive', 'content-length', 'x-sim-request-id']
  const kept = [...headers].filter(([name]) => !own.includes(name) && name !== 'x-ratelimit-remaining')
  return { status, headers: Object.fromEntries(kept), text: text.replaceAll(/(ord|req)_\d+/g, '$1') }
}

describe('without a socket, a request is answered as over HTTP', () => {
  it.each<[string, Sending]>([
    ['an order', place],
    ['a list', { target: '/api/sdk/orders?limit=2' }],
    ['nothing signed', { target: '/api/sdk/orders', headers: { 'x-api-key': null } }],
    ['a wrong signature, with its hint', { ...place, signedTarget: '/orders' }],
    ['an old timestamp', { ...place, timestamp: 1_700_000_000_000 }],
    ['an unknown path', { target: '/api/sdk/order' }],
    ['another method', { method: 'PUT', target: '/api/sdk/orders' }],
    ['the head alone', { method: 'HEAD', target: '/api/sdk/orders' }],
    [
      'the head alone, in slices',
      { method: 'HEAD', target: '/api/sdk/orders', headers: { prefer: 'fault=slicer' } },
    ],
    ['a key that may not', { ...place, apiKey: 'simk_default_viewer', apiSecret: 'sims_default_viewer' }],
    ['another type', { ...place, headers: { 'content-type': 'text/plain' } }],
    ['what is not JSON', { ...place, body: '{"side":' }],
    ['too large a body', { ...place, body: 'x'.repeat(1_048_577) }],
    ['a reading for it alone', { ...place, headers: { prefer: 'reading.envelope=wrapped' } }],
    ['a fault for it alone', { ...place, headers: { prefer: 'fault=http_error;status=503' } }],
    ['an answer without some fields', { ...place, headers: { prefer: 'fault=missing_optional_field' } }],
  ])('%s', async (_name, sending) => {
    const answer = await fetched(sending)
    venue.worlds.default.limiter.reset()
    const reply = await venue.send(sending)
    expect(essence(answer.status, answer.headers, await answer.text())).toEqual(
      essence(reply.status, Object.entries(reply.headers), reply.text),
    )
  })

  it('a body that was signed before it was compressed is refused with that hint', async () => {
    const before = orders()
    const answer = await fetched(
      { ...place, headers: { 'content-encoding': 'gzip' } },
      { body: new Uint8Array(gzipSync(order)) },
    )
    expect(answer.status).toBe(401)
    expect(answer.headers.get('x-sim-hint')).toContain('signed before it was compressed')
    expect(orders()).toBe(before)
  })

  it('rate limits count, and the request log has it', async () => {
    const last = venue.worlds.default.requests.nextSequence
    const statuses = []
    for (let sent = 0; sent < 12; sent += 1)
      statuses.push((await fetched({ target: '/api/sdk/orders' })).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429])
    expect(venue.worlds.default.requests.since(last - 1)).toHaveLength(12)
  })

  it('by a path alone, and by a request', async () => {
    const target = '/api/sdk/orders'
    const headers = signedHeaders({ target }, venue.wall.nowMillis())
    expect((await createFetch(venue.worlds)(target, { headers })).status).toBe(200)
    expect((await createFetch(venue.worlds)(new Request(`http://any${target}`, { headers }))).status).toBe(
      200,
    )
  })

  const json = { 'content-type': 'application/json' }
  const accepted = { status: 201 }
  const mediaType = { status: 415 }
  it.each<[string, RequestInit, { readonly status: number }]>([
    ['text', { body: order, headers: json }, accepted],
    ['text without a type, which the platform sends as plain text', { body: order }, mediaType],
    ['bytes', { body: Buffer.from(order), headers: json }, accepted],
    ['a blob, which has its type', { body: new Blob([order], { type: 'application/json' }) }, accepted],
    ['a form', { body: new URLSearchParams(order) }, mediaType],
  ])('a body may be %s', async (_name, init, answer) => {
    const bytes = Buffer.from(await new Request('http://any', { method: 'POST', ...init }).arrayBuffer())
    const signature = signedHeaders({ ...place, body: bytes.toString() }, venue.wall.nowMillis())
    const { 'content-type': _type, ...signed } = Object.fromEntries(new Headers(signature))
    const headers = { ...signed, ...Object.fromEntries(new Headers(init.headers)) }
    const response = createFetch(venue.worlds)('/api/sdk/orders', { ...init, method: 'POST', headers })
    expect(await response).toMatchObject(answer)
  })

  it.each<[string, Parameters<typeof fetch>[0], RequestInit]>([
    ['a GET with a body', '/api/sdk/orders', { body: order }],
    ['a method that is none', '/api/sdk/orders', { method: 'P T' }],
    ['a header that is none', '/api/sdk/orders', { headers: { 'x y': '1' } }],
    ['an address that is none', 'http://[', {}],
  ])('%s is refused as the platform refuses it', async (_name, input, init) => {
    await expect(createFetch(venue.worlds)(input, init)).rejects.toThrow(TypeError)
  })

  it('an answer has a date, a refusal of the transport too', async () => {
    venue.wall.advance(1000)
    const date = new Date(venue.wall.nowMillis()).toUTCString()
    const answers = [await fetched(place), await fetched({ ...place, body: 'x'.repeat(1_048_577) })]
    expect(answers.map(({ status, headers }) => [status, headers.get('date')])).toEqual([
      [201, date],
      [413, date],
    ])
  })

  it('an abort ends the reading of a body, as it does over HTTP', async () => {
    const sending = {
      target: '/api/sdk/orders',
      headers: { prefer: 'fault=slicer;averageSize=5;delayMs=20' },
    }
    const overSocket = (init: RequestInit) =>
      fetch(venue.server.url + sending.target, {
        headers: signedHeaders(sending, venue.wall.nowMillis()),
        ...init,
      })
    for (const send of [overSocket, (init: RequestInit) => fetched(sending, init)]) {
      const controller = new AbortController()
      const { body, status } = await send({ signal: controller.signal })
      const reader = body?.getReader()
      expect([status, (await reader?.read())?.done]).toEqual([200, false])
      controller.abort()
      await expect(reader?.read()).rejects.toMatchObject({ name: 'AbortError' })
    }
    const whole = await fetched({ target: '/api/sdk/orders' }, { signal: new AbortController().signal })
    expect(await whole.json()).toMatchObject({ orders: expect.any(Array) })
  })

  it('a signal that is aborted already keeps it from being sent', async () => {
    const last = venue.worlds.default.requests.nextSequence
    const sent = fetched(place, { signal: AbortSignal.abort(new Error('enough')) })
    await expect(sent).rejects.toThrow('enough')
    expect(venue.worlds.default.requests.nextSequence).toBe(last)
  })
})

describe('faults', () => {
  it.each([
    'reset_peer',
    'CONNECTION_RESET_BY_PEER',
    'EMPTY_RESPONSE',
    'MALFORMED_RESPONSE_CHUNK',
    'RANDOM_DATA_THEN_CLOSE',
  ])('%s after the venue: the order landed, its answer is lost as on a network', async (type) => {
    const before = orders()
    await addFault({ type, phase: 'after', match: { method: 'POST' }, count: 1 })
    const failure = await fetched(place).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(TypeError)
    expect(failure).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } })
    expect(orders()).toBe(before + 1)
  })

  it('one before the venue: nothing landed', async () => {
    const before = orders()
    await addFault({ type: 'reset_peer', match: { method: 'POST' }, count: 1 })
    await expect(fetched(place)).rejects.toThrow('fetch failed')
    expect(orders()).toBe(before)
  })

  it('slices arrive whole, in pieces', async () => {
    const answer = await fetched({
      ...place,
      headers: { prefer: 'fault=slicer;averageSize=40;sizeVariation=0;delayMs=1' },
    })
    const pieces: number[] = []
    for await (const piece of answer.body ?? []) pieces.push(piece.length)
    expect(pieces.length).toBeGreaterThan(3)
    expect(new Set(pieces.slice(0, -1))).toEqual(new Set([40]))
  })

  it('a body that is cut off ends in an error', async () => {
    const answer = await fetched({ ...place, headers: { prefer: 'fault=limit_data;bytes=20' } })
    expect(answer.status).toBe(201)
    await expect(answer.text()).rejects.toThrow()
  })

  it('a delay lasts as long as it says, and an abort ends the wait', async () => {
    const begun = performance.now()
    await fetched({ target: '/api/sdk/orders', headers: { prefer: 'delay=30' } })
    expect(performance.now() - begun).toBeGreaterThan(25)
    const controller = new AbortController()
    const silent = fetched(
      { target: '/api/sdk/orders', headers: { prefer: 'fault=timeout' } },
      { signal: controller.signal },
    )
    controller.abort(new Error('enough'))
    await expect(silent).rejects.toThrow('enough')
  })
})

it('a client that takes a fetch needs no server, and forks have one, too', async () => {
  const world = new OpenWorld(compiledScenario(quietScenario), { wall: venue.wall })
  const { fetch } = world
  const clock = { nowMillis: () => venue.wall.nowMillis(), sleep: () => Promise.resolve() }
  const client = createVenueClient({ baseUrl: 'https://venue.example', ...trader, fetch, clock })
  const { orderId } = await client.orders.create({ side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 })
  expect((await client.orders.get(orderId)).status).toBe('open')
  const fork = world.fork()
  const [key] = fork.keys.list()
  if (key === undefined) throw new Error('the scenario has keys')
  const { apiKey, apiSecret } = key
  const other = createVenueClient({
    baseUrl: 'https://venue.example',
    apiKey,
    apiSecret,
    fetch: fork.fetch,
    clock,
  })
  await other.orders.cancelAll()
  expect((await client.orders.get(orderId)).status).toBe('open')
})
