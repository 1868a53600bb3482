import { createHash, createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { listValues, type Readings, readingKeys } from '../../src/api/readings/readings.ts'
import type { Sending } from '../server/signed-request.ts'
import { useVenue } from '../server/venue-fixture.ts'

/* The effect of every value of every reading of the transport. Also known: in test/api/readings/readings.test.ts. */

type TransportKey = Extract<
  keyof Readings,
  'http.wrongMethod' | 'scopes.implied' | `auth.${string}` | `signature.${string}` | `rate.${string}`
>

interface Client {
  /** Sends a request as the trader of the world under test, and answers its status. */
  send(sending?: Sending): Promise<number>
  header(name: string): Promise<unknown>
  sign(path: string): string
  readonly secret: string
  giveKey(scopes: readonly string[]): Promise<{ apiKey: string; apiSecret: string }>
}

interface Probe<Value extends string> {
  observe(client: Client): Promise<unknown>
  readonly seen: { readonly [Each in Value]: unknown }
}

const venue = useVenue()

/** One after the other, because they share a rate limit and its windows. */
async function each<Item>(items: readonly Item[], ask: (item: Item) => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (const item of items) statuses.push(await ask(item))
  return statuses
}

const target = '/api/sdk/orders'
const worldMillis = Date.parse('2026-01-05T00:00:00Z')
const tenTimes = Array.from({ length: 10 }, () => ({}))

const probes: { readonly [Key in TransportKey]: Probe<Readings[Key]> } = {
  'http.wrongMethod': {
    observe: ({ send }) => send({ method: 'PUT' }),
    seen: { '404': 404, '405': 405 },
  },
  'scopes.implied': {
    observe: async ({ send, giveKey }) => send(await giveKey(['TRADE'])),
    seen: { none: 403, read: 200 },
  },
  'auth.clock': {
    observe: ({ send }) => each([venue.wall.nowMillis(), worldMillis], (timestamp) => send({ timestamp })),
    seen: { wall: [200, 401], world: [401, 200], either: [200, 200] },
  },
  'auth.futureMs': {
    observe: ({ send }) =>
      each([1000, 5000, 30_000, 3_600_000], (ahead) => send({ timestamp: venue.wall.nowMillis() + ahead })),
    seen: {
      '30000': [200, 200, 200, 401],
      '1000': [200, 401, 401, 401],
      '5000': [200, 200, 401, 401],
      unlimited: [200, 200, 200, 200],
    },
  },
  'auth.malformed': {
    observe: ({ send }) => send({ headers: { 'x-api-timestamp': null } }),
    seen: { '401': 401, '400': 400 },
  },
  'auth.timestampStatus': {
    observe: ({ send }) => send({ timestamp: venue.wall.nowMillis() - 30_001 }),
    seen: { '401': 401, '400': 400 },
  },
  'auth.signatureStatus': {
    observe: ({ send }) => send({ signature: '0'.repeat(64) }),
    seen: { '401': 401, '400': 400, '403': 403 },
  },
  'signature.key': {
    observe: ({ send, secret }) =>
      each([secret, createHash('sha256').update(secret).digest('hex')], (apiSecret) => send({ apiSecret })),
    seen: { secret: [200, 401], sha256: [401, 200], either: [200, 200] },
  },
  'signature.query': {
    observe: ({ send }) =>
      each([`${target}?limit=5`, target], (signedTarget) =>
        send({ target: `${target}?limit=5`, signedTarget }),
      ),
    seen: { either: [200, 200], include: [200, 401], exclude: [401, 200] },
  },
  'signature.hex': {
    observe: ({ sign, send }) => send({ signature: sign(target).toUpperCase() }),
    seen: { lower: 401, any: 200 },
  },
  'rate.algorithm': {
    observe: async ({ send }) => {
      venue.wall.set(1_800_000_000_900)
      await each(tenTimes, send)
      venue.wall.advance(100)
      return each([{}, {}], send)
    },
    seen: { fixed: [200, 200], sliding: [429, 429], 'token-bucket': [200, 429] },
  },
  'rate.clock': {
    observe: async ({ send }) => {
      await each(tenTimes, send)
      venue.wall.advance(1000)
      return send()
    },
    seen: { wall: 200, world: 429 },
  },
  'rate.resetUnit': {
    observe: ({ header }) => header('x-ratelimit-reset'),
    seen: { seconds: '1800000001', milliseconds: '1800000001000', delta: '1' },
  },
}

const cases = Object.entries(probes).flatMap(([key, { observe, seen }]) =>
  Object.entries(seen).map(([value, expected]) => ({ key, value, observe, expected })),
)

it.each(cases)('$key=$value', async ({ key, value, observe, expected }) => {
  venue.wall.set(1_800_000_000_250)
  const made = await venue.admin('POST', '/worlds', { id: 'probe', readings: { [key]: value } })
  expect(made.status).toBe(201)
  expect(await observe(clientOf('probe'))).toEqual(expected)
  expect((await venue.admin('DELETE', '/worlds/probe')).status).toBe(200)
})

it('has a case for every value of every reading of the transport', () => {
  const ofTransport = readingKeys.filter((key) => /^(http|scopes|auth|signature|rate)\./.test(key))
  const wanted = ofTransport.flatMap((key) => listValues(key).map((value) => `${key}=${value}`))
  expect(cases.map(({ key, value }) => `${key}=${value}`).toSorted()).toEqual(wanted.toSorted())
})

function clientOf(world: string): Client {
  const trader = { apiKey: `simk_${world}_trader`, apiSecret: `sims_${world}_trader` }
  const ask = (sending: Sending = {}) => venue.send({ target, ...trader, ...sending })
  return {
    send: async (sending) => (await ask(sending)).status,
    sign: (path) => {
      const text = `${venue.wall.nowMillis()}GET${path}`
      return createHmac('sha256', trader.apiSecret).update(text).digest('hex')
    },
    secret: trader.apiSecret,
    header: async (name) => (await ask()).headers[name],
    giveKey: async (scopes) => {
      const { body } = await venue.admin('POST', `/worlds/${world}/accounts/trader/keys`, { scopes })
      const { apiKey, apiSecret } = Object(body)
      return { apiKey: String(apiKey), apiSecret: String(apiSecret) }
    },
  }
}
