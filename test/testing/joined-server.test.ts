import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestWorld, inWorld, keepJournal } from '../../src/testing/in-world.ts'
import { joinVenue } from '../../src/testing/join-venue.ts'
import { startVenue, type TestVenue, type TestWorldOptions } from '../../src/testing/start-venue.ts'
import type { TestWorld } from '../../src/testing/test-world.ts'
import { type Served, serveApart } from '../crash/served.ts'
import { compiledScenario } from '../support/compiled-scenario.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { liquidScenario, quietScenario } from '../world/scenarios.ts'

/*
 * A test means the same in a world of its own process and in one of a running server. Source: design, section 13: fixtures
 * obey a running server to join.
 */

const order = { side: 'buy', asset: 'BTC', quantity: 0.5, price: 40_000 } as const

let server: Served
let joined: TestVenue
let own: TestVenue
beforeAll(async () => {
  const words = ['--import', 'tsx', 'src/cli/launch.ts', 'serve', '--json', '--port', '0', '--seed', '7']
  server = await serveApart({ program: process.execPath, words })
  joined = joinVenue(`${server.url}/__admin`, {})
  own = await startVenue()
})
afterAll(async () => {
  await Promise.all([joined.close(), own.close()])
  server.child.kill()
  await server.ended
})

/** Returns what a function returns, or the text of what it throws, without naming the world. */
function tell(world: TestWorld, act: () => unknown): unknown {
  try {
    return act() ?? null
  } catch (failure) {
    return String(failure).replace(`world ${world.id}: `, '').replaceAll(world.id, 'WORLD')
  }
}

type Act = (world: TestWorld) => unknown

const verbs: readonly (readonly [name: string, act: Act])[] = [
  ['seed and time', (world) => [world.seed, world.now]],
  ['accounts with keys', (world) => Object.keys(world.keys)],
  ['an advance', (world) => world.advance('90s')],
  ['an advance by milliseconds', (world) => world.advance(250)],
  ['an advance by nothing known', (world) => world.advance('soon')],
  ['a price', (world) => world.price('BTC', 45_000)],
  ['a price that moves', (world) => world.price('BTC', { percent: -10, overMs: 10_000 })],
  ['a price of an unknown asset', (world) => world.price('BCT', 1)],
  ['a fill', (world) => world.fill('ord_1', { quantity: 0.2 })],
  ['a fill of an unknown order', (world) => world.fill('ord_9')],
  ['a rejection', (world) => world.reject('ord_2')],
  ['a deposit', (world) => world.deposit('trader', 'USD', 250)],
  ['a deposit to nobody', (world) => world.deposit('tradr', 'USD', 1)],
  ['a halt', (world) => world.halt('BTC')],
  ['a halt of an unknown asset', (world) => world.halt('BCT')],
  ['the end of a halt', (world) => world.resume('BTC')],
  ['a fault', (world) => world.fault({ type: 'http_error', attributes: { status: 503 }, count: 1 })],
  ['a fault of an unknown type', (world) => world.addFault({ type: 'reset_per' })],
  ['idle faults', (world) => world.listIdleFaults()],
  ['the end of an unknown fault', (world) => world.removeFault('lost')],
  ['the end of a fault', (world) => world.removeFault('flt_1')],
  [
    'found requests',
    (world) => world.requests({ method: 'POST' }).map(({ requestId, status }) => [requestId, status]),
  ],
  ['an unknown account', (world) => world.requests({ account: 'tradr' })],
  ['a verification', (world) => world.verify({ body: { clientOrderId: 'one' } }, { exactly: 1 })],
  ['a verification that fails', (world) => world.verify({ body: { clientOrderId: 'one' } }, { exactly: 2 })],
  ['limits', (world) => world.rateLimits({ other: 5 })],
  ['no key', (world) => world.client('nobody')],
  ['the digest', (world) => world.digest()],
]

