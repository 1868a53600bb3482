import { beforeEach, describe, expect, it } from 'vitest'
import { signedHeaders } from '../signed-request.ts'
import { order, refusal, useAdminWorld } from './admin-world.ts'

const admin = useAdminWorld()

describe('the request log', () => {
  beforeEach(async () => {
    await admin.place()
    await admin.place({ ...order, quantity: 'x' })
    await admin.venue.send({ target: '/api/sdk/orders/ord_1?x=1', ...admin.keysOf('viewer') })
    await admin.venue.send({ target: '/api/sdk/orders', ...admin.keysOf('trader'), signature: 'x' })
  })

  it('lists requests, oldest first, and from a sequence on', async () => {
    const all = await admin.venue.admin('GET', `${admin.path}/requests`)
    expect(all.body).toMatchObject({
      requests: [
        { sequence: 1, method: 'POST', path: '/api/sdk/orders', account: 'trader', status: 201, type: null },
        { sequence: 2, status: 400 },
        { sequence: 3, path: '/api/sdk/orders/ord_1', query: '?x=1', account: 'viewer', status: 400 },
        {
          sequence: 4,
          account: null,
          key: `simk_${admin.id}_trader`,
          status: 401,
          type: 'INVALID_SIGNATURE',
        },
      ],
    })
    const later = await admin.venue.admin('GET', `${admin.path}/requests?since=3`)
    expect(later.body).toMatchObject({ requests: [{ sequence: 4, hint: expect.any(String) }] })
    expect((await admin.venue.admin('GET', `${admin.path}/requests?since=x`)).status).toBe(400)
    await admin.venue.admin('DELETE', `${admin.path}/requests`)
    expect((await admin.venue.admin('GET', `${admin.path}/requests`)).body).toEqual({ requests: [] })
  })

  it.each([
    [{}, 4],
    [{ method: 'post' }, 2],
    [{ path: '/api/sdk/orders' }, 3],
    [{ path: '/api/sdk/orders/*' }, 1],
    [{ path: '/api/*/ord_1' }, 1],
    [{ path: '*' }, 4],
    [{ path: '*nothing*' }, 0],
    [{ status: 400 }, 2],
    [{ account: 'trader' }, 2],
    [{ type: 'INVALID_SIGNATURE' }, 1],
    [{ method: 'POST', status: 201 }, 1],
    [{ body: { quantity: 'x' } }, 1],
    [{ body: { quantity: order.quantity, asset: order.asset } }, 1],
    [{ body: { quantity: order.quantity, asset: 'ETH' } }, 0],
    [{ body: { metadata: {} } }, 0],
    [{ method: 'POST', body: { side: order.side } }, 2],
  ])('counts %j: %d', async (match, count) => {
    expect((await admin.venue.admin('POST', `${admin.path}/requests/count`, { match })).body).toEqual({
      count,
    })
    const { body } = await admin.venue.admin('POST', `${admin.path}/requests/find`, { match })
    expect(body).toHaveProperty('requests.length', count)
  })

  it.each([
    [{ exactly: 2 }, true],
    [{ exactly: 1 }, false],
    [{ atLeast: 2 }, true],
    [{ atLeast: 3 }, false],
    [{ atMost: 1 }, false],
    [{ atLeast: 1, atMost: 2 }, true],
  ])('verifies %j of two: %s', async (times, verified) => {
    const match = { method: 'POST' }
    const { body } = await admin.venue.admin('POST', `${admin.path}/requests/verify`, { match, times })
    expect(body).toMatchObject({ verified, matched: 2 })
  })

  it('shows the nearest request when none matched', async () => {
    const match = { method: 'DELETE', path: '/api/sdk/orders', status: 201 }
    const { body } = await admin.venue.admin('POST', `${admin.path}/requests/verify`, { match })
    expect(body).toMatchObject({
      verified: false,
      matched: 0,
      nearest: [{ sequence: 1, differs: ['method'] }, { differs: ['method', 'status'] }, expect.anything()],
    })
    expect(
      await admin.venue.admin('POST', `${admin.path}/requests/find`, { match: { verb: 'GET' } }),
    ).toMatchObject(refusal(400, 'match.verb'))
  })

  it('finds an order in a batch by its fields, whole values only', async () => {
    const orders = [
      { ...order, clientOrderId: 'one', metadata: { book: { desk: 1, tags: ['a', 'b'] } } },
      { ...order, clientOrderId: 'two', quantity: 0.2 },
    ]
    const body = JSON.stringify({ orders })
    const target = '/api/sdk/orders/batch'
    await admin.venue.send({ method: 'POST', target, body, ...admin.keysOf('trader') })
    const count = async (fields: object) => {
      const match = { method: 'POST', body: fields }
      return (await admin.venue.admin('POST', `${admin.path}/requests/count`, { match })).body
    }
    expect(await count({ clientOrderId: 'two', quantity: 0.2 })).toEqual({ count: 1 })
    expect(await count({ clientOrderId: 'one', quantity: 0.2 })).toEqual({ count: 0 })
    expect(await count({ metadata: { book: { tags: ['a', 'b'], desk: 1 } } })).toEqual({ count: 1 })
    expect(await count({ metadata: { book: { tags: ['a'], desk: 1 } } })).toEqual({ count: 0 })
    expect(await count({ metadata: { book: { desk: 1 } } })).toEqual({ count: 0 })
    expect(await count({ orders })).toEqual({ count: 1 })
  })

  it.each([
    [{ method: 'PSOT' }, 'match.method'],
    [{ account: 'tradr' }, 'match.account'],
    [{ type: 'INVALID_SIGNATUR' }, 'match.type'],
    [{ body: {} }, 'match.body'],
    [{ body: 'x' }, 'match.body'],
  ])('refuses to look for what no request can have: %j', async (match, field) => {
    for (const way of ['find', 'count', 'verify'])
      expect(await admin.venue.admin('POST', `${admin.path}/requests/${way}`, { match })).toMatchObject(
        refusal(400, field),
      )
  })

  it('verifies nothing without having looked at a request', async () => {
    const verify = async (match: object) =>
      (await admin.venue.admin('POST', `${admin.path}/requests/verify`, { match, times: { exactly: 0 } }))
        .body
    expect(await verify({ method: 'DELETE' })).toMatchObject({ verified: true, lookedAt: { requests: 4 } })
    await admin.venue.admin('DELETE', `${admin.path}/requests`)
    const lacks = 'no request has been received'
    expect(await verify({ method: 'DELETE' })).toMatchObject({
      verified: false,
      lookedAt: { requests: 0 },
      lacks,
    })
    const long = { ...order, clientOrderId: 'mine', metadata: { note: 'x'.repeat(5000) } }
    await admin.place(long)
    expect(await verify({ method: 'POST', body: { clientOrderId: 'mine' } })).toMatchObject({
      verified: false,
      lacks: 'the log has only the first 4096 bytes of req_5',
    })
    expect(await verify({ method: 'GET', body: { clientOrderId: 'mine' } })).toMatchObject({ verified: true })
  })

  it('explains a request without carrying it out', async () => {
    const before = await admin.venue.admin('GET', `${admin.path}/digest`)
    const explain = (body: object) => admin.venue.admin('POST', `${admin.path}/requests/explain`, body)
    expect((await explain({ method: 'GET', path: '/api/sdk/order' })).body).toMatchObject({
      step: 'route',
      passed: [],
      status: 404,
    })
    expect(
      (await explain({ method: 'GET', path: '/api/sdk/orders', headers: { 'X-API-Key': 'x' } })).body,
    ).toMatchObject({
      step: 'headers',
      passed: ['route'],
      status: 401,
      type: 'TIMESTAMP_EXPIRED',
    })
    const body = JSON.stringify(order)
    const sending = { method: 'POST', target: '/api/sdk/orders', body, ...admin.keysOf('trader') }
    const headers = signedHeaders(sending, admin.venue.wall.nowMillis())
    expect((await explain({ method: 'POST', path: '/api/sdk/orders', headers, body })).body).toMatchObject({
      world: admin.id,
      step: 'operation',
      status: 201,
      body: { orderId: 'ord_2' },
    })
    expect(
      (await explain({ method: 'POST', path: '/api/sdk/orders', headers, body: order })).body,
    ).toMatchObject({
      status: 201,
    })
    const unknown = { method: 'GET', target: '/api/sdk/orders/ord_9', ...admin.keysOf('trader') }
    const { method, target: path } = unknown
    const signed = signedHeaders(unknown, admin.venue.wall.nowMillis())
    expect((await explain({ method, path, headers: signed })).body).toMatchObject({
      step: 'operation',
      status: 404,
      type: 'ORDER_NOT_FOUND',
      message: 'The order does not exist',
    })
    expect((await admin.venue.admin('GET', `${admin.path}/digest`)).body).toEqual(before.body)
    expect((await admin.venue.admin('GET', `${admin.path}/requests`)).body).toHaveProperty(
      'requests.length',
      4,
    )
  })
})
