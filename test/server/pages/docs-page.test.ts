import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { keyChoices, type PageRequest, signRequest } from '../../../src/console/docs/sign-request.ts'
import { startFixture, useVenue } from '../venue-fixture.ts'

const venue = useVenue()

interface Page {
  readonly status: number
  readonly headers: { readonly [name: string]: string | string[] | undefined }
  readonly text: string
}

/** As a browser asks, over plain sockets: `fetch` would not let us set these headers. */
function open(path: string, headers: Record<string, string> = {}, port = venue.server.port): Promise<Page> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    outgoing.on('error', reject).end()
  })
}

/** What a page loads, as paths. */
const loadedBy = (html: string) =>
  [...html.matchAll(/<(?:link|script)[^>]*? (?:href|src)="([^"]+)"/g)].map(([, path]) => path)

// `npm ci` and `npm test` build the page's files before this runs.
it.each(['/', '/__admin', '/__admin/docs/', '/__admin/console/', '/__admin/guides/', '/__admin/health'])(
  'HEAD of %s is answered as GET is, without the body',
  async (path) => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(venue.server.url + path, { method, redirect: 'manual' })),
    )
    const essence = (reply: Response | undefined) => [
      reply?.status,
      ...['content-type', 'content-length', 'etag'].map((name) => reply?.headers.get(name)),
    ]
    expect(essence(head)).toEqual(essence(get))
    expect(await head?.text()).toBe('')
  },
)

it.each([
  '/__admin',
  '/__admin/docs/',
  '/__admin/console',
  '/__admin/console/console.js',
  '/__admin/guides/',
])('%s takes reads alone, and says so', async (path) => {
  const body = JSON.stringify({ a: 1 })
  for (const init of [
    { method: 'POST', body },
    { method: 'PUT', body },
    { method: 'DELETE' },
    { method: 'OPTIONS' },
  ]) {
    const reply = await fetch(venue.server.url + path, init)
    expect([init.method, reply.status, reply.headers.get('allow')]).toEqual([init.method, 405, 'HEAD, GET'])
    expect(await reply.json()).toMatchObject({
      statusCode: 405,
      message: `Cannot ${init.method} ${path} (this path takes HEAD, GET)`,
    })
  }
})

it.each(['/', '/__admin/docs/nothing.js'])('%s is not found by other methods', async (path) => {
  expect((await fetch(venue.server.url + path, { method: 'POST' })).status).toBe(404)
})