describe('a world on a running server', () => {
  it.each<[string, TestWorldOptions]>([
    ['as it comes', { scenario: quietScenario }],
    ['with a market', { scenario: liquidScenario, seed: 'joined' }],
    ['shipped', { scenario: 'thin-book' }],
    ['with readings', { scenario: quietScenario, readings: { 'orders.cancelTerminal': '404' } }],
    ['with limits', { scenario: quietScenario, rateLimits: true }],
  ])('does and says what one of this process does: %s', async (_name, options) => {
    const told = []
    for (const venue of [own, joined]) {
      using world = createTestWorld('joined-server.test.ts > a test', venue, options)
      const client = world.client('trader')
      for (const clientOrderId of ['one', 'two']) await client.orders.create({ ...order, clientOrderId })
      told.push(verbs.map(([name, act]) => [name, tell(world, () => act(world))]))
    }
    expect(told[1]).toEqual(told[0])
  })

  it('goes back to a snapshot, and forks', async () => {
    using world = joined.createWorld({ scenario: quietScenario })
    const client = world.client('trader')
    await client.orders.create(order)
    const snapshot = world.snapshot()
    const digest = world.digest()
    world.advance('1h')
    await client.orders.cancel('ord_1')
    using fork = world.fork()
    expect(fork.digest()).toBe(world.digest())
    expect(fork.keys['trader']?.apiKey).not.toBe(world.keys['trader']?.apiKey)
    world.restore(snapshot)
    expect(world.digest()).toBe(digest)
    expect((await client.orders.get('ord_1')).status).toBe('open')
    expect((await fork.client('trader').orders.get('ord_1')).status).toBe('cancelled')
  })

  it('has a fetch for any host', async () => {
    using world = joined.createWorld()
    for (const fetch of [world.fetch, joined.fetch]) {
      const headers = { 'X-API-Key': world.keys['trader']?.apiKey ?? '' }
      expect((await fetch('https://venue.example/api/sdk/orders', { headers })).status).toBe(401)
      expect((await fetch(new Request('https://venue.example/api/sdk/orders', { headers }))).status).toBe(401)
    }
    expect(world.requests().map(({ path }) => path)).toEqual(
      Array.from({ length: 4 }, () => '/api/sdk/orders'),
    )
  })

  it('is the scenario of the server where nobody names one, without limits, and time stands still', async () => {
    using world = joined.createWorld()
    const before = world.now
    const client = world.client('trader')
    await Promise.all(Array.from({ length: 30 }, () => client.orders.list()))
    expect(world.now).toEqual(before)
    expect(JSON.parse(JSON.stringify(world))).toEqual({
      id: world.id,
      seed: world.seed,
      now: before.toISOString(),
      url: joined.url,
    })
  })

  it('has the readings, faults and seed that every test is asked for', async () => {
    vi.stubEnv('OTC_READINGS', '{"envelope":"wrapped"}')
    vi.stubEnv('OTC_FAULTS', '[{"type":"http_error","attributes":{"status":503}}]')
    vi.stubEnv('OTC_SEED', '99')
    vi.stubEnv('OTC_SCENARIO', 'thin-book')
    try {
      using world = createTestWorld('asked', joined, {})
      expect(world.seed).toBe('99')
      await expect(world.client().orders.list()).rejects.toMatchObject({ statusCode: 503 })
      const seen: unknown = await (await fetch(`${joined.adminUrl}/worlds/${world.id}`)).json()
      expect(seen).toMatchObject({ scenario: 'thin-book', readings: { envelope: 'wrapped' } })
      vi.stubEnv('OTC_FAULTS', '[{"type":"http_eror"}]')
      expect(() => joined.createWorld()).toThrow('did you mean http_error?')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('is that of a fixture where the environment names the server', async () => {
    vi.stubEnv('OTC_ADMIN_URL', joined.adminUrl)
    vi.stubEnv('OTC_EVIDENCE_FILE', '')
    try {
      const told = await inWorld('joins', ({ venue, world }) => [venue.adminUrl, world.seed, world.isDeleted])
      expect(told).toEqual([joined.adminUrl, expect.any(String), false])
    } finally {
      vi.unstubAllEnvs()
    }
    // Where it names none any more, tests have the venue of their own process again.
    expect(await inWorld('stays', ({ venue }) => venue.adminUrl)).not.toBe(joined.adminUrl)
  })

  it('tells of a failed test what the venue knows, and keeps its files', async () => {
    const told = []
    for (const venue of [own, joined]) {
      using world = createTestWorld('joined-server.test.ts > a failure', venue, { scenario: quietScenario })
      const { orderId } = await world.client('trader').orders.create(order)
      const folder = temporaryFolder()
      const { text, answer, how } = keepJournal(world, 'a failure', folder, new Error(`${orderId} is open`))
      expect(how).toContain(`show ${folder}`)
      told.push([text.replace(/show \S+/, 'show FILE'), answer])
    }
    expect(told[1]).toEqual(told[0])
  })

  it('is over once it is deleted', async () => {
    const world = joined.createWorld({ id: 'over' })
    expect(() => joined.createWorld({ id: 'over' })).toThrow(/There is a world over already/)
    const { fetch: ask } = world
    world.delete()
    world.delete()
    expect(world.isDeleted).toBe(true)
    for (const verb of [
      () => world.advance('1h'),
      () => world.now,
      () => world.client(),
      () => world.verify({}),
    ])
      expect(verb).toThrow('world over was deleted')
    await expect(ask('/api/sdk/orders')).rejects.toMatchObject({
      cause: { message: 'world over was deleted' },
    })
    using other = joined.createWorld()
    await fetch(`${joined.adminUrl}/worlds/${other.id}`, { method: 'DELETE' })
    expect(() => other.digest()).toThrow(`world ${other.id} was deleted`)
  })

  it('has no world of this process', () => {
    using world = joined.createWorld()
    expect(() => world.world).toThrow(/is not in this process but on the running server at http:/)
  })
})

describe('a server that cannot be joined', () => {
  it.each([
    ['nobody answers', 'http://127.0.0.1:65535/__admin', {}, /ECONNREFUSED.*must run in another process/],
    ['another world is named', '', { OTC_WORLD: 'lost' }, /shows no world lost/],
    [
      'the address has no scheme',
      '127.0.0.1:4010/__admin',
      {},
      /^OTC_ADMIN_URL must be an address such as http/,
    ],
    [
      'a host stands for the scheme',
      'localhost:4010/__admin',
      {},
      /^OTC_ADMIN_URL must be an address such as/,
    ],
    ["the venue's address is none", '', { OTC_BASE_URL: 'venue' }, /^OTC_BASE_URL must be .*, found venue$/],
  ])('is said when %s', (_name, url, env, reason) => {
    expect(() => joinVenue(url || joined.adminUrl, env)).toThrow(reason)
  })

  it("is told from one whose admin API's address lacks its end", () => {
    expect(() => joinVenue(server.url, {})).toThrow(/shows no world default.*end in \/__admin/)
  })

  it('is not asked for parameters of no scenario', () => {
    vi.stubEnv('OTC_PARAMS', '{"spread":"2"}')
    try {
      expect(() => joined.createWorld()).toThrow(/^OTC_PARAMS has spread, a parameter of a scenario, but/)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('takes no recordings of this machine', () => {
    const scenario = compiledScenario(quietScenario)
    const recordings = new Map([['own.csv', []]])
    const recorded = { ...scenario, source: { ...scenario.source, recordings } }
    expect(() => joined.createWorld({ scenario: recorded })).toThrow(/has recordings, which a running server/)
  })
})
