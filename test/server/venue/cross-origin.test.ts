import { afterEach, describe, expect, it } from 'vitest'
import { parseOrigins } from '../../../src/server/cross-origin.ts'
import { ask, startFixture, type VenueFixture } from '../venue-fixture.ts'

const page = 'http://localhost:3000'
let fixture: VenueFixture | null = null
afterEach(() => fixture?.server.close())

const start = async (origins: readonly string[]) => {
  fixture = await startFixture({ origins })
  return fixture
}
const preflight = { origin: page, 'access-control-request-method': 'POST' }

describe('pages of other origins', () => {
  it('learn by a preflight what they may send, without a key, a count or a line in the log', async () => {
    const { server, worlds } = await start([page])
    const reply = await ask(server.port, 'OPTIONS', '/api/sdk/orders', '', preflight)
    expect(reply.status).toBe(204)
    expect(reply.text).toBe('')
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
      'access-control-allow-headers': 'Content-Type, X-API-Key, X-API-Timestamp, X-API-Signature, Prefer',
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
