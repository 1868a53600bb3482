import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { liquidScenario } from '../../world/scenarios.ts'
import { type Reply, startFixture, type VenueFixture } from '../venue-fixture.ts'

let venue: VenueFixture
let elsewhere: VenueFixture
beforeAll(async () => {
  venue = await startFixture()
  elsewhere = await startFixture()
})
afterAll(async () => {
  await venue.server.close()
  await elsewhere.server.close()
})

const idOf = ({ body }: Reply): string =>
  typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : ''
const freshWorld = async (more: object = { scenario: liquidScenario }): Promise<string> => {
  const reply = await venue.admin('POST', '/worlds', more)
  expect(reply.status, reply.text).toBe(201)
  return idOf(reply)
}
const keyOf = (id: string) => ({ apiKey: `simk_${id}_trader`, apiSecret: `sims_${id}_trader` })
const order = '{"side":"buy","asset":"BTC","quantity":0.5,"price":49000}'
const place = (id: string, on: VenueFixture = venue) =>
  on.send({ method: 'POST', target: '/api/sdk/orders', body: order, ...keyOf(id) })
const digestOf = async (id: string, on: VenueFixture = venue) =>
  (await on.admin('GET', `/worlds/${id}/digest`)).body
const snapshotOf = async (id: string) => venue.admin('POST', `/worlds/${id}/snapshots`)

