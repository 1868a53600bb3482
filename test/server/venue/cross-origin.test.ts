import { afterEach, describe, expect, it } from 'vitest'
import { parseOrigins } from '../../../src/server/cross-origin.ts'
import { answersIn, rawExchange } from '../transport/raw-exchange.ts'
import { ask, startFixture, type VenueFixture } from '../venue-fixture.ts'

const page = 'http://localhost:3000'
let fixture: VenueFixture | null = null
afterEach(() => fixture?.server.close())

const start = async (origins: readonly string[]) => {
  fixture = await startFixture({ origins })
  return fixture
}
const preflight = {
  origin: page,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,traceparent,x-api-key,x-sdk-client',
}

describe('pages of other origins', () => {
  it('learn by a preflight what they may send, without a key, a count or a line in the log', async () => {
    const { server, worlds } = await start([page])
    const reply = await ask(server.port, 'OPTIONS', '/api/sdk/orders', '', preflight)
    expect(reply.status).toBe(204)
    expect(reply.text).toBe('')
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      'access-control-allow-headers': 'content-type,traceparent,x-api-key,x-sdk-client',
      vary: 'Origin',
    })
    expect(reply.headers['content-length']).toBeUndefined()
    expect(worlds.default.requests.nextSequence).toBe(1)
  })

  it('may read answers, errors and the headers of both', async () => {
    const { send } = await start(['https://a.example', page])
    const headers = { origin: page }
    const orders = await send({ target: '/api/sdk/orders', headers })
    const refused = await send({ target: '/api/sdk/orders', headers, signature: 'wrong' })
    expect([orders.status, refused.status]).toEqual([200, 401])
    for (const reply of [orders, refused]) {
      expect(reply.headers['access-control-allow-origin']).toBe(page)
      expect(reply.headers['access-control-expose-headers']).toContain('X-RateLimit-Remaining')
      expect(reply.headers['access-control-expose-headers']).toContain('Date')
    }
  })

  it('may read answers that a fault has broken', async () => {
    const { send, admin } = await start(['*'])
    await admin('POST', '/worlds/default/faults', { type: 'http_error', attributes: { status: 500 } })
    const reply = await send({ target: '/api/sdk/orders', headers: { origin: page } })
    expect(reply.status).toBe(500)
    expect(reply.headers['access-control-allow-origin']).toBe(page)
  })

  it.each([
    [
      'too long a body',
      'POST',
      `Origin: ${page}\r\nContent-Length: 2000000\r\n\r\n${'x'.repeat(2_000_000)}`,
      413,
    ],
    ['an unknown expectation', 'GET', `Origin: ${page}\r\nExpect: more\r\n\r\n`, 417],
    ['too large a header', 'GET', `Origin: ${page}\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['a header that is none', 'GET', `Origin: ${page}\r\nX : 1\r\n\r\n`, 400],
    ['two types', 'GET', `Origin: ${page}\r\nContent-Type: a/b\r\nContent-Type: a/b\r\n\r\n`, 400],
  ])('may read how the transport refuses %s', async (_name, method, rest, status) => {
    for (const origins of [[page], ['https://a.example', page], ['*']]) {
      const { server } = await start(origins)
      const head = `${method} /api/sdk/orders HTTP/1.1\r\nHost: a\r\n`
      const [answer] = answersIn(await rawExchange(server.port, [head + rest]))
      expect(answer?.status).toBe(status)
      expect(answer?.head).toContain(`\r\nAccess-Control-Allow-Origin: ${page}\r\n`)
      expect(answer?.head).toContain('\r\nVary: Origin\r\n')
      await server.close()
    }
  })

  it('are told apart by caches, whoever asks', async () => {
    const { send } = await start([page])
    for (const headers of [{}, { origin: 'https://other.example' }]) {
      const reply = await send({ target: '/api/sdk/orders', headers })
      expect([reply.headers['vary'], reply.headers['access-control-allow-origin']]).toEqual([
        'Origin',
        undefined,
      ])
    }
  })

  it.each([
    ['none is allowed', []],
    ['another is', ['http://localhost:3001']],
  ])('are answered as ever where %s', async (_name, origins) => {
    const { server, send } = await start(origins)
    const asked = await ask(server.port, 'OPTIONS', '/api/sdk/orders', '', preflight)
    const orders = await send({ target: '/api/sdk/orders', headers: { origin: page } })
    expect([asked.status, orders.status]).toEqual([404, 200])
    for (const reply of [asked, orders]) {
      expect(reply.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it('never reach the admin API', async () => {
    const { admin } = await start(['*'])
    const reply = await admin('GET', '/worlds', undefined, { origin: page })
    expect(reply.status).toBe(403)
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('parseOrigins', () => {
  it.each([
    ['*', ['*']],
    ['http://localhost:3000', [page]],
    ['https://a.example, http://127.0.0.1:80801', null],
    ['https://a.example, http://[::1]:8080', ['https://a.example', 'http://[::1]:8080']],
    ['http://localhost:3000/', null],
    ['http://localhost:80', null],
    ['localhost:3000', null],
    ['HTTP://localhost', null],
    ['file:///a', null],
    ['null', null],
    ['', null],
    ['http://a,', null],
  ])('%j', (text, origins) => {
    expect(parseOrigins(text)).toEqual(origins)
  })
})