describe('the docs page', () => {
  it('is found without its trailing slash', async () => {
    const { status, headers } = await open('/__admin/docs')
    expect([status, headers['location']]).toEqual([302, 'docs/'])
  })

  it('allows only its own origin', async () => {
    const { status, headers, text } = await open('/__admin/docs/')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(String(headers['content-security-policy']).split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
      ]),
    )
    expect(text).not.toMatch(/https?:|\/\//)
    expect(loadedBy(text)).toHaveLength(6)
  })

  it('is complete, and cached by the browser until it changes', async () => {
    const { text } = await open('/__admin/docs/')
    for (const name of loadedBy(text)) {
      const path = `/__admin/docs/${name}`
      const first = await open(path)
      expect([path, first.status, first.text.length > 100]).toEqual([path, 200, true])
      const again = await open(path, { 'if-none-match': `"other", W/${first.headers['etag']}` })
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', first.headers['etag']])
      expect(again.headers['content-length']).toBeUndefined()
      expect((await open(path, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  it('has its own script and style, which name no other server', async () => {
    for (const name of ['docs.js', 'docs.css']) {
      expect((await open(`/__admin/docs/${name}`)).text).not.toMatch(/https?:\/\//)
    }
  })

  it.each(['nothing.js', '../openapi.json', '..%2f..%2fcli.cjs', 'swagger-ui-licence.txt', 'index.html/'])(
    'has no file %s',
    async (name) => {
      expect((await open(`/__admin/docs/${name}`)).status).toBe(404)
    },
  )

  it('is refused to other sites, except when they link to it', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' }
    const link = { ...foreign, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    expect((await open('/__admin/docs/docs.js', foreign)).status).toBe(403)
    expect((await open('/__admin/docs/', link)).status).toBe(200)
    expect((await open('/__admin/docs/', { host: 'evil.example' })).status).toBe(403)
  })

  it('is served without the token that its data needs, and so is the venue', async () => {
    const guarded = await startFixture({ adminToken: 's3cret', adminPort: 0 })
    const { adminPort, port } = guarded.server
    expect((await open('/__admin/docs/', {}, adminPort)).status).toBe(200)
    expect((await open('/__admin/openapi.json', {}, adminPort)).status).toBe(401)
    expect((await open('/api/sdk/market-data/prices', {}, adminPort)).status).toBe(401)
    expect((await open('/__admin/docs/', {}, port)).status).toBe(404)
    await guarded.server.close()
  })
})

describe('the document of a running venue', () => {
  it('names the server, the readings and an example that the venue accepts', async () => {
    const { body } = await venue.admin('GET', '/openapi.json')
    expect(body).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: venue.server.url }],
      'x-readings': venue.worlds.default.readings,
    })
  })
})

describe('signing in the page', () => {
  const origin = () => venue.server.url

  async function send(sent: PageRequest): Promise<number> {
    const { status } = await fetch(sent.url, {
      method: sent.method ?? 'GET',
      headers: sent.headers,
      body: typeof sent.body === 'string' ? sent.body : null,
    })
    return status
  }

  async function keyOf(account: string) {
    const choices = keyChoices((await venue.admin('GET', '/worlds')).body)
    const choice = choices.find(({ label }) => label.startsWith(`${account}:`))
    if (choice === undefined) throw new Error(`the page offers a key of ${account}`)
    return choice.key
  }

  it('offers the keys of all worlds with their scopes', async () => {
    await venue.admin('POST', '/worlds', {
      id: 'other',
      readings: { 'signature.query': 'exclude', 'auth.clock': 'world' },
    })
    const choices = keyChoices((await venue.admin('GET', '/worlds')).body)
    const [first] = venue.worlds.default.keys.list()
    expect(choices[0]?.label).toBe(`${first?.accountId}: ${[...(first?.scopes ?? [])].join(' ')}`)
    expect(choices[0]?.key).toMatchObject({ world: 'default', clock: 'wall', signsQuery: true })
    expect(choices.at(-1)?.label).toContain(' in other: ')
    expect(choices.at(-1)?.key).toMatchObject({ world: 'other', clock: 'world', signsQuery: false })
    await venue.admin('DELETE', '/worlds/other')
  })

  it.each([
    ['a GET', { url: '/api/sdk/orders' }, 200],
    ['a query', { url: '/api/sdk/orders?limit=5&asset=BTC' }, 200],
    [
      'a text as body',
      {
        url: '/api/sdk/orders',
        method: 'POST',
        body: '{"side": "buy", "asset": "BTC", "quantity": 1, "price": 1}',
      },
      201,
    ],
    ['a value as body', { url: '/api/sdk/orders/batch', method: 'DELETE', body: { asset: 'BTC' } }, 200],
    [
      'letters beyond ASCII',
      {
        url: '/api/sdk/orders',
        method: 'POST',
        body: '{"side":"buy","asset":"Ü€😀","quantity":1,"price":1}',
      },
      400,
    ],
  ])('is what the venue verifies: %s', async (_name, given, status) => {
    const key = await keyOf('desk')
    const sent: PageRequest = {
      ...given,
      url: `${origin()}${given.url}`,
      headers: { 'Content-Type': 'application/json' },
    }
    const { text } = signRequest(sent, key, origin(), venue.wall.nowMillis())
    expect(text).toMatch(/^\d+(GET|POST|DELETE)\/api\/sdk\/orders/)
    expect(await send(sent)).toBe(status)
    expect(await send({ ...sent, headers: { ...sent.headers, 'X-API-Signature': '0'.repeat(64) } })).toBe(401)
  })
})