describe('snapshots over HTTP', () => {
  it('are never consumed, and sequences never go back', async () => {
    const id = await freshWorld()
    await place(id)
    const taken = await snapshotOf(id)
    expect(taken).toMatchObject({
      status: 201,
      body: { id: expect.stringMatching(/^snap_\d+$/), sequence: 1, now: '2026-01-05T00:00:00.000Z' },
    })
    for (const sequence of [3, 5, 7]) {
      expect((await place(id)).body).toMatchObject({ orderId: 'ord_2' })
      const restored = await venue.admin('POST', `/worlds/${id}/snapshots/${idOf(taken)}/restore`)
      expect(restored).toMatchObject({ status: 200, body: { digest: digest(taken), sequence } })
      expect(await digestOf(id)).toMatchObject({ digest: digest(taken) })
    }
    const list = await venue.admin('GET', `/worlds/${id}/snapshots`)
    expect(list.body).toEqual({ snapshots: [taken.body] })
  })

  it('have ids that are unique on the server, and belong to their world', async () => {
    const [one, two] = [await freshWorld(), await freshWorld()]
    const ids = [idOf(await snapshotOf(one)), idOf(await snapshotOf(two)), idOf(await snapshotOf(one))]
    expect(new Set(ids).size).toBe(3)
    expect((await venue.admin('POST', `/worlds/${two}/snapshots/${ids[0]}/restore`)).status).toBe(404)
    expect((await venue.admin('DELETE', `/worlds/${one}/snapshots/${ids[0]}`)).status).toBe(200)
    expect((await venue.admin('GET', `/worlds/${one}/snapshots/${ids[0]}`)).status).toBe(404)
  })

  it('can be forked while a world has the keys that the scenario names', async () => {
    const keys = [{ key: 'k-named', secret: 's-named', scopes: ['READ', 'TRADE'] }, { scopes: ['READ'] }]
    const scenario = { ...liquidScenario, accounts: [{ id: 'trader', balances: { USD: 100_000 }, keys }] }
    const first = await freshWorld({ scenario })
    const fork = await freshWorld({ fromSnapshot: idOf(await snapshotOf(first)) })
    const named = { apiKey: 'k-named', apiSecret: 's-named' }
    const worldOf = async (key: { apiKey: string; apiSecret: string }) =>
      (await venue.send({ target: '/api/sdk/orders', ...key })).headers['x-sim-world']
    expect(await worldOf(named)).toBe(first)
    expect((await place(fork)).status).toBe(403)
    expect(await worldOf({ apiKey: `simk_${fork}_trader_2`, apiSecret: `sims_${fork}_trader_2` })).toBe(fork)
    await venue.admin('POST', `/worlds/${fork}/reset`)
    expect(await worldOf(named)).toBe(first)
    await venue.admin('DELETE', `/worlds/${first}`)
    await venue.admin('POST', `/worlds/${fork}/reset`)
    expect(await worldOf(named)).toBe(fork)
  })

  it('can be downloaded, and imported unchanged, here and elsewhere', async () => {
    const id = await freshWorld()
    await place(id)
    await venue.admin('POST', `/worlds/${id}/clock/advance`, { byMs: 12_345 })
    const taken = await snapshotOf(id)
    const document = await venue.admin('GET', `/worlds/${id}/snapshots/${idOf(taken)}`)
    expect(document.body).toMatchObject({ format: 'otcsim snapshot', version: 1, digest: digest(taken) })
    const taking = await elsewhere.admin('POST', '/worlds/default/snapshots/import', document.body)
    const { id: _, ...figures } = Object(taken.body)
    expect(taking).toMatchObject({ status: 201, body: figures })
    const made = await elsewhere.admin('POST', '/worlds', { fromSnapshot: idOf(taking) })
    expect(made).toMatchObject({ status: 201, body: { digest: digest(taken), scenario: 'liquid' } })
    for (const [world, on] of [[id, venue] as const, [idOf(made), elsewhere] as const]) await place(world, on)
    expect(digest({ body: await digestOf(idOf(made), elsewhere) })).toBe(digest({ body: await digestOf(id) }))
  })

  it('larger than any request can be imported', async () => {
    const id = await freshWorld()
    await venue.admin('PUT', `/worlds/${id}/rate-limits`, { enabled: false })
    const item = {
      side: 'buy',
      asset: 'BTC',
      quantity: 0.001,
      price: 49_000,
      metadata: { text: 'x'.repeat(4000) },
    }
    await venue.admin('PATCH', `/worlds/${id}/accounts/trader`, {
      limits: { maxOpenOrders: 1000, maxOpenOrdersPerAsset: 1000 },
    })
    for (let batch = 0; batch < 3; batch += 1) {
      const body = JSON.stringify({ orders: Array.from({ length: 100 }, () => item) })
      await venue.send({ method: 'POST', target: '/api/sdk/orders/batch', body, ...keyOf(id) })
    }
    const taken = await snapshotOf(id)
    const document = await venue.admin('GET', `/worlds/${id}/snapshots/${idOf(taken)}`)
    expect(document.text.length).toBeGreaterThan(1_200_000)
    const taking = await venue.admin('POST', `/worlds/${id}/snapshots/import`, document.body)
    expect(taking).toMatchObject({ status: 201, body: { digest: digest(taken) } })
  })

  it.each<[string, object, string]>([
    ['is not a snapshot', { hello: 1 }, 'format'],
    ['was changed', { seed: 'another' }, 'check'],
  ])('are refused when the document %s', async (_name, change, field) => {
    const id = await freshWorld()
    const taken = await snapshotOf(id)
    const document = await venue.admin('GET', `/worlds/${id}/snapshots/${idOf(taken)}`)
    const body = field === 'format' ? change : { ...Object(document.body), ...change }
    const reply = await venue.admin('POST', `/worlds/${id}/snapshots/import`, body)
    expect(reply).toMatchObject({ status: 400, body: { details: { field } } })
  })

  it('make worlds with the same digest, and keys of their own', async () => {
    const id = await freshWorld()
    await place(id)
    const taken = await snapshotOf(id)
    const fork = await venue.admin('POST', '/worlds', {
      id: 'forked',
      fromSnapshot: idOf(taken),
      readings: { envelope: 'wrapped' },
      clock: { mode: 'auto', stepMs: 5 },
    })
    expect(fork).toMatchObject({
      status: 201,
      body: { digest: digest(taken), readings: { envelope: 'wrapped' }, clock: { mode: 'auto' } },
    })
    expect((await place('forked')).body).toMatchObject({ data: { orderId: 'ord_2' } })
    expect(await digestOf(id)).toMatchObject({ digest: digest(taken) })
  })

  it.each<[object, number, string]>([
    [{ fromSnapshot: 'snap_999' }, 404, 'There is no snapshot snap_999'],
    [{ fromSnapshot: 'snap_1', seed: '5' }, 400, 'seed'],
    [{ fromSnapshot: 'snap_1', scenario: 'quiet' }, 400, 'scenario'],
  ])('refuse %j', async (body, status, text) => {
    const reply = await venue.admin('POST', '/worlds', body)
    expect(reply.status).toBe(status)
    expect(reply.text).toContain(text)
  })

  it('taken by a scenario are listed under their names', async () => {
    const timeline = [{ at: '+2s', snapshot: { name: 'before' } }]
    const id = await freshWorld({ scenario: { ...liquidScenario, timeline } })
    await venue.admin('POST', `/worlds/${id}/clock/advance`, { byMs: 5000 })
    const list = await venue.admin('GET', `/worlds/${id}/snapshots`)
    expect(list.body).toMatchObject({ snapshots: [{ id: `${id}.before`, now: '2026-01-05T00:00:02.000Z' }] })
    expect((await venue.admin('POST', `/worlds/${id}/snapshots/${id}.before/restore`)).body).toMatchObject({
      now: '2026-01-05T00:00:02.000Z',
    })
  })
})

function digest({ body }: Pick<Reply, 'body'>): string {
  return typeof body === 'object' && body !== null && 'digest' in body ? String(body.digest) : 'none'
}
